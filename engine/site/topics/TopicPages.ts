import * as Effect from "effect/Effect"
import { NO_REQUESTS, RANK } from "../../evidence/AuditBudget.ts"
import { derivation, type GatherContext, type Using } from "../base/Derivation.ts"
import { pageKey } from "../../evidence/Address.ts"
import { type Exchange, type FaultKind, isAnswer } from "../../evidence/Exchange.ts"
import { isAsideAddress, judgeAddress, languageIn } from "../address/PageUrl.ts"
import type { LlmsTxt } from "../wellknown/LlmsTxt.ts"
import type { Page } from "../../page/Page.ts"
import type { Sample, Visit } from "../sample/Sample.ts"
import { asServed, type Candidate, type CandidateSource } from "../sample/SampleChoice.ts"
import type { Sitemaps } from "../wellknown/Sitemap.ts"
import { newPages, pagesBeyond, type PageSearch, readPages } from "./PageSearch.ts"
import { chooseGuides, knownPages, type TopicName, TOPICS, topicsNamed } from "./TopicNames.ts"
import { isInForceAmong } from "../address/VersionFolders.ts"
import { type Reader, readerOf } from "../../text/languages/Vocabulary.ts"
import { isMarkdownUrl, withoutPageEnding } from "../../text/UrlPath.ts"

interface TopicSources {
  readonly llmsTxt: LlmsTxt
  readonly sitemaps: Sitemaps
  readonly sample: Sample
}

/** A documentation of at most this many known pages is read whole for category D. */
const WHOLE = 60

/** The most pages that are fetched, beside a sample of the usual size, and of how many bytes. */
const PAGES = 40
const MEGABYTES = 6

/** The most pages that are chosen for one topic. */
const PER_TOPIC = 2

/** The first pages that are chosen: they are fetched however large pages are, and what they may say is inconclusive without them. */
const TELLING = 10

/** Why a page behind these counts as one of the many that are not read: our budget was used up, or an older audit did not ask for it. */
const NOT_READ: ReadonlySet<string> = new Set<FaultKind>(["budget", "not_recorded"])

/** Rounds of following links in one that is read whole. */
const ROUNDS = 3

/** A page that a link, llms.txt or the sitemap names after a topic. */
interface Named {
  readonly url: string
  /** See `topicsNamed`. */
  readonly topics: ReadonlyMap<TopicName, number>
}

/**
 * Pages beyond the sample for category D: all pages of a small documentation; else those whose URL or link text names one of its
 * topics, the first pages below these, and, in the places that are left, guides.
 */
export const gatherTopicPages = Effect.fn("TopicPages.gather")(function* (
  context: GatherContext,
  sources: TopicSources
): Effect.fn.Return<PageSearch> {
  const { sample } = sources
  const reader = readerOf(sample.pages.map(({ lang, main }) => ({ lang, text: main.text })))
  const mentions = mentionsIn(sources)
  const room = Math.min(PAGES, pagesBeyond(sources.sitemaps).topics)
  const named = namedPages(context, sources, mentions, reader)
  const chosen = chooseTopicPages(named, sample)
  const there = { ...sample, candidates: believed(sample) }
  const known = knownPages(context, there, sample.pages)
  const guidesOf = (urls: ReadonlyArray<string>, count: number) =>
    chooseGuides(urls, (url) => mentions.get(url) ?? [], reader, count)
  const { missing, pages } =
    known.length <= WHOLE
      ? yield* readWhole(context, there, chosen.slice(0, TELLING), room)
      : yield* readTelling(context, sample, { named, chosen, known, guidesOf, room })
  const sampled = new Set(sample.visits.map(({ exchange }) => stemOf(exchange.url)))
  return { pages: newPages(pages, sampled, stemOf, context.base), missing }
})

const LISTS: ReadonlySet<CandidateSource> = new Set(["llms.txt", "sitemap"])

const isGone = ({ exchange }: Visit): boolean =>
  isAnswer(exchange) && (exchange.status === 404 || exchange.status === 410)

/** The candidates of the sample. Where most of those that were asked for are gone, what only a list names is not taken for a page. */
const believed = ({ candidates, visits }: Sample): ReadonlyArray<Candidate> =>
  2 * visits.filter(isGone).length <= visits.length
    ? candidates
    : candidates.filter(({ sources }) => sources.some((source) => !LISTS.has(source)))

/** How many pages the budget of bytes holds, if they are as large as those of the sample. */
const fitting = (pages: ReadonlyArray<Page>): number =>
  Math.floor(
    (MEGABYTES * 1024 * 1024 * pages.length) / pages.reduce((bytes, { answer }) => bytes + answer.body.length, 1)
  )

