import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { normalise, pageKey } from "../../evidence/Address.ts"
import { type Answer, isGone } from "../../evidence/Exchange.ts"
import { FetchLimits } from "../../evidence/FetchLimits.ts"
import type { SiteFolder } from "../../evidence/folder/SiteFolder.ts"
import { type Conversion, notConverted } from "../../page/conversion/Conversion.ts"
import type { Page } from "../../page/Page.ts"
import { ParserPool } from "../../parse/ParserPool.ts"
import { judgeAddress } from "../../site/address/PageUrl.ts"
import { folderOf } from "../../text/UrlPath.ts"
import { filePathOf, takenPaths, type Unwritten } from "../site/GeneratedFile.ts"
import { isOfVersion, namedUrls, type PublishedSite } from "../site/PublishedSite.ts"
import { createHash } from "node:crypto"
import { VERSION_FORMS, versionUrl } from "../../site/markdown/VersionForm.ts"
import { pageMarkdown, withReference } from "../files/PageMarkdownFile.ts"
import { withoutWayOn } from "../files/WayOn.ts"
import { markdownUrlOf, unversioned } from "../site/MarkdownForms.ts"
import type { PublishedMarkdown } from "../site/SitePages.ts"
import type { Wish } from "../write/Wish.ts"

/** An HTML file of a folder, read as the page that it is published as. */
export interface FolderPage {
  /** The file, relative to the folder. */
  readonly file: string
  readonly page: Page
  /** `null` unless it was asked for. */
  readonly conversion: Conversion | null
}

const isHtmlFile = (file: string): boolean => /\.html?$/i.test(file) && file !== "404.html"

/** The URLs of a folder's HTML files. */
export const urlsOfFolder = (folder: SiteFolder, place: FolderPlace): ReadonlyArray<string> =>
  folder.files.filter(isHtmlFile).flatMap((file) => urlOfFile(place, file) ?? [])

/** Files are read ahead while earlier pages are converted. */
const READ_AHEAD = 4

/** Which pages of a folder are read, by their URLs. */
interface FolderWish {
  readonly reads: (url: string) => boolean
  /** Whether a page that is read is converted, too. */
  readonly converts: (url: string) => boolean
}

/** Pages of a folder, in the order of their files. */
export const folderPages = (
  folder: SiteFolder,
  place: FolderPlace,
  wish: FolderWish
): Stream.Stream<FolderPage, never, ParserPool> =>
  Stream.fromIterable(folder.files.filter(isHtmlFile)).pipe(
    Stream.mapEffect((file) => readFolderPage(folder, place, file, wish), { concurrency: READ_AHEAD }),
    Stream.filter((read) => read !== null)
  )

const readFolderPage = Effect.fnUntraced(function* (
  folder: SiteFolder,
  place: FolderPlace,
  file: string,
  { converts, reads }: FolderWish
): Effect.fn.Return<FolderPage | null, never, ParserPool> {
  const { pageBytes } = yield* FetchLimits
  const url = urlOfFile(place, file)
  const read = url === null || !reads(url) ? null : yield* folder.read(file, pageBytes)
  if (url === null || read === null) return null
  const answer: Answer = {
    _tag: "Answer",
    asked: { method: "GET", url, accept: "*/*", agent: "docgauge" },
    url,
    status: 200,
    // Without a charset, so that a byte order mark and the page's own declaration count, as in the audit of the folder.
    headers: [["content-type", "text/html"]],
    body: read.body,
    cut: read.bytes > read.body.length,
    wireBytes: read.body.length,
    redirects: []
  }
  const pool = yield* ParserPool
  if (!converts(url)) return { file, page: yield* pool.outline({ answer }), conversion: null }
  return { file, ...(yield* pool.pageAndMarkdown({ answer })) }
})

/** How much of a file is looked at for signs of a template. */
const TEMPLATE_BYTES = 20_000

