import type { AuditReport } from "../audit/Report.ts"
import { pageKey } from "../evidence/Address.ts"
import type { Page } from "../page/Page.ts"
import { readingLength } from "../text/languages/Language.ts"
import { type HeadSnippet, headSnippet } from "./files/HeadSnippet.ts"
import { deadLinks } from "./files/Links.ts"
import type { MarkdownOf } from "./files/PageMarkdownFile.ts"
import { type ConfigurationFile, type HostRedirect, type HostRules, redirectFiles } from "./hosts/HostRules.ts"
import {
  type GeneratedFile,
  NOTHING,
  notWritten,
  takenPaths,
  together,
  type Unwritten,
  type Written
} from "./site/GeneratedFile.ts"
import type { PublishedSite } from "./site/PublishedSite.ts"
import { LEAST_DESCRIPTION, type SitePages, sitePages } from "./site/SitePages.ts"
import type { WritablePlugin } from "./site/WritablePlugins.ts"
import { siteHost } from "./write/HostFiles.ts"
import { indexFiles, isOnHost, ledOn, llmsTxtUrl, namingFiles, pageVersions, siteFiles } from "./write/SiteFiles.ts"
import { type FixOptions, type Gap, wishOf } from "./write/Wish.ts"

/** Everything that was written for a site. */
export interface Fixes {
  /** Files to publish. */
  readonly files: ReadonlyArray<GeneratedFile>
  /** What to add to the heads of pages. */
  readonly heads: ReadonlyArray<HeadSnippet>
  /** Files that configure the host. */
  readonly configuration: ReadonlyArray<ConfigurationFile>
  /** Files that redirect what readers ask for in vain; not among what the second audit measures. */
  readonly redirects: ReadonlyArray<ConfigurationFile>
  /** The host's rules as they are read from these files; `null`: none. */
  readonly rules: HostRules | null
  /** Plugins whose criteria the configuration is for. */
  readonly configures: ReadonlyArray<WritablePlugin>
  readonly unwritten: ReadonlyArray<Unwritten>
}

/** What was found out beside the audit. */
interface Found {
  /** Links of llms.txt that lead nowhere; those that the audit found where it is left out. */
  readonly dead?: ReadonlySet<string>
  /** URLs at which the site has files that the audit did not recognise; none where it is left out. */
  readonly there?: ReadonlySet<string>
  /** URLs at which nothing can be published from where the files go, not even what completes a file; none where it is left out. */
  readonly closed?: ReadonlySet<string>
  /** Whether the owner's Markdown of the start page leads nowhere, so that no rule may send it; not where it is left out. */
  readonly deadEnd?: boolean
}

/** Writes what the site lacks from what it publishes; `more`: pages that were opened beside the sample; `found`: what was found out beside the audit. Pure. */
export const writeFixes = (
  site: PublishedSite,
  more: ReadonlyArray<Page>,
  report: Pick<AuditReport, "criteria">,
  options: FixOptions,
  markdownOf: MarkdownOf,
  { dead = deadLinks(report), there = new Set(), closed = new Set(), deadEnd = false }: Found = {}
): Fixes => {
  const wish = { ...wishOf(site, report.criteria, options), deadLinks: dead, there, deadEnd }
  const versions = pageVersions(site, [...site.sample.pages, ...more], wish, markdownOf)
  const { reads } = options
  const pages: SitePages = {
    ...sitePages(site, more, (page) => versions.of.get(page.url) ?? null),
    ...(reads === undefined ? {} : { requestsFor: reads.requestsFor })
  }
  const heads = pages.opened.flatMap((own) => (isOnHost(site, own.url) ? (headSnippet(own, wish.heads) ?? []) : []))
  const whole = keptOut(there, closed, siteFiles(site, pages, wish))
  const index = keptOut(there, closed, indexFiles(site, pages, wish, whole.files))
  const llmsTxt = llmsTxtUrl(site, index)
  const host = siteHost(site, wish, options, llmsTxt, versions.files.length > 0)
  const written = together([
    index,
    whole,
    keptOut(there, closed, namingFiles(site, wish, options, whole.files)),
    { files: ledOn(site, pages, versions, llmsTxt), unwritten: versions.unwritten },
    metadataLeft(
      wish.gap,
      pages.opened.map(({ page }) => page),
      heads
    ),
    { files: [], unwritten: host.unwritten },
    wish.gap("a5-entry-points") &&
    !host.plugins.includes("a5-entry-points") &&
    !heads.some(({ plugins }) => plugins.includes("a5-entry-points"))
      ? notWritten("a5-entry-points", NOTHING_TO_ANNOUNCE)
      : NOTHING,
    wish.gap("c1-spec-found") && wish.spec === null ? notWritten("c1-spec-found", whyNoSpec(site)) : NOTHING
  ])
  return {
    files: distinctFiles(written.files),
    heads,
    configuration: host.files,
    redirects: redirectFiles(options.host, reads === undefined ? [] : redirectsTo(pages, reads.missed)),
    rules: host.rules,
    configures: host.plugins,
    unwritten: written.unwritten
  }
}

