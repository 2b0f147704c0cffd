import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { normalise } from "../../evidence/Address.ts"
import type { Answer } from "../../evidence/Exchange.ts"
import { FetchLimits } from "../../evidence/FetchLimits.ts"
import type { SiteFolder } from "../../evidence/folder/SiteFolder.ts"
import { installLines } from "../../page/code/InstallLine.ts"
import type { Page } from "../../page/Page.ts"
import { ParserPool } from "../../parse/ParserPool.ts"

/** An HTML file of a folder, read as the page that it is published as. */
export interface FolderPage {
  /** The file, relative to the folder. */
  readonly file: string
  readonly page: Page
}

/** Where a folder is published. */
export interface FolderPlace {
  /** URL of the folder, with a slash at its end. */
  readonly url: string
  /** Whether the site links to `guide`, not to `guide.html`. */
  readonly cleanUrls: boolean
}

/** Files are read ahead while earlier pages are converted. */
const READ_AHEAD = 4

/** The pages of a folder, in the order of their files. */
export const folderPages = (folder: SiteFolder, place: FolderPlace): Stream.Stream<FolderPage, never, ParserPool> =>
  Stream.fromIterable(folder.files.filter((file) => /\.html?$/i.test(file) && file !== "404.html")).pipe(
    Stream.mapEffect((file) => readFolderPage(folder, place, file), { concurrency: READ_AHEAD }),
    Stream.filter((read) => read !== null)
  )

const readFolderPage = Effect.fnUntraced(function*(folder: SiteFolder, place: FolderPlace, file: string): Effect.fn.Return<FolderPage | null, never, ParserPool> {
  const { pageBytes } = yield* FetchLimits
  const url = urlOfFile(place, file)
  const read = url === null ? null : yield* folder.read(file, pageBytes)
  if (url === null || read === null) return null
  const answer: Answer = {
    _tag: "Answer",
    asked: { method: "GET", url, accept: "*/*", agent: "docgauge" },
    url,
    status: 200,
    headers: [["content-type", "text/html; charset=utf-8"]],
    body: read.body,
    cut: read.bytes > read.body.length,
    wireBytes: read.body.length,
    redirects: []
  }
  const page = yield* (yield* ParserPool).page({ answer })
  return { file, page }
})

/** The URL that a file is published at: an index file at its folder's. */
export const urlOfFile = ({ cleanUrls, url }: FolderPlace, file: string): string | null => {
  const path = file.replace(/(^|\/)index\.html?$/i, "$1")
  const shown = cleanUrls ? path.replace(/\.html?$/i, "") : path
  return normalise(`${url}${encodeURI(shown).replaceAll("?", "%3F").replaceAll("#", "%23")}`)
}

const NO_BYTES = new Uint8Array()

/** A page without what only its conversion needs: thousands of them fit in memory. */
export const lightPage = (page: Page): Page => ({
  ...page,
  answer: { ...page.answer, body: NO_BYTES },
  main: { ...page.main, text: "", segments: [] },
  sections: [{ heading: "", level: 0, anchor: null, path: [], text: "" }],
  headings: page.headings.filter(({ inMain, level }) => inMain && level <= 2).slice(0, 20),
  links: [],
  tables: [],
  definitions: [],
  operations: [],
  times: [],
  viewers: [],
  announcements: [],
  // One command that installs the product is all that is read of code.
  codeBlocks: page.codeBlocks.filter(({ text }) => text.length <= 2_000 && installLines(text).some((line) => line.package !== "")).slice(0, 1)
})
