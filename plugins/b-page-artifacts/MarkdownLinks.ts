import * as Effect from "effect/Effect"
import { onSite, pageKey } from "../../engine/evidence/Address.ts"
import { isOk } from "../../engine/evidence/Exchange.ts"
import type { MarkdownDocument } from "../../engine/site/MarkdownReader.ts"
import type { Site } from "../../engine/site/Site.ts"
import { type Spot, spotCheck } from "../../engine/site/SpotCheck.ts"

/** A Markdown file, and the address that its relative links are resolved against. */
interface MarkdownFile {
  readonly url: string
  readonly document: MarkdownDocument
}

/** How the links of Markdown files do, followed as they are written. */
export interface MarkdownLinks {
  /** Different addresses on the site that they lead to. */
  readonly links: number
  /** Share of them that lead nowhere; those that were tried stand for those that were not. */
  readonly broken: number
  /** Those that were tried and lead nowhere. */
  readonly dead: ReadonlyArray<Spot>
}

/** Requests that an address unknown so far is worth, in all. */
const TRIED = 3

/**
 * Resolves links against the address of their file. What a sampled web page, llms.txt or the sitemap leads to as well
 * resolves; of the rest a few are tried.
 */
export const followMarkdownLinks = Effect.fnUntraced(function*(
  site: Site,
  files: ReadonlyArray<MarkdownFile>
): Effect.fn.Return<MarkdownLinks> {
  const addresses = files.flatMap(({ document, url }) =>
    document.links.flatMap(({ href }) => {
      const address = site.resolve(href, url)
      return address !== null && onSite(address, site.base.site) ? [address] : []
    }))
  const links = [...new Map(addresses.map((address) => [pageKey(address), address])).values()].sort()
  const known = yield* knownPages(site, files)
  const unknown = links.filter((address) => !known.has(pageKey(address)))
  const { visits } = yield* site.sample
  const { pages } = yield* site.twins
  const fetched = [...visits, ...pages.flatMap(({ attempts }) => attempts)].map(({ exchange }) => exchange)
  const spots = yield* spotCheck(site, unknown, { size: unknown.length, fetches: TRIED, fetched })
  const dead = spots.filter(({ outcome }) => outcome === "error")
  return { links: links.length, broken: links.length === 0 ? 0 : brokenOf(spots, unknown.length) / links.length, dead }
})

/** Those that were fetched anyway count as they are; the few that were tried stand for all others. */
const brokenOf = (spots: ReadonlyArray<Spot>, unknown: number): number => {
  const judged = spots.filter(({ outcome }) => outcome === "resolves" || outcome === "error")
  const dead = (some: ReadonlyArray<Spot>): number => some.filter(({ outcome }) => outcome === "error").length
  const free = judged.filter((spot) => spot.free)
  const tried = judged.filter((spot) => !spot.free)
  return dead(free) + (tried.length === 0 ? 0 : (unknown - free.length) * (dead(tried) / tried.length))
}

/** Keys of the pages that are there, and of those that web pages lead to; Markdown files do not vouch for each other. */
const knownPages = Effect.fnUntraced(function*(site: Site, files: ReadonlyArray<MarkdownFile>): Effect.fn.Return<ReadonlySet<string>> {
  const { candidates, pages, visits } = yield* site.sample
  const named = [...candidates.map(({ url }) => url), ...pages.flatMap(({ format, links }) => (format === "html" ? links.map(({ url }) => url) : [])), ...files.map(({ url }) => url)]
  const failed = new Set(visits.filter(({ exchange }) => !isOk(exchange)).map(({ candidate }) => pageKey(candidate.url)))
  return new Set(named.map(pageKey).filter((key) => !failed.has(key)))
})
