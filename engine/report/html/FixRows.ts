import { FIRST_FIXES, type Fix, includesText } from "../../audit/FixFirst.ts"
import type { AuditReport, CriterionResult } from "../../audit/Report.ts"
import { counted } from "../../plugin/Wording.ts"
import { effortText } from "../../rubric/definition/Rubric.ts"
import { plainLines } from "../../text/PlainText.ts"
import { fixPrompt } from "../FixPrompt.ts"
import type { ReportView, RubricWords } from "../ReportView.ts"
import { type Content, html, type VNode } from "./Html.ts"
import { codedText, copyButton, gain, quotedText, recipeText, rubricText, stepList } from "./Parts.ts"

/** What to fix, best first, each row with its first step and opening to the rest; then what is not advised, and why. */
export const fixFirst = ({ fixes, notApplicable, notChecked, report }: ReportView, why: RubricWords["why"]): Content =>
  html`
    <section aria-labelledby="fix-first">
      <h2 id="fix-first">Fix first</h2>
      ${
        fixes.length === 0
          ? html`<p>Nothing: ${notChecked.length + notApplicable.length === 0 ? "all points were earned" : "all other points were earned"}.</p>`
          : html`<ol class="fixes">${fixes.slice(0, FIRST_FIXES).map((fix) => entry(report, fix, why))}</ol>${rest(report, fixes.slice(FIRST_FIXES), why)}`
      }
      ${apart("Could not be checked", notChecked)}
      ${apart("Not applicable, as we found no HTTP API", notApplicable)}
    </section>`

const entry = (report: AuditReport, fix: Fix, why: RubricWords["why"]): VNode => {
  const {
    criterion: { id, remedy, summary, title }
  } = fix
  const [first] = remedy?.steps ?? []
  const waiting = includesText(fix)
  const prompt = `prompt-${id}`
  const reason = why.get(id)
  return html`
    <li>
      <details class="fix">
        <summary>
          <span class="fix-points">${gain(fix)}</span>
          <span class="fix-title">${rubricText(title)} <span class="soft small nowrap">${id}${remedy === null ? null : html` · ${effortText(remedy.effort)}`}</span></span>
          ${first === undefined ? null : html`<span class="fix-step">${rubricText(first)}</span>`}
        </summary>
        <div class="fix-body">
          <p>${quotedText(summary)}${waiting === "" ? null : ` ${waiting}`}</p>
          ${reason === undefined ? null : html`<p class="soft"><strong>Why it matters:</strong> ${codedText(reason)}</p>`}
          ${remedy === null ? null : [stepList(remedy), recipeText(remedy)]}
          <details>
            <summary>Prompt for a coding agent</summary>
            <pre class="snippet" tabindex="0"><code id=${prompt}>${plainLines(fixPrompt(report, fix))}</code></pre>
          </details>
          <p class="small"><a href=${`#${id}`}>What we found, with the requests</a></p>
        </div>
      </details>
      ${copyButton("Copy prompt", prompt, `Copy prompt: ${id}`)}
    </li>`
}

const rest = (report: AuditReport, fixes: ReadonlyArray<Fix>, why: RubricWords["why"]): Content =>
  fixes.length === 0
    ? null
    : html`
    <details class="more-fixes">
      <summary>${counted(fixes.length, "more fix", "more fixes")}, worth ${counted(
        fixes.reduce((sum, fix) => sum + fix.gain, 0),
        "point"
      )}</summary>
      <ol class="fixes" start=${FIRST_FIXES + 1}>${fixes.map((fix) => entry(report, fix, why))}</ol>
    </details>`

const apart = (label: string, criteria: ReadonlyArray<CriterionResult>): Content =>
  criteria.length === 0
    ? null
    : html`
    <p class="soft">${label}: ${criteria.map(({ id }, index) => html`${index === 0 ? null : ", "}<a href=${`#${id}`}>${id}</a>`)}.</p>`
