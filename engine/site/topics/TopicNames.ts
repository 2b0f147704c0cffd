import { pageKey } from "../../evidence/Address.ts"
import { isReferenceAddress, isReferenceIndexAddress, type Page } from "../../page/Page.ts"
import { english, type Reader, type Subject } from "../../text/languages/Vocabulary.ts"
import { readingLength } from "../../text/languages/Language.ts"
import { percentDecoded, withoutPageEnding } from "../../text/UrlPath.ts"
import { isAsideAddress } from "../address/PageUrl.ts"
import type { GatherContext } from "../base/Derivation.ts"
import { evenStride } from "../base/EvenStride.ts"
import type { Sample } from "../sample/Sample.ts"
import { candidatesOf, type FoundUrl } from "../sample/SampleChoice.ts"

/** The topics that pages are searched for, beyond the sample. */
export type TopicName =
  | "errors"
  | "authentication"
  | "rate limits"
  | "retries"
  | "pagination"
  | "events"
  | "sandbox"
  | "changelog"
  | "versions"
  | "glossary"
  | "agents"
  | "mcp"

/** How URLs and titles name each topic, in words separated by single spaces. */
const NAMES: ReadonlyArray<readonly [TopicName, RegExp]> = [
  [
    "errors",
    /\b(?:errors?|errorcodes?|error codes?|error handling|exceptions?|problems|status ?codes?|troubleshooting)\b/
  ],
  [
    "authentication",
    /\b(?:auth|authentication|authorization|authorisation|api keys?|access tokens?|credentials|oauth2?)\b/
  ],
  ["rate limits", /\b(?:rate limits?|rate limiting|ratelimits?|throttling|quotas?|usage limits?|api limits?)\b/],
  ["retries", /\b(?:idempotency|idempotent|idempotent requests|retries|retry|retrying)\b/],
  ["pagination", /\b(?:pagination|paginating|paging|cursors|cursor based)\b/],
  ["events", /\b(?:webhooks?|events?|streaming|server sent events|sse|websockets?)\b/],
  ["sandbox", /\b(?:sandbox|test mode|testing|test environment|staging|environments?)\b/],
  ["changelog", /\b(?:changelog|change log|changes|release notes|releases|history|what s new|whats new|news)\b/],
  [
    "versions",
    /\b(?:versioning|versions?|deprecations?|deprecated|deprecation policy|migrations?|upgrading|breaking changes|sunset)\b/
  ],
  ["glossary", /\b(?:glossary|terminology|vocabulary|key terms|concepts)\b|^terms$/],
  ["agents", /\b(?:llms?|ai agents?|(?<!user )agents?|ai assistants?|copilot|ai tools|build with ai|prompts?)\b/],
  ["mcp", /\b(?:mcp|model context protocol)\b/]
]

/** The same topics in the vocabulary of other languages. */
const SUBJECTS: Readonly<Partial<Record<TopicName, ReadonlyArray<Subject>>>> = {
  errors: ["errors"],
  authentication: ["authentication"],
  "rate limits": ["rateLimits"],
  retries: ["retries"],
  pagination: ["pagination"],
  events: ["events", "plainEvents"],
  sandbox: ["sandbox"],
  changelog: ["changelog"],
  versions: ["policy"],
  glossary: ["glossary"]
}

/** A name is what a page is about, not a sentence that happens to contain a word. */
const LONGEST_NAME = 60

const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** Words beside a topic's own that leave a name what it is: "API changelog", "errors v2". */
const BESIDE = /^(?:v?\d\S*|an?|the|our|all|of|and|for|to|apis?|rest|http|docs|documentation|guide|overview|reference)$/

/** How a page is named after a topic, the surest first. */
const SURE = { segment: 0, text: 1, folder: 2, inSegment: 3, inText: 4 }

/**
 * The topics that a URL, its folder or the texts of links to it name, in the order of the list above, each with how sure that is: 0
 * where the last segment is the topic's name and nothing else, then the text of a link, then the folder; a name inside another name
 * (`order-history`) comes after these.
 */
export const topicsNamed = (
  url: string,
  texts: Iterable<string> = [],
  reader: Reader = english
): ReadonlyMap<TopicName, number> => {
  const segments = new URL(url).pathname.split("/").filter((part) => part !== "" && !/^index\.\w+$/.test(part))
  const [folder, segment] = [segments.at(-2) ?? "", segments.at(-1) ?? ""].map((part) =>
    withoutPageEnding(percentDecoded(part) ?? part).replaceAll("_", " ")
  )
  const named = new Map<TopicName, number>()
  for (const [topic, pattern] of NAMES) {
    const nameIs = (name: string): NameIs => isNamed(name, topic, pattern, reader)
    const sureness = [
      surenessOf(nameIs(segment ?? ""), SURE.segment, SURE.inSegment),
      // Calls below a resource have its name: `/api/events/list`.
      isReferenceAddress(url) || nameIs(folder ?? "") !== 0 ? null : SURE.folder,
      ...Array.from(texts, (text) =>
        readingLength(text) > LONGEST_NAME ? null : surenessOf(nameIs(text), SURE.text, SURE.inText)
      )
    ].filter((one) => one !== null)
    if (sureness.length > 0) named.set(topic, Math.min(...sureness))
  }
  return named
}

