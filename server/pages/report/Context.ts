import { counted, percent, scoreWords, signed } from "../../../engine/criterion/Wording.ts"
import type { ChangeSince } from "../../../engine/audit/compare/ChangeSince.ts"
import { differInMajor } from "../../../engine/audit/compare/RubricShift.ts"
import { rubricName } from "../../../engine/audit/render/RubricName.ts"
import { clock, minute } from "../kit/Moments.ts"
import { type Content, html } from "../kit/Html.ts"
import type { ReportView } from "./ReportView.ts"

/** Below this number of sites a share or a mean says little. */
export const FEWEST_SITES = 5

/** A notice that the site has a newer report. */
export const newerReport = ({ history, run }: ReportView): Content => {
  const newest = history.at(-1)
  return newest === undefined || newest.id === run.id
    ? null
    : html`
    <p class="warning newer" data-service><strong>There is a newer report.</strong> <a href=${`/r/${newest.id}`}>${scoreWords(newest.score, newest.reliable)} points on ${minute(newest.startedAt)} UTC</a></p>`
}

/** When on its day the audit began; a run that began the day before its report is dated has none. */
export const timeOfDay = ({ report, run: { startedAt } }: ReportView): Content =>
  startedAt.startsWith(report.audit_date) ? html`<span data-service>, ${clock(startedAt)} UTC</span>` : null

/** How the score compares with the site's last one, and with all sites. */
export const scoreContext = (view: ReportView): Content => {
  const { change, report, run, standing } = view
  const told = [
    ...(change === null || !areReliable(change)
      ? []
      : [
          differInMajor(change.before, report)
            ? html`Was <a href=${`/r/${run.id}/compare`}>${change.before.total_score}</a> under ${rubricName(change.before.rubric)}.`
            : html`<a href=${`/r/${run.id}/compare`}>${difference(change.before.total_score, report.total_score)}</a> since the audit of ${minute(change.startedAt)} UTC.`
        ]),
    ...(standing.sites < FEWEST_SITES ? [] : [rank(view)])
  ]
  return told.length === 0
    ? null
    : html`<p class="context" data-service>${told.map((text, index) => html`${index === 0 ? null : " "}${text}`)}</p>`
}

/** All sites are counted by their newest reliable score, so no other score of a site has a rank among them. */
const rank = ({ history, report, run, standing: { averageScore, below, sites } }: ReportView): string => {
  const mean = `mean of ${counted(sites, "audited site")} is ${averageScore}.`
  if (!report.reliability.reliable) return `Not ranked, as it is not reliable; the ${mean}`
  return history.findLast(({ reliable }) => reliable)?.id === run.id
    ? `Higher than ${percent(Math.min(1, below / (sites - 1)))} of the ${sites - 1} other audited sites; the mean of all is ${averageScore}.`
    : `The ${mean}`
}

/** Between scores of which one is only a lower bound, a difference says nothing. */
const areReliable = ({ after, before }: ChangeSince): boolean =>
  before.reliability.reliable && after.reliability.reliable

const difference = (before: number, after: number): string =>
  before === after ? "No change" : `${signed(after - before)} ${Math.abs(after - before) === 1 ? "point" : "points"}`
