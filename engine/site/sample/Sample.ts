import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { NO_REQUESTS, RANK } from "../../evidence/AuditBudget.ts"
import { type Base, derivation, type GatherContext, type Using } from "../base/Derivation.ts"
import { pageKey } from "../../evidence/Address.ts"
import { cutShort, type Exchange, isMissing, isOk } from "../../evidence/Exchange.ts"
import { languageIn } from "../address/PageUrl.ts"
import type { LlmsTxt } from "../wellknown/LlmsTxt.ts"
import type { Page } from "../../page/Page.ts"
import {
  type Candidate,
  candidatesOf,
  type CandidateSource,
  type Exclusion,
  EXCLUSIONS,
  type FoundUrl,
  pickSample
} from "./SampleChoice.ts"
import { isGlob, type NamedCandidates, namedCandidates } from "./NamedPages.ts"
import type { Sitemaps } from "../wellknown/Sitemap.ts"
import { withoutPageEnding } from "../../text/UrlPath.ts"

/** One pick and what came of fetching it. `page` is `null` unless the answer was a 2xx. */
export interface Visit {
  readonly candidate: Candidate
  readonly exchange: Exchange
  readonly page: Page | null
}

/** The sample `S`: documentation pages to look at, chosen by rule and not by luck. */
export interface Sample {
  /** In the order of the picks: `B` first, the rest by URL. Each page once, by final URL and canonical. */
  readonly visits: ReadonlyArray<Visit>
  /** `visits` that gave a page, those that only lead elsewhere by a meta refresh aside: what shares are taken over. */
  readonly pages: ReadonlyArray<Page>
  /** All candidates, `B` first, the rest sorted by URL. */
  readonly candidates: ReadonlyArray<Candidate>
  /** How many URLs were left out, by reason; reasons that never applied are missing. */
  readonly excluded: Readonly<Partial<Record<Exclusion, number>>>
  /** Picks left out because they turned out to be a page that was picked already. */
  readonly duplicates: number
  /** Candidates lay below `P`, or a folder around it; `false` where these held fewer than five and the whole host was taken. */
  readonly withinPrefix: boolean
  /** Missing responses that may have named other pages, so that the sample could be another. */
  readonly missing: ReadonlyArray<Exchange>
  /** What the configuration's patterns name. */
  readonly named: ReadonlyArray<NamedPages>
}

/** A pattern of the configuration, and the visits of the pages that it names. */
export interface NamedPages extends NamedCandidates {
  /** Fewer than `candidates` if the sample has no place for all of them. */
  readonly visits: ReadonlyArray<Visit>
}

/** What the sample is drawn from. */
interface SampleSources {
  readonly llmsTxt: LlmsTxt
  readonly sitemaps: Sitemaps
  /** Pages to look at, the base included. */
  readonly size: number
}

/** Pages that those who look at a few need not wait for the others for. */
export const OPENING_PAGES = 5

/** With this many candidates, no more links are followed to find others. */
const ENOUGH_CANDIDATES = 10

/** Rounds of following links, where there are fewer. */
const ROUNDS = 3

/**
 * Draws the sample and fetches it. Candidates come from llms.txt, the sitemap and the base page; where those are few,
 * from the pages found so far, for at most three rounds. `open` is told the first `OPENING_PAGES` pages, once, as soon as
 * they have been read.
 */
