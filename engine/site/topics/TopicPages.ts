import * as Effect from "effect/Effect"
import { NO_REQUESTS, RANK } from "../../evidence/AuditBudget.ts"
import { derivation, type Using } from "../base/Derivation.ts"
import { pageKey } from "../../evidence/Address.ts"
import type { GatherContext } from "../base/GatherContext.ts"
import { languageIn } from "../address/Locale.ts"
import type { LlmsTxt } from "../wellknown/LlmsTxt.ts"
import type { Page } from "../../page/Page.ts"
import { isAsideAddress, judgeAddress } from "../address/PageUrl.ts"
import type { Sample } from "../sample/Sample.ts"
import { asServed } from "../sample/SampleChoice.ts"
import type { Sitemaps } from "../wellknown/Sitemap.ts"
import { newPages, type PageSearch, readPages } from "./PageSearch.ts"
import { type TopicName, TOPICS, topicsNamed } from "./TopicNames.ts"
import { isInForceAmong } from "../address/VersionFolders.ts"
import { english, type Reader, readerOf } from "../../text/languages/Reader.ts"
import { isMarkdownUrl, withoutPageEnding } from "../../text/MarkdownFile.ts"

export interface TopicSources {
  readonly llmsTxt: LlmsTxt
  readonly sitemaps: Sitemaps
  readonly sample: Sample
}

/** The most pages fetched beyond the sample: in total, and for one topic. */
const PAGES = 10
const PER_TOPIC = 2

/** A page that a link, llms.txt or the sitemap names after a topic. */
interface Named {
  readonly url: string
  readonly topics: ReadonlyArray<TopicName>
}

/** Pages beyond the sample whose URL or link text names a topic of category D. */
export const gatherTopicPages = Effect.fn("TopicPages.gather")(function* (
  context: GatherContext,
  sources: TopicSources
): Effect.fn.Return<PageSearch> {
  const reader = readerOf(sources.sample.pages.map(({ main }) => main.text))
  const chosen = chooseTopicPages(namedPages(context, sources, reader), sources.sample, reader)
  const { missing, pages } = yield* readPages(context, chosen)
  const sampled = new Set(sources.sample.visits.map(({ exchange }) => stemOf(exchange.url)))
  return { pages: newPages(pages, sampled, stemOf), missing }
})

export const topicSearch = derivation({
  name: "topic-search",
  budget: { requests: 10, redirects: 4, megabytes: 4 },
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
  sources: TopicSources,
  reader: Reader
): ReadonlyArray<Named> => {
  const { sample } = sources
  const { host, pathname } = new URL(base.url)
  const language = languageIn(pathname) ?? "en"
  const mentions = mentionsIn(sources)
  const isInForce = isInForceAmong(
    pathname,
    [...mentions.keys()]
      .map((url) => new URL(url))
      .filter((url) => url.host === host)
      .map((url) => url.pathname)
  )
  const candidates = new Set(sample.candidates.map((candidate) => candidate.url))
  const byStem = new Map<string, { readonly url: string; readonly topics: Set<TopicName> }>()
  for (const [mentioned, texts] of mentions) {
    const url = asServed(base, mentioned)
    const target = new URL(url)
    const topics = target.host === host ? topicsNamed(url, texts, reader) : []
    if (topics.length === 0 || judgeAddress(url) !== "page" || isAsideAddress(url)) continue
    if ((languageIn(target.pathname) ?? language) !== language) continue
    if (!isInForce(target.pathname)) continue
    const known = byStem.get(stemOf(url))
    const entry =
      known === undefined || precedes(url, known.url, candidates)
        ? { url, topics: known?.topics ?? new Set<TopicName>() }
        : known
    for (const topic of topics) entry.topics.add(topic)
    byStem.set(stemOf(url), entry)
  }
  return [...byStem.values()]
    .map(({ topics, url }) => ({ url, topics: TOPICS.filter((topic) => topics.has(topic)) }))
    .sort((one, other) => (one.url < other.url ? -1 : 1))
}

/** URLs, and the texts of the links that lead there: every page repeats the same menu. */
const mentionsIn = ({ llmsTxt, sample, sitemaps }: TopicSources): ReadonlyMap<string, ReadonlySet<string>> => {
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
  for (const { links } of sample.pages) for (const { text, url } of links) mention(url, text)
  return mentions
}

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
 * At most two pages for each topic: those whose URL names it first, then candidates of the sample, since the text of a link may be
 * wrong, then the shortest URLs. At most ten in total: the first page of each topic comes before the second of any.
 */
export const chooseTopicPages = (
  named: ReadonlyArray<Named>,
  sample: Pick<Sample, "visits" | "candidates">,
  reader: Reader = english
): ReadonlyArray<string> => {
  const had = new Set(sample.visits.flatMap(({ candidate, exchange }) => [stemOf(candidate.url), stemOf(exchange.url)]))
  const hasDocs = named.some(({ url }) => DOCS.test(new URL(url).pathname))
  const candidates = new Set(sample.candidates.map(({ url }) => url))
  // Worked out once for each page: sorting asks for it again and again.
  const weighed = named.map(({ topics, url }) => ({
    url,
    topics,
    named: topicsNamed(url, [], reader),
    weight:
      (hasDocs && ESSAY.test(new URL(url).pathname) ? 4 * STEP : 0) + (candidates.has(url) ? 0 : STEP) + url.length
  }))
  const lists = TOPICS.map((topic) =>
    weighed
      .filter(({ topics }) => topics.includes(topic))
      .map(({ named, url, weight }) => ({ url, rank: weight + (named.includes(topic) ? 0 : 2 * STEP) }))
      .sort((one, other) => one.rank - other.rank || (one.url < other.url ? -1 : 1))
  )
  const chosen: Array<string> = []
  for (let turn = 0; turn < PER_TOPIC; turn++) {
    for (const list of lists) {
      const best = list[turn]
      if (best !== undefined && !had.has(stemOf(best.url)) && !chosen.includes(best.url) && chosen.length < PAGES)
        chosen.push(best.url)
    }
  }
  return chosen
}
