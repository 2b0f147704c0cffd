import type { DashboardSite } from "../../api/DashboardBody.ts"
import { columns } from "../kit/Columns.ts"
import { html, type VNode } from "../kit/Html.ts"
import { day, minute } from "../kit/Moments.ts"
import { siteLink } from "./SiteLink.ts"

/** When each site of a dashboard was audited last and is audited next. A time that is over is due. */
export const siteAuditTable = (sites: ReadonlyArray<DashboardSite>, generatedAt: string): VNode => html`
  <div class="widget widget-wide">
    <h2 id="audits">Audits</h2>
    <table class="sites">
      <caption>When each site was audited last, and when its next scheduled audit is; times are in UTC</caption>
      ${columns(["rest", "date", "date"], { roomy: 1 })}
      <thead><tr><th scope="col">Site</th><th scope="col" class="number">Next audit</th><th scope="col" class="number roomy">Last audit</th></tr></thead>
      <tbody>${sites.map(
        ({ base_url, latest_run_at, next_audit_at }) => html`
        <tr>
          <th scope="row">${siteLink(base_url)}</th>
          <td class="number">${next_audit_at === null ? html`<span class="soft">not scheduled</span>` : next_audit_at <= generatedAt ? "due now" : minute(next_audit_at)}</td>
          <td class="number roomy">${latest_run_at === null ? "never" : day(latest_run_at)}</td>
        </tr>`
      )}
      </tbody>
    </table>
  </div>`
