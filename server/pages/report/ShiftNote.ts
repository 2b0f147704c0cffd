import type { AuditReport } from "../../../engine/audit/Report.ts"
import type { RubricShift } from "../../../engine/audit/compare/RubricShift.ts"
import { signed } from "../../../engine/criterion/Wording.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"

/** A note that two audits used different rubrics, and how much of the difference is due to that. */
export const shiftNote = ({ rubric: from }: AuditReport, { rubric: to }: AuditReport, shift: RubricShift | "unknown"): VNode => html`
  <div class="warning" role="note" aria-label="Rubric change">
    <p><strong>The rubric changed from ${from.version} to ${to.version}.</strong> ${shift === "unknown" ? UNKNOWN : shares(shift)}</p>
  </div>`

const UNKNOWN = "Scores of different rubrics are not measured alike; how much of the difference comes from the rubric cannot be told here."

const shares = ({ criteria, total: { byRubric, bySite } }: RubricShift): Content => {
  if (byRubric !== null && bySite !== null) return html`Of the difference the rubric makes <strong>${signed(byRubric)}</strong> and the site <strong>${signed(bySite)}</strong>.`
  const told = criteria.flatMap(({ id, reason }) => (reason === null ? [] : [`${id} ${reason}`]))
  return `How much of the difference comes from the rubric is not known: ${told.join("; ")}.`
}
