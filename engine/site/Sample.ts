import * as Effect from "effect/Effect"
import { pageKey } from "../evidence/Address.ts"
import { type Exchange, isOk } from "../evidence/Exchange.ts"
import type { Gathering } from "./Gathering.ts"
import { languageIn } from "./Locale.ts"
import type { LlmsTxt } from "./LlmsTxt.ts"
import type { Page } from "./Page.ts"
import { candidatesOf, type Lead, pickSample } from "./SampleChoice.ts"
import type { Sitemaps } from "./Sitemap.ts"

/** Where the address of a page was found; the first of several in this order. */
export type CandidateSource = "base" | "llms.txt" | "sitemap" | "base page" | "crawl"

/** A page that could be in the sample. */
export interface Candidate {
  readonly url: string
  /** Every place that named it, in the order of `CandidateSource`. */
  readonly sources: ReadonlyArray<CandidateSource>
}

/** Why an address that was found is no candidate, or no page of the sample. */
const EXCLUSIONS = [
  "off_host", "outside_prefix", "not_a_page", "error_page", "search", "login", "print", "listing", "other_locale", "other_version"
] as const

export type Exclusion = (typeof EXCLUSIONS)[number]

/** One pick and what came of fetching it. `page` is `null` unless the answer was a 2xx. */
export interface Visit {
  readonly candidate: Candidate
  readonly exchange: Exchange
  readonly page: Page | null
}

/** The sample `S`: documentation pages to look at, chosen by rule and not by luck. */
export interface Sample {
  /** In the order of the picks: `B` first, the rest by address. Each page once, by final address and canonical. */
  readonly visits: ReadonlyArray<Visit>
  /** `visits` that gave a page: what shares are taken over. */
  readonly pages: ReadonlyArray<Page>
  /** All candidates, `B` first, the rest sorted by address. */
  readonly candidates: ReadonlyArray<Candidate>
  /** How many addresses were left out, by reason; reasons that never applied are missing. */
  readonly excluded: Readonly<Partial<Record<Exclusion, number>>>
  /** Picks left out because they turned out to be a page that was picked already. */
  readonly duplicates: number
  /** Candidates lay below `P`; `false` where `P` held fewer than five and the whole host was taken. */
  readonly withinPrefix: boolean
}

/** What the sample is drawn from. */
export interface SampleSources {
  readonly llmsTxt: LlmsTxt
  readonly sitemaps: Sitemaps
  /** Pages to look at, the base included. */
  readonly size: number
}

/** Pages that those who look at a few need not wait for the others for. */
export const OPENING_PAGES = 5

/** From so many candidates on, links are not followed any further to find more. */
const ENOUGH_CANDIDATES = 10

/** Rounds of following links, where there are fewer. */
const ROUNDS = 3

/**
 * Draws the sample and fetches it. Candidates come from llms.txt, the sitemap and the base page; where those are few,
 * from the pages found so far, for at most three rounds. `open` is told the first `OPENING_PAGES` pages, once, as soon as
 * they have been read.
 */
export const gatherSample = Effect.fn("Sample.gather")(function*(
  gathering: Gathering,
  sources: SampleSources,
  open: (pages: ReadonlyArray<Page>) => void
): Effect.fn.Return<Sample> {
  const { base } = gathering
  const visits = new Map<string, Visit>()
  const leads = firstLeads(gathering, sources)
  let found = candidatesOf(base, leads)
  for (let round = 0; round < ROUNDS && found.list.length < ENOUGH_CANDIDATES; round++) {
    const fresh = found.list.filter(({ url }) => !visits.has(url)).slice(0, sources.size - visits.size)
    if (fresh.length === 0) break
    yield* visitAll(gathering, fresh, (visit) => visits.set(visit.candidate.url, visit))
    found = candidatesOf(base, leads.concat([...visits.values()].flatMap(({ page }) => linksOf(page, "crawl"))))
  }
  const picks = affordable(found.list, new Set(visits.keys()), sources.size)
  const language = languageIn(`/${base.page?.lang ?? ""}`)
  // Later picks never change what is made of earlier ones.
  let isOpen = false
  const openIfRead = (): void => {
    if (isOpen) return
    const missing = picks.findIndex(({ url }) => !visits.has(url))
    const read = picks.slice(0, missing === -1 ? picks.length : missing).flatMap(({ url }) => visits.get(url) ?? [])
    const pages = pagesOf(sift(read, language).distinct)
    if (missing !== -1 && pages.length < OPENING_PAGES) return
    isOpen = true
    open(pages.slice(0, OPENING_PAGES))
  }
  yield* visitAll(gathering, picks.filter(({ url }) => !visits.has(url)), (visit) => {
    visits.set(visit.candidate.url, visit)
    openIfRead()
  })
  openIfRead()
  const picked = picks.flatMap(({ url }) => visits.get(url) ?? [])
  const { distinct, duplicates, excluded } = sift(picked, language)
  return {
    visits: distinct,
    pages: pagesOf(distinct),
    candidates: found.list,
    excluded: sum(found.excluded, excluded),
    duplicates,
    withinPrefix: found.withinPrefix
  }
})

