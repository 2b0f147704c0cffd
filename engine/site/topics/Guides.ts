import { pageKey } from "../../evidence/Address.ts"
import { isReferenceAddress, isReferenceIndexAddress, type Page } from "../../page/Page.ts"
import { withoutPageEnding } from "../../text/MarkdownFile.ts"
import { percentDecoded } from "../../text/PercentDecoding.ts"
import type { Reader } from "../../text/languages/Reader.ts"
import { isAsideAddress } from "../address/PageUrl.ts"
import type { GatherContext } from "../base/GatherContext.ts"
import { evenStride } from "../base/EvenStride.ts"
import type { Sample } from "../sample/Sample.ts"
import { candidatesOf, type FoundUrl } from "../sample/SampleChoice.ts"

/** How URLs and links name the guides that tell most, in words separated by single spaces, the most telling first. */
const GUIDES: ReadonlyArray<RegExp> = [
  /^(?:quick ?starts?|getting started|get started|first steps|first (?:call|request)|hello world)\b/,
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
    const words = wordsOf(name)
    if (reader.says("gettingStarted", name)) return 0
    const place = GUIDES.findIndex((pattern) => pattern.test(words))
    if (place !== -1) rank = Math.min(rank, place)
  }
  return rank
}

const LONGEST_NAME = 60

const wordsOf = (text: string): string =>
  text
    .slice(0, LONGEST_NAME)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
