import * as Effect from "effect/Effect"
import { onSite, pageKey } from "../../evidence/Address.ts"
import { type Answer, type Exchange, isOk } from "../../evidence/Exchange.ts"
import { located } from "../../page/html/SpecViewers.ts"
import type { Page, PageLink, SpecViewer } from "../../page/Page.ts"
import { shownByFile } from "../../page/script/ViewerScript.ts"
import { isAsideAddress, judgeAddress } from "../address/PageUrl.ts"
import { isInForceAmong } from "../address/VersionFolders.ts"
import type { GatherContext } from "../base/Derivation.ts"
import { isOpen } from "./SpecMentions.ts"

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
  const shown = shownByFile(new TextDecoder().decode(answer.body), answer.url)
  const viewers = shown.map((one) => located(one, url))
  return { answer, url, viewers: viewers.filter((viewer) => viewer.url === null || !SHIPPED.test(viewer.url)) }
}

/**
 * A page with a viewer whose description only a running script knows; `null` where there is none. `files`: what the viewers took from files,
 * and `asked` whose answers those are.
 */
export const openViewer = (
  { base }: GatherContext,
  pages: ReadonlyArray<ViewerSource>,
  files: ReadonlyArray<ViewerSource>
): Answer | null => {
  const told = (source: ViewerSource): ReadonlyArray<SpecViewer> =>
    [source, ...files.filter(({ url }) => url === source.url)].flatMap(({ viewers }) => viewers)
  const open = pages.find((page) => {
    const viewers = told(page)
    return viewers.some(({ computed }) => computed !== null) && viewers.every((viewer) => isOpen(viewer, base.site))
  })
  return open?.answer ?? null
}

/** Pages that are opened because a link suggests that they show an API description. */
const OPENED = 3

/** Viewers by the names that tools and their users give to their folders. */
const VIEWER_FOLDER =
  /^(?:swagger(?:[-_]?(?:ui|docs?))?|redoc(?:ly)?|rapi-?docs?|scalar|stoplight|openapi(?:-?(?:ui|docs?))?|api-?docs?|(?:api-?)?(?:explorer|console|playground|browser|sandbox)|api-?ref(?:erence)?|graphiql|graphql-?(?:playground|voyager|explorer)|voyager)(?:\.html?)?$/i

/** `/ui/?url=/openapi.json`: what viewers take from their query. */
const VIEWER_QUERY = /[?&](?:url|configUrl|spec-?url)=/i

const VIEWER_NAME = /\b(?:swagger|redoc|rapidoc|scalar|open ?api|graphiql|graphql (?:playground|voyager|explorer))\b/i

/** `API` as a word, in scripts without spaces too. */
const API = /(?<![A-Za-z0-9])APIs?(?![A-Za-z0-9])/i

/** Longer texts speak of more than the API as a whole, in characters. */
const SHORT_TEXT = 40

/**
 * Pages beyond those that were read which links suggest to be viewers, those of other versions aside: by their URL, by their text, or
 * because the text says `API`, in this order, then in that of the links.
 */
export const linkedViewers = ({ base }: GatherContext, pages: ReadonlyArray<Page>): ReadonlyArray<string> => {
  const known = new Set(pages.flatMap(({ answer, url }) => [pageKey(url), pageKey(answer.asked.url)]))
  const ranks = new Map<string, { readonly url: string; readonly rank: number }>()
  const links = pages.flatMap((page) => page.links.filter(({ url }) => onSite(url, base.site)))
  const pathOf = ({ url }: Pick<PageLink, "url">): string => new URL(url).pathname
  const isInForce = isInForceAmong(new URL(base.url).pathname, [...new Set([...pages, ...links].map(pathOf))])
  for (const link of links) {
    const rank = rankOf(link)
    if (rank === null || !isInForce(pathOf(link))) continue
    const key = pageKey(link.url)
    const before = ranks.get(key)
    if (!known.has(key) && (before === undefined || rank < before.rank)) ranks.set(key, { url: link.url, rank })
  }
  return [...ranks.values()]
    .sort((one, other) => one.rank - other.rank)
    .slice(0, OPENED)
    .map(({ url }) => url)
}

const rankOf = ({ rel, text, url }: PageLink): number | null => {
  const { pathname, search } = new URL(url)
  const byQuery = VIEWER_QUERY.test(search)
  const path = search === "" || byQuery ? url.slice(0, url.length - search.length) : url
  if (rel.includes("nofollow") || judgeAddress(path) !== "page" || isAsideAddress(url)) return null
  const folder = pathname.split("/").findLast((segment) => segment !== "" && !/^index\.\w{2,5}$/i.test(segment)) ?? ""
  if (byQuery || VIEWER_FOLDER.test(folder)) return 0
  if (VIEWER_NAME.test(text.slice(0, SHORT_TEXT))) return 1
  return text.length <= SHORT_TEXT && API.test(text) ? 2 : null
}