const DOCUMENT = /<(?:!doctype|html|head|title|body|main|article|h1)\b/i
const TEMPLATE_TAG =
  /\{%-?\s{0,9}(?:extends|block|include|import|macro|if|for|layout|render)\b|\{\{-?\s{0,9}(?:partial|define|template|block|\.Content|content|super\(\))/

/** A template, or a part of one, that a theme left in the build: no page. */
export const isTemplateText = (body: Uint8Array): boolean => {
  const start = Buffer.from(body.subarray(0, TEMPLATE_BYTES)).toString("latin1")
  // Documentation of templates shows such tags in its text, below its head.
  const [before = ""] = start.split(/<(?:body|main|h1|p)\b/i, 1)
  return TEMPLATE_TAG.test(before) || !DOCUMENT.test(start.replaceAll("\0", ""))
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
  codeBlocks: []
})

/** Where a folder is published. */
export interface FolderPlace {
  /** URL of the folder, with a slash at its end. */
  readonly url: string
  /** Whether the site links to `guide`, not to `guide.html`. */
  readonly cleanUrls: boolean
}

/** Where the folder is published, and how most of its pages are linked to. */
export const placeOf = ({ base, sample }: PublishedSite, folder: SiteFolder): FolderPlace => {
  const { origin, pathname } = new URL(base.audited)
  const url = `${origin}${folderOf(pathname)}`
  const paths = sample.pages.flatMap((page) => pathIn({ url }, page.url) ?? [])
  const clean = paths.filter((path) => folder.has(`${path}.html`)).length
  const named = paths.filter((path) => /\.html?$/i.test(path) && folder.has(path)).length
  return { url, cleanUrls: clean > named }
}

/** The file of a URL in the folder; `null` if it is published elsewhere. */
export const pathIn = ({ url: root }: Pick<FolderPlace, "url">, url: string): string | null =>
  url.startsWith(root) ? filePathOf(`${new URL(root).origin}/${url.slice(root.length)}`) : null

/** The URL that a file is published at: an index file at its folder's. */
const urlOfFile = ({ cleanUrls, url }: FolderPlace, file: string): string | null => {
  const path = file.replace(/(^|\/)index\.html?$/i, "$1")
  const shown = cleanUrls ? path.replace(/\.html?$/i, "") : path
  return normalise(`${url}${encodeURI(shown).replaceAll("?", "%3F").replaceAll("#", "%23")}`)
}

/** A file that was not written. */
export interface Skipped {
  /** Relative to the folder. */
  readonly path: string
  /** A clause with the file as its subject, and what to do. */
  readonly reason: string
}

export const UNREADABLE_FILE = "can't be read, so it was left as it is. Check its permissions."

/** Pages that only the folder has, and pages that only the site names. */
export interface BuildDifference {
  /** HTML files that no link, sitemap or llms.txt leads to: as a visitor, docgauge does not see them. None where pages were left unopened. */
  readonly unreached: ReadonlyArray<string>
  /** URLs that pages link to, or that sitemap or llms.txt list, and for which the folder has no file. */
  readonly lacking: ReadonlyArray<string>
}

/** `pages`: all that were opened; `isWhole`: whether that is the whole site, else pages that were not opened may lead to any file. */
export const buildDifference = Effect.fn("Fix.buildDifference")(function* (
  folder: SiteFolder,
  site: PublishedSite,
  pages: ReadonlyArray<Page>,
  isWhole: boolean
): Effect.fn.Return<BuildDifference> {
  const place = placeOf(site, folder)
  const reached = new Set(namedUrls(site, pages).map(shownKey))
  const isCurrent = isOfVersion(site, urlsOfFolder(folder, place))
  const unknown = (isWhole ? folder.files : []).filter((file) => {
    const url = isHtmlFile(file) ? urlOfFile(place, file) : null
    return url !== null && judgeAddress(url) === "page" && isCurrent(url) && !reached.has(shownKey(url))
  })
  const unreached = yield* Effect.filter(unknown, (file) =>
    Effect.map(folder.read(file, TEMPLATE_BYTES), (read) => read !== null && isPageText(read.body))
  )
  return {
    unreached,
    lacking: site.sample.visits.flatMap(({ candidate, exchange }) => (isGone(exchange) ? [candidate.url] : []))
  }
})

/** A host sends the same file with its ending and without. */
const shownKey = (url: string): string => pageKey(url).replace(/\.html?$/, "")

/** What sends its reader on is no page. */
const isPageText = (bytes: Uint8Array): boolean =>
  !isTemplateText(bytes) &&
  !/<meta[^>]{0,200}http-equiv\s{0,9}=\s{0,9}["']?refresh/i.test(Buffer.from(bytes).toString("latin1"))

interface FolderVersions {
  /** The owner's Markdown file of a page, and its URL; `null`: there is none. */
  readonly ownOf: (page: string) => { readonly path: string; readonly url: string } | null
  /** The owner's version of a page, else a conversion; `null`: neither. */
  readonly versionOf: (read: FolderPage) => Effect.Effect<PublishedMarkdown | null>
  readonly notes: () => ReadonlyArray<Unwritten>
  readonly skipped: ReadonlyArray<Skipped>
}

/** More of one file is not read, in bytes. */
const LONGEST = 20_000_000

export const folderVersions = (
  folder: SiteFolder,
  site: PublishedSite,
  place: FolderPlace,
  { forms, gap }: Wish
): FolderVersions => {
  const texts = new Set<string>()
  const without = unversioned()
  const skipped: Array<Skipped> = []
  const paths = takenPaths()
  for (const file of folder.files) paths.take(file)
  const ownOf: FolderVersions["ownOf"] = (page) => {
    const usual = markdownUrlOf(forms, page)
    for (const url of [
      ...(usual === null ? [] : [usual]),
      ...VERSION_FORMS.flatMap((form) => versionUrl(form, page) ?? [])
    ]) {
      const path = pathIn(place, url)
      if (path !== null && folder.has(path)) return { path, url }
    }
    return null
  }
  return {
    ownOf,
    versionOf: Effect.fnUntraced(function* ({
      conversion,
      page
    }: FolderPage): Effect.fn.Return<PublishedMarkdown | null> {
      const own = ownOf(page.url)
      if (own !== null) {
        const read = yield* folder.read(own.path, LONGEST)
        if (read === null) skipped.push({ path: own.path, reason: UNREADABLE_FILE })
        const text = read === null ? "" : new TextDecoder().decode(read.body)
        texts.add(digestOf(withoutWayOn(text)))
        return { url: own.url, text, written: false }
      }
      const url = markdownUrlOf(forms, page.url)
      const file = pageMarkdown(
        withReference(site, page, conversion ?? notConverted("crashed")),
        url !== null && pathIn(place, url) !== null ? url : null
      )
      if (typeof file === "string") {
        without.add(file, page.url)
        return null
      }
      const digest = digestOf(file.text)
      if (texts.has(digest)) {
        without.add("same_text", page.url)
        return null
      }
      texts.add(digest)
      const isPublished = gap("b1-markdown-twins") && paths.take(pathIn(place, file.url ?? "") ?? "")
      if (!isPublished) without.add("taken", page.url)
      return { url: isPublished ? file.url : null, text: file.text, written: isPublished }
    }),
    notes: without.notes,
    skipped
  }
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex")
