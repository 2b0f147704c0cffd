import type { RubricShift } from "../../../engine/audit/compare/RubricShift.ts"
import { categoryApplies, criteriaOf } from "../../../engine/report/ReportView.ts"
import { isApplicable } from "../../../engine/audit/FixFirst.ts"
import type { AuditReport, CriterionResult } from "../../../engine/audit/Report.ts"
import { counted, signed } from "../../../engine/plugin/Wording.ts"
import { NOT_APPLICABLE, quotedText, rubricText, statusPill } from "../../../engine/report/html/Parts.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import type { ScoredRun } from "../report/ReportReading.ts"

export interface ComparedRun {
  readonly site: string
  readonly run: ScoredRun
  readonly report: AuditReport
}

/** Two finished runs: of one site, `other` being the earlier one in most cases; or of two sites. */
export interface RunComparison {
  /** The run whose page this is. */
  readonly here: ComparedRun
  readonly other: ComparedRun
  readonly sameSite: boolean
  /** What the rubric changed between two runs of a site; `null` if both used the same rubric; `unknown` if that cannot be determined. */
  readonly shift: RubricShift | "unknown" | null
  /** Earlier runs of the site to compare with, oldest first. */
  readonly earlier: ReadonlyArray<ScoredRun>
}

/** A criterion as the two runs saw it; `null`: that run's rubric does not have it. */
export interface CriterionPair {
  readonly id: string
  readonly title: string
  readonly here: CriterionResult | null
  readonly other: CriterionResult | null
  /** Points here less points there. */
  readonly delta: number
}

/** The criteria of both runs, by which of them is ahead; those that differ most first. */
interface PairedCriteria {
  readonly ahead: ReadonlyArray<CriterionPair>
  readonly behind: ReadonlyArray<CriterionPair>
  /** Only one of the two audits could check these, or only one of the two sites needs them, so their points say nothing. */
  readonly incomparable: ReadonlyArray<CriterionPair>
  readonly same: ReadonlyArray<CriterionPair>
}

export const pairedCriteria = ({ here, other }: Pick<RunComparison, "here" | "other">): PairedCriteria => {
  const pairs = idsOf(here.report, other.report).map((id) =>
    pairOf(id, criterionOf(here.report, id), criterionOf(other.report, id))
  )
  const [comparable, incomparable] = [pairs.filter(isComparable), pairs.filter((pair) => !isComparable(pair))]
  const widest = (some: ReadonlyArray<CriterionPair>) =>
    some.toSorted((one, two) => Math.abs(two.delta) - Math.abs(one.delta))
  return {
    ahead: widest(comparable.filter(({ delta }) => delta > 0)),
    behind: widest(comparable.filter(({ delta }) => delta < 0)),
    incomparable,
    same: comparable.filter(({ delta }) => delta === 0)
  }
}

const pairOf = (id: string, here: CriterionResult | null, other: CriterionResult | null): CriterionPair => ({
  id,
  title: here?.title ?? other?.title ?? "",
  here,
  other,
  delta: (here?.score ?? 0) - (other?.score ?? 0)
})

/** Whether the difference of its points says something: both audits judged it, or neither could. */
const isComparable = ({ here, other }: Pick<CriterionPair, "here" | "other">): boolean =>
  here !== null &&
  other !== null &&
  (here.status === "inconclusive") === (other.status === "inconclusive") &&
  isApplicable(here) === isApplicable(other)

/** Points that each side earned for criteria that do not apply to the other. */
export const earnedAlone = (
  both: Pick<RunComparison, "here" | "other">
): Readonly<Record<"here" | "other", number>> => {
  const pairs = pairedCriteria(both).incomparable
  const alone = (one: CriterionResult | null, two: CriterionResult | null): number =>
    one !== null && two !== null && isApplicable(one) && !isApplicable(two) ? one.score : 0
  return {
    here: pairs.reduce((sum, { here, other }) => sum + alone(here, other), 0),
    other: pairs.reduce((sum, { here, other }) => sum + alone(other, here), 0)
  }
}

const idsOf = (here: AuditReport, other: AuditReport): ReadonlyArray<string> => [
  ...new Set([...here.criteria, ...other.criteria].map(({ id }) => id))
]

const criterionOf = ({ criteria }: AuditReport, wanted: string): CriterionResult | null =>
  criteria.find(({ id }) => id === wanted) ?? null

/** Whether a category says something about a site: at least one of its criteria applies. */
export const appliesTo = (report: AuditReport, category: string): boolean =>
  categoryApplies(criteriaOf(report, category))

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
