import * as Effect from "effect/Effect"
import type { Finding } from "../../engine/criterion/Criterion.ts"
import { ratio } from "../../engine/criterion/Fact.ts"
import { between } from "../../engine/criterion/Uncertain.ts"
import { counted, grouped, pathShown } from "../../engine/criterion/Wording.ts"
import { onSite, pageKey } from "../../engine/evidence/Address.ts"
import { type Answer, type Exchange, isAnswer, isForServer, isMissing } from "../../engine/evidence/Exchange.ts"
import { type VersionText, targetForm, targetsOf } from "../../engine/page/markdown/Faithfulness.ts"
import type { Page } from "../../engine/page/Page.ts"
import type { Site } from "../../engine/site/Site.ts"
import type { Loss } from "./UnseenVersions.ts"
import { lossBetween } from "./UnseenVersions.ts"

/** A page and its Markdown. */
interface Version extends VersionText {
  readonly page: Page
  readonly answer: Answer
}

/** The Markdown that is looked at, as for `lossBetween`. */
interface Looked {
  readonly compared: ReadonlyArray<Version>
  readonly all: ReadonlyArray<Version>
  /** Pages that may have a Markdown version, too. */
  readonly unseen: number
  /** How many are compared at most. */
  readonly size: number
}

/** Where an agent that reads Markdown gets to. */
export interface WayOn {
  readonly facts: { readonly leading_on: number; readonly start_links: number; readonly start_lost: number }
  readonly uncertain: {
    readonly leading_on: ReturnType<typeof between> | undefined
    readonly start_links: ReturnType<typeof between> | undefined
    readonly start_lost: ReturnType<typeof between> | undefined
  }
  readonly missing: ReadonlyArray<Exchange>
  readonly start: Start | null
}

interface Start {
  readonly version: Version
  readonly links: number
  /** URLs that its Markdown does not name. */
  readonly lost: ReadonlyArray<string>
}

/** Whether Markdown leads to other pages of the documentation, as its pages do. */
export const wayOn = Effect.fnUntraced(function* (
  site: Site,
  { all, compared, size, unseen }: Looked
): Effect.fn.Return<WayOn> {
  const { candidates } = yield* site.sample
  const documented = new Set(candidates.map(({ url }) => pageKey(url)))
  const ways = (page: Page): ReadonlyArray<string> => waysOf(page, documented)
  const stops = (versions: ReadonlyArray<Version>): ReadonlyArray<Loss> =>
    versions.map((version) => stopOf(site, version, ways(version.page)))
  const { lost, segments } = stops(compared).reduce(plus, { segments: 0, lost: 0 })
  const stopped = unseen === 0 ? null : lossBetween(stops(all), unseen, size, 0)
  const { missing, version } = yield* startOf(site)
  const start = version === null ? null : lostFrom(site, version, ways(version.page))
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

/** The pages of the documentation that a page links to, other than itself, each once. */
const waysOf = (page: Page, documented: ReadonlySet<string>): ReadonlyArray<string> => {
  const own = targetForm(page.url)
  const forms = new Map(
    page.links.filter(({ url }) => documented.has(pageKey(url))).map(({ url }) => [targetForm(url), url] as const)
  )
  forms.delete(own)
  return [...forms.values()]
}

/** Indexes of a documentation, wherever a file names them. */
const INDEX = /(?:^|[^\w-])(?:llms(?:-full)?\.txt|sitemap(?:[-_]index)?\.(?:xml|md|txt))(?![\w-])/i

const namesIndex = (text: string): boolean => INDEX.test(text)

/** One segment for a page that leads on, which is lost if its Markdown does not. */
const stopOf = (site: Site, version: Version, ways: ReadonlyArray<string>): Loss => {
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

const lostFrom = (site: Site, version: Version, ways: ReadonlyArray<string>): Start => {
  if (namesIndex(version.text)) return { version, links: ways.length, lost: [] }
  const there = targetsOf(version.page, version, site.resolve)
  return { version, links: ways.length, lost: ways.filter((url) => !there.has(targetForm(url))) }
}

/** What the audited page answers to a request for Markdown. An agent that gets HTML there has the page's own links. */
const startOf = Effect.fnUntraced(function* (
  site: Site
): Effect.fn.Return<{ readonly version: Version | null; readonly missing: ReadonlyArray<Exchange> }> {
  const { pages } = yield* site.negotiation
  const start = pages.find(({ page }) => pageKey(page.url) === pageKey(site.base.url))
  if (start === undefined) return { version: null, missing: [] }
  const { document, exchange, page, text } = start
  return document === null || !isAnswer(exchange)
    ? { version: null, missing: isMissing(exchange) && !isForServer(exchange) ? [exchange] : [] }
    : { version: { page, answer: exchange, url: exchange.url, text, document }, missing: [] }
})

/** What is lost on the start page, with an example. */
export const startShown = ({ start }: WayOn): ReadonlyArray<Finding> => {
  const [example] = start?.lost ?? []
  if (start === null || example === undefined) return []
  const { lost, links, version } = start
  const all = `the ${counted(links, "page")} of the documentation that ${pathShown(version.page.url)} links to`
  return [
    {
      good: false,
      message:
        lost.length === links
          ? `The Markdown of ${pathShown(version.page.url)} is a dead end: it names no index, and links to none of the ${counted(links, "page")} of the documentation that the page leads to, such as ${pathShown(example)}.`
          : `The Markdown of ${pathShown(version.page.url)} names no index, and does not link to ${grouped(lost.length)} of ${all}, such as ${pathShown(example)}.`,
      proof: version.answer
    }
  ]
}
