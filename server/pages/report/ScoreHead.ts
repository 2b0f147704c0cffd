import { OVERLONG_LINKS } from "../../../engine/audit/CutTexts.ts"
import { rubricName } from "../../../engine/audit/render/RubricName.ts"
import { flagTexts } from "../../../engine/audit/render/SectionWords.ts"
import type { AuditReport, Reliability } from "../../../engine/audit/Report.ts"
import { counted, percent } from "../../../engine/plugin/Wording.ts"
import { levelClass } from "../../images/LevelColour.ts"
import { auditedLink, siteHeading } from "../kit/Parts.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { day } from "../kit/Moments.ts"
import { categoryBars, type CategoryMeans } from "./CategoryBars.ts"
import type { ReportView, RubricWords } from "./ReportView.ts"

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

const REASONS: Readonly<Record<Reliability["skipped"][number]["reason"], string>> = {
  requests: "the request limit",
  bytes: "the byte limit",
  deadline: "the time limit",
  size: "the size limit of a response",
  unresponsive: "timeouts of the site",
  rate_limited: "the site's rate limit"
}

const totalOf = (skipped: Reliability["skipped"]): number => skipped.reduce((sum, { count }) => sum + count, 0)

/** Warnings about the reliability of the score, if there are any. */
const warnings = (report: Pick<AuditReport, "criteria" | "experimental" | "reliability">): Content => {
  const { coverage, reliable, skipped } = report.reliability
  const answers = skipped.filter(({ collector }) => collector !== OVERLONG_LINKS)
  const missing = totalOf(answers)
  const links = totalOf(skipped.filter(({ collector }) => collector === OVERLONG_LINKS))
  const reasons = [...new Set(answers.map(({ reason }) => REASONS[reason]))]
  const said = [
    ...flagTexts(report),
    ...(coverage < 1 ? [`We could check only ${Math.round(coverage * 100)} of 100 points.`] : []),
    ...(missing === 0
      ? []
      : [
          `${counted(missing, "response")} ${missing === 1 ? "is" : "are"} missing or cut because of ${reasons.join(", ")}.`
        ]),
    ...(links === 0
      ? []
      : [
          `${counted(links, "link")} ${links === 1 ? "was" : "were"} left out: URLs of more than 4,096 characters aren't read.`
        ])
  ]
  if (reliable && said.length === 0) return null
  return html`
    <div class=${reliable ? "warning warning-mild" : "warning warning-strong"} role="note" aria-label="Reliability">
      <p><strong>${reliable ? "Notes on this score" : "Not reliable: read this score with care"}</strong></p>
      <ul>${said.map((text) => html`<li>${text}</li>`)}</ul>
    </div>`
}
