import * as Effect from "effect/Effect"
import { type Exchange, isOk } from "../../evidence/Exchange.ts"
import { isReferenceAddress, isReferenceIndexAddress, type Page } from "../../page/Page.ts"
import { type Base, derivation, type GatherContext, type Using } from "../base/Derivation.ts"
import { isCopyOfBase, missingAmong, type Sample } from "../sample/Sample.ts"
import type { Sitemaps } from "../wellknown/Sitemap.ts"
import { NO_REQUESTS, RANK } from "../../evidence/AuditBudget.ts"
import { pageKey } from "../../evidence/Address.ts"
import { isReferenceBeside, isReferenceList, sharedTitles } from "./ProductName.ts"
import { evenStride } from "../base/EvenStride.ts"
import { candidatesOf, type FoundUrl } from "../sample/SampleChoice.ts"

/** What a search for pages beyond the sample found. */
export interface PageSearch {
  readonly pages: ReadonlyArray<Page>
  /** Missing responses to further such pages. */
  readonly missing: ReadonlyArray<Exchange>
}

/** Reads pages, all at once. */
export const readPages = (
  { collector, parsing }: GatherContext,
  urls: ReadonlyArray<string>
): Effect.Effect<PageSearch> =>
  Effect.map(
    Effect.forEach(
      urls,
      Effect.fnUntraced(function* (url) {
        const exchange = yield* collector.get(url)
        return { exchange, page: isOk(exchange) ? yield* parsing.page({ answer: exchange }) : null }
      }),
      { concurrency: "unbounded" }
    ),
    (visits) => ({ pages: visits.flatMap(({ page }) => page ?? []), missing: missingAmong(visits) })
  )

/** The pages whose keys are not known, each once; a copy of the base page is the base page. */
export const newPages = (
  pages: ReadonlyArray<Page>,
  known: ReadonlySet<string>,
  keyOf: (url: string) => string,
  base: Base
): ReadonlyArray<Page> => {
  const seen = new Set(known)
  return pages.filter((page) => {
    const key = keyOf(page.url)
    const isNew = !seen.has(key) && page.format !== "other" && !page.saysNotFound && !isCopyOfBase(page, base)
    seen.add(key)
    return isNew
  })
}

/** Sitemap files and pages beyond the sample together: the more of the files a site has, the fewer of the pages are read. */
const FILES_AND_PAGES = 51

const MOST_PAGES = 50
const LEAST_PAGES = 4
const MOST_REFERENCE_PAGES = 10

/** How many pages beyond the sample may be fetched: for D1 and D2, and for the rest of category D. */
export const pagesBeyond = ({
  files
}: Pick<Sitemaps, "files">): { readonly reference: number; readonly topics: number } => {
  const pages = Math.max(LEAST_PAGES, Math.min(MOST_PAGES, FILES_AND_PAGES - files.length))
  const reference = Math.min(MOST_REFERENCE_PAGES, Math.floor(pages / 2))
  return { reference, topics: pages - reference }
}

/** A sample with this many reference pages needs no more of them, those that only list others aside. */
const ENOUGH = 3

/** `/docs/stats-api`: the page of one of several APIs, if its title says so, too. */
const ONE_API = /\/[\w-]{1,60}[-_]apis?(?:\.html?)?\/?$/i

/** Reference indexes whose links are followed. */
const INDEXES = 2

/**
 * Reference pages beyond a sample that has fewer than three: candidates whose URL says reference, and where those are few,
 * pages that a reference index links to.
 */
export const gatherReferencePages = Effect.fn("ReferencePages.gather")(function* (
  context: GatherContext,
  sample: Sample,
  most: number
): Effect.fn.Return<PageSearch> {
  const isOwnReference = isReferenceBeside(sharedTitles(sample.pages))
  const sampled = sample.pages.filter(isOwnReference)
  if (sampled.filter((page) => !isReferenceList(page)).length >= ENOUGH) return { pages: [], missing: [] }
  const known = new Set(
    sample.visits.flatMap(({ candidate, exchange }) => [pageKey(candidate.url), pageKey(exchange.url)])
  )
  const named = sample.candidates
    .map(({ url }) => url)
    .filter((url) => (isReferenceAddress(url) || ONE_API.test(url)) && !known.has(pageKey(url)))
  if (named.length >= most) {
    const { missing, pages } = yield* readPages(context, evenStride(named, most))
    return { pages: newPages(pages, known, pageKey, context.base).filter(isOwnReference), missing }
  }
  const { missing: missingIndexes, pages: indexes } = yield* readPages(
    context,
    sampled.length > 0 ? [] : named.filter(isReferenceIndexAddress).slice(0, 1)
  )
  const read = new Set(indexes.map(({ url }) => pageKey(url)))
  const linked = linkedFrom(context, [...sampled, ...indexes].slice(0, INDEXES), sample)
  const rest = [...new Set([...named, ...linked])]
    .filter((url) => !known.has(pageKey(url)) && !read.has(pageKey(url)))
    .sort()
  const { missing, pages } = yield* readPages(context, evenStride(rest, most - indexes.length))
  return {
    pages: newPages([...indexes, ...pages], known, pageKey, context.base).filter(isOwnReference),
    missing: [...missingIndexes, ...missing]
  }
})

export const referenceSearch = derivation({
  name: "reference-search",
  budget: { requests: 10, megabytes: 3, insteadOfOthers: 10 },
  rank: RANK.shared,
  gather: Effect.fnUntraced(function* (context: GatherContext, uses: Using<{ sample: Sample; sitemaps: Sitemaps }>) {
    const [sample, sitemaps] = yield* Effect.all([uses.sample, uses.sitemaps], { concurrency: "unbounded" })
    return yield* gatherReferencePages(context, sample, pagesBeyond(sitemaps).reference)
  })
})

/** The pages that the search found. */
export const referencePages = derivation({
  name: "reference-pages",
  budget: NO_REQUESTS,
  rank: RANK.shared,
  gather: (_context: GatherContext, uses: Using<{ referenceSearch: PageSearch }>): Effect.Effect<ReadonlyArray<Page>> =>
    Effect.map(uses.referenceSearch, ({ pages }) => pages)
})

/** What the main content of the indexes links to, as far as it could be in the sample. */
const linkedFrom = ({ base }: GatherContext, indexes: ReadonlyArray<Page>, sample: Sample): ReadonlyArray<string> => {
  const found = indexes
    .flatMap(({ links }) => links.filter(({ place, rel }) => place === "main" && !rel.includes("nofollow")))
    .map(({ url }): FoundUrl => ({ url, source: "crawl" }))
  const keys = new Set(found.map(({ url }) => pageKey(url)))
  const known = sample.candidates.map(({ url }): FoundUrl => ({ url, source: "crawl" }))
  return candidatesOf(base, [...known, ...found])
    .list.map(({ url }) => url)
    .filter((url) => keys.has(pageKey(url)))
}
