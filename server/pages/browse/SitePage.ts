import { plainText } from "../../../engine/text/PlainText.ts"
import { shownName } from "../../../engine/text/ShownName.ts"
import type { Rubric } from "../../../engine/rubric/definition/Rubric.ts"
import type { Run, RunStatus } from "../../../engine/store/runs/Run.ts"
import { meanScore } from "../../../engine/store/corpus/SiteFigures.ts"
import { counted, grouped, signed } from "../../../engine/criterion/Wording.ts"
import { columns } from "../kit/Columns.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { browseShell, LONGEST_TITLE } from "./BrowseShell.ts"
import { minute } from "../kit/Moments.ts"
import { figure } from "./OverviewPage.ts"
import { pathWith, sitePath } from "../kit/PageQuery.ts"
import { score, scoreNumber } from "../kit/ScoreBar.ts"
import { scoreLine } from "./ScoreLine.ts"
import { criterionHistory } from "./CriterionHistory.ts"
import { levelOf, levelsOf } from "./Levels.ts"
import { type NextAudit, siteActions } from "./SiteActions.ts"
import type { ListedRun, SiteHistory } from "./SiteHistory.ts"
import { siteLabel } from "../kit/SiteLabel.ts"

/** A site's runs, and what its page needs besides. */
export interface SiteView {
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
