import * as Schema from "effect/Schema"
import { AuditReport, CriterionResult } from "../../engine/audit/Report.ts"
import { rubricName } from "../../engine/audit/render/RubricName.ts"
import type { DiffResponse } from "../api/Runs.ts"

const { categories, rubric, total_score } = AuditReport.fields
const { id, max, score, status } = CriterionResult.fields

/** The fields of a report that are compared. */
const Compared = Schema.Struct({
  total_score,
  rubric,
  categories,
  criteria: Schema.Array(Schema.Struct({ id, status, score, max }))
})
type Compared = typeof Compared.Type

/** Decodes a stored report. */
export const readCompared = Schema.decodeUnknownSync(Schema.fromJsonString(Compared))

/** What is known of the two runs beside their reports. */
export interface DiffedRuns {
  readonly baselineAuto: boolean
  readonly fromReliable: boolean
  readonly toReliable: boolean
}

const LETTERS = ["A", "B", "C", "D", "E", "F"] as const

/** What changed between two reports of a site: categories by letter, criteria in the target's order, then those that only the baseline has. */
export const diffOf = (
  baseline: Compared,
  target: Compared,
  { baselineAuto, fromReliable, toReliable }: DiffedRuns
): DiffResponse => ({
  total_delta: target.total_score - baseline.total_score,
  from_reliable: fromReliable,
  to_reliable: toReliable,
  from_rubric: rubricName(baseline.rubric),
  to_rubric: rubricName(target.rubric),
  categories: LETTERS.map((key) => ({ key, ...change(categoryOf(baseline, key), categoryOf(target, key)) })),
  criteria: idsOf(baseline, target).map((key) => {
    const [from, to] = [criterionOf(baseline, key), criterionOf(target, key)]
    return { key, ...change(from, to), from_status: from.status, to_status: to.status }
  }),
  baseline_auto: baselineAuto
})

interface Points {
  readonly score: number
  readonly max: number
}

const change = (from: Points, to: Points) => ({
  from: from.score,
  to: to.score,
  delta: to.score - from.score,
  from_max: from.max,
  to_max: to.max
})

const NONE: Points = { score: 0, max: 0 }

const categoryOf = ({ categories }: Compared, letter: string): Points =>
  Object.entries(categories).find(([key]) => key.startsWith(`${letter}_`))?.[1] ?? NONE

const criterionOf = ({ criteria }: Compared, id: string) =>
  criteria.find((criterion) => criterion.id === id) ?? { ...NONE, status: "absent" as const }

const idsOf = (baseline: Compared, target: Compared): ReadonlyArray<string> => [
  ...new Set([...target.criteria, ...baseline.criteria].map(({ id }) => id))
]
