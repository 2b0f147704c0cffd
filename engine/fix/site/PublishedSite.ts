import * as Effect from "effect/Effect"
import type { SpecSearch } from "../../apispec/ApiSpec.ts"
import type { Base } from "../../site/base/GatherContext.ts"
import type { MarkdownVersions } from "../../site/markdown/MarkdownVersions.ts"
import type { Sample } from "../../site/sample/Sample.ts"
import type { Site } from "../../site/Site.ts"
import { productNamesOf } from "../../site/topics/ProductName.ts"
import type { FullText } from "../../site/wellknown/FullText.ts"
import type { LlmsTxt } from "../../site/wellknown/LlmsTxt.ts"
import type { NotFoundProbe } from "../../site/wellknown/NotFoundProbe.ts"
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
