import { shownName } from "../../../engine/text/ShownName.ts"
import { signed } from "../../../engine/criterion/Wording.ts"
import { columns } from "../kit/Columns.ts"
import { html, type VNode } from "../kit/Html.ts"
import { pathWith, sitePath } from "../kit/PageQuery.ts"
import { LISTED_NAME } from "../browse/SiteTable.ts"
import { siteLabel } from "../kit/SiteLabel.ts"

interface MovedRun {
  readonly id: string
  readonly score: number
}

/** A site whose score moved. */
export interface MovedSite {
  readonly site: string
  /** The later score minus the earlier one. */
  readonly change: number
  readonly from: MovedRun
  readonly to: MovedRun
}

/** Sites whose scores moved, each with two scores, links to their reports and to what changed. */
export const moversTable = (caption: string, movers: ReadonlyArray<MovedSite>): VNode => html`
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
