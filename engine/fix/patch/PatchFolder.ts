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
  /** Files of the owner's that could not be completed, and were left as they are. */
  readonly skipped: ReadonlyArray<Skipped>
}

/** A file that was not written. */
export interface Skipped {
  /** Relative to the folder. */
  readonly path: string
  /** A clause with the file as its subject, and what to do. */
  readonly reason: string
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
  const skipped: Array<Skipped> = []
  let kept = 0
  yield* Stream.runForEach(folderPages(folder, place), Effect.fnUntraced(function*(read: FolderPage) {
    const { page } = read
    if (!isOwnPage(page) || page.redirect !== null) return
    // Indexes and search pages are no pages of the documentation.
    if (judgeAddress(page.url) !== "page" && page.url !== site.base.url) return
    const version = yield* versionOf(request, place, wish, seen, skipped, page)
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
    // A new file is written for what the audit did not recognise, so one of that name is not what it should be.
    else if (completes === null && folder.has(path)) skipped.push({ path, reason: "is in the folder, but not in a form that we can complete. Correct or delete it, and run this again." })
    else yield* write({ path, body: new TextEncoder().encode(text), completes, kind: "file" })
  }
  for (const { name, text } of host.files) {
    if (!IN_FOLDER.has(name)) outside.push(name)
    else {
      const refused = yield* completeRules(folder, name, text, write)
      if (refused !== null) skipped.push({ path: name, reason: refused })
    }
  }
  const unconverted = wish.gap("B1") && lost.length > 0 ? [{ criterion: "B1", reason: `${lost.length.toLocaleString("en")} of the pages can't be converted without losing text.`, pages: lost }] : []
  return { unwritten: [...whole.unwritten, ...host.unwritten, ...unconverted], outside, skipped }
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
const versionOf = Effect.fnUntraced(function*({ folder, markdownOf }: PatchRequest, place: FolderPlace, { forms, gap }: Wish, seen: Set<string>, skipped: Array<Skipped>, page: FolderPage["page"]) {
  const url = markdownUrlOf(forms, page.url)
  const path = url === null ? null : pathIn(place, url)
  if (url === null || path === null) return null
  for (const own of [url, ...VERSION_FORMS.flatMap((form) => versionUrl(form, page.url) ?? [])]) {
    const there = pathIn(place, own)
    if (there === null || !folder.has(there)) continue
    const read = yield* folder.read(there, MOST_KEPT)
    if (read === null) {
      skipped.push({ path: there, reason: UNREADABLE })
      return { url: own, text: "", written: false } satisfies PageMarkdown
    }
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

const UNREADABLE = "can't be read, so it was left as it is. Check its permissions."

/** Adds our rules to the bytes of a file of rules, once; the reason if it cannot be completed, else `null`. */
const completeRules = Effect.fnUntraced(function*<E>(folder: SiteFolder, name: string, text: string, write: (change: Change) => Effect.Effect<void, E>): Effect.fn.Return<string | null, E> {
  const rules = Buffer.from(text)
  if (!folder.has(name)) return yield* Effect.as(write({ path: name, body: rules, completes: null, kind: "host" }), null)
  const read = yield* folder.read(name, MOST_KEPT)
  if (read === null) return UNREADABLE
  if (read.bytes > read.body.length) return "is longer than what we read, so we did not add to it. Make it shorter and run this again."
  const there = new TextDecoder().decode(read.body)
  if (there.includes(MARK)) return null
  if (there.includes("\0")) return "is not in UTF-8, so we did not add to it. Convert it to UTF-8 and run this again."
  const body = there.trim() === "" ? rules : Buffer.concat([read.body, Buffer.from(there.endsWith("\n") ? "\n" : "\n\n"), rules])
  return yield* Effect.as(write({ path: name, body, completes: there, kind: "host" }), null)
})