/** Redirects whose target is a page that we know, from where we know none: logs may be older than the site. */
const redirectsTo = (
  { linked, opened }: SitePages,
  missed: ReadonlyArray<HostRedirect>
): ReadonlyArray<HostRedirect> => {
  const paths = new Set([...opened, ...linked].map(({ url }) => new URL(url).pathname))
  const byName = new Map([...paths].map((path) => [withoutEnding(path), path]))
  return missed.flatMap(({ from, to }) => {
    const page = byName.get(withoutEnding(to))
    return page === undefined || paths.has(from) ? [] : [{ from, to: page }]
  })
}

/** A page may be served with and without the ending of its file. */
const withoutEnding = (path: string): string => path.replace(/(?:(?<=\/)index)?(?:\.html?)?$/i, "").replace(/\/$/, "")

const NOTHING_TO_ANNOUNCE =
  "There is neither an llms.txt nor a Markdown version nor an API description that pages could announce."

/** Why no page announces an API description. */
const whyNoSpec = ({ spec: { best, placeholder } }: PublishedSite): string => {
  if (best !== null)
    return best.offSite
      ? "The API description is on another site. Publish it on this one."
      : "The API description is only inside a page. Publish it as a file of its own."
  return placeholder === null
    ? "We found no API description, and none can be written from what the site says. Publish one if there is an API."
    : "The API description that we found lists no operation, or is the sample of another product. Publish the product's own."
}

/** Leaves out new files whose URLs have files already, and without a word those at `closed` URLs. */
const keptOut = (
  there: ReadonlySet<string>,
  closed: ReadonlySet<string>,
  { files: all, unwritten }: Written
): Written => {
  const files = all.filter(({ url }) => url === null || !closed.has(url))
  const isNew = ({ completes, url }: GeneratedFile): boolean => completes !== null || url === null || !there.has(url)
  return together([
    { files: files.filter(isNew), unwritten },
    ...files
      .filter((file) => !isNew(file))
      .flatMap(({ plugins, url }) =>
        plugins.map((plugin) => notWritten(plugin, ALREADY_THERE, url === null ? [] : [url]))
      )
  ])
}

const ALREADY_THERE =
  "The site has a file at this URL already, in a form that we did not recognise, so we left it as it is. Correct it, or take it away and run this again."

/** Of two files with one path the first counts. */
const distinctFiles = (files: ReadonlyArray<GeneratedFile>): ReadonlyArray<GeneratedFile> => {
  const taken = takenPaths()
  return files.filter(({ path }) => taken.take(path))
}

/** Elements of heads that only the owner can change. */
const metadataLeft = (gap: Gap, pages: ReadonlyArray<Page>, heads: ReadonlyArray<HeadSnippet>): Written => {
  if (!gap("b4-metadata")) return NOTHING
  const html = pages.filter(({ format }) => format === "html")
  const has = (url: string, text: string): boolean => heads.some((head) => head.url === url && head.text.includes(text))
  const urls = (of: ReadonlyArray<Page>): ReadonlyArray<string> => of.map(({ url }) => url)
  const undescribed = html.filter(({ description, url }) => description === "" && !has(url, 'name="description"'))
  const untitled = html.filter(({ title, url }) => title === "" && !has(url, "<title>"))
  const unspoken = html.filter(({ lang }) => lang.trim() === "")
  const short = html.filter(({ description }) => description !== "" && readingLength(description) < LEAST_DESCRIPTION)
  const shared = html.filter(
    ({ description }) =>
      description !== "" &&
      html.filter((other) => other.description === description).length * 2 > html.length &&
      html.length > 2
  )
  const astray = html.filter(({ canonical, url }) => canonical !== null && pageKey(canonical) !== pageKey(url))
  const notes = [
    [unspoken, "Set `lang` on `<html>`: the page does not say which language it is in."],
    [untitled, "Write a title: the page has none, or an empty `<title>`."],
    [undescribed, "Write a description: the page has no sentence that could be one."],
    [short, `Write a longer description: it has fewer than ${LEAST_DESCRIPTION} characters.`],
    [shared, "Write a description for each page: these have the template's."],
    [astray, "Correct the canonical URL: it names another page."]
  ] as const
  return together(
    notes.map(([of, reason]) => (of.length === 0 ? NOTHING : notWritten("b4-metadata", reason, urls(of))))
  )
}
