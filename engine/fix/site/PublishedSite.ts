import * as Effect from "effect/Effect"
import type { SpecSearch } from "../../apispec/ApiSpec.ts"
import type { Page } from "../../page/Page.ts"
import { judgeAddress } from "../../site/address/PageUrl.ts"
import { isInForceAmong, otherVersionsAmong } from "../../site/address/VersionFolders.ts"
import type { Base } from "../../site/base/Derivation.ts"
import type { MarkdownVersions } from "../../site/markdown/MarkdownVersions.ts"
import type { Sample } from "../../site/sample/Sample.ts"
import type { Site } from "../../site/Site.ts"
import { productNamesOf } from "../../site/topics/ProductName.ts"
import type { NotFoundProbe } from "../../site/wellknown/FileVerdict.ts"
import type { FullText } from "../../site/wellknown/FullText.ts"
import type { LlmsTxt } from "../../site/wellknown/LlmsTxt.ts"
import type { Robots } from "../../site/wellknown/Robots.ts"
import type { Sitemaps } from "../../site/wellknown/Sitemap.ts"

/** What a site publishes, as an audit read it: all that generated files are written from. */
export interface PublishedSite {
  readonly base: Base
  readonly sample: Sample
  readonly llmsTxt: LlmsTxt
  readonly fullText: FullText
  readonly robots: Robots
  readonly sitemaps: Sitemaps
  readonly markdownVersions: MarkdownVersions
  readonly notFoundProbe: NotFoundProbe
  readonly spec: SpecSearch
  /** What the product is called, lower case, one word each. */
  readonly productNames: ReadonlySet<string>
}

/** Reads what the audit has derived of the site; nothing is fetched for it that the audit does not fetch. */
export const publishedSite = (site: Site): Effect.Effect<PublishedSite> =>
  Effect.map(
    Effect.all({
      sample: site.sample,
      llmsTxt: site.llmsTxt,
      fullText: site.fullText,
      robots: site.robots,
      sitemaps: site.sitemaps,
      markdownVersions: site.markdownVersions,
      notFoundProbe: site.notFoundProbe,
      spec: site.spec,
      productNames: productNamesOf(site)
    }),
    (derived) => ({ base: site.base, ...derived })
  )

/** A version of the documentation beside the one that files are written for. */
export interface OtherVersion {
  /** The URL of its folder, with a slash at its end. */
  readonly url: string
  /** Pages that are known of it: they were not opened. */
  readonly pages: number
}

/** The URLs that the site names: its candidates, and what pages, sitemaps and llms.txt lead to. `pages`: all that were opened. */
export const namedUrls = (
  { llmsTxt, sample, sitemaps }: PublishedSite,
  pages: ReadonlyArray<Page>
): ReadonlyArray<string> => [
  ...sample.visits.flatMap(({ candidate, exchange }) => [candidate.url, exchange.url]),
  ...sample.candidates.map(({ url }) => url),
  ...pages.flatMap(({ links, url }) => [url, ...links.map((link) => link.url)]),
  ...sitemaps.entries.map(({ url }) => url),
  ...[...(llmsTxt.file === null ? [] : [llmsTxt.file]), ...llmsTxt.nested].flatMap(({ links }) =>
    links.flatMap(({ url }) => url ?? [])
  )
]

/** The other versions of the documentation among these URLs. */
export const otherVersions = ({ base }: PublishedSite, urls: ReadonlyArray<string>): ReadonlyArray<OtherVersion> =>
  otherVersionsAmong(new URL(base.url).pathname, pathsOf(base.origin, urls)).map(({ folder, pages }) => ({
    url: `${base.origin}${folder}`,
    pages
  }))

/** Whether a URL is of the version that files are written for. */
export const isOfVersion = ({ base }: PublishedSite, urls: ReadonlyArray<string>): ((url: string) => boolean) => {
  const isInForce = isInForceAmong(new URL(base.url).pathname, pathsOf(base.origin, urls))
  return (url) => isInForce(new URL(url).pathname)
}

const pathsOf = (origin: string, urls: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(
    urls.flatMap((url) => (url.startsWith(`${origin}/`) && judgeAddress(url) === "page" ? new URL(url).pathname : []))
  )
]
