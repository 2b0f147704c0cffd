import { counted, grouped, signed } from "../../../engine/plugin/Wording.ts"
import type { Rate } from "../../../engine/limit/LimitSettings.ts"
import type { Rubric } from "../../../engine/rubric/definition/Rubric.ts"
import { meanScore } from "../../../engine/store/corpus/SiteFigures.ts"
import type { Run, RunStatus } from "../../../engine/store/runs/Run.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { shownName } from "../../../engine/text/ShownName.ts"
import { everyText, waitText } from "../../audits/RefusalMessages.ts"
import { columns, minute, score, scoreNumber, siteLabel } from "../../../engine/report/html/Parts.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { agentsForm } from "../kit/AuditForm.ts"
import { pathWith, siteFeedPath, sitePath } from "../kit/PageQuery.ts"
import { otherSiteForm } from "../report/Forms.ts"
import { browseShell, LONGEST_TITLE } from "./BrowseShell.ts"
import { figure } from "./OverviewPage.ts"
import { criterionHistory, type ListedRun, scoreLine, type SiteHistory } from "./SiteHistory.ts"
import { levelOf, levelsOf } from "./TopPage.ts"

/** A site's runs, and what its page needs besides. */
interface SiteView {
  readonly history: SiteHistory
  readonly next: NextAudit
  /** The URL of the service, without a trailing slash. */
  readonly base: string
}

/** A site: its newest score, what can be done with it, its scores and criteria over time, and all its runs, a page at a time. */
export const sitePage = ({ base, history, next }: SiteView, rubric: Pick<Rubric, "categories" | "verdicts">): VNode =>
  browseShell({
    base,
    title: shownName(history.site, LONGEST_TITLE).text,
    heading: siteLabel(history.site),
    description: `Audits of ${shownName(history.site, 100).text}: score over time, and every report.`,
    path: sitePath(history.site),
    ...(history.newest === null ? {} : { feed: siteFeedPath(history.site) }),
    scripts: ["copy.js"],
    robots: history.isLater ? "noindex" : "index",
    lead: history.newest === null ? "No audit of this site has finished yet." : auditedAddress(history.newest.url),
    content: html`
      ${history.newest === null ? null : figures(history, history.newest, rubric)}
      ${history.newest === null || history.isLater ? null : siteActions({ site: history.site, newest: history.newest, before: beforeOf(history, history.newest), next, base })}
      ${history.scored.length < 2 ? null : overTime(history)}
      ${criterionHistory(history.judged, rubric)}
      <section aria-labelledby="runs">
        <h2 id="runs">Audits</h2>
        ${runTable(history)}
        ${pager(history)}
      </section>`
  })

/** The URL is untrusted, so it is a link only if it is http or https. */
const auditedAddress = (url: string): Content =>
  /^https?:\/\//.test(url)
    ? html`<a class="address" href=${url} rel="nofollow noopener noreferrer">${plainText(url)}</a>`
    : plainText(url)

const beforeOf = ({ scored }: SiteHistory, newest: Run): Run | null =>
  scored.findLast(({ startedAt }) => startedAt < newest.startedAt) ?? null

const figures = ({ alike, more, scored }: SiteHistory, newest: Run, rubric: Pick<Rubric, "verdicts">): Content => {
  const scores = alike.map(({ totalScore }) => totalScore ?? 0)
  const others = scored.filter(({ reliable }) => reliable === true).length - scores.length
  const audits = more ? `the last ${grouped(scores.length)} reliable audits` : counted(scores.length, "reliable audit")
  const since = `of ${audits}${others === 0 ? "" : " by this rubric"}`
  return html`
    <dl class="figures">
      ${figure("Newest score", html`<a href=${`/r/${newest.id}`}>${scoreNumber(newest.totalScore ?? 0, newest.reliable === true)}</a><span class="of"> / 100</span>`)}
      ${figure("Level", newest.reliable === true ? levelOf(levelsOf(rubric), newest.totalScore ?? 0) : "Not reliable")}
      ${
        scores.length < 2
          ? null
          : html`
        ${figure(`Best ${since}`, Math.max(...scores))}
        ${figure("Worst", Math.min(...scores))}
        ${figure(
          "Mean",
          meanScore(
            scores.reduce((sum, each) => sum + each, 0),
            scores.length
          )
        )}`
      }
    </dl>`
}

