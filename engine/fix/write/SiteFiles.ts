import { apiCatalogFile } from "../files/ApiCatalogFile.ts"
import { fullTextFile } from "../files/FullTextFile.ts"
import { llmsTxtFile } from "../files/LlmsTxtFile.ts"
import { robotsTxtFile } from "../files/RobotsTxtFile.ts"
import { sitemapFiles } from "../files/SitemapFile.ts"
import {
  elsewhere,
  type GeneratedFile,
  NOTHING,
  notWritten,
  onHost,
  takenPaths,
  together,
  type Unwritten,
  type Written
} from "../site/GeneratedFile.ts"
import { ownsRoot, rootText } from "../site/WritablePlugins.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import { isBesidePages, type PublishedMarkdown, type SitePages } from "../site/SitePages.ts"
import { isSitemap } from "../../site/wellknown/Sitemap.ts"
import type { FixOptions, Wish } from "./Wish.ts"
import { pageKey } from "../../evidence/Address.ts"
import type { Page } from "../../page/Page.ts"
import { type MarkdownOf, pageMarkdown, withReference } from "../files/PageMarkdownFile.ts"
import { wayPages, waysOn } from "../files/WayOn.ts"
import { markdownUrlOf, unversioned } from "../site/MarkdownForms.ts"

/** The Markdown of the pages of a site. */
interface WrittenVersions {
  /** By the URL of the page. */
  readonly of: ReadonlyMap<string, PublishedMarkdown>
  readonly files: ReadonlyArray<GeneratedFile>
  readonly unwritten: ReadonlyArray<Unwritten>
}

/** The Markdown of each page: the site's own, else a conversion, which is published if `publish`. */
export const pageVersions = (
  site: PublishedSite,
  pages: ReadonlyArray<Page>,
  { forms, gap, there }: Wish,
  markdownOf: MarkdownOf
): WrittenVersions => {
  const publish = gap("b1-markdown-twins")
  const own = new Map(
    site.markdownVersions.pages.flatMap(({ page, version }) =>
      version === null ? [] : [[pageKey(page.url), version] as const]
    )
  )
  const of = new Map<string, PublishedMarkdown>()
  const files: Array<GeneratedFile> = []
  const texts = new Set<string>()
  const without = unversioned()
  const paths = takenPaths()
  for (const page of pages) {
    // A page in Markdown needs no version.
    if (of.has(page.url) || page.format === "markdown" || isBesidePages(page)) continue
    const known = own.get(pageKey(page.url))
    if (known !== undefined) {
      of.set(page.url, { url: known.url, text: known.text, written: false })
      continue
    }
    const url = markdownUrlOf(forms, page.url)
    const file = pageMarkdown(
      withReference(site, page, markdownOf(page)),
      url !== null && isOnHost(site, url) ? url : null
    )
    if (typeof file === "string") {
      without.add(file, page.url)
      continue
    }
    // One text for two pages would be the version of the first alone.
    if (texts.has(file.text)) {
      without.add("same_text", page.url)
      continue
    }
    texts.add(file.text)
    const isThere = file.url !== null && there.has(file.url)
    const isPublished = publish && !isThere && paths.take(file.path)
    of.set(page.url, { url: isPublished ? file.url : null, text: file.text, written: isPublished })
    if (isPublished) files.push({ ...file, versionOf: page.url })
    else without.add(isThere ? "there" : "taken", page.url)
  }
  return { of, files, unwritten: publish ? without.notes() : [] }
}

/** The Markdown versions, each with its way on. */
export const ledOn = (
  site: PublishedSite,
  pages: SitePages,
  { files, of }: WrittenVersions,
  llmsTxt: string | null
): ReadonlyArray<GeneratedFile> => {
  const pageOf = new Map([...of].map(([page, { url }]) => [url, page] as const))
  const ways = waysOn(site, wayPages(pages), llmsTxt)
  return files.map((file) => {
    const page = pageOf.get(file.url)
    return page === undefined ? file : { ...file, text: ways.ledOn(page, file.text) }
  })
}

/** Whether a URL is on the host of the documentation. */
export const isOnHost = ({ base }: PublishedSite, url: string): boolean => URL.parse(url)?.origin === base.origin

/** llms.txt, which names the full text: that of `written`, or the site's own. */
export const indexFiles = (
  site: PublishedSite,
  pages: SitePages,
  { deadLinks, gap, spec }: Wish,
  written: ReadonlyArray<GeneratedFile>
): Written => {
  const fullText =
    written.find(({ plugins }) => plugins.includes("a2-full-text"))?.url ?? site.fullText.files[0]?.url ?? null
  return gap("a1-llms-txt") || spec !== null
    ? onHost(site.base.origin, llmsTxtFile(site, pages, { pages: gap("a1-llms-txt"), spec, fullText, dead: deadLinks }))
    : NOTHING
}

/** Where llms.txt is or will be; `null`: nowhere. `files`: what `indexFiles` wrote. */
export const llmsTxtUrl = ({ llmsTxt }: PublishedSite, { files }: Written): string | null =>
  files[0]?.url ?? llmsTxt.file?.url ?? null

/** The files that there is one of for a whole site, and that name none of the others: written before those that name them. */
export const siteFiles = (site: PublishedSite, pages: SitePages, { gap, lacksCatalog }: Wish): Written =>
  onHost(
    site.base.origin,
    together([
      gap("a2-full-text") ? fullTextFile(site, pages) : NOTHING,
      gap("a4-sitemap") ? sitemapFiles(site, pages) : NOTHING,
      gap("f2-catalogue-and-auth") && lacksCatalog ? catalogFile(site) : NOTHING
    ])
  )

const catalogFile = (site: PublishedSite): Written =>
  ownsRoot(site.base.folder)
    ? apiCatalogFile(site)
    : notWritten("f2-catalogue-and-auth", rootText("The API catalogue", site.base.url))

/** robots.txt, which names the sitemap: that in `written`, or the site's own. */
export const namingFiles = (
  site: PublishedSite,
  { gap }: Wish,
  { ai }: FixOptions,
  written: ReadonlyArray<GeneratedFile>
): Written => {
  // Of an index and its children, robots.txt names the index.
  const top = site.sitemaps.files.find((file) => isSitemap(file) && file.source !== "index")
  const sitemap =
    site.sitemaps.entries.length === 0
      ? (written.find(({ plugins }) => plugins.includes("a4-sitemap"))?.url ?? null)
      : (top?.url ?? null)
  if (gap("a3-robots-policy") && !ownsRoot(site.base.folder))
    return elsewhere("a3-robots-policy", rootText("robots.txt", site.base.url))
  return gap("a3-robots-policy") ? onHost(site.base.origin, robotsTxtFile(site, { ai, sitemap })) : NOTHING
}
