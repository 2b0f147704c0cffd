import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import type { AuditReport } from "../../audit/Report.ts"
import type { SiteFolder } from "../../evidence/folder/SiteFolder.ts"
import type { ParserPool } from "../../parse/ParserPool.ts"
import { folderOf } from "../../text/PageFile.ts"
import { headSnippet } from "../files/HeadSnippet.ts"
import { type MarkdownOf, pageMarkdown } from "../files/PageMarkdownFile.ts"
import { withHead } from "../overlay/HeadInsertion.ts"
import { filePathOf } from "../site/FilePath.ts"
import type { Unwritten } from "../site/GeneratedFile.ts"
import { markdownUrlOf } from "../site/MarkdownForms.ts"
import { judgeAddress } from "../../site/address/PageUrl.ts"
import { VERSION_FORMS, versionUrl } from "../../site/markdown/VersionForm.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import { isOwnPage, type PageMarkdown, sharedTexts, sitePage, type SitePage } from "../site/SitePages.ts"
import { siteTitleOf } from "../site/PageWords.ts"
import { type FixOptions, llmsTxtUrl, siteFiles, siteHost, type Wish, wishOf } from "../WriteFixes.ts"
import { type FolderPage, type FolderPlace, folderPages, lightPage } from "./FolderPages.ts"

/** A file to write into the folder. */
export interface Change {
  /** Relative to the folder. */
  readonly path: string
  readonly body: Uint8Array
  /** The text of the owner's file that is completed; `null`: a new file, or the head of a page. */
  readonly completes: string | null
  readonly kind: "file" | "version" | "head" | "host"
}

/** What to patch, and how. */
export interface PatchRequest {
  readonly folder: SiteFolder
  readonly site: PublishedSite
  readonly report: Pick<AuditReport, "criteria">
  readonly options: FixOptions
  readonly markdownOf: MarkdownOf
}

/** What could not be written into the folder. */
export interface PatchOutcome {
  readonly unwritten: ReadonlyArray<Unwritten>
  /** Files that are published outside the folder, such as /robots.txt of a site in a folder of its host. */
  readonly outside: ReadonlyArray<string>
}

/** Text of Markdown that is kept for llms-full.txt, in characters. */
const MOST_KEPT = 20_000_000

/** Configuration that hosts read from the published folder; the rest goes into the repository. */
const IN_FOLDER = new Set(["_headers", ".htaccess"])

/** Writes what a static build lacks, page by page, by `write`; what is there is kept. A second run finds nothing to write. */
export const patchFolder = Effect.fn("Fix.patchFolder")(function*<E>(
  request: PatchRequest,
  write: (change: Change) => Effect.Effect<void, E>
): Effect.fn.Return<PatchOutcome, E, ParserPool> {
  const { folder, options, report, site } = request
  const wish = wishOf(site, report.criteria, options)
  const place = placeOf(site, folder)
  const shared = sharedTexts(site.sample.pages)
  const opened: Array<SitePage> = []
  const seen = new Set<string>()
  const lost: Array<string> = []
  let kept = 0
  yield* Stream.runForEach(folderPages(folder, place), Effect.fnUntraced(function*(read: FolderPage) {
    const { page } = read
    if (!isOwnPage(page) || page.redirect !== null) return
    // Indexes and search pages are no pages of the documentation.
    if (judgeAddress(page.url) !== "page" && page.url !== site.base.url) return
    const version = yield* versionOf(request, place, wish, seen, page)
    if (version === null) lost.push(page.url)
    else if (version.written) yield* write({ path: pathIn(place, version.url ?? "") ?? "", body: new TextEncoder().encode(version.text), completes: null, kind: "version" })
    const own = sitePage(page, shared, null, version)
    const snippet = headSnippet(own, wish.heads)
    const headed = snippet === null || page.answer.cut ? null : withHead(page.answer.body, snippet.text)
    if (headed !== null) yield* write({ path: read.file, body: headed, completes: null, kind: "head" })
    kept += version?.text.length ?? 0
    const isKept = kept <= MOST_KEPT && wish.gap("A2")
    opened.push({ ...own, page: lightPage(page), markdown: version === null ? null : { ...version, text: isKept ? version.text : "" } })
  }))
  const base = opened.filter(({ url }) => url === site.base.url)
  const pages = { title: siteTitleOf(site.base.page, site.sample.pages), opened: [...base, ...opened.filter((one) => !base.includes(one))], linked: [] }
  const whole = siteFiles(site, pages, wish, options)
  const host = siteHost(site, wish, options, llmsTxtUrl(site, pages, wish), opened.some(({ markdown }) => markdown?.written === true))
  const outside: Array<string> = []
  for (const { completes, text, url } of whole.files) {
    const path = url === null ? null : pathIn(place, url)
    if (path === null) outside.push(url ?? "")
    else yield* write({ path, body: new TextEncoder().encode(text), completes, kind: "file" })
  }
  for (const { name, text } of host.files) {
    if (IN_FOLDER.has(name)) yield* completeRules(folder, name, text, write)
    else outside.push(name)
  }
  const unconverted = wish.gap("B1") && lost.length > 0 ? [{ criterion: "B1", reason: `${lost.length.toLocaleString("en")} of the pages can't be converted without losing text.`, pages: lost }] : []
  return { unwritten: [...whole.unwritten, ...host.unwritten, ...unconverted], outside }
})

