import { counted, grouped, signed } from "../../../engine/plugin/Wording.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { shownName } from "../../../engine/text/ShownName.ts"
import type { SiteSummaryBody } from "../../api/Corpus.ts"
import type { Widget } from "../../api/DashboardBody.ts"
import { figure } from "../browse/OverviewPage.ts"
import { scoreLine } from "../browse/SiteHistory.ts"
import { LISTED_NAME, siteTable } from "../browse/SiteTable.ts"
import { columns, day, score, scoreNumber, shareBar, siteLabel } from "../../../engine/report/html/Parts.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { pathWith, sitePath } from "../kit/PageQuery.ts"

type WidgetOf<Kind extends Widget["kind"]> = Extract<Widget, { readonly kind: Kind }>

/** A widget below its heading. It is not a landmark, because headings may be equal. `id` is unique on the page. */
export const widgetView = (widget: Widget, id: string, isWide: boolean): VNode => html`
  <div class=${isWide ? "widget widget-wide" : "widget"}>
    <h2 id=${id}>${plainText(widget.title)}</h2>
    ${bodyOf(widget, id)}
  </div>`

const bodyOf = (widget: Widget, id: string): Content => {
  switch (widget.kind) {
    case "current_score":
      return widget.sites.length === 0 ? nothing("None of the sites has been audited yet.") : currentScores(widget)
    case "site_trend":
      return widget.points.length === 0 ? nothing("No audit of this site in this time range.") : trend(widget, id)
    case "category_comparison":
      return widget.sites.length === 0 ? nothing("None of the sites has been audited yet.") : categoryTable(widget)
    case "biggest_movers":
      return widget.sites.length === 0 ? nothing("No score has changed in this time range.") : movers(widget)
    case "stale_sites":
      return widget.sites.length === 0
        ? nothing(`Every site was audited within ${counted(widget.days, "day")}.`)
        : stale(widget)
    case "top_sites":
      return widget.sites.length === 0 ? nothing("No site was audited in this time range.") : top(widget)
    case "corpus":
      return corpus(widget)
  }
}

const nothing = (text: string): VNode => html`<p class="soft">${text}</p>`

const currentScores = ({ sites }: WidgetOf<"current_score">): VNode => html`
  <table class="sites">
    <caption>Newest scores</caption>
    ${columns(["rest", "bar", "date"])}
    <thead><tr><th scope="col">Site</th><th scope="col" class="number">Score</th><th scope="col" class="number">Report</th></tr></thead>
    <tbody>${sites.map(
      (site) => html`
      <tr><th scope="row">${siteLink(site.base_url)}</th><td class="number">${score(site.score, site.reliable)}</td><td class="number"><a href=${`/r/${site.run_id}`}>${day(site.at)}</a></td></tr>`
    )}
    </tbody>
  </table>`

const trend = ({ points, site }: WidgetOf<"site_trend">, id: string): Content => html`
  <p>${siteLink(site)}</p>
  ${scoreLine({ id: `${id}-chart`, site, moments: points.map(({ at, reliable, score: value }) => ({ at, value, isReliable: reliable })) })}
  <details>
    <summary>As a table</summary>
    <table class="runs">
      <caption>Scores in this time range, newest first</caption>
      ${columns(["rest", "figure"])}
      <thead><tr><th scope="col">When</th><th scope="col" class="number">Score</th></tr></thead>
      <tbody>${points.toReversed().map(
        (point) => html`
        <tr><th scope="row"><a href=${`/r/${point.run_id}`}>${day(point.at)}</a></th><td class="number">${scoreNumber(point.score, point.reliable)}</td></tr>`
      )}
      </tbody>
    </table>
  </details>`

const movers = ({ sites }: WidgetOf<"biggest_movers">): VNode =>
  moversTable(
    "Biggest score changes in this time range",
    sites.map(({ base_url: site, delta, from, to }) => ({
      site,
      change: delta,
      from: { id: from.run_id, score: from.score },
      to: { id: to.run_id, score: to.score }
    }))
  )

const stale = ({ days, sites }: WidgetOf<"stale_sites">): VNode => html`
  <table class="sites">
    <caption>Not audited for ${counted(days, "day")}</caption>
    ${columns(["rest", "date"])}
    <thead><tr><th scope="col">Site</th><th scope="col" class="number">Last audit</th></tr></thead>
    <tbody>${sites.map(
      (site) => html`
      <tr><th scope="row">${siteLink(site.base_url)}</th><td class="number">${site.latest_run_at === null ? "never" : day(site.latest_run_at)}</td></tr>`
    )}
    </tbody>
  </table>`

