import type { Rubric } from "../../../engine/rubric/definition/Rubric.ts"
import {
  type ScoreRange,
  type SiteSummary,
  TOP_ORDERS,
  TOP_WINDOWS,
  type TopOrder,
  type TopWindow
} from "../../../engine/store/corpus/Corpus.ts"
import { html, type VNode } from "../../../engine/report/html/Html.ts"
import { pathWith } from "../kit/PageQuery.ts"
import { browseShell, choices } from "./BrowseShell.ts"
import { WINDOW_WORDS } from "./OverviewPage.ts"
import { siteTable } from "./SiteTable.ts"

interface TopView {
  readonly window: TopWindow
  readonly order: TopOrder
  /** Maximum number of sites. */
  readonly limit: number
  /** The only level to show; `null`: all. */
  readonly level: ScoreLevel | null
}

/** Default number of sites on a leaderboard. */
export const TOP_SITES = 25

const LIMITS = [10, TOP_SITES, 50]

const WINDOW_NAMES: Readonly<Record<TopWindow, string>> = { "7d": "7 days", "30d": "30 days", all: "All time" }
const ORDER_NAMES: Readonly<Record<TopOrder, string>> = { best: "Best", worst: "Worst" }

/** The best or worst sites of a window. */
export const topPage = (
  base: string,
  view: TopView,
  levels: ReadonlyArray<ScoreLevel>,
  sites: ReadonlyArray<SiteSummary>
): VNode => {
  const { level, limit, order, window } = view
  return browseShell({
    base,
    title: "Leaderboards",
    description: `Documentation sites${level === null ? "" : ` of the level ${level.word}`} with the ${order} scores of ${WINDOW_WORDS[window]}.`,
    path: "/browse/top",
    // The API has all levels only.
    ...(level === null ? { json: pathWith("/api/public/browse/top", { window, order, limit }) } : {}),
    lead: "Sites by their newest reliable score, if it is within the time range. Equal scores share a rank.",
    content: html`
      <div class="choices-bar">
        ${choices({ label: "Time range", choices: TOP_WINDOWS.map((each) => ({ text: WINDOW_NAMES[each], href: pathOf({ ...view, window: each }), chosen: each === window })) })}
        ${choices({ label: "Order", choices: TOP_ORDERS.map((each) => ({ text: ORDER_NAMES[each], href: pathOf({ ...view, order: each }), chosen: each === order })) })}
        ${choices({ label: "Number of sites", choices: LIMITS.map((each) => ({ text: String(each), href: pathOf({ ...view, limit: each }), chosen: each === limit })) })}
        ${choices({
          label: "Level",
          choices: [null, ...levels].map((each) => ({
            text: each?.word ?? "All levels",
            href: pathOf({ ...view, level: each }),
            chosen: each?.slug === level?.slug
          }))
        })}
      </div>
      ${
        sites.length === 0
          ? nothingWithin(view)
          : siteTable({
              caption: `${ORDER_NAMES[order]} scores of ${WINDOW_WORDS[window]}${level === null ? "" : `, level ${level.word} (${level.range.from} to ${level.range.to} points)`}`,
              sites,
              shown: "latestScore",
              ranked: true,
              detailed: true
            })
      }`
  })
}

const pathOf = ({ level, limit, order, window }: TopView): string =>
  pathWith("/browse/top", {
    window,
    order,
    ...(limit === TOP_SITES ? {} : { limit }),
    ...(level === null ? {} : { level: level.slug })
  })

const nothingWithin = (view: TopView): VNode => {
  if (view.level !== null)
    return emptyView(
      `No site has the level ${view.level.word} in this time range.`,
      html`<a href=${pathOf({ ...view, level: null })}>Show all levels</a>`
    )
  return view.window === "all"
    ? emptyView("Nothing has been audited yet.", html`<a class="button" href="/">Audit the first site</a>`)
    : emptyView(
        `No site was audited in ${WINDOW_WORDS[view.window]}.`,
        html`<a href=${pathOf({ ...view, window: "all" })}>Show all time</a>`
      )
}

const emptyView = (text: string, link: VNode): VNode => html`
  <div class="empty">
    <p>${text}</p>
    <p>${link}</p>
  </div>`

/** A level of the rubric in force, by which sites can be filtered. */
export interface ScoreLevel {
  /** In URLs, such as `ai-ready`. */
  readonly slug: string
  /** Such as `AI-ready`. */
  readonly word: string
  readonly range: ScoreRange
}

/** Highest first, as in the rubric. */
export const levelsOf = ({ verdicts }: Pick<Rubric, "verdicts">): ReadonlyArray<ScoreLevel> =>
  verdicts.map(({ from, word }, index) => ({
    slug: word.toLowerCase().replaceAll(/[^a-z\d]+/g, "-"),
    word,
    range: { from, to: (verdicts[index - 1]?.from ?? 101) - 1 }
  }))

/** The word for a score; empty if no level has it. */
export const levelOf = (levels: ReadonlyArray<ScoreLevel>, score: number): string =>
  levels.find(({ range }) => score >= range.from && score <= range.to)?.word ?? ""
