import * as Effect from "effect/Effect"
import { onSite } from "../../evidence/Address.ts"
import { type Answer, type Exchange, isOk } from "../../evidence/Exchange.ts"
import { located } from "../../page/html/SpecViewers.ts"
import type { SpecViewer } from "../../page/Page.ts"
import { shownByConfiguration, shownByScript } from "../../page/script/ViewerScript.ts"
import type { GatherContext } from "../base/GatherContext.ts"

/** A page with viewers, or a file that tells what the viewers of a page show. */
export interface ViewerSource {
  readonly answer: Answer
  /** The page's, which viewers resolve URLs against, those in their files too. */
  readonly url: string
  readonly viewers: ReadonlyArray<SpecViewer>
}

/** Scripts that hold a whole description are longer than those that name one. */
const FILE_BYTES = 2 * 1024 * 1024

/** Files that are read, over all viewers; the script of Swagger UI may name a file that names the description. */
const FILES = 4
const ROUNDS = 2

/** The files on the site that viewers take their configuration from. */
export const viewerFileUrls = ({ base }: GatherContext, sources: ReadonlyArray<ViewerSource>): ReadonlyArray<string> =>
  namedBy(sources)
    .map(([file]) => file)
    .filter((file) => onSite(file, base.site))
    .slice(0, FILES)

/** Each file once, with the page that it is for. */
const namedBy = (sources: ReadonlyArray<ViewerSource>): ReadonlyArray<readonly [file: string, page: string]> => {
  const pages = new Map<string, string>()
  for (const { url, viewers } of sources)
    for (const { configuration } of viewers)
      if (configuration !== null && !pages.has(configuration)) pages.set(configuration, url)
  return [...pages]
}

/** What the viewers of pages take from files. */
export const readViewerFiles = Effect.fn("ViewerFiles.read")(function* (
  context: GatherContext,
  pages: ReadonlyArray<ViewerSource>
): Effect.fn.Return<{ readonly files: ReadonlyArray<ViewerSource>; readonly asked: ReadonlyArray<Exchange> }> {
  const files: Array<ViewerSource> = []
  const asked = new Map<string, Exchange>()
  for (let round = 0; round < ROUNDS; round++) {
    const sources = [...pages, ...files]
    const urls = viewerFileUrls(context, sources).filter((url) => !asked.has(url))
    const exchanges = yield* context.collector.getAll(urls)
    const page = new Map(namedBy(sources))
    urls.forEach((url, index) => {
      const exchange = exchanges[index]
      if (exchange === undefined) return
      asked.set(url, exchange)
      if (isOk(exchange) && exchange.body.byteLength <= FILE_BYTES)
        files.push(viewersIn(exchange, page.get(url) ?? exchange.url))
    })
  }
  return { files, asked: [...asked.values()] }
})

/** The sample description that Swagger UI ships with. */
const SHIPPED = /^https?:\/\/petstore\d?\.swagger\.io\//i

const viewersIn = (answer: Answer, url: string): ViewerSource => {
  const text = new TextDecoder().decode(answer.body)
  const shown = /^\s*\{/.test(text) ? shownByConfiguration("swagger-ui", text) : shownByScript(text)
  const viewers = shown.map((one) => located(one, url))
  return { answer, url, viewers: viewers.filter((viewer) => viewer.url === null || !SHIPPED.test(viewer.url)) }
}
