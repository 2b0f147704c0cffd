import { counted, percent, scoreWords, signed } from "../../../engine/criterion/Wording.ts"
import type { ChangeSince } from "../../../engine/audit/compare/ChangeSince.ts"
import { clock, minute } from "../kit/Moments.ts"
import { type Content, html } from "../kit/Html.ts"
import type { ReportView } from "./ReportView.ts"

/** Below this number of sites a share or a mean says little. */
export const FEWEST_SITES = 5

/** A notice that the site has a newer report. */
export const newerReport = ({ history, run }: ReportView): Content => {
  const newest = history.at(-1)
  return newest === undefined || newest.id === run.id ? null : html`
    <p class="warning newer" data-service><strong>There is a newer report.</strong> <a href=${`/r/${newest.id}`}>${scoreWords(newest.score, newest.reliable)} points on ${minute(newest.startedAt)} UTC</a></p>`
}

/** When on its day the audit began; a run that began the day before its report is dated has none. */
export const timeOfDay = ({ report, run: { startedAt } }: ReportView): Content =>
  startedAt.startsWith(report.audit_date) ? html`<span data-service>, ${clock(startedAt)} UTC</span>` : null

/** How the score compares with the site's last one, and with all sites. */
export const scoreContext = ({ change, report, run, standing }: ReportView): Content => {
  const told = [
    ...(change === null || !areReliable(change) ? [] : [html`<a href=${`/r/${run.id}/compare`}>${difference(change.before.total_score, report.total_score)}</a> since the audit of ${minute(change.startedAt)} UTC.`]),
    ...(standing.sites < FEWEST_SITES ? [] : [report.reliability.reliable
      ? html`Higher than ${percent(Math.min(1, standing.below / (standing.sites - 1)))} of the ${standing.sites - 1} other audited sites; the mean of all is ${standing.averageScore}.`
      : html`Not ranked, as it is not reliable; the mean of ${counted(standing.sites, "audited site")} is ${standing.averageScore}.`])
  ]
  return told.length === 0 ? null : html`<p class="context" data-service>${told.map((text, index) => html`${index === 0 ? null : " "}${text}`)}</p>`
}

/** Between scores of which one is only a lower bound, a difference says nothing. */
const areReliable = ({ after, before }: ChangeSince): boolean => before.reliability.reliable && after.reliability.reliable

const difference = (before: number, after: number): string =>
  before === after ? "No change" : `${signed(after - before)} ${Math.abs(after - before) === 1 ? "point" : "points"}`