/** Where the folder is published, and how its pages are linked to. */
const placeOf = ({ base, sample }: PublishedSite, folder: SiteFolder): FolderPlace => {
  const { origin, pathname } = new URL(base.audited)
  const url = `${origin}${folderOf(pathname)}`
  const cleanUrls = sample.pages.some((page) => {
    const path = pathIn({ url, cleanUrls: false }, page.url)
    return path !== null && folder.has(`${path}.html`)
  })
  return { url, cleanUrls }
}

/** The file of a URL in the folder; `null` if it is published elsewhere. */
const pathIn = ({ url: root }: Pick<FolderPlace, "cleanUrls" | "url">, url: string): string | null =>
  url.startsWith(root) ? filePathOf(`${new URL(root).origin}/${url.slice(root.length)}`) : null

/** The owner's Markdown file of a page, else a conversion; `null`: neither. */
const versionOf = Effect.fnUntraced(function*({ folder, markdownOf }: PatchRequest, place: FolderPlace, { forms, gap }: Wish, seen: Set<string>, page: FolderPage["page"]) {
  const url = markdownUrlOf(forms, page.url)
  const path = url === null ? null : pathIn(place, url)
  if (url === null || path === null) return null
  for (const own of [url, ...VERSION_FORMS.flatMap((form) => versionUrl(form, page.url) ?? [])]) {
    const there = pathIn(place, own)
    const read = there !== null && folder.has(there) ? yield* folder.read(there, MOST_KEPT) : null
    if (read === null) continue
    const text = new TextDecoder().decode(read.body)
    seen.add(digestOf(text))
    return { url: own, text, written: false } satisfies PageMarkdown
  }
  const file = pageMarkdown(page, url, markdownOf)
  const digest = digestOf(file?.text ?? "")
  if (file === null || seen.has(digest)) return null
  seen.add(digest)
  return { url: gap("B1") ? url : null, text: file.text, written: gap("B1") } satisfies PageMarkdown
})

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex")

const MARK = "# Written by docgauge fix."

/** Adds our rules to a file of rules, once. */
const completeRules = <E>(folder: SiteFolder, name: string, text: string, write: (change: Change) => Effect.Effect<void, E>): Effect.Effect<void, E> =>
  Effect.flatMap(folder.has(name) ? folder.read(name, MOST_KEPT) : Effect.succeed(null), (read) => {
    const there = read === null ? null : new TextDecoder().decode(read.body)
    if (there?.includes(MARK) === true) return Effect.void
    const body = there === null || there.trim() === "" ? text : `${there.trimEnd()}\n\n${text}`
    return write({ path: name, body: new TextEncoder().encode(body), completes: there, kind: "host" })
  })