export const gatherSample = Effect.fn("Sample.gather")(function* (
  context: GatherContext,
  sources: SampleSources,
  open: (pages: ReadonlyArray<Page>) => void
): Effect.fn.Return<Sample> {
  const { base } = context
  const visits = new Map<string, Visit>()
  const foundUrls = firstUrls(context, sources)
  let found = candidatesOf(base, foundUrls)
  const namedIn = (known: ReadonlyArray<Candidate>) => namedCandidates(context.namedPages, base, known)
  const paths = namedIn(found.known)
    .filter(({ pattern }) => !isGlob(pattern))
    .flatMap(({ candidates }) => candidates)
  yield* visitAll(context, paths.slice(0, sources.size - 1), (visit) => visits.set(visit.candidate.url, visit))
  for (let round = 0; round < ROUNDS && found.list.length < ENOUGH_CANDIDATES; round++) {
    const fresh = found.list.filter(({ url }) => !visits.has(url)).slice(0, sources.size - visits.size)
    if (fresh.length === 0) break
    yield* visitAll(context, fresh, (visit) => visits.set(visit.candidate.url, visit))
    found = candidatesOf(base, foundUrls.concat([...visits.values()].flatMap(({ page }) => linksOf(page, "crawl"))))
  }
  const named = namedIn([...found.known, ...[...visits.values()].map(({ candidate }) => candidate)])
  const namedUrls = new Set(named.flatMap(({ candidates }) => candidates.map(({ url }) => url)))
  const picks = affordable(
    found.list,
    new Set(visits.keys()),
    sources.size,
    named.flatMap(({ candidates }) => candidates)
  )
  const language = languageIn(`/${base.page?.lang ?? ""}`)
  // Later picks never change what is made of earlier ones.
  let isOpen = false
  const openIfRead = (): void => {
    if (isOpen) return
    const missing = picks.findIndex(({ url }) => !visits.has(url))
    const read = picks.slice(0, missing === -1 ? picks.length : missing).flatMap(({ url }) => visits.get(url) ?? [])
    const pages = pagesOf(sift(read, language, base, namedUrls).distinct, base)
    if (missing !== -1 && pages.length < OPENING_PAGES) return
    isOpen = true
    open(pages.slice(0, OPENING_PAGES))
  }
  yield* visitAll(
    context,
    picks.filter(({ url }) => !visits.has(url)),
    (visit) => {
      visits.set(visit.candidate.url, visit)
      openIfRead()
    }
  )
  openIfRead()
  // A page that only the configuration knows is none of the site's unless it is there.
  const picked = picks
    .flatMap(({ url }) => visits.get(url) ?? [])
    .filter(({ candidate, page }) => page !== null || candidate.sources[0] !== "configuration")
  const { distinct, duplicates, excluded } = sift(picked, language, base, namedUrls)
  return {
    named: named.map((each) => ({ ...each, visits: each.candidates.flatMap(({ url }) => visits.get(url) ?? []) })),
    visits: distinct,
    pages: pagesOf(distinct, base),
    candidates: found.list,
    excluded: sum(found.excluded, excluded),
    duplicates,
    withinPrefix: found.withinPrefix,
    missing: [
      ...sources.llmsTxt.missing,
      ...sources.sitemaps.missing,
      ...missingAmong(linking(base, found.list, visits))
    ]
  }
})

export const sample = derivation({
  name: "sample",
  // The base page is there already.
  budget: (sampleSize) => ({ requests: Math.max(0, sampleSize - 1), megabytes: 21 }),
  rank: RANK.sample,
  gather: Effect.fnUntraced(
    function* (context: GatherContext, uses: Using<{ llmsTxt: LlmsTxt; sitemaps: Sitemaps }>) {
      const [llmsTxt, sitemaps] = yield* Effect.all([uses.llmsTxt, uses.sitemaps], { concurrency: "unbounded" })
      const open = (pages: ReadonlyArray<Page>) => Deferred.doneUnsafe(context.opening, Effect.succeed(pages))
      return yield* gatherSample(context, { llmsTxt, sitemaps, size: context.sampleSize }, open)
    },
    (gathered, { opening }) => Effect.onError(gathered, (cause) => Deferred.failCause(opening, cause))
  )
})

/** The first pages of the sample, at most `OPENING_PAGES`, as soon as they have been read: the others may follow later. */
export const opening = derivation({
  name: "opening",
  budget: NO_REQUESTS,
  rank: RANK.sample,
  gather: ({ opening }, { sample }: Using<{ sample: Sample }>): Effect.Effect<ReadonlyArray<Page>> =>
    Effect.andThen(Effect.forkChild(sample, { startImmediately: true }), Deferred.await(opening))
})