/** What the pages of a large documentation are chosen from. */
interface TellingSources {
  readonly named: ReadonlyArray<Named>
  readonly chosen: ReadonlyArray<string>
  readonly known: ReadonlyArray<string>
  readonly guidesOf: (urls: ReadonlyArray<string>, count: number) => ReadonlyArray<string>
  readonly room: number
}

/**
 * Reads the chosen pages, then the first ones below those that are named after a topic, in at most half of the places that are left, and
 * guides.
 */
const readTelling = Effect.fnUntraced(function* (
  context: GatherContext,
  sample: Sample,
  { chosen, guidesOf, known, named, room }: TellingSources
): Effect.fn.Return<PageSearch> {
  const most = Math.min(room, Math.max(TELLING, fitting(sample.pages)))
  const first = chosen.slice(0, most)
  const left = most - first.length
  const found = yield* readPages(context, first)
  const stems = new Set(named.map(({ url }) => stemOf(url)))
  const overviews = [...found.pages, ...sample.pages].filter(({ url }) => stems.has(stemOf(url)))
  const unread = unreadAmong(sample, first)
  const below = unread(overviews.flatMap(firstBelow)).slice(0, Math.ceil(left / 2))
  const others = [...below, ...guidesOf(unread(known), left - below.length)]
  const further = yield* readPages(context, others)
  const telling = new Set([...first, ...others].slice(0, TELLING))
  return {
    pages: [...found.pages, ...further.pages],
    missing: [...found.missing, ...further.missing].filter(
      (exchange) => isAnswer(exchange) || !NOT_READ.has(exchange.kind) || telling.has(exchange.asked.url)
    )
  }
})

/** The first pages that the main content of a page links to in its own folder: an overview of errors or releases has none itself. */
const firstBelow = ({ links, url }: Page): ReadonlyArray<string> =>
  links
    .filter(({ place, rel, url: to }) => place === "main" && !rel.includes("nofollow") && isBelow(to, url))
    .slice(0, PER_TOPIC)
    .map((link) => link.url)

const isBelow = (url: string, overview: string): boolean =>
  stemOf(url).startsWith(`${stemOf(overview)}/`) && judgeAddress(url) === "page"

/** Reads named pages, then all that are known, then what these add: at most `room` pages, in rounds of following links. */
const readWhole = Effect.fnUntraced(function* (
  context: GatherContext,
  sample: Sample,
  named: ReadonlyArray<string>,
  room: number
): Effect.fn.Return<PageSearch> {
  const unread = unreadAmong(sample, [])
  const pages: Array<Page> = []
  const missing: Array<Exchange> = []
  let left = room
  for (let round = 0; round < ROUNDS && left > 0; round++) {
    const known = knownPages(context, sample, [...sample.pages, ...pages])
    if (known.length > WHOLE) break
    const fresh = unread(round === 0 ? [...named, ...known] : known).slice(0, left)
    if (fresh.length === 0) break
    left -= fresh.length
    const found = yield* readPages(context, fresh)
    pages.push(...found.pages)
    missing.push(...found.missing)
  }
  return { pages, missing }
})

/** Of URLs, those of pages that are neither in the sample nor among `others`, and that it was not given before. */
const unreadAmong = (
  sample: Sample,
  others: ReadonlyArray<string>
): ((urls: ReadonlyArray<string>) => ReadonlyArray<string>) => {
  const had = new Set([...hadIn(sample), ...others.map(stemOf)])
  return (urls) => urls.filter((url) => !had.has(stemOf(url)) && had.add(stemOf(url)))
}

export const topicSearch = derivation({
  name: "topic-search",
  budget: { requests: PAGES, megabytes: MEGABYTES, insteadOfOthers: PAGES },
  rank: RANK.shared,
  gather: Effect.fnUntraced(function* (
    context: GatherContext,
    uses: Using<{ llmsTxt: LlmsTxt; sitemaps: Sitemaps; sample: Sample }>
  ) {
    const [llmsTxt, sitemaps, sample] = yield* Effect.all([uses.llmsTxt, uses.sitemaps, uses.sample], {
      concurrency: "unbounded"
    })
    return yield* gatherTopicPages(context, { llmsTxt, sitemaps, sample })
  })
})

/** The pages that the search found. */
export const topicPages = derivation({
  name: "topic-pages",
  budget: NO_REQUESTS,
  rank: RANK.shared,
  gather: (_context: GatherContext, uses: Using<{ topicSearch: PageSearch }>): Effect.Effect<ReadonlyArray<Page>> =>
    Effect.map(uses.topicSearch, ({ pages }) => pages)
})

