import type { SiteSummary } from "../../../engine/store/corpus/Corpus.ts"
import { grouped } from "../../../engine/plugin/Wording.ts"
import { columns, day, score, siteLabel } from "../../../engine/report/html/Parts.ts"
import { outOf } from "../../../engine/report/ReportView.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { sitePath } from "../kit/PageQuery.ts"

/** Longer names are truncated in lists of sites; the page of the site has the whole name. */
export const LISTED_NAME = 80

/** How many sites a short list has. */
export const FEW_SITES = 6

/** Which score of a site the table shows. */
type ShownScore = "latestScore" | "averageScore"

const HEADINGS: Readonly<Record<ShownScore, string>> = { latestScore: "Newest score", averageScore: "Mean score" }

interface SiteTableProps {
  readonly caption: Content
  readonly sites: ReadonlyArray<SiteSummary>
  readonly shown: ShownScore
  /** Whether to number the rows. */
  readonly ranked?: boolean
  /** Without the columns beside the score. */
  readonly compact?: boolean
  /** With the best and the mean score. */
  readonly detailed?: boolean
}

/** Sites with their figures, one row each. On a phone, columns without room are hidden. */
export const siteTable = ({
  caption,
  compact = false,
  detailed = false,
  ranked = false,
  shown,
  sites
}: SiteTableProps): VNode => html`
  <table class="sites">
    <caption>${caption}</caption>
    ${columns([...(ranked ? ["rank" as const] : []), "rest", "bar", ...(detailed ? (["figure", "figure"] as const) : []), ...(compact ? [] : (["figure", "date"] as const))], { roomy: (compact ? 0 : 2) + (detailed ? 2 : 0) })}
    <thead>
      <tr>
        ${ranked && html`<th scope="col" class="rank">#</th>`}
        <th scope="col">Site</th>
        <th scope="col" class="number">${HEADINGS[shown]}</th>
        ${detailed && html`<th scope="col" class="number roomy">Best</th><th scope="col" class="number roomy">Mean</th>`}
        ${!compact && html`<th scope="col" class="number roomy">Audits</th><th scope="col" class="number roomy">Last audit</th>`}
      </tr>
    </thead>
    <tbody>
      ${sites.map(
        (site, index) => html`
        <tr>
          ${ranked && html`<td class="rank">${rankOf(sites, index, shown)}</td>`}
          <th scope="row"><a href=${sitePath(site.site)}>${siteLabel(site.site, LISTED_NAME)}</a></th>
          <td class="number">${score(site[shown], site.reliable)}${shown === "latestScore" && site.applicablePoints < 100 ? html`<span class="soft small applies">of ${outOf(site.applicablePoints, 100)}</span>` : null}</td>
          ${detailed && html`<td class="number roomy">${site.bestScore}</td><td class="number roomy">${site.averageScore}</td>`}
          ${!compact && html`<td class="number roomy">${grouped(site.runCount)}</td><td class="number roomy">${day(site.latestRunAt)}</td>`}
        </tr>`
      )}
    </tbody>
  </table>`

/** Sites with the same score share a rank, and the next ones count on: 1, 2, 2, 4. */
const rankOf = (sites: ReadonlyArray<SiteSummary>, index: number, shown: ShownScore): number =>
  sites.findIndex((site) => site[shown] === sites[index]?.[shown]) + 1