/** The largest sample that `size` requests allow, including those that find candidates. */
const affordable = (
  candidates: ReadonlyArray<Candidate>,
  visited: ReadonlySet<string>,
  size: number,
  named: ReadonlyArray<Candidate>
): ReadonlyArray<Candidate> => {
  for (let pages = size; pages > 1; pages--) {
    const picks = pickSample(candidates, pages, named)
    if (new Set([...visited, ...picks.map(({ url }) => url)]).size <= size) return picks
  }
  return pickSample(candidates, 1)
}

const firstUrls = ({ base }: GatherContext, { llmsTxt, sitemaps }: SampleSources): ReadonlyArray<FoundUrl> => [
  ...[...(llmsTxt.file === null ? [] : [llmsTxt.file]), ...llmsTxt.nested].flatMap(({ links }) =>
    links.flatMap(({ url }): ReadonlyArray<FoundUrl> => (url === null ? [] : [{ url, source: "llms.txt" }]))
  ),
  ...sitemaps.entries.map(({ url }): FoundUrl => ({ url, source: "sitemap" })),
  ...linksOf(base.page, "base page")
]

/** The pages whose links are candidates: the base page, and, if there are few candidates, every page that was visited. */
const linking = (
  base: Base,
  candidates: ReadonlyArray<Candidate>,
  visits: ReadonlyMap<string, Visit>
): ReadonlyArray<Pick<Visit, "exchange" | "page">> => [
  base,
  ...(candidates.length < ENOUGH_CANDIDATES ? visits.values() : [])
]

/**
 * Opens pages beside those that were opened before, by the rules of the sample: what turns out to be no page, a page in another language or
 * one that is there already is none of the `pages`. `visits`: all that were asked for.
 */
export const visitFurther = Effect.fnUntraced(function* (
  context: Pick<GatherContext, "base" | "collector" | "parsing">,
  urls: ReadonlyArray<string>,
  before: ReadonlyArray<Visit>
): Effect.fn.Return<Pick<Sample, "pages" | "visits">> {
  const visits = new Map<string, Visit>()
  yield* visitAll(
    context,
    urls.map((url) => ({ url, sources: ["crawl"] })),
    (visit) => visits.set(visit.candidate.url, visit)
  )
  const inOrder = urls.flatMap((url) => visits.get(url) ?? [])
  const asked = new Set(inOrder)
  const { base } = context
  const { distinct } = sift([...before, ...inOrder], languageIn(`/${base.page?.lang ?? ""}`), base, new Set())
  return {
    visits: inOrder,
    pages: pagesOf(
      distinct.filter((visit) => asked.has(visit)),
      base
    ).filter((page) => !saysWhatBaseSays(page, base))
  }
})

/** Whether a page is the base page once more, though their heads may differ. */
const saysWhatBaseSays = (page: Page, { page: start }: Base): boolean =>
  start !== null && page.substance === "substantive" && page.title === start.title && page.main.text === start.main.text

/** The responses that are missing among those to pages: a bot challenge in place of a page is no response either. */
export const missingAmong = (visits: ReadonlyArray<Pick<Visit, "exchange" | "page">>): ReadonlyArray<Exchange> =>
  visits.flatMap(({ exchange, page }) =>
    isMissing(exchange) || (page !== null && page.challenge !== null) ? [exchange] : []
  )

/** Pages of which we read only the beginning, because they are larger or more complex than what we read of one. */
export const cutAmong = (pages: ReadonlyArray<Page>): ReadonlyArray<Exchange> =>
  pages.flatMap(({ answer, textCut }) => (answer.cut || textCut ? [cutShort(answer)] : []))

