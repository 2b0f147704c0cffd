import type { CriterionStatus } from "../../../engine/audit/Report.ts"
import { html, type VNode } from "./Html.ts"

const WORDS: Readonly<Record<CriterionStatus, string>> = {
  present: "Present",
  partial: "Partial",
  absent: "Absent",
  inconclusive: "Not checked"
}

/** A status as a word in its colour. */
export const statusPill = (status: CriterionStatus): VNode =>
  html`<span class=${`status status-${status}`}>${WORDS[status]}</span>`

/** Of a category none of whose criteria apply to the site, in place of its points. */
export const DOES_NOT_APPLY = "does not apply"

/** In place of a status where what is asked for does not apply to the site, which says nothing about it. */
export const NOT_APPLICABLE: VNode = html`<span class="status status-not-applicable">Not applicable</span>`