const overTime = ({ scored, site }: SiteHistory): VNode => html`
  <section aria-labelledby="over-time">
    <h2 id="over-time">Score over time</h2>
    ${scoreLine({
      id: "score-over-time",
      site,
      moments: scored.map(({ reliable, startedAt, totalScore }) => ({
        at: startedAt,
        value: totalScore ?? 0,
        isReliable: reliable === true
      })),
      marks: scored.flatMap(({ rubricDigest, startedAt }, index) =>
        index > 0 && scored[index - 1]?.rubricDigest !== rubricDigest
          ? [{ at: startedAt, label: "another rubric" }]
          : []
      )
    })}
  </section>`

const runTable = ({ isLater, listed, site }: SiteHistory): VNode => html`
  <table class="runs">
    <caption>${isLater ? "Older audits" : "Audits"} of ${shownName(site).text}, newest first; times are in UTC</caption>
    ${columns(["rest", "bar", "figure", "links"])}
    <thead>
      <tr>
        <th scope="col">When</th>
        <th scope="col" class="number">Score</th>
        <th scope="col" class="number">Change</th>
        <th scope="col">Report</th>
      </tr>
    </thead>
    <tbody>${listed.map(runRow)}</tbody>
  </table>`

const STATUS_WORDS: Readonly<Record<Exclude<RunStatus, "done">, string>> = {
  pending: "Waiting",
  running: "Under way",
  error: "Failed"
}

const runRow = ({ before, compares, run: { id, reliable, startedAt, status, totalScore } }: ListedRun): VNode => html`
  <tr>
    <th scope="row">${minute(startedAt)}</th>
    <td class="number">${status === "done" ? score(totalScore ?? 0, reliable === true) : STATUS_WORDS[status]}</td>
    <td class="number">${status === "done" && before !== null && compares ? signed((totalScore ?? 0) - (before.totalScore ?? 0)) : "–"}</td>
    <td><span class="links">
      <a href=${`/r/${id}`}>${status === "done" ? "Report" : "Look"}</a>
      ${status === "done" && before !== null ? html`<a href=${pathWith(`/r/${id}/compare`, { baseline: before.id })}>Compare</a>` : null}
    </span></td>
  </tr>`

const pager = ({ isLater, next, site }: SiteHistory): Content =>
  (isLater || next !== null) &&
  html`
    <nav class="pager" aria-label="Pages of audits">
      ${isLater ? html`<a href=${sitePath(site)}>Newest audits</a>` : null}
      ${next === null ? null : html`<a rel="next" href=${pathWith("/browse/site", { site, before: next })}>Older audits</a>`}
    </nav>`

/** When a site can be audited again, and when it will be. */
interface NextAudit {
  /** When the operator's schedule has the next audit, RFC 3339; `null`: none is scheduled. */
  readonly scheduledAt: string | null
  /** How long a finished report is returned instead of another audit, in milliseconds; `null`: never. */
  readonly targetWindowMs: number | null
  /** Audits of the site for one client network; `null`: no limit. */
  readonly siteQuota: Rate | null
}

interface SiteActionsProps {
  readonly site: string
  readonly newest: Run
  /** The finished run before it; `null` without one. */
  readonly before: Run | null
  readonly next: NextAudit
  /** The URL of the service, without a trailing slash. */
  readonly base: string
}

/** What can be done with a site: its newest report, another audit, the badge, comparisons. */
const siteActions = ({ base, before, newest, next, site }: SiteActionsProps): VNode => html`
  <section class="site-actions" aria-label="Actions">
    <div class="action-row">
      <a class="button" href=${`/r/${newest.id}`}>Newest report</a>
      <form action="/audit?async=true" method="post">
        <input type="hidden" name="base_url" value=${newest.url}/>
        <button class="button button-quiet" type="submit">Audit again</button>
      </form>
      ${before === null ? null : html`<a class="button button-quiet" href=${pathWith(`/r/${newest.id}/compare`, { baseline: before.id })}>What changed last</a>`}
    </div>
    <p class="soft small">${nextText(next)} <a href=${siteFeedPath(site)}>Follow its audits by feed</a>.</p>
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