const pagesOf = (visits: ReadonlyArray<Visit>, base: Base): ReadonlyArray<Page> =>
  visits.flatMap(({ candidate, page }) => (page === null || (isStub(page) && candidate.url !== base.url) ? [] : [page]))

/** In place of a page that has moved: it has nothing of its own but where to go. */
const isStub = ({ redirect, substance }: Page): boolean => redirect?.kind === "meta" && substance !== "substantive"

const linksOf = (page: Page | null, source: CandidateSource): ReadonlyArray<FoundUrl> =>
  page === null ? [] : page.links.filter(({ rel }) => !rel.includes("nofollow")).map(({ url }) => ({ url, source }))

/** Fetches and reads, in any order; the base page, which is there already, is not read again. */
const visitAll = (
  { base, collector, parsing }: Pick<GatherContext, "base" | "collector" | "parsing">,
  candidates: ReadonlyArray<Candidate>,
  take: (visit: Visit) => void
): Effect.Effect<void> =>
  Effect.forEach(
    candidates,
    Effect.fnUntraced(function* (candidate) {
      if (candidate.url === base.url) return take({ candidate, exchange: base.exchange, page: base.page })
      const exchange = yield* collector.get(candidate.url)
      take({ candidate, exchange, page: isOk(exchange) ? yield* parsing.page({ answer: exchange }) : null })
    }),
    { concurrency: "unbounded", discard: true }
  )

/**
 * Leaves out what turned out to be a page that was picked before, by final URL or canonical, the base by its bytes, no
 * page at all, or a page in another language than the base that the configuration does not name.
 */
const sift = (visits: ReadonlyArray<Visit>, language: string | null, base: Base, named: ReadonlySet<string>) => {
  const seen = new Set<string>()
  const bodies = new Map<string, Uint8Array>()
  const distinct: Array<Visit> = []
  const excluded: Partial<Record<Exclusion, number>> = {}
  let duplicates = 0
  for (const visit of visits) {
    const { exchange, page } = visit
    const keys =
      page === null
        ? []
        : [pageKey(exchange.url), ...(isOwnCanonical(page) ? [pageKey(page.canonical ?? page.url)] : [])]
    const reason = page === null ? null : strangeness(page, named.has(visit.candidate.url) ? null : language)
    if (reason !== null) excluded[reason] = (excluded[reason] ?? 0) + 1
    else if (keys.some((key) => seen.has(key)) || isBaseAgain(visit, base) || isSameFile(visit, bodies)) duplicates += 1
    else distinct.push(visit)
    for (const key of keys) seen.add(key)
    if (page !== null && isOk(exchange)) bodies.set(withoutPageEnding(pageKey(exchange.url)), exchange.body)
  }
  return { distinct, duplicates, excluded }
}

/** `/terms` and `/terms.html` are one file. */
const isSameFile = ({ exchange }: Visit, bodies: ReadonlyMap<string, Uint8Array>): boolean => {
  const body = bodies.get(withoutPageEnding(pageKey(exchange.url)))
  return body !== undefined && isOk(exchange) && Buffer.compare(exchange.body, body) === 0
}

const isBaseAgain = ({ candidate, exchange, page }: Visit, base: Base): boolean =>
  candidate.url !== base.url && page?.substance !== "placeholder" && hasBytesOf(base, exchange)

/** Some sites serve one page at two URLs, and a catch-all serves its start page at any. A shell is a template, and no page. */
export const isCopyOfBase = (page: Page, base: Base): boolean =>
  page.substance !== "placeholder" && hasBytesOf(base, page.answer)

const hasBytesOf = (base: Base, exchange: Exchange): boolean =>
  isOk(exchange) &&
  isOk(base.exchange) &&
  exchange.body.length > 0 &&
  Buffer.compare(exchange.body, base.exchange.body) === 0

const strangeness = (page: Page, language: string | null): Exclusion | null => {
  if (page.format === "other") return "not_a_page"
  if (page.isFrameMenu) return "listing"
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
