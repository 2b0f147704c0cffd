import { percent } from "../../../engine/criterion/Wording.ts"
import { rubricName } from "../../../engine/audit/render/RubricName.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { levelClass } from "../../images/LevelColour.ts"
import { day } from "../kit/Moments.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { auditedLink, siteHeading } from "../kit/Audited.ts"
import { categoryBars, type CategoryMeans } from "./CategoryBars.ts"
import type { ReportView, RubricWords } from "./ReportView.ts"
import { warnings } from "./Warnings.ts"

/** What only the service knows about a score. */
export interface KnownAround {
  readonly newer: Content
  /** The time of day of the audit, after its date. */
  readonly time: Content
  readonly context: Content
  /** A link to the rubric that judged, after its name. */
  readonly rubric: Content
  readonly means: CategoryMeans | null
}

/** The head of a report: the site, warnings, score, level and verdict, how it compares, and the six categories. */
export const scoreHead = (
  { report, words }: Pick<ReportView, "report" | "words">,
  around: KnownAround | null
): VNode => {
  const { max_score: max, reliability, total_score: score, verdict } = report
  const level = levelClass(score, max, reliability.reliable)
  return html`
  <header class="report-head">
    ${around?.newer}
    <p class="eyebrow">Agent readiness of</p>
    <h1>${siteHeading(report.base_url)}</h1>
    <p class="soft report-facts">
      ${auditedLink(report.base_url, "")} · audited ${day(report.audit_date)}${around?.time} · rubric ${rubricName(report.rubric)}${around?.rubric} · engine ${report.engine_version}
    </p>
    ${warnings(report)}
    <div class="glance">
      <div class="score">
        <p class=${reliability.reliable ? "score-figure" : "score-figure is-unreliable"}>${reliability.reliable ? null : html`<span>at least</span> `}<strong data-score>${score}</strong> <span>of ${max}</span></p>
        <p class=${`verdict ${level}`}>${reliability.reliable ? verdict : html`<span class="unreliable">Not reliable</span>`}</p>
        ${reliability.reliable ? meaning(words, report) : null}
        ${applicableScore(report)}
        ${around?.context}
      </div>
      <div>${categoryBars(report, around?.means ?? null)}</div>
    </div>
    ${ladder(words, report, level)}
  </header>`
}

/** The second score of a site to which not all criteria apply, because it has no HTTP API. */
const applicableScore = ({ applicable_score: applicable, max_score: all }: AuditReport): Content =>
  applicable === undefined || applicable.max === all || applicable.max === 0
    ? null
    : html`
    <p class="second-score"><strong>${applicable.score}</strong> of the ${applicable.max} points that apply (${percent(applicable.score / applicable.max)}), as we found no HTTP API.</p>`

const meaning = ({ verdicts }: RubricWords, { verdict }: AuditReport): Content => {
  const level = verdicts.find(({ word }) => word === verdict)
  return level === undefined ? null : html`<p class="soft">${level.meaning}</p>`
}

/** All levels, lowest first, with the reached one marked; none for an unreliable report. */
const ladder = ({ verdicts }: RubricWords, { reliability, verdict }: AuditReport, level: string): Content =>
  verdicts.length === 0
    ? null
    : html`
    <ol class="ladder" aria-label="Levels">
      ${verdicts.toReversed().map(
        ({ from, word }) => html`
        <li class=${word === verdict && reliability.reliable ? level : undefined} aria-current=${word === verdict && reliability.reliable ? "true" : undefined}>${word} <span><span class="from">from </span>${from}</span></li>`
      )}
    </ol>`
