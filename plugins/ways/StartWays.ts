import * as Effect from "effect/Effect"
import type { Finding } from "../../engine/plugin/Criterion.ts"
import { EITHER, flag } from "../../engine/plugin/Fact.ts"
import { counted, grouped, pathShown } from "../../engine/plugin/Wording.ts"
import { pageKey } from "../../engine/evidence/Address.ts"
import { type Answer, type Exchange, isAnswer, isForServer, isMissing } from "../../engine/evidence/Exchange.ts"
import { targetForm, targetsOf, type VersionText } from "../../engine/page/markdown/Faithfulness.ts"
import type { Page } from "../../engine/page/Page.ts"
import type { Site } from "../../engine/site/Site.ts"

/** A page and its Markdown. */
export interface ReadVersion extends VersionText {
  readonly page: Page
  readonly answer: Answer
}

/** Where the Markdown leads that the audited page answers to a request for it. */
export interface StartWays {
  readonly version: ReadVersion
  /** Pages of the documentation that the page links to. */
  readonly links: number
  /** Of those, the URLs that the Markdown does not name; none if it names an index. */
  readonly lost: ReadonlyArray<string>
}

/** `start` is `null` where the page answers with HTML, whose links an agent keeps; `missing` may have been Markdown. */
interface Start {
  readonly start: StartWays | null
  readonly missing: ReadonlyArray<Exchange>
}

/** The ways on from the audited page for an agent that asks for Markdown. */
export const startWays = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<Start> {
  const { pages } = yield* site.negotiation
  const found = pages.find(({ page }) => pageKey(page.url) === pageKey(site.base.url))
  if (found === undefined) return { start: null, missing: [] }
  const { document, exchange, page, text } = found
  if (document === null || !isAnswer(exchange))
    return { start: null, missing: isMissing(exchange) && !isForServer(exchange) ? [exchange] : [] }
  const version = { page, answer: exchange, url: exchange.url, text, document }
  const ways = waysOf(page, yield* documentedBy(site))
  if (namesIndex(text)) return { start: { version, links: ways.length, lost: [] }, missing: [] }
  const there = targetsOf(page, version, site.resolve)
  const lost = ways.filter((url) => !there.has(targetForm(url)))
  return { start: { version, links: ways.length, lost }, missing: [] }
})

/** Whether an agent that asks for Markdown gets no further than the audited page, which leads on as HTML. */
export const isDeadEnd = ({ start }: Start): boolean =>
  start !== null && start.links > 0 && start.lost.length === start.links

/** The pages of the documentation, by `pageKey`. */
export const documentedBy = (site: Site): Effect.Effect<ReadonlySet<string>> =>
  Effect.map(site.sample, ({ candidates }) => new Set(candidates.map(({ url }) => pageKey(url))))

/** The pages of the documentation that a page links to, other than itself, each once. */
export const waysOf = (page: Page, documented: ReadonlySet<string>): ReadonlyArray<string> => {
  const own = targetForm(page.url)
  const forms = new Map(
    page.links.filter(({ url }) => documented.has(pageKey(url))).map(({ url }) => [targetForm(url), url] as const)
  )
  forms.delete(own)
  return [...forms.values()]
}

/** The URL or path of an index of a documentation: its mere name may be what the page is about. */
const INDEX = /(?:\/|\]\()(?:llms(?:-full)?\.txt|sitemap(?:[-_]index)?\.(?:xml|md|txt))(?![\w-])/i

export const namesIndex = (text: string): boolean => INDEX.test(text)

/** The fact of criteria that a dead end costs their points. */
export const deadEndFact = flag(
  "the audited page answers a request for Markdown with one that names no index and links to none of the pages that it leads to"
)

/** The fact, what it may be while the answer is missing, and the sentence on it where it holds. */
export const deadEnd = (way: Start) => ({
  dead_end: isDeadEnd(way),
  uncertain: way.missing.length > 0 ? EITHER : undefined,
  findings: isDeadEnd(way) ? lostWays(way) : []
})

/** Findings with those first that decide. */
export const leadBy = (
  first: ReadonlyArray<Finding>,
  findings: readonly [Finding, ...ReadonlyArray<Finding>]
): readonly [Finding, ...ReadonlyArray<Finding>] => {
  const [lead, ...rest] = first
  return lead === undefined ? findings : [lead, ...rest, ...findings]
}

/** What is lost on the start page, with an example. */
export const lostWays = ({ start }: Start): ReadonlyArray<Finding> => {
  const [example] = start?.lost ?? []
  if (start === null || example === undefined) return []
  const { links, lost, version } = start
  const pages = `${counted(links, "page")} of the documentation`
  const name = pathShown(version.page.url)
  const message =
    lost.length === links
      ? `The Markdown of ${name} is a dead end: it names no index, and links to none of the ${pages} that the page leads to, such as ${pathShown(example)}.`
      : `The Markdown of ${name} names no index, and does not link to ${grouped(lost.length)} of the ${pages} that ${name} links to, such as ${pathShown(example)}.`
  return [{ good: false, message, proof: version.answer }]
}
