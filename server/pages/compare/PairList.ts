import type { CriterionResult } from "../../../engine/audit/Report.ts"
import { isApplicable } from "../../../engine/audit/FixFirst.ts"
import { counted, signed } from "../../../engine/criterion/Wording.ts"
import { quotedText, rubricText } from "../kit/Audited.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { NOT_APPLICABLE, statusPill } from "../kit/StatusPill.ts"
import { type CriterionPair, isComparable } from "./RunComparison.ts"

/** How the two runs are called: `name` in sentences, `label` in front of what each found. */
export interface SideNames {
  readonly here: { readonly name: string; readonly label: Content; readonly runId: string }
  readonly other: { readonly name: string; readonly label: Content; readonly runId: string }
  /** Two runs of a site are read from the earlier to the later one, two sites from the one whose page this is. */
  readonly order: readonly ["here", "other"] | readonly ["other", "here"]
}

/** Criteria one below the other, each with what both runs found, side by side where there is room. */
export const pairList = (pairs: ReadonlyArray<CriterionPair>, names: SideNames): VNode => html`
  <ul class="pairs">${pairs.map(
    (pair) => html`
    <li class="pair" data-key=${pair.id}>
      <h3><span class="criterion-id">${pair.id}</span> <span class="pair-title">${rubricText(pair.title)}</span> ${isComparable(pair) ? difference(pair.delta) : html`<span class="soft">–</span>`}</h3>
      <div class="pair-sides">
        ${names.order.map((side) => sideOf(pair, pair[side], names[side]))}
      </div>
    </li>`
  )}
  </ul>`

/** A difference of points in its colour, with its sign. */
export const difference = (delta: number): VNode =>
  html`<span class=${delta === 0 ? "soft" : delta > 0 ? "gained" : "lost"}>${signed(delta)}</span>`

const sideOf = (
  { id }: CriterionPair,
  criterion: CriterionResult | null,
  { label, runId }: SideNames["here"]
): VNode => html`
  <div class="pair-side">
    <p class="pair-name"><a href=${`/r/${runId}#${id}`}>${label}<span class="visually-hidden">: ${id} in the report</span></a></p>
    ${criterion === null ? html`<p class="soft">Not in the rubric of that audit.</p>` : foundOf(criterion)}
  </div>`

const foundOf = (criterion: CriterionResult): Content => html`
  <p class="pair-points">${isApplicable(criterion) ? html`${statusPill(criterion.status)} <span class="nowrap">${criterion.score} of ${counted(criterion.max, "point")}</span>` : NOT_APPLICABLE}</p>
  <p>${quotedText(criterion.summary)}</p>`
