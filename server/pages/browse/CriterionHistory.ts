import { counted } from "../../../engine/criterion/Wording.ts"
import type { Rubric } from "../../../engine/rubric/definition/Rubric.ts"
import type { CriterionOutcome, OutcomeState } from "../../../engine/store/corpus/OutcomeCounts.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import type { JudgedRun } from "../../../engine/store/runs/RunHistory.ts"
import { codedText } from "../kit/CodedText.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { dayAndMonth } from "../kit/Moments.ts"

/** Audits in the table, and how many of them have room on a phone. */
export const JUDGED_RUNS = 10
const ON_A_PHONE = 4

const STATE_WORDS: Readonly<Record<OutcomeState, string>> = {
  present: "present",
  partial: "partial",
  absent: "absent",
  inconclusive: "could not be checked",
  not_applicable: "does not apply"
}

interface CriterionRow {
  readonly id: string
  readonly title: string
  /** Oldest first; `undefined`: that audit's rubric did not have the criterion. */
  readonly outcomes: ReadonlyArray<CriterionOutcome | undefined>
}

/** The points of each criterion in a site's newest audits, those that changed first. Empty without two audits whose outcomes are known. */
export const criterionHistory = (
  judged: ReadonlyArray<JudgedRun>,
  { categories }: Pick<Rubric, "categories">
): Content => {
  const runs = judged.filter(({ outcomes }) => outcomes.length > 0).toReversed()
  if (runs.length < 2) return null
  const rows = categories
    .flatMap(({ criteria }) => criteria)
    .map(({ id, title }): CriterionRow => ({
      id,
      title,
      outcomes: runs.map(({ outcomes }) => outcomes.find((outcome) => outcome.id === id))
    }))
    .filter(({ outcomes }) => outcomes.some((outcome) => outcome !== undefined))
  const [changed, same] = [rows.filter(hasChanged), rows.filter((row) => !hasChanged(row))]
  return html`
    <section aria-labelledby="by-criterion">
      <h2 id="by-criterion">Criteria over time</h2>
      ${
        changed.length === 0
          ? html`<p>No criterion changed in the last ${counted(runs.length, "audit")}.</p>`
          : matrix(
              runs,
              changed,
              `Points of the ${changed.length === 1 ? "criterion" : counted(changed.length, "criterion", "criteria")} that changed in the last ${counted(runs.length, "audit")}, oldest first`
            )
      }
      ${
        same.length === 0
          ? null
          : html`
        <details>
          <summary>${counted(same.length, "criterion", "criteria")} that stayed the same</summary>
          ${matrix(runs, same, `Points of the criteria that stayed the same in the last ${counted(runs.length, "audit")}, oldest first`)}
        </details>`
      }
    </section>`
}

const hasChanged = ({ outcomes }: CriterionRow): boolean =>
  new Set(outcomes.map((outcome) => (outcome === undefined ? "" : `${outcome.state} ${outcome.score}`))).size > 1

const matrix = (runs: ReadonlyArray<JudgedRun>, rows: ReadonlyArray<CriterionRow>, caption: string): VNode => {
  const isTimed = shareDay(runs)
  const roomOf = (index: number): string => (index < runs.length - ON_A_PHONE ? " roomy" : "")
  return html`
    <table class=${isTimed ? "matrix matrix-timed" : "matrix"}>
      <caption>${caption}</caption>
      <colgroup><col/>${runs.map((_, index) => html`<col class=${`col-cell${roomOf(index)}`}/>`)}</colgroup>
      <thead>
        <tr>
          <th scope="col">Criterion</th>
          ${runs.map(({ run }, index) => html`<th scope="col" class=${`matrix-when${roomOf(index)}`}>${headingOf(run, isTimed)}</th>`)}
        </tr>
      </thead>
      <tbody>${rows.map(
        ({ id, outcomes, title }) => html`
        <tr data-key=${id}>
          <th scope="row"><a href=${`/rubric/${id}`}><span class="criterion-id">${id}</span> ${codedText(title)}</a></th>
          ${outcomes.map((outcome, index) => html`<td class=${`matrix-cell${roomOf(index)}`}>${cell(outcome)}</td>`)}
        </tr>`
      )}
      </tbody>
    </table>`
}

/** An unreliable audit's points are the least that its criteria earn. */
const headingOf = ({ id, reliable, startedAt }: Run, isTimed: boolean): VNode =>
  reliable === true
    ? html`<a href=${`/r/${id}`}>${dayAndMonth(startedAt, isTimed)}</a>`
    : html`<a class="matrix-unreliable" href=${`/r/${id}`}>${dayAndMonth(startedAt, isTimed)}<span aria-hidden="true"> ≥</span><span class="visually-hidden"> (not reliable)</span></a>`

const dayOf = ({ run }: JudgedRun): string => run.startedAt.slice(0, 10)

/** Whether the day alone does not tell two audits apart. */
const shareDay = (runs: ReadonlyArray<JudgedRun>): boolean => new Set(runs.map(dayOf)).size < runs.length

const cell = (outcome: CriterionOutcome | undefined): Content => {
  if (outcome === undefined) return html`<span class="visually-hidden">not in the rubric</span>`
  const { max, score, state } = outcome
  const text = state === "inconclusive" ? "?" : state === "not_applicable" ? "–" : score
  return html`<span class=${`cell cell-${state}`} title=${`${score} of ${max} points, ${STATE_WORDS[state]}`}>${text}<span class="visually-hidden"> of ${max} points, ${STATE_WORDS[state]}</span></span>`
}
