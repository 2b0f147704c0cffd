import * as Effect from "effect/Effect"
import { between, ratio } from "../../engine/plugin/Fact.ts"
import { onSite, pageKey } from "../../engine/evidence/Address.ts"
import { type Exchange, isMissing, isOk } from "../../engine/evidence/Exchange.ts"
import { targetForm } from "../../engine/page/markdown/Faithfulness.ts"
import type { MarkdownDocument } from "../../engine/page/markdown/MarkdownReader.ts"
import type { Page } from "../../engine/page/Page.ts"
import { type Spot, spotCheck } from "../../engine/site/sample/SpotCheck.ts"
import type { Site } from "../../engine/site/Site.ts"
import { documentedBy, namesIndex, type ReadVersion, type StartWays, startWays, waysOf } from "../ways/StartWays.ts"
import { type Loss, lossBetween } from "./MarkdownVersion.ts"

/** A Markdown file, and the URL that its relative links are resolved against. */
interface MarkdownFile {
  readonly url: string
  readonly document: MarkdownDocument
}

/** The result of following the links of Markdown files as written. */
interface MarkdownLinks {
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

/** The Markdown that is looked at, as for `lossBetween`. */
interface Looked {
  readonly compared: ReadonlyArray<ReadVersion>
  readonly all: ReadonlyArray<ReadVersion>
  /** Pages that may have a Markdown version, too. */
  readonly unseen: number
  /** How many are compared at most. */
  readonly size: number
}

/** Where an agent that reads Markdown gets to. */
interface WayOn {
  readonly facts: { readonly leading_on: number; readonly start_links: number; readonly start_lost: number }
  readonly uncertain: {
    readonly leading_on: ReturnType<typeof between> | undefined
    readonly start_links: ReturnType<typeof between> | undefined
    readonly start_lost: ReturnType<typeof between> | undefined
  }
  readonly missing: ReadonlyArray<Exchange>
  readonly start: StartWays | null
}

/** Whether Markdown leads to other pages of the documentation, as its pages do. */
export const wayOn = Effect.fnUntraced(function* (
  site: Site,
  { all, compared, size, unseen }: Looked
): Effect.fn.Return<WayOn> {
  const documented = yield* documentedBy(site)
  const ways = (page: Page): ReadonlyArray<string> => waysOf(page, documented)
  const stops = (versions: ReadonlyArray<ReadVersion>): ReadonlyArray<Loss> =>
    versions.map((version) => stopOf(site, version, ways(version.page)))
  const { lost, segments } = stops(compared).reduce(plus, { segments: 0, lost: 0 })
  const stopped = unseen === 0 ? null : lossBetween(stops(all), unseen, size, 0)
  const { missing, start } = yield* startWays(site)
  const isOpen = missing.length > 0
  return {
    facts: {
      leading_on: segments === 0 ? 1 : ratio(segments - lost, segments),
      start_links: start?.links ?? 0,
      start_lost: start === null ? 0 : ratio(start.lost.length, start.links)
    },
    uncertain: {
      leading_on:
        stopped === null ? undefined : between(ratio(1 - (stopped.at_most ?? 1), 1), ratio(1 - stopped.at_least, 1)),
      start_links: isOpen ? between(0, null) : undefined,
      start_lost: isOpen ? between(0, 1) : undefined
    },
    missing,
    start
  }
})

const plus = (one: Loss, other: Loss): Loss => ({
  segments: one.segments + other.segments,
  lost: one.lost + other.lost
})

/** One segment for a page that leads on, which is lost if its Markdown does not. */
const stopOf = (site: Site, version: ReadVersion, ways: ReadonlyArray<string>): Loss => {
  if (ways.length === 0) return { segments: 0, lost: 0 }
  const own = targetForm(version.page.url)
  const leads =
    namesIndex(version.text) ||
    version.document.links.some(({ href }) => {
      const target = site.resolve(href, version.url)
      return target !== null && onSite(target, site.base.site) && targetForm(target) !== own
    })
  return { segments: 1, lost: leads ? 0 : 1 }
}
