import type { Rate } from "../../../engine/limit/RateSpec.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { shownName } from "../../../engine/text/ShownName.ts"
import { everyText, waitText } from "../../audits/WaitText.ts"
import { otherSiteForm } from "../report/OtherSiteForm.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { agentsForm } from "../kit/OwnerNote.ts"
import { minute } from "../kit/Moments.ts"
import { pathWith, sitePath } from "../kit/PageQuery.ts"

/** When a site can be audited again, and when it will be. */
export interface NextAudit {
  /** When the operator's schedule has the next audit, RFC 3339; `null`: none is scheduled. */
  readonly scheduledAt: string | null
  /** How long a finished report is returned instead of another audit, in milliseconds; `null`: never. */
  readonly targetWindowMs: number | null
  /** Audits of the site for one client network; `null`: no limit. */
  readonly siteQuota: Rate | null
}

export interface SiteActionsProps {
  readonly site: string
  readonly newest: Run
  /** The finished run before it; `null` without one. */
  readonly before: Run | null
  readonly next: NextAudit
  /** The URL of the service, without a trailing slash. */
  readonly base: string
}

/** What can be done with a site: its newest report, another audit, the badge, comparisons. */
export const siteActions = ({ base, before, newest, next, site }: SiteActionsProps): VNode => html`
  <section class="site-actions" aria-label="Actions">
    <div class="action-row">
      <a class="button" href=${`/r/${newest.id}`}>Newest report</a>
      <form action="/audit?async=true" method="post">
        <input type="hidden" name="base_url" value=${newest.url}/>
        <button class="button button-quiet" type="submit">Audit again</button>
      </form>
      ${before === null ? null : html`<a class="button button-quiet" href=${pathWith(`/r/${newest.id}/compare`, { baseline: before.id })}>What changed last</a>`}
    </div>
    <p class="soft small">${nextText(next)}</p>
    ${agentsForm(newest.url)}
    <div class="columns">
      ${otherSiteForm({ runId: newest.id })}
      ${badge(site, base)}
    </div>
  </section>`

const nextText = ({ scheduledAt, siteQuota, targetWindowMs }: NextAudit): Content => [
  scheduledAt === null ? null : html`Next scheduled audit: ${minute(scheduledAt)} UTC. `,
  siteQuota === null ? null : `You can have it audited ${everyText(siteQuota)}. `,
  targetWindowMs === null
    ? null
    : `Within ${waitText(Math.round(targetWindowMs / 1_000))} of an audit you get its report again.`
]

const badge = (site: string, base: string): VNode => {
  const image = pathWith("/badge.svg", { base_url: site })
  const page = sitePath(site)
  return html`
    <details class="badge-text">
      <summary>Badge that shows the newest score <img class="badge" src=${image} alt=${`docgauge badge of ${shownName(site, 100).text}`} height="20" loading="lazy"/></summary>
      <div class="code-block" data-code=""><pre tabindex="0"><code>[![docgauge](${base}${image})](${base}${page})</code></pre></div>
    </details>`
}
