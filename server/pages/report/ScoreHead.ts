import { applicableText } from "../../../engine/audit/render/ApplicableScore.ts"
import { rubricName } from "../../../engine/audit/render/RubricName.ts"
import { readingCostText } from "../../../engine/audit/ReadingCost.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { day } from "../kit/Moments.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { auditedLink, siteName } from "../kit/Audited.ts"
import type { ReportView, RubricWords } from "./ReportView.ts"
import { toneOf } from "./Tone.ts"
import { warnings } from "./Warnings.ts"

/** The head of a report: the site, warnings, score, level and verdict, and the six categories. */
export const scoreHead = ({ report, words }: Pick<ReportView, "report" | "words">): VNode => {
  const isReliable = report.reliability.reliable
  return html`
  <header class="report-head">
    <p class="eyebrow">Agent readiness of</p>
    <h1>${siteName(report.base_url)}</h1>
    <p class="soft report-facts">
      ${auditedLink(report.base_url, "")} · audited ${day(report.audit_date)} · rubric ${rubricName(report.rubric)} · engine ${report.engine_version}
    </p>
    ${warnings(report.reliability)}
    <div class="glance">
      <div class="score">
        <p class="score-figure">${isReliable ? null : html`<span>at least</span> `}<strong data-score>${report.total_score}</strong> <span>of ${report.max_score}</span></p>
        ${isReliable
          ? html`<p class=${`verdict tone-${toneOf(words, report)}`}>${report.verdict}</p>${meaning(words, report)}`
          : html`<p class="verdict tone-inconclusive">Not reliable</p>`}
        ${softLine(applicableText(report))}
        ${softLine(readingCostText(report))}
      </div>
      ${categoryBars(report)}
    </div>
    ${ladder(words, report)}
  </header>`
}

const softLine = (text: string): Content => (text === "" ? null : html`<p class="soft small">${text}</p>`)

const meaning = ({ verdicts }: RubricWords, { verdict }: AuditReport): Content => {
  const level = verdicts.find(({ word }) => word === verdict)
  return level === undefined ? null : html`<p class="soft">${level.meaning}</p>`
}

/** All levels, lowest first, with the reached one marked; none for an unreliable report. */
const ladder = ({ verdicts }: RubricWords, { reliability, verdict }: AuditReport): Content =>
  verdicts.length === 0 ? null : html`
    <ol class="ladder" aria-label="Levels">
      ${verdicts.toReversed().map(({ from, word }) => html`
        <li aria-current=${word === verdict && reliability.reliable ? "true" : undefined}>${word} <span>from ${from}</span></li>`)}
    </ol>`

/** The letter of a category, linked to its criteria on the page. */
export const categoryAnchor = (key: string): string => `category-${key.slice(0, 1)}`

const categoryBars = ({ categories }: AuditReport): VNode => html`
  <ul class="category-bars" aria-label="Points by category">
    ${Object.entries(categories).map(([key, { max, score, title }]) => html`
      <li>
        <a href=${`#${categoryAnchor(key)}`}>${title}</a> <span class="number">${score}<span class="soft"> / ${max}</span></span>
        <svg width="100%" height="8" aria-hidden="true" focusable="false" data-category=${key.slice(0, 1)}>
          <rect class="plot-track" width="100%" height="8" rx="4"/>
          ${score === 0 ? null : html`<rect class="plot-bar" width=${`${Math.round((score / Math.max(1, max)) * 10_000) / 100}%`} height="8" rx="4"/>`}
        </svg>
      </li>`)}
  </ul>`
