import * as Effect from "effect/Effect"
import { Unobtainable } from "../../engine/criterion/Criterion.ts"
import { type Exchange, isUnobtainable } from "../../engine/evidence/Exchange.ts"
import type { FoundSpec } from "../../engine/site/ApiSpec.ts"
import { isSubstantive, type Page } from "../../engine/site/Page.ts"
import { productNames } from "../../engine/site/ProductName.ts"
import type { Sample } from "../../engine/site/Sample.ts"
import type { Site } from "../../engine/site/Site.ts"
import { sharedTitles } from "../../engine/site/SiteTitle.ts"
import { type Article, articleOfPage, articleOfSpec, articlesOfAggregate } from "./Article.ts"

/** Everything of the site that category D reads: pages of `S`, subject pages, aggregates, the Spec. */
export interface Documentation {
  /** Pages of `S`, subject pages, aggregates, the Spec's own prose, in this order. */
  readonly articles: ReadonlyArray<Article>
  /** Those of `S` that are pages: no error text, login or challenge in their place. */
  readonly sampled: ReadonlyArray<Page>
  /** The subject pages that are not in `S`. */
  readonly subjects: ReadonlyArray<Page>
  readonly spec: FoundSpec | null
  /** See `productNames`. */
  readonly names: ReadonlySet<string>
  /** Parts of titles that most pages share: the name of the site. */
  readonly siteTitles: ReadonlySet<string>
  /** Cited where nothing was found. */
  readonly tried: Exchange
}

const assembled = new WeakMap<Sample, Documentation>()

/** Put together once for each audit, whichever plugin asks first. */
export const readDocumentation = Effect.fn("readDocumentation")(function*(site: Site) {
  const [sample, subjects, aggregates, search, llmsTxt] = yield* Effect.all(
    [site.sample, site.subjects, site.aggregates, site.spec, site.llmsTxt],
    { concurrency: "unbounded" }
  )
  const known = assembled.get(sample)
  if (known !== undefined) return known
  const sampled = sample.pages.filter(isReadable)
  const urls = new Set(sampled.map(({ url }) => url))
  const others = subjects.filter((page) => isReadable(page) && !urls.has(page.url))
  const tried = sample.visits[0]?.exchange ?? site.base.exchange
  const articles = [
    ...[...sampled, ...others].map(articleOfPage),
    ...aggregates.files.flatMap(articlesOfAggregate),
    ...(search.best === null ? [] : [articleOfSpec(search.best)])
  ]
  const shut = sample.visits.find(({ exchange, page }) => isUnobtainable(exchange) || (page !== null && page.challenge !== null))
  if (articles.length === 0 && (shut !== undefined || isUnobtainable(tried)))
    return yield* new Unobtainable({ message: "No page of the documentation could be had.", exchange: shut?.exchange ?? tried })
  const siteTitles = sharedTitles(sampled)
  const documentation: Documentation = {
    articles,
    sampled,
    subjects: others,
    spec: search.best,
    names: productNames(site.base, sampled, llmsTxt),
    siteTitles,
    tried
  }
  assembled.set(sample, documentation)
  return documentation
})

/** A page that stands for itself: with text, and no error, login form or challenge in its place. */
const isReadable = (page: Page): boolean => page.format !== "other" && isSubstantive(page)
