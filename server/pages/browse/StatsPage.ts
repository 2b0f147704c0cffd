import { plainText } from "../../../engine/text/PlainText.ts"
import type { CorpusStatistics } from "../../../engine/store/corpus/Corpus.ts"
import { barChart } from "../charts/BarChart.ts"
import { counted, grouped } from "../../../engine/criterion/Wording.ts"
import { histogram } from "../charts/Histogram.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { browseShell, nothingYet } from "./BrowseShell.ts"
import { pathWith } from "../kit/PageQuery.ts"

/** Maximum number of bars in a chart; the table below it has the rest. */
const BARS = 12

/** The distribution of scores, top-level domains and organisations over all sites. */
export const statsPage = (stats: CorpusStatistics): VNode => {
  const sites = stats.scores.reduce((sum, { count }) => sum + count, 0)
  return browseShell({
    title: "Statistics",
    description: "Distribution of scores, top-level domains and organisations of audited documentation sites.",
    path: "/browse/stats",
    json: "/api/public/browse/stats",
    lead: sites === 0 ? null : `${counted(sites, "site")}, each counted by its newest score.`,
    content: sites === 0 ? nothingYet : filled(stats, sites)
  })
}

const filled = ({ organisations, scores, tlds }: CorpusStatistics, sites: number): Content => html`
  <section aria-labelledby="scores">
    <h2 id="scores">Scores</h2>
    ${histogram({ id: "scores-chart", title: "Sites by newest score, in tens", bands: scores })}
    ${tableOf({ caption: "Sites by newest score", heading: "Score", sites, rows: scores.map(({ count, from, to }) => ({ name: `${from} to ${to}`, count })) })}
  </section>
  <div class="columns">
    <section aria-labelledby="tlds">
      <h2 id="tlds">Top-level domains</h2>
      ${barChart({ id: "tlds-chart", title: "Sites by top-level domain", bars: tlds.slice(0, BARS).map(({ count, tld }) => ({ label: `.${tld}`, value: count })) })}
      ${tableOf({ caption: "Sites by top-level domain", heading: "Domain", sites, rows: tlds.map(({ count, tld }) => ({ name: `.${plainText(tld)}`, count })) })}
    </section>
    <section aria-labelledby="organisations">
      <h2 id="organisations">Organisations</h2>
      ${barChart({ id: "organisations-chart", title: "Sites by organisation", bars: organisations.slice(0, BARS).map(({ count, organisation }) => ({ label: organisation, value: count })) })}
      ${tableOf({
        caption: "Sites by organisation",
        heading: "Organisation",
        sites,
        rows: organisations.map(({ count, organisation }) => ({
          name: html`<a href=${pathWith("/browse/search", { q: organisation })}>${plainText(organisation)}</a>`,
          count
        }))
      })}
    </section>
  </div>`

interface CountTable {
  readonly caption: string
  readonly heading: string
  /** The total of the counts. */
  readonly sites: number
  readonly rows: ReadonlyArray<{ readonly name: Content; readonly count: number }>
}

const tableOf = ({ caption, heading, rows, sites }: CountTable): VNode => html`
  <details>
    <summary>As a table</summary>
    <table>
      <caption>${caption}</caption>
      <thead><tr><th scope="col">${heading}</th><th scope="col" class="number">Sites</th><th scope="col" class="number">Share</th></tr></thead>
      <tbody>
        ${rows.map(({ count, name }) => html`
          <tr><th scope="row">${name}</th><td class="number">${grouped(count)}</td><td class="number">${Math.round((count / sites) * 1_000) / 10} %</td></tr>`)}
      </tbody>
    </table>
  </details>`
