import { type Fix, openedGain, ownGain } from "../../../engine/audit/FixFirst.ts"
import { html, type VNode } from "../kit/Html.ts"

/** The points that a fix gains, as `gainText` says them, with the words smaller than the number. */
export const gain = (fix: Fix): VNode =>
  html`+${ownGain(fix.criterion)}${fix.includes.length === 0 ? null : html` <span class="opens">opens up to +${openedGain(fix)}</span>`}`