const top = ({ order, sites }: WidgetOf<"top_sites">): VNode =>
  siteTable({
    caption: order === "best" ? "Best scores of all audited sites" : "Worst scores of all audited sites",
    sites: sites.map(storedOf),
    shown: "latestScore",
    ranked: true,
    compact: true
  })

const storedOf = (site: SiteSummaryBody) => ({
  site: site.base_url,
  latestRunId: site.latest_run_id ?? null,
  url: site.canonical_url,
  reliable: site.reliable,
  latestScore: site.latest_score,
  applicablePoints: 100,
  runCount: site.run_count,
  latestRunAt: site.latest_run_at,
  firstRunAt: site.first_run_at,
  bestScore: site.best_score,
  worstScore: site.worst_score,
  averageScore: site.avg_score
})

const corpus = ({ summary }: WidgetOf<"corpus">): VNode => html`
  <dl class="figures">
    ${figure("Sites", grouped(summary.sites))}
    ${figure("Audits", grouped(summary.runs))}
    ${figure("Mean score", html`${summary.avg_score}<span class="of"> / 100</span>`)}
    ${summary.latest_run_at === null ? null : figure("Last audit", day(summary.latest_run_at))}
  </dl>`

interface MovedRun {
  readonly id: string
  readonly score: number
}

/** A site whose score moved. */
interface MovedSite {
  readonly site: string
  /** The later score minus the earlier one. */
  readonly change: number
  readonly from: MovedRun
  readonly to: MovedRun
}

/** Sites whose scores moved, each with two scores, links to their reports and to what changed. */
const moversTable = (caption: string, movers: ReadonlyArray<MovedSite>): VNode => html`
  <table class="sites movers">
    <caption>${caption}</caption>
    ${columns(["rest", "figure", "figure", "figure"], { roomy: 2 })}
    <thead><tr><th scope="col">Site</th><th scope="col" class="number">Change</th><th scope="col" class="number roomy">Before</th><th scope="col" class="number roomy">Now</th></tr></thead>
    <tbody>${movers.map(
      ({ change, from, site, to }) => html`
      <tr>
        <th scope="row"><a href=${sitePath(site)}>${siteLabel(site, LISTED_NAME)}</a></th>
        <td class="number"><a class=${change > 0 ? "gained" : "lost"} href=${pathWith(`/r/${to.id}/compare`, { baseline: from.id })}>${signed(change)}<span class="visually-hidden">: what changed on ${shownName(site).text}</span></a></td>
        <td class="number roomy"><a href=${`/r/${from.id}`}>${from.score}</a></td>
        <td class="number roomy"><a href=${`/r/${to.id}`}>${to.score}</a></td>
      </tr>`
    )}
    </tbody>
  </table>`

type Comparison = Extract<Widget, { readonly kind: "category_comparison" }>

/** Sites side by side, category by category: the points, and a bar of the share earned. */
const categoryTable = ({ sites, title }: Comparison): VNode => {
  const categories = new Map(
    sites.flatMap((site) => site.categories.map((category) => [category.key, category.title] as const))
  )
  return html`
    <div class="table-scroll" role="group" aria-label=${plainText(title)} tabindex="0">
      <table class="categories">
        <caption>Points by category, of each site's newest audit</caption>
        ${columns(["site", ...Array.from(categories, () => "category" as const), "figure"])}
        <thead>
          <tr><th scope="col">Site</th>${[...categories.values()].map((name) => html`<th scope="col">${name}</th>`)}<th scope="col" class="number">Score</th></tr>
        </thead>
        <tbody>
          ${sites.map(
            (site) => html`
            <tr>
              <th scope="row">${siteLink(site.base_url)}</th>
              ${[...categories].map(([key, name]) =>
                categoryCell(
                  name,
                  site.categories.find((category) => category.key === key)
                )
              )}
              <td class="number" data-label="Score"><a href=${`/r/${site.run_id}`}>${scoreNumber(site.score, site.reliable)}</a></td>
            </tr>`
          )}
        </tbody>
      </table>
    </div>`
}

const categoryCell = (name: string, category: Comparison["sites"][number]["categories"][number] | undefined): VNode =>
  category === undefined
    ? html`<td data-label=${name}>–</td>`
    : html`
    <td class="category-cell" data-label=${name}>
      <span>${category.score}<span class="soft"> / ${category.max}</span></span>
      ${shareBar({ name: "score-bar", share: category.score / Math.max(1, category.max), height: 6 })}
    </td>`

/** A site's name as a link to its runs. */
export const siteLink = (site: string): VNode => html`<a href=${sitePath(site)}>${siteLabel(site)}</a>`