/** Every URL on the base's host, in its language and version, that is named after a topic; sorted, each once. */
const namedPages = (
  { base }: Pick<GatherContext, "base">,
  { sample }: TopicSources,
  mentions: Mentions,
  reader: Reader
): ReadonlyArray<Named> => {
  const { host, pathname } = new URL(base.url)
  const language = languageIn(pathname) ?? "en"
  const isInForce = isInForceAmong(
    pathname,
    [...mentions.keys()]
      .map((url) => new URL(url))
      .filter((url) => url.host === host)
      .map((url) => url.pathname)
  )
  const candidates = new Set(sample.candidates.map((candidate) => candidate.url))
  const byStem = new Map<string, { readonly url: string; readonly topics: Map<TopicName, number> }>()
  for (const [mentioned, texts] of mentions) {
    const url = asServed(base, mentioned)
    const target = new URL(url)
    const topics = target.host === host ? topicsNamed(url, texts, reader) : null
    if (topics === null || topics.size === 0 || judgeAddress(url) !== "page" || isAsideAddress(url)) continue
    if ((languageIn(target.pathname) ?? language) !== language) continue
    if (!isInForce(target.pathname)) continue
    const known = byStem.get(stemOf(url))
    const entry =
      known === undefined || precedes(url, known.url, candidates)
        ? { url, topics: known?.topics ?? new Map<TopicName, number>() }
        : known
    for (const [topic, sureness] of topics)
      entry.topics.set(topic, Math.min(sureness, entry.topics.get(topic) ?? sureness))
    byStem.set(stemOf(url), entry)
  }
  return [...byStem.values()].sort((one, other) => (one.url < other.url ? -1 : 1))
}

/** URLs, and the texts of the links that lead there: every page repeats the same menu. */
type Mentions = ReadonlyMap<string, ReadonlySet<string>>

const mentionsIn = ({ llmsTxt, sample, sitemaps }: TopicSources): Mentions => {
  const mentions = new Map<string, Set<string>>()
  const mention = (url: string, text: string): void => {
    const texts = mentions.get(url)
    if (texts === undefined) mentions.set(url, new Set([text]))
    else texts.add(text)
  }
  for (const { links } of [...(llmsTxt.file === null ? [] : [llmsTxt.file]), ...llmsTxt.nested]) {
    for (const { text, url } of links) if (url !== null) mention(url, text)
  }
  for (const { url } of sitemaps.entries) mention(url, "")
  for (const { links } of sample.pages) {
    for (const { text, url } of links) mention(url, text)
  }
  return mentions
}

/** The pages of the sample, by `stemOf`. */
const hadIn = ({ visits }: Pick<Sample, "visits">): ReadonlyArray<string> =>
  visits.flatMap(({ candidate, exchange }) => [stemOf(candidate.url), stemOf(exchange.url)])

/** The same for a page and its Markdown file. */
const stemOf = (url: string): string => withoutPageEnding(pageKey(url)).replace(/\/index$/, "")

/**
 * Candidates of the sample come first, so that a page has the same form as there; then pages before their Markdown files, since
 * Markdown versions are searched for elsewhere.
 */
const precedes = (one: string, other: string, candidates: ReadonlySet<string>): boolean => {
  if (candidates.has(one) !== candidates.has(other)) return candidates.has(one)
  return isMarkdownUrl(one) === isMarkdownUrl(other) ? one < other : isMarkdownUrl(other)
}

/** More than the length of any URL, so that it outweighs the length. */
const STEP = 100_000

/** Some generators keep guides under `/articles/`; where the site has `/docs/`, they are essays, and looked at last. */
const ESSAY = /\/articles?\//
const DOCS = /\/docs?\//

/**
 * At most two pages for each topic: those that are named after it most surely, then candidates of the sample, then the shortest URLs.
 * The first page of each topic comes before the second of any.
 */
export const chooseTopicPages = (
  named: ReadonlyArray<Named>,
  sample: Pick<Sample, "visits" | "candidates">
): ReadonlyArray<string> => {
  const had = new Set(hadIn(sample))
  const hasDocs = named.some(({ url }) => DOCS.test(new URL(url).pathname))
  const candidates = new Set(sample.candidates.map(({ url }) => url))
  // Worked out once for each page: sorting asks for it again and again.
  const weighed = named.map(({ topics, url }) => ({
    url,
    topics,
    weight:
      (hasDocs && ESSAY.test(new URL(url).pathname) ? 10 * STEP : 0) + (candidates.has(url) ? 0 : STEP) + url.length
  }))
  const lists = TOPICS.map((topic) =>
    weighed
      .flatMap(({ topics, url, weight }) => {
        const sureness = topics.get(topic)
        return sureness === undefined ? [] : [{ url, rank: weight + sureness * 2 * STEP }]
      })
      .sort((one, other) => one.rank - other.rank || (one.url < other.url ? -1 : 1))
  )
  const chosen: Array<string> = []
  for (let turn = 0; turn < PER_TOPIC; turn++) {
    for (const list of lists) {
      const best = list[turn]
      if (best !== undefined && !had.has(stemOf(best.url)) && !chosen.includes(best.url)) chosen.push(best.url)
    }
  }
  return chosen
}
