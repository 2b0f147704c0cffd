import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Page } from "../../page/Page.ts"
import type { AuditReport } from "../../audit/Report.ts"
import type { SiteFolder } from "../../evidence/folder/SiteFolder.ts"
import { ParserPool } from "../../parse/ParserPool.ts"
import { headSnippet } from "../files/HeadSnippet.ts"
import { isAsciiBased, withHead } from "../overlay/HeadInsertion.ts"
import type { GeneratedFile, Unwritten } from "../site/GeneratedFile.ts"
import { judgeAddress } from "../../site/address/PageUrl.ts"
import { isOfLanguage } from "../../site/sample/SampleChoice.ts"
import { isOfVersion, type OtherVersion, otherVersions, type PublishedSite } from "../site/PublishedSite.ts"
import {
  changeDays,
  isContentPage,
  orderOf,
  sharedTexts,
  type SitePage,
  sitePageOf,
  sitePages
} from "../site/SitePages.ts"
import { wayPages, waysOn } from "../files/WayOn.ts"
import { below, pageKey, samePage } from "../../evidence/Address.ts"
import { siteHost } from "../write/HostFiles.ts"
import { indexFiles, llmsTxtUrl, namingFiles, siteFiles } from "../write/SiteFiles.ts"
import { type FixOptions, type Wish, wishOf } from "../write/Wish.ts"
import {
  type FolderPage,
  folderPages,
  type FolderPlace,
  folderVersions,
  isTemplateText,
  lightPage,
  pathIn,
  placeOf,
  type Skipped,
  urlsOfFolder
} from "./FolderPages.ts"
import { earlierRules, readFolderRules, withoutRules, withRules } from "./OwnRules.ts"

export interface FileChange {
  /** Relative to the folder. */
  readonly path: string
  readonly body: Uint8Array
  /** The text of the owner's file that is completed; `null`: a new file, or the head of a page. */
  readonly completes: string | null
  /** What was changed in the owner's text beside what was added, as a sentence; left out: nothing. */
  readonly remark?: string
  /** `host`: rules for the host; `removal`: without those of an earlier run. */
  readonly kind: "file" | "version" | "head" | "host" | "removal"
}

interface PatchRequest {
  readonly folder: SiteFolder
  readonly site: PublishedSite
  /** Pages that were opened beside the sample. */
  readonly more: ReadonlyArray<Page>
  readonly report: Pick<AuditReport, "criteria">
  /** Links of llms.txt that lead nowhere; left out: those that the report found. */
  readonly dead?: ReadonlySet<string>
  readonly options: FixOptions
}

/** What could not be written into the folder. */
export interface PatchOutcome {
  readonly unwritten: ReadonlyArray<Unwritten>
  /** Files that are published outside the folder, such as /robots.txt of a site in a folder of its host. */
  readonly outside: ReadonlyArray<string>
  /** Files of the owner's that could not be completed, and were left as they are. */
  readonly skipped: ReadonlyArray<Skipped>
  /** Other versions of the documentation in the folder, for which nothing was written. */
  readonly otherVersions: ReadonlyArray<OtherVersion>
  /** Pages in other languages in the folder, for which nothing was written. */
  readonly otherLanguages: number
}

/** Text of Markdown that is kept for llms-full.txt, in characters. */
const MOST_KEPT = 20_000_000

/**
 * Writes what a static build lacks, page by page, by `write`, which tells whether it wrote: what is not there is not announced. What is
 * there is kept. A second run finds nothing to write.
 */
