import { plainText } from "../../../engine/audit/PlainText.ts"
import type { SiteSummary } from "../../../engine/store/RunStore.ts"
import { grouped } from "../charts/Figures.ts"
import { columns } from "../kit/Columns.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { day } from "./Moments.ts"
import { sitePath } from "./PageQuery.ts"
import { score } from "./Score.ts"

/** Which of a site's scores a table shows. */
export type ShownScore = "bestScore" | "worstScore" | "averageScore"

const HEADINGS: Readonly<Record<ShownScore, string>> = { bestScore: "Best score", worstScore: "Worst score", averageScore: "Mean score" }

export interface SiteTableProps {
  readonly caption: Content
  readonly sites: ReadonlyArray<SiteSummary>
  readonly shown: ShownScore
  /** Whether the sites' places are told. */
  readonly ranked?: boolean
  /** Without what stands beside the score. */
  readonly compact?: boolean
  /** Of the table's body, where a script fills it. */
  readonly bodyId?: string
}

/** Sites with their figures, a row each. What a phone has no room for is left out there. */
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
          <td class="number">${score(site[shown])}</td>
          ${!compact && html`<td class="number roomy">${grouped(site.runCount)}</td><td class="number roomy">${day(site.latestRunAt)}</td>`}
        </tr>`)}
    </tbody>
  </table>`
