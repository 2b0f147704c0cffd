import * as Effect from "effect/Effect"
import { onSite, pageKey } from "../../engine/evidence/Address.ts"
import { type Exchange, isMissing, isOk } from "../../engine/evidence/Exchange.ts"
import type { MarkdownDocument } from "../../engine/page/markdown/MarkdownReader.ts"
import type { Site } from "../../engine/site/Site.ts"
import { type Spot, spotCheck } from "../../engine/site/sample/SpotCheck.ts"

/** A Markdown file, and the URL that its relative links are resolved against. */
interface MarkdownFile {
  readonly url: string
  readonly document: MarkdownDocument
}

/** The result of following the links of Markdown files as written. */
export interface MarkdownLinks {
  /** Different URLs on the site that they link to. */
  readonly links: number
  /** Estimated share of them that are broken: links that were not tried count like those that were. */
  readonly broken: number
  /** The same share if the links that were tried, and did not answer, all work, and if all of them are broken. */
  readonly range: { readonly least: number; readonly most: number }
  /** Missing responses to links that were tried. */
  readonly missing: ReadonlyArray<Exchange>
  /** Those that were tried and are broken. */
  readonly dead: ReadonlyArray<Spot>
}

/** Maximum number of unknown URLs to fetch. */
export const TRIED = 3

/**
 * Resolves links against the URL of their file. Targets that a sampled HTML page, llms.txt or the sitemap links to as well
 * count as working; a few of the others are fetched.
 */
export const followMarkdownLinks = Effect.fnUntraced(function* (
  site: Site,
  files: ReadonlyArray<MarkdownFile>
): Effect.fn.Return<MarkdownLinks> {
  const targets = files.flatMap(({ document, url }) =>
    document.links.flatMap(({ href }) => {
      const target = site.resolve(href, url)
      return target !== null && onSite(target, site.base.site) ? [target] : []
    })
  )
  const links = [...new Map(targets.map((target) => [pageKey(target), target])).values()].sort()
  const known = yield* knownPages(site, files)
  const unknown = links.filter((target) => !known.has(pageKey(target)))
  const { visits } = yield* site.sample
  const { pages } = yield* site.markdownVersions
  const fetched = [...visits, ...pages.flatMap(({ attempts }) => attempts)].map(({ exchange }) => exchange)
  const spots = yield* spotCheck(site, unknown, { size: unknown.length, fetches: TRIED, fetched })
  const dead = spots.filter(({ outcome }) => outcome === "error")
  const shareOf = (some: ReadonlyArray<Spot>): number =>
    links.length === 0 ? 0 : brokenOf(some, unknown.length) / links.length
  const assuming = (outcome: Spot["outcome"]) =>
    shareOf(spots.map((spot) => (isMissing(spot.exchange) ? { ...spot, outcome } : spot)))
  const missing = spots.map(({ exchange }) => exchange).filter(isMissing)
  return {
    links: links.length,
    broken: shareOf(spots),
    range: { least: assuming("resolves"), most: assuming("error") },
    missing,
    dead
  }
})

/** Targets that were fetched anyway count one by one; the share of dead ones among the few that were tried is applied to the rest. */
const brokenOf = (spots: ReadonlyArray<Spot>, unknown: number): number => {
  const judged = spots.filter(({ outcome }) => outcome === "resolves" || outcome === "error")
  const dead = (some: ReadonlyArray<Spot>): number => some.filter(({ outcome }) => outcome === "error").length
  const free = judged.filter((spot) => spot.free)
  const tried = judged.filter((spot) => !spot.free)
  return dead(free) + (tried.length === 0 ? 0 : (unknown - free.length) * (dead(tried) / tried.length))
}

/** Keys of the pages that exist or that HTML pages link to. Links between Markdown files prove nothing. */
const knownPages = Effect.fnUntraced(function* (
  site: Site,
  files: ReadonlyArray<MarkdownFile>
): Effect.fn.Return<ReadonlySet<string>> {
  const { candidates, pages, visits } = yield* site.sample
  const named = [
    ...candidates.map(({ url }) => url),
    ...pages.flatMap(({ format, links }) => (format === "html" ? links.map(({ url }) => url) : [])),
    ...files.map(({ url }) => url)
  ]
  const failed = new Set(
    visits.filter(({ exchange }) => !isOk(exchange)).map(({ candidate }) => pageKey(candidate.url))
  )
  return new Set(named.map(pageKey).filter((key) => !failed.has(key)))
})
