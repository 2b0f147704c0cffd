import * as Effect from "effect/Effect"
import { pageKey } from "../evidence/Address.ts"
import { isOk } from "../evidence/Exchange.ts"
import type { Gathering } from "./Gathering.ts"
import { languageIn } from "./Locale.ts"
import type { LlmsTxt } from "./LlmsTxt.ts"
import type { Page } from "./Page.ts"
import { isAsideAddress, isMarkdownAddress, judgeAddress } from "./PageAddress.ts"
import type { Sample } from "./Sample.ts"
import { asServed } from "./SampleChoice.ts"
import type { Sitemaps } from "./Sitemap.ts"
import { type Subject, SUBJECTS, subjectsNamed } from "./SubjectAddress.ts"
import { versionIn, versionsInForce } from "./VersionSegment.ts"

export interface SubjectSources {
  readonly llmsTxt: LlmsTxt
  readonly sitemaps: Sitemaps
  readonly sample: Sample
}

/** Pages fetched beyond the sample, in all and for one subject. */
const PAGES = 10
const PER_SUBJECT = 2

/** A page that a link, llms.txt or the sitemap names after a subject. */
interface Named {
  readonly url: string
  readonly subjects: ReadonlyArray<Subject>
}

/** Pages beyond the sample whose address or link text names a subject of category D: those that the sample has are left out. */
export const gatherSubjects = Effect.fn("Subjects.gather")(function*(
  gathering: Gathering,
  sources: SubjectSources
): Effect.fn.Return<ReadonlyArray<Page>> {
  const chosen = chooseSubjectPages(namedPages(gathering, sources), sources.sample)
  const pages = yield* Effect.forEach(chosen, Effect.fnUntraced(function*(url) {
    const exchange = yield* gathering.collector.get(url)
    return isOk(exchange) ? [yield* gathering.parsing.page({ answer: exchange })] : []
  }), { concurrency: "unbounded" })
  const seen = new Set(sources.sample.visits.map(({ exchange }) => stemOf(exchange.url)))
  return pages.flat().filter((page) => {
    const key = stemOf(page.url)
    const fresh = !seen.has(key) && page.format !== "other" && !page.saysNotFound
    seen.add(key)
    return fresh
  })
})

/** Every address on the base's host, in its language and version, that is named after a subject; sorted, each once. */
const namedPages = ({ base }: Pick<Gathering, "base">, sources: SubjectSources): ReadonlyArray<Named> => {
  const { sample } = sources
  const { host, pathname } = new URL(base.url)
  const language = languageIn(pathname) ?? "en"
  const versions = versionsInForce(pathname, sample.candidates.map(({ url }) => new URL(url).pathname))
  const candidates = new Set(sample.candidates.map((candidate) => candidate.url))
  const byStem = new Map<string, { readonly url: string; readonly subjects: Set<Subject> }>()
  for (const [mentioned, texts] of mentionsIn(sources)) {
    const url = asServed(base, mentioned)
    const target = new URL(url)
    const subjects = target.host === host ? subjectsNamed(url, texts) : []
    if (subjects.length === 0 || judgeAddress(url) !== "page" || isAsideAddress(url)) continue
    if ((languageIn(target.pathname) ?? language) !== language) continue
    const version = versionIn(target.pathname)
    if (version !== null && !versions.has(version)) continue
    const known = byStem.get(stemOf(url))
    const entry = known === undefined || precedes(url, known.url, candidates) ? { url, subjects: known?.subjects ?? new Set<Subject>() } : known
    for (const subject of subjects) entry.subjects.add(subject)
    byStem.set(stemOf(url), entry)
  }
  return [...byStem.values()]
    .map(({ subjects, url }) => ({ url, subjects: SUBJECTS.filter((subject) => subjects.has(subject)) }))
    .sort((one, other) => (one.url < other.url ? -1 : 1))
}

/** Addresses, and the texts of the links that lead there: the same menu stands on every page. */
const mentionsIn = ({ llmsTxt, sample, sitemaps }: SubjectSources): ReadonlyMap<string, ReadonlySet<string>> => {
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
const stemOf = (url: string): string => pageKey(url).replace(/(?:\.html?)?\.mdx?$|\.html?$/, "").replace(/\/index$/, "")

/**
 * A page has the form that it would have in the sample; failing that, pages come before their Markdown files: the twins
 * of pages are looked for elsewhere.
 */
const precedes = (one: string, other: string, candidates: ReadonlySet<string>): boolean => {
  if (candidates.has(one) !== candidates.has(other)) return candidates.has(one)
  return isMarkdownAddress(one) === isMarkdownAddress(other) ? one < other : isMarkdownAddress(other)
}

/** Longer than any address: what weighs more than its length. */
const STEP = 100_000

/** Some generators keep guides under `/articles/`; where the site has `/docs/`, they are essays, and looked at last. */
const ESSAY = /\/articles?\//
const DOCS = /\/docs?\//

/**
 * At most two pages for each subject: those whose address names it come first, then candidates of the sample, since a
 * link in a text may be wrong, then the shortest. At most ten in all: each subject's first page comes before any
 * subject's second.
 */
export const chooseSubjectPages = (named: ReadonlyArray<Named>, sample: Pick<Sample, "visits" | "candidates">): ReadonlyArray<string> => {
  const had = new Set(sample.visits.flatMap(({ candidate, exchange }) => [stemOf(candidate.url), stemOf(exchange.url)]))
  const hasDocs = named.some(({ url }) => DOCS.test(new URL(url).pathname))
  const candidates = new Set(sample.candidates.map(({ url }) => url))
  // Worked out once for each page: sorting asks for it again and again.
  const weighed = named.map(({ subjects, url }) => ({
    url,
    subjects,
    named: subjectsNamed(url),
    weight: (hasDocs && ESSAY.test(new URL(url).pathname) ? 4 * STEP : 0) + (candidates.has(url) ? 0 : STEP) + url.length
  }))
  const lists = SUBJECTS.map((subject) =>
    weighed.filter(({ subjects }) => subjects.includes(subject))
      .map(({ named, url, weight }) => ({ url, rank: weight + (named.includes(subject) ? 0 : 2 * STEP) }))
      .sort((one, other) => one.rank - other.rank || (one.url < other.url ? -1 : 1)))
  const chosen: Array<string> = []
  for (let turn = 0; turn < PER_SUBJECT; turn++) {
    for (const list of lists) {
      const best = list[turn]
      if (best !== undefined && !had.has(stemOf(best.url)) && !chosen.includes(best.url) && chosen.length < PAGES) chosen.push(best.url)
    }
  }
  return chosen
}
