import { counted, grouped, percent } from "../../../engine/plugin/Wording.ts"
import type { CorpusStatistics } from "../../../engine/store/corpus/Corpus.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { shownName } from "../../../engine/text/ShownName.ts"
import type { AdoptedCategory, AdoptedCriterion } from "../../audits/Adoption.ts"
import { barChart, histogram } from "../charts/Charts.ts"
import { codedText, columns, shareBar, siteLabel } from "../../../engine/report/html/Parts.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { pathWith } from "../kit/PageQuery.ts"
import { browseShell, nothingYet } from "./BrowseShell.ts"

/** The axes of a distribution of scores. */
export const SCORE_AXES = { values: "Score", counts: "Sites" } as const

/** Maximum number of bars in a chart; the table below it has the rest. */
const BARS = 12

interface CorpusFigures {
  readonly stats: CorpusStatistics
  readonly adoption: ReadonlyArray<AdoptedCategory>
}

/** What the audited sites have: how many meet each criterion, and how scores, top-level domains and organisations are distributed. */
export const statsPage = (base: string, { adoption, stats }: CorpusFigures): VNode => {
  const sites = stats.scores.reduce((sum, { count }) => sum + count, 0)
  return browseShell({
    base,
    title: "Statistics",
    heading: "What documentation sites have",
    description:
      "How many documentation sites have an llms.txt, Markdown versions and all else that AI agents need, and how their scores are distributed.",
    path: "/browse/stats",
    json: "/api/public/browse/stats",
    lead: sites === 0 ? null : `${counted(sites, "site")}, each counted by its newest reliable audit.`,
    content: sites === 0 ? nothingYet : [adopted(adoption), filled(stats, sites)]
  })
}

const LEGEND = [
  ["present", "Meet it"],
  ["partial", "Meet it partly"],
  ["absent", "Do not meet it"]
] as const

const adopted = (categories: ReadonlyArray<AdoptedCategory>): Content =>
  categories.length === 0
    ? null
    : html`
  <section aria-labelledby="adoption">
    <h2 id="adoption">Sites that meet each criterion</h2>
    <p class="legend">${LEGEND.map(([key, text]) => html`<span class="nowrap"><span class=${`key key-${key}`}></span> ${text}</span>`)}</p>
    <p class="soft small">Of the sites that a criterion applies to and that could be checked.</p>
    <div class="columns">${categories.map(adoptionTable)}</div>
  </section>`

const filled = ({ organisations, scores, tlds }: CorpusStatistics, sites: number): Content => html`
  <section aria-labelledby="scores">
    <h2 id="scores">Scores</h2>
    ${histogram({ id: "scores-chart", title: "Sites by newest score, in tens", axes: SCORE_AXES, bands: scores })}
    ${tableOf({ caption: "Sites by newest score", heading: "Score", sites, rows: scores.map(({ count, from, to }) => ({ name: `${from} to ${to}`, count })) })}
  </section>
  <div class="columns">
    ${
      tlds.length === 0
        ? null
        : html`<section aria-labelledby="tlds">
      <h2 id="tlds">Top-level domains</h2>
      ${barChart({ id: "tlds-chart", title: "Sites by top-level domain", bars: tlds.slice(0, BARS).map(({ count, tld }) => ({ label: `.${tld}`, value: count })) })}
      ${tableOf({ caption: "Sites by top-level domain", heading: "Domain", sites, rows: tlds.map(({ count, tld }) => ({ name: `.${plainText(tld)}`, count })) })}
    </section>`
    }
    <section aria-labelledby="organisations">
      <h2 id="organisations">Organisations</h2>
      ${barChart({ id: "organisations-chart", title: "Sites by organisation", bars: organisations.slice(0, BARS).map(({ count, organisation }) => ({ label: shownName(organisation).text, value: count })) })}
      ${tableOf({
        caption: "Sites by organisation",
        heading: "Organisation",
        sites,
        rows: organisations.map(({ count, organisation }) => ({
          name: html`<a href=${pathWith("/browse/search", { q: organisation })}>${siteLabel(organisation)}</a>`,
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
        ${rows.map(
          ({ count, name }) => html`
          <tr><th scope="row">${name}</th><td class="number">${grouped(count)}</td><td class="number">${Math.round((count / sites) * 1_000) / 10}%</td></tr>`
        )}
      </tbody>
    </table>
  </details>`

export const categoryMeans = (categories: ReadonlyArray<AdoptedCategory>): VNode => html`
  <ul class="means">${categories.map(
    ({ id, mean, points, title }) => html`
    <li data-category=${id}>
      <span>${title}</span>
      <span class="number"><strong>${mean}</strong><span class="soft"> of ${points} points</span></span>
      ${shareBar({ share: mean / points, height: 8 })}
    </li>`
  )}
  </ul>`

/** How many sites meet each criterion of a category: a bar of those that meet it and those that meet it partly, and the numbers. */
const adoptionTable = ({ criteria, id, mean, points, title }: AdoptedCategory): VNode => html`
  <section class="adoption" aria-labelledby=${`adoption-${id}`}>
    <h3 id=${`adoption-${id}`}>${title} <span class="soft">mean ${mean} of ${points} points</span></h3>
    <table>
      <caption class="visually-hidden">Share of sites that meet each criterion of the category ${title}</caption>
      ${columns(["rest", "figure", "figure", "figure"], { roomy: 1 })}
      <thead><tr><th scope="col">Criterion</th><th scope="col" class="number">Meet it</th><th scope="col" class="number">Partly</th><th scope="col" class="number roomy">Sites</th></tr></thead>
      <tbody>${criteria.map(row)}</tbody>
    </table>
  </section>`

const row = ({ checked, id, sites, title }: AdoptedCriterion): VNode => html`
  <tr data-key=${id}>
    <th scope="row">
      <a href=${`/rubric/${id}`}><span class="criterion-id">${id}</span> ${codedText(title)}</a>
      ${checked === 0 ? null : bar(sites, checked)}
    </th>
    <td class="number"><strong>${share(sites.present, checked)}</strong></td>
    <td class="number">${share(sites.partial, checked)}</td>
    <td class="number roomy">${grouped(checked)}</td>
  </tr>`

const share = (part: number, whole: number): Content => (whole === 0 ? "–" : percent(part / whole))

const bar = ({ partial, present }: AdoptedCriterion["sites"], checked: number): VNode => html`
  <svg class="adoption-bar" width="100%" height="8" aria-hidden="true" focusable="false">
    <rect class="plot-track" width="100%" height="8"/>
    <rect class="plot-present" width=${width(present / checked)} height="8"/>
    ${partial === 0 ? null : html`<line class="plot-partial" x1=${width(present / checked)} x2=${width((present + partial) / checked)} y1="4" y2="4"/>`}
  </svg>`

const width = (part: number): string => `${Math.round(part * 10_000) / 100}%`
