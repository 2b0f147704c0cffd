import { plainText } from "../../../engine/text/PlainText.ts"
import type { SiteSummaryBody } from "../../api/Corpus.ts"
import type { Widget } from "../../api/DashboardBody.ts"
import { day } from "../kit/Moments.ts"
import { figure } from "../browse/OverviewPage.ts"
import { score, scoreNumber } from "../kit/ScoreBar.ts"
import { moversTable } from "./MoversTable.ts"
import { scoreLine } from "../browse/ScoreLine.ts"
import { siteTable } from "../browse/SiteTable.ts"
import { counted, grouped } from "../../../engine/criterion/Wording.ts"
import { columns } from "../kit/Columns.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { categoryTable } from "./CategoryTable.ts"
import { siteLink } from "./SiteLink.ts"

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
  url: site.canonical_url,
  reliable: site.reliable,
  latestScore: site.latest_score,
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
