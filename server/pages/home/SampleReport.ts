import { FIRST_FIXES, type Fix, fixList } from "../../../engine/audit/FixFirst.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { rubricText } from "../kit/Audited.ts"
import { levelClass } from "../../images/LevelColour.ts"
import { shareBar } from "../kit/ScoreBar.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { day } from "../kit/Moments.ts"
import { siteLabel } from "../kit/SiteLabel.ts"
import { gain } from "../criteria/Gain.ts"
import { effortText } from "../../../engine/rubric/definition/Rubric.ts"

/** A report of this service that shows what one gets. */
export interface ReportSample {
  readonly id: string
  readonly site: string
  readonly report: AuditReport
}

/** Fixes of the sample; the report has all of them. */
const SAMPLE_FIXES = Math.min(3, FIRST_FIXES)

/** The head of a real report, as a card that leads to it. */
export const sampleReport = ({ id, report, site }: ReportSample): VNode => {
  const level = levelClass(report.total_score, report.max_score, report.reliability.reliable)
  return html`
  <section class="sample card" aria-labelledby="sample">
    <p class="sample-kind">A real report, audited ${day(report.audit_date)}</p>
    <h2 id="sample"><a href=${`/r/${id}`}>${siteLabel(site, 60)}</a></h2>
    <div class="sample-score">
      ${dial(report.total_score, report.max_score, level)}
      <p><strong>${report.total_score}</strong> <span class="soft">of ${report.max_score}</span><span class=${`sample-verdict ${level}`}>${report.verdict}</span></p>
    </div>
    <ul class="sample-categories" aria-label="Points by category">${Object.values(report.categories).map(
      ({ max, score, title }) => html`
      <li><span>${title}</span> <span class="number">${score}<span class="soft"> / ${max}</span></span>
        ${shareBar({ share: score / Math.max(1, max), height: 6 })}
      </li>`
    )}
    </ul>
    ${firstFixes(fixList(report).fixes.slice(0, SAMPLE_FIXES))}
    <p class="sample-more"><a href=${`/r/${id}`}>Open this report</a></p>
  </section>`
}

/** The share of the points as an arc like that of our mark; the number is beside it. */
const dial = (score: number, max: number, level: string): VNode => html`
  <svg class=${`sample-dial ${level}`} viewBox="0 0 100 56" width="116" height="65" aria-hidden="true" focusable="false">
    <path class="dial-track" d="M8 50a42 42 0 0 1 84 0" pathLength="100"/>
    ${score === 0 ? null : html`<path class="dial-value" d="M8 50a42 42 0 0 1 84 0" pathLength="100" stroke-dasharray=${`${Math.round((score / Math.max(1, max)) * 100)} 200`}/>`}
  </svg>`

const firstFixes = (fixes: ReadonlyArray<Fix>): Content =>
  fixes.length === 0
    ? null
    : html`
    <h3>Fix first</h3>
    <ol class="sample-fixes">${fixes.map(
      (fix) => html`
      <li><span class="sample-gain">${gain(fix)}</span> <span>${rubricText(fix.criterion.title)} ${fix.criterion.remedy === null ? null : html`<span class="soft small nowrap">${effortText(fix.criterion.remedy.effort)}</span>`}</span></li>`
    )}
    </ol>`
