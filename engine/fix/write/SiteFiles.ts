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
  together,
  type Written
} from "../site/GeneratedFile.ts"
import { ownsRoot, rootText } from "../site/WritablePlugins.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import type { SitePages } from "../site/SitePages.ts"
import { isSitemap } from "../../site/wellknown/Sitemap.ts"
import type { FixOptions, Wish } from "./Wish.ts"

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
