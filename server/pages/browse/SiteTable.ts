import { plainText } from "../../../engine/text/PlainText.ts"
import type { SiteSummary } from "../../../engine/store/corpus/Corpus.ts"
import { grouped } from "../../../engine/criterion/Wording.ts"
import { columns } from "../kit/Columns.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { day } from "../kit/Moments.ts"
import { sitePath } from "../kit/PageQuery.ts"
import { score } from "../kit/ScoreBar.ts"

/** Which score of a site the table shows. */
export type ShownScore = "latestScore" | "averageScore"

const HEADINGS: Readonly<Record<ShownScore, string>> = { latestScore: "Newest score", averageScore: "Mean score" }

export interface SiteTableProps {
  readonly caption: Content
  readonly sites: ReadonlyArray<SiteSummary>
  readonly shown: ShownScore
  /** Whether to number the rows. */
  readonly ranked?: boolean
  /** Without the columns beside the score. */
  readonly compact?: boolean
  /** The id of the table's body, if a script fills it. */
  readonly bodyId?: string
}

/** Sites with their figures, one row each. On a phone, columns without room are hidden. */
export const siteTable = ({ bodyId, caption, compact = false, ranked = false, shown, sites }: SiteTableProps): VNode => html`
  <table class="sites">
    <caption>${caption}</caption>
    ${columns([...(ranked ? ["rank" as const] : []), "rest", "bar", ...(compact ? [] : ["figure", "date"] as const)], { roomy: compact ? 0 : 2 })}
    <thead>
      <tr>
        ${ranked && html`<th scope="col" class="rank">#</th>`}
        <th scope="col">Site</th>
        <th scope="col" class="number">${HEADINGS[shown]}</th>
        ${!compact && html`<th scope="col" class="number roomy">Audits</th><th scope="col" class="number roomy">Last audit</th>`}
      </tr>
    </thead>
    <tbody id=${bodyId}>
      ${sites.map((site, index) => html`
        <tr>
          ${ranked && html`<td class="rank">${index + 1}</td>`}
          <th scope="row"><a href=${sitePath(site.site)}>${plainText(site.site)}</a></th>
          <td class="number">${score(site[shown], site.reliable)}</td>
          ${!compact && html`<td class="number roomy">${grouped(site.runCount)}</td><td class="number roomy">${day(site.latestRunAt)}</td>`}
        </tr>`)}
    </tbody>
  </table>`
