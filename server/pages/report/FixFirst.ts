import { FIRST_FIXES, type Fix, fixList, gainText, includesText } from "../../../engine/audit/FixFirst.ts"
import type { AuditReport, CriterionResult } from "../../../engine/audit/Report.ts"
import { counted } from "../../../engine/criterion/Wording.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { quotedText, rubricText } from "../kit/Audited.ts"

/** Explanations of the efforts. */
export const EFFORT_WORDS = { low: "hours of work", medium: "days of work", high: "weeks of work" } as const

/** What to fix first, and where to read how; then what is not advised, and why. */
export const fixFirst = (report: AuditReport): Content => {
  const { fixes, notApplicable, notChecked } = fixList(report)
  return html`
    <section aria-labelledby="fix-first">
      <h2 id="fix-first">Fix first</h2>
      ${fixes.length === 0
        ? html`<p>Nothing: ${notChecked.length + notApplicable.length === 0 ? "all points were earned" : "all other points were earned"}.</p>`
        : html`<ol class="fixes">${fixes.slice(0, FIRST_FIXES).map(entry)}</ol>${rest(fixes.slice(FIRST_FIXES))}`}
      ${apart("Could not be checked", notChecked)}
      ${apart("Not applicable, as we found no HTTP API", notApplicable)}
    </section>`
}

const entry = (fix: Fix): VNode => {
  const { criterion: { id, remedy, summary, title } } = fix
  const includes = includesText(fix)
  return html`
    <li>
      <span class="fix-points">${gainText(fix)}</span>
      <div>
        <a href=${`#${id}`}>${rubricText(title)}</a> <span class="soft small nowrap">${remedy === null ? null : EFFORT_WORDS[remedy.effort]}</span>
        <p class="soft">${quotedText(summary)}</p>
        ${includes === "" ? null : html`<p class="soft">${includes}</p>`}
      </div>
    </li>`
}

const rest = (fixes: ReadonlyArray<Fix>): Content =>
  fixes.length === 0 ? null : html`
    <p class="soft">${counted(fixes.reduce((sum, { gain }) => sum + gain, 0), "more point")} can be gained from ${counted(fixes.length, "other fix", "other fixes")} below.</p>`

const apart = (label: string, criteria: ReadonlyArray<CriterionResult>): Content =>
  criteria.length === 0 ? null : html`
    <p class="soft">${label}: ${criteria.map(({ id }, index) => html`${index === 0 ? null : ", "}<a href=${`#${id}`}>${id}</a>`)}.</p>`