/** The largest sample that can be had in `size` requests, those made to find candidates included. */
const affordable = (candidates: ReadonlyArray<Candidate>, visited: ReadonlySet<string>, size: number): ReadonlyArray<Candidate> => {
  for (let pages = size; pages > 1; pages--) {
    const picks = pickSample(candidates, pages)
    if (new Set([...visited, ...picks.map(({ url }) => url)]).size <= size) return picks
  }
  return pickSample(candidates, 1)
}

const firstLeads = ({ base }: Gathering, { llmsTxt, sitemaps }: SampleSources): ReadonlyArray<Lead> => [
  ...[...(llmsTxt.file === null ? [] : [llmsTxt.file]), ...llmsTxt.nested]
    .flatMap(({ links }) => links.flatMap(({ url }): ReadonlyArray<Lead> => (url === null ? [] : [{ url, source: "llms.txt" }]))),
  ...sitemaps.entries.map(({ url }): Lead => ({ url, source: "sitemap" })),
  ...linksOf(base.page, "base page")
]

const pagesOf = (visits: ReadonlyArray<Visit>): ReadonlyArray<Page> => visits.flatMap(({ page }) => (page === null ? [] : [page]))

const linksOf = (page: Page | null, source: CandidateSource): ReadonlyArray<Lead> =>
  page === null ? [] : page.links.filter(({ rel }) => !rel.includes("nofollow")).map(({ url }) => ({ url, source }))

/** Fetches and reads, in any order; the base page, which is there already, is not read again. */
const visitAll = (
  { base, collector, parsing }: Gathering,
  candidates: ReadonlyArray<Candidate>,
  take: (visit: Visit) => void
): Effect.Effect<void> =>
  Effect.forEach(candidates, Effect.fnUntraced(function*(candidate) {
    if (candidate.url === base.url) return take({ candidate, exchange: base.exchange, page: base.page })
    const exchange = yield* collector.get(candidate.url)
    take({ candidate, exchange, page: isOk(exchange) ? yield* parsing.page({ answer: exchange }) : null })
  }), { concurrency: "unbounded", discard: true })

/**
 * Leaves out what turned out to be a page that was picked before, by final address or canonical, no page at all, or a page
 * in another language than the base.
 */
const sift = (visits: ReadonlyArray<Visit>, language: string | null) => {
  const seen = new Set<string>()
  const distinct: Array<Visit> = []
  const excluded: Partial<Record<Exclusion, number>> = {}
  let duplicates = 0
  for (const visit of visits) {
    const { exchange, page } = visit
    const keys = page === null ? [] : [pageKey(exchange.url), ...(isOwnCanonical(page) ? [pageKey(page.canonical ?? page.url)] : [])]
    const reason = page === null ? null : strangeness(page, language)
    if (reason !== null) excluded[reason] = (excluded[reason] ?? 0) + 1
    else if (keys.some((key) => seen.has(key))) duplicates += 1
    else distinct.push(visit)
    for (const key of keys) seen.add(key)
  }
  return { distinct, duplicates, excluded }
}

const strangeness = (page: Page, language: string | null): Exclusion | null => {
  if (page.format === "other") return "not_a_page"
  const own = languageIn(`/${page.lang}`)
  return language !== null && own !== null && own !== language ? "other_locale" : null
}

const sum = (one: Sample["excluded"], other: Sample["excluded"]): Sample["excluded"] => {
  const total: Partial<Record<Exclusion, number>> = { ...one }
  for (const reason of EXCLUSIONS) {
    const more = other[reason] ?? 0
    if (more > 0) total[reason] = (total[reason] ?? 0) + more
  }
  return total
}

/** A canonical tells duplicates where it names a page of this host, and not, as some templates do, the home page. */
const isOwnCanonical = (page: Page): boolean => {
  const canonical = page.canonical === null ? null : new URL(page.canonical)
  return canonical !== null && canonical.host === new URL(page.url).host && canonical.pathname !== "/"
}