export const patchFolder = Effect.fn("Fix.patchFolder")(function* <E>(
  request: PatchRequest,
  write: (change: FileChange) => Effect.Effect<boolean, E>
): Effect.fn.Return<PatchOutcome, E, ParserPool> {
  const { folder, more, options, report, site } = request
  const wished = wishOf(site, report.criteria, options)
  const wish = { ...wished, deadLinks: request.dead ?? wished.deadLinks }
  const place = placeOf(site, folder)
  const seen = [...site.sample.pages, ...more]
  const shared = sharedTexts(seen)
  const changed = changeDays(seen)
  const versions = folderVersions(folder, site, place, wish)
  const known = sitePages(site, more, () => null)
  const spellings = new Map(known.opened.map(({ linkedAs, url }) => [pageKey(url), linkedAs] as const))
  const linked = new Set(seen.flatMap(({ links }) => links.map(({ url }) => pageKey(url))))
  const ways = waysOn(
    site,
    wayPages(known).filter(({ url }) => isPageOf(folder, place, url)),
    llmsTxtToBe(site, folder, place, wish)
  )
  const urls = urlsOfFolder(folder, place)
  const [isCurrent, isSpoken] = [isOfVersion(site, urls), isOfLanguage(site.base)]
  // Indexes and search pages are no pages of the documentation.
  const isPage = (url: string): boolean => judgeAddress(url) === "page" || url === site.base.url
  const opened: Array<SitePage> = []
  const skipped: Array<Skipped> = []
  let kept = 0
  yield* Stream.runForEach(
    folderPages(folder, place, {
      reads: (url) => isCurrent(url) && isSpoken(url) && isPage(url),
      converts: (url) => versions.ownOf(url) === null
    }),
    Effect.fnUntraced(function* (read: FolderPage) {
      const { page } = read
      if (!isContentPage(page) || (isTemplateText(page.answer.body) && !linked.has(pageKey(page.url)))) return
      const wanted = yield* versions.versionOf(read)
      const isRefused =
        wanted?.written === true &&
        !(yield* write({
          path: pathIn(place, wanted.url ?? "") ?? "",
          body: new TextEncoder().encode(ways.ledOn(page.url, wanted.text)),
          completes: null,
          kind: "version"
        }))
      const version = wanted !== null && isRefused ? { ...wanted, url: null, written: false } : wanted
      const own = sitePageOf(page, shared, changed(page), version)
      const snippet = headSnippet(own, wish.heads)
      const headed =
        snippet === null || page.answer.cut ? null : withHead(page.answer.body, snippet.text, page.charset.name)
      if (headed !== null) yield* write({ path: read.file, body: headed, completes: null, kind: "head" })
      else if (snippet !== null) skipped.push({ path: read.file, reason: whyNoHead(page) })
      kept += version?.text.length ?? 0
      const isKept = kept <= MOST_KEPT && wish.gap("a2-full-text")
      opened.push({
        ...own,
        linkedAs: spellings.get(pageKey(page.url)) ?? own.linkedAs,
        page: lightPage(page),
        markdown: version === null ? null : { ...version, text: isKept ? version.text : "" }
      })
    })
  )
  yield* ParserPool.use(({ rest }) => rest)
  const { navigation, title } = known
  const pages = { title, navigation, opened: opened.toSorted(orderOf(site, navigation)), linked: [] }
  const outside: Array<string> = []
  const writeFile = Effect.fnUntraced(function* ({
    completes,
    remark,
    text,
    url
  }: GeneratedFile): Effect.fn.Return<boolean, E> {
    const path = url === null ? null : pathIn(place, url)
    if (path === null) {
      outside.push(url ?? "")
      return true
    }
    // A new file is written for what the audit did not recognise, so one of that name is not what it should be.
    if (completes === null && folder.has(path)) {
      skipped.push({
        path,
        reason: "is in the folder, but not in a form that we can complete. Correct or delete it, and run this again."
      })
      return false
    }
    return (
      (yield* write({
        path,
        body: new TextEncoder().encode(text),
        completes,
        kind: "file",
        ...(remark === undefined ? {} : { remark })
      })) || completes !== null
    )
  })
  const whole = siteFiles(site, pages, wish)
  const there = yield* Effect.filter(whole.files, writeFile)
  const index = indexFiles(site, pages, wish, there)
  const indexed = yield* Effect.filter(index.files, writeFile)
  const llmsTxt = indexed.length < index.files.length ? null : llmsTxtUrl(site, index)
  const naming = namingFiles(site, wish, options, there)
  for (const file of naming.files) yield* writeFile(file)
  const rules = yield* readFolderRules(folder)
  const host = siteHost(
    site,
    wish,
    options,
    llmsTxt,
    opened.some(({ markdown }) => markdown?.written === true),
    earlierRules(rules)
  )
  for (const { name, text } of host.files) {
    const file = rules.get(name)
    if (file === undefined) outside.push(name)
    else {
      const next = withRules(file, text)
      if (typeof next === "string") skipped.push({ path: name, reason: next })
      else if (next !== file.body)
        yield* write({ path: name, body: next, completes: file.body?.toString() ?? null, kind: "host" })
    }
  }
  for (const [path, file] of host.dropsEarlier ? rules : []) {
    const rest = withoutRules(file)
    if (typeof rest === "string") skipped.push({ path, reason: rest })
    else if (rest !== null)
      yield* write({ path, body: rest, completes: file.body?.toString() ?? null, kind: "removal" })
  }
  return {
    unwritten: [
      ...index.unwritten,
      ...whole.unwritten,
      ...naming.unwritten,
      ...host.unwritten,
      ...(wish.gap("b1-markdown-twins") ? versions.notes() : [])
    ],
    outside,
    skipped: [...versions.skipped, ...skipped],
    otherVersions: otherVersions(site, urls),
    otherLanguages: urls.filter((url) => isPage(url) && !isSpoken(url)).length
  }
})

/** Whether the folder has the file of a page. */
const isPageOf = (folder: SiteFolder, place: FolderPlace, url: string): boolean => {
  // A site below a folder of its host may be linked to without the slash at its end.
  if (samePage(url, place.url)) return folder.has("index.html")
  const path = pathIn(place, url.endsWith("/") ? `${url}index.html` : url)
  return path !== null && [path, `${path}.html`, `${path}/index.html`].some((file) => folder.has(file))
}

/** Fewer pages make no llms.txt. */
const LEAST_PAGES = 3

/** Where llms.txt is or will be, before it is written; `null`: nowhere. */
const llmsTxtToBe = (
  { base, llmsTxt }: PublishedSite,
  folder: SiteFolder,
  place: FolderPlace,
  { gap }: Wish
): string | null => {
  if (llmsTxt.file !== null) return llmsTxt.file.url
  const url = below(base.folder, "llms.txt")
  const pages = folder.files.filter((file) => /\.html?$/i.test(file))
  return gap("a1-llms-txt") && pathIn(place, url) !== null && pages.length >= LEAST_PAGES ? url : null
}

/** Why a page's head was left as it is, as a clause with the file as its subject. */
const whyNoHead = ({ answer, charset }: FolderPage["page"]): string => {
  if (answer.cut)
    return "is longer than what we read of a page, so its head was left as it is. Make it shorter and run this again."
  return isAsciiBased(charset.name)
    ? "has no head that we can find, so nothing was added to it. Give it a <head> element, or leave it out of the build if it is no page."
    : `is in ${charset.name.toUpperCase()}, so its head was left as it is. Convert it to UTF-8 and run this again.`
}
