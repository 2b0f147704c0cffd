import type { Fix } from "../../../engine/audit/FixFirst.ts"
import { html, type VNode } from "../kit/Html.ts"

/** The points that a fix gains, as `gainText` says them, with the words smaller than the number. */
export const gain = ({ gain: points, includes }: Fix): VNode =>
  html`${includes.length === 0 ? null : html`<span class="up-to">up to</span> `}+${points}`
