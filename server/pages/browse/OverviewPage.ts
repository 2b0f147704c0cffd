import { plainText } from "../../../engine/audit/PlainText.ts"
import type { Run } from "../../../engine/store/Run.ts"
import type { CorpusStats, CorpusSummary, SiteSummary, TopWindow } from "../../../engine/store/RunStore.ts"
import { grouped } from "../charts/Figures.ts"
import { histogram } from "../charts/Histogram.ts"
import { columns } from "../kit/Columns.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { browseShell, nothingYet, searchForm } from "./BrowseShell.ts"
import { day } from "./Moments.ts"
import { pathWith, sitePath } from "./PageQuery.ts"
import { score } from "./Score.ts"
import { siteTable } from "./SiteTable.ts"

export interface Overview {
  readonly summary: CorpusSummary
  readonly stats: CorpusStats
  /** The best of a window that has any. */
  readonly best: { readonly window: TopWindow; readonly sites: ReadonlyArray<SiteSummary> }
  /** The newest finished runs of the sites that were audited last. */
  readonly latest: ReadonlyArray<Run>
}

/** The corpus at a glance. */
export const overviewPage = (overview: Overview): VNode =>
  browseShell({
    title: "Browse audited documentation",
    description: "How ready documentation sites are for AI agents: latest audits, best sites, and how scores are spread.",
    path: "/browse",
    json: "/api/public/browse/summary",
    content: overview.summary.sites === 0 ? nothingYet : filled(overview)
  })

export const WINDOW_WORDS: Readonly<Record<TopWindow, string>> = { "7d": "the last 7 days", "30d": "the last 30 days", all: "all time" }

const filled = ({ best, latest, stats, summary }: Overview): Content => html`
  ${searchForm()}
  <dl class="figures">
    ${figure("Sites", grouped(summary.sites))}
    ${figure("Audits", grouped(summary.runs))}
    ${figure("Mean score", html`${summary.averageScore}<span class="of"> / 100</span>`)}
    ${summary.latestRunAt === null ? null : figure("Last audit", day(summary.latestRunAt))}
  </dl>
  <div class="columns">
    <section aria-labelledby="latest">
      <h2 id="latest">Latest audits</h2>
      ${latestTable(latest)}
    </section>
    <section aria-labelledby="best">
      <h2 id="best">Best sites</h2>
      ${siteTable({ caption: `Best scores of ${WINDOW_WORDS[best.window]}`, sites: best.sites, shown: "bestScore", ranked: true, compact: true })}
      <p><a href=${pathWith("/browse/top", { window: best.window })}>All leaderboards</a></p>
    </section>
  </div>
  <section aria-labelledby="scores">
    <h2 id="scores">How sites score</h2>
    ${histogram({ id: "overview-scores", title: "Sites by newest score", bands: stats.scores })}
    <p><a href="/browse/stats">All statistics</a></p>
  </section>`

export const figure = (name: string, value: Content): VNode => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

const latestTable = (runs: ReadonlyArray<Run>): VNode => html`
  <table class="sites">
    <caption>Sites that were audited last</caption>
    ${columns(["rest", "bar", "date"])}
    <thead>
      <tr>
        <th scope="col">Site</th>
        <th scope="col" class="number">Score</th>
        <th scope="col" class="number">Report</th>
      </tr>
    </thead>
    <tbody>
      ${runs.map(({ id, site, startedAt, totalScore }) => html`
        <tr>
          <th scope="row"><a href=${sitePath(site)}>${plainText(site)}</a></th>
          <td class="number">${score(totalScore ?? 0)}</td>
          <td class="number"><a href=${`/r/${id}`}>${day(startedAt)}<span class="visually-hidden">: report on ${plainText(site)}</span></a></td>
        </tr>`)}
    </tbody>
  </table>`
