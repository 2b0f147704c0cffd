import { shownName } from "../../../engine/text/ShownName.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import type { CorpusStatistics, CorpusSummary, SiteSummary, TopWindow } from "../../../engine/store/corpus/Corpus.ts"
import { grouped } from "../../../engine/plugin/Wording.ts"
import type { AdoptedCategory } from "../../audits/Adoption.ts"
import { categoryMeans, SCORE_AXES } from "./StatsPage.ts"
import { histogram } from "../charts/Charts.ts"
import { columns, day, score, siteLabel } from "../../../engine/report/html/Parts.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { browseShell, nothingYet, searchForm } from "./BrowseShell.ts"
import { pathWith, sitePath } from "../kit/PageQuery.ts"
import { LISTED_NAME, siteTable } from "./SiteTable.ts"

interface Overview {
  readonly summary: CorpusSummary
  readonly stats: CorpusStatistics
  /** The best sites of the first window that has any. */
  readonly best: { readonly window: TopWindow; readonly sites: ReadonlyArray<SiteSummary> }
  /** The rubric's categories with their means. */
  readonly adoption: ReadonlyArray<AdoptedCategory>
  /** The newest finished runs of the most recently audited sites. */
  readonly latest: ReadonlyArray<Run>
}

/** The corpus at a glance. */
export const overviewPage = (base: string, overview: Overview): VNode =>
  browseShell({
    base,
    title: "Browse audited documentation",
    description:
      "How ready documentation sites are for AI agents: latest audits, best sites, and the distribution of scores.",
    path: "/browse",
    json: "/api/public/browse/summary",
    content: overview.summary.sites === 0 ? nothingYet : filled(overview)
  })

export const WINDOW_WORDS: Readonly<Record<TopWindow, string>> = {
  "7d": "the last 7 days",
  "30d": "the last 30 days",
  all: "all time"
}

const filled = ({ adoption, best, latest, stats, summary }: Overview): Content => html`
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
      ${
        best.sites.length === 0
          ? html`<p class="soft">No audit is reliable yet.</p>`
          : siteTable({
              caption: `Best scores of ${WINDOW_WORDS[best.window]}`,
              sites: best.sites,
              shown: "latestScore",
              ranked: true,
              compact: true
            })
      }
      <p><a href=${pathWith("/browse/top", { window: best.window })}>All leaderboards</a></p>
    </section>
  </div>
  <div class="columns">
    ${
      adoption.length === 0
        ? null
        : html`
      <section aria-labelledby="means">
        <h2 id="means">Means of categories</h2>
        ${categoryMeans(adoption)}
        <p><a href="/browse/stats">What documentation sites have, criterion by criterion</a></p>
      </section>`
    }
    <section aria-labelledby="scores">
      <h2 id="scores">Distribution of scores</h2>
      ${histogram({ id: "overview-scores", title: "Sites by newest score", axes: SCORE_AXES, bands: stats.scores })}
      <p><a href="/browse/stats#scores">As a table, and other statistics</a></p>
    </section>
  </div>
  <p><a href="/api/public/browse/export" download>Download all data</a> (NDJSON, or <a href="/api/public/browse/export?format=csv" download>CSV</a>)</p>`

export const figure = (name: string, value: Content): VNode => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

const latestTable = (runs: ReadonlyArray<Run>): VNode => html`
  <table class="sites">
    <caption>Most recently audited sites</caption>
    ${columns(["rest", "bar", "date"])}
    <thead>
      <tr>
        <th scope="col">Site</th>
        <th scope="col" class="number">Score</th>
        <th scope="col" class="number">Report</th>
      </tr>
    </thead>
    <tbody>
      ${runs.map(
        ({ id, reliable, site, startedAt, totalScore }) => html`
        <tr>
          <th scope="row"><a href=${sitePath(site)}>${siteLabel(site, LISTED_NAME)}</a></th>
          <td class="number">${score(totalScore ?? 0, reliable === true)}</td>
          <td class="number"><a href=${`/r/${id}`}>${day(startedAt)}<span class="visually-hidden">: report on ${shownName(site).text}</span></a></td>
        </tr>`
      )}
    </tbody>
  </table>`
