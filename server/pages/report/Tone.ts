import type { AuditReport, CriterionStatus } from "../../../engine/audit/Report.ts"
import { html, type VNode } from "../kit/Html.ts"
import type { RubricWords } from "./ReportView.ts"

const WORDS: Readonly<Record<CriterionStatus, string>> = { present: "Present", partial: "Partial", absent: "Absent", inconclusive: "Inconclusive" }

/** A status as a word in its colour. */
export const statusPill = (status: CriterionStatus): VNode => html`<span class=${`status status-${status}`}>${WORDS[status]}</span>`

/** The colour of a level: the upper two are good, the lower two are not. */
export const toneOf = ({ verdicts }: RubricWords, { verdict }: AuditReport): "present" | "partial" | "absent" | "inconclusive" => {
  const place = verdicts.findIndex(({ word }) => word === verdict)
  if (place < 0) return "inconclusive"
  const middle = (verdicts.length - 1) / 2
  if (place === middle) return "partial"
  return place < middle ? "present" : "absent"
}