/** The number of words beside a topic's name, up to a limit; `null` if a name is another's. */
type NameIs = number | null

/** More words beside the topic's make no difference. */
const MOST_OTHERS = 9

/** Payments are authorized, too: where no other word names authentication, every other name is surer. */
const AMBIGUOUS = /^authori[sz]ation$/
const AMBIGUITY = 2 * (MOST_OTHERS + 1)

/** Of names that have the topic's inside, those with the fewest other words are the surest. */
const surenessOf = (is: NameIs, whole: number, within: number): number | null =>
  is === null ? null : is === 0 ? whole : within + is / (MOST_OTHERS + 1)

const isNamed = (name: string, topic: TopicName, pattern: RegExp, reader: Reader): NameIs => {
  const words = wordsOf(name)
  const [found] = pattern.exec(words) ?? []
  if (found !== undefined) return othersIn(words.replace(pattern, " ")) + (AMBIGUOUS.test(found) ? AMBIGUITY : 0)
  const subject = (SUBJECTS[topic] ?? []).find((one) => reader.says(one, name))
  return subject === undefined ? null : othersIn(wordsOf(reader.without(subject, name)))
}

const othersIn = (words: string): number =>
  Math.min(MOST_OTHERS, words.split(" ").filter((word) => word !== "" && !BESIDE.test(word)).length)

export const TOPICS: ReadonlyArray<TopicName> = NAMES.map(([topic]) => topic)

/** How URLs and links name the guides that tell most, in words separated by single spaces, the most telling first. */
const GUIDES: ReadonlyArray<RegExp> = [
  /^(?:quick ?starts?|getting started|get started|first steps|first (?:call|request)|hello world)\b/,
  /^(?:install|installation|installing)\b/,
  /^(?:overview|introduction|intro|about the api|basics|fundamentals|how it works|conventions)\b/,
  /^(?:the )?(?:(?:(?:admin|backend|client|developer|http|management|platform|public|rest|server|web) )?apis?(?: (?:reference|overview|guide|docs|documentation|basics|usage))?|reference|usage|using .{1,40})$/,
  /^(?:(?:core |key )?concepts|architecture|best practices|guidelines|limits|limitations|faq|frequently asked questions|how to\b.{0,40})/
]

/** Pages of a documentation that are known once its sample has been read: its candidates, and what links on those pages add. */
export const knownPages = (
  { base }: Pick<GatherContext, "base">,
  sample: Pick<Sample, "candidates">,
  pages: ReadonlyArray<Page>
): ReadonlyArray<string> => {
  const known = sample.candidates.map(({ url }): FoundUrl => ({ url, source: "sitemap" }))
  const linked = pages.flatMap(({ links }) =>
    links.filter(({ rel }) => !rel.includes("nofollow")).map(({ url }): FoundUrl => ({ url, source: "crawl" }))
  )
  return candidatesOf(base, [...known, ...linked]).list.map(({ url }) => url)
}

/**
 * At most `count` guides of a documentation: pages that are no reference of one operation and no news. Those whose URL or whose link
 * is called as the telling ones are come first, in the order of the list, then others by an even stride.
 */
export const chooseGuides = (
  urls: ReadonlyArray<string>,
  textsOf: (url: string) => Iterable<string>,
  reader: Reader,
  count: number
): ReadonlyArray<string> => {
  const guides = urls.filter(
    (url) => (!isReferenceAddress(url) || isReferenceIndexAddress(url)) && !isAsideAddress(url)
  )
  const ranked = guides
    .map((url) => ({ url, rank: rankOf([lastNameIn(url), ...textsOf(url)], reader) }))
    .filter(({ rank }) => rank < GUIDES.length)
    .sort((one, other) => one.rank - other.rank || one.url.length - other.url.length || (one.url < other.url ? -1 : 1))
    .slice(0, count)
    .map(({ url }) => url)
  const keys = new Set(ranked.map(pageKey))
  const others = guides.filter((url) => !keys.has(pageKey(url)))
  return [...ranked, ...evenStride(others, count - ranked.length)]
}

/** What a URL calls its page: its last segment, or that of its folder. */
const lastNameIn = (url: string): string => {
  const segment = new URL(url).pathname.split("/").findLast((part) => part !== "" && !/^index\.\w+$/.test(part)) ?? ""
  return withoutPageEnding(percentDecoded(segment) ?? segment)
}

/** The place of the first of the list that one of the names is called by. */
const rankOf = (names: Iterable<string>, reader: Reader): number => {
  let rank = GUIDES.length
  for (const name of names) {
    const words = guideWords(name)
    if (reader.says("gettingStarted", name)) return 0
    const place = GUIDES.findIndex((pattern) => pattern.test(words))
    if (place !== -1) rank = Math.min(rank, place)
  }
  return rank
}

const guideWords = (text: string): string =>
  text
    .slice(0, LONGEST_NAME)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
