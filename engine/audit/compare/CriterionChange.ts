import type { FactRecord } from "../../plugin/Fact.ts"
import type { Level } from "../../rubric/definition/Rubric.ts"
import type { LoadedRubric } from "../../rubric/RubricFile.ts"
import type { CriterionStatus } from "../Report.ts"
import { sum } from "../Score.ts"

/** A verdict of one rubric on one criterion. */
interface CriterionVerdict {
  readonly status: CriterionStatus
  readonly score: number
  readonly max: number
}

/** A level's condition, and what the facts said to it. */
export interface DecidingCondition {
  /** What the level earns. */
  readonly earns: number
  /** `null`: the last level, which asks for nothing. */
  readonly condition: string | null
  readonly held: boolean
}

/** A criterion whose score another rubric moves, and why. */
export interface CriterionChange {
  readonly id: string
  readonly title: string
  /** `null`: the earlier rubric did not have it. */
  readonly before: CriterionVerdict | null
  /** `null`: the later rubric does not have it. */
  readonly after: CriterionVerdict | null
  /** The condition that decided, as it was; `null` where the earlier rubric is not at hand, or there were no facts. */
  readonly conditionBefore: DecidingCondition | null
  /** The condition that decides now. */
  readonly conditionAfter: DecidingCondition | null
  /** The facts that these conditions read. */
  readonly facts: FactRecord
  /** Why facts were measured again, to follow the id, and what they were; `null` if the stored ones were used. */
  readonly remeasured: { readonly reason: string; readonly facts: FactRecord } | null
}

/** What is known of a criterion in one rubric, to say why it moved. */
export interface JudgedLevels {
  /** In the order of the rubric. */
  readonly levels: ReadonlyArray<Pick<Level, "earns" | "when">>
  readonly score: number
}

/**
 * The pair of conditions that made the difference. Where the score fell: the one that held, and the one that would have
 * to hold now to earn as much. Where it rose: the one that failed, and the one that holds now. Levels are tried in order and
 * earn less and less, so the score tells which of them held.
 */
export const decidingConditions = (
  before: JudgedLevels | null,
  after: JudgedLevels | null
): { readonly before: DecidingCondition | null; readonly after: DecidingCondition | null } => {
  if (before === null || after === null) {
    return { before: before === null ? null : reached(before), after: after === null ? null : reached(after) }
  }
  const [then, now] = [reached(before), reached(after)]
  // The level is the same, and earns something else.
  if (then !== null && now !== null && then.condition !== null && then.condition === now.condition)
    return { before: then, after: now }
  return after.score < before.score
    ? { before: then, after: missed(after, before.score) ?? now }
    : { before: missed(before, after.score) ?? then, after: now }
}

const reached = ({ levels, score }: JudgedLevels): DecidingCondition | null => {
  const level = levels.find(({ earns }) => earns === score)
  return level === undefined ? null : { earns: level.earns, condition: level.when ?? null, held: true }
}

/** The lowest level above the one that was reached that earns at least so much. */
const missed = ({ levels, score }: JudgedLevels, least: number): DecidingCondition | null => {
  const level = levels.findLast(({ earns }) => earns > score && earns >= least)
  return level === undefined ? null : { earns: level.earns, condition: level.when ?? null, held: false }
}

/** The facts that conditions name, in the order in which they were measured. */
export const factsNamed = (
  conditions: ReadonlyArray<DecidingCondition | null>,
  facts: FactRecord | null
): FactRecord => {
  const text = conditions.map((each) => each?.condition ?? "").join(" ")
  const named = new Set([...text.matchAll(/\bfacts\.(\w+)/gu)].map(([, name]) => name))
  return Object.fromEntries(Object.entries(facts ?? {}).filter(([name]) => named.has(name)))
}

/** Criteria on trial that are judged as if they earned their points. */
export interface Promotion {
  readonly criteria: ReadonlyArray<{ readonly id: string; readonly title: string; readonly points: number }>
  /** The points of all criteria with them: more than 100. */
  readonly total: number
}

/** A rubric in which criteria on trial earn the points that their entries name. Nothing is taken from others: totals are scaled to 100. */
export const promoted = <Bound>(
  rubric: LoadedRubric<Bound>,
  ids: ReadonlyArray<string>
): { readonly rubric: LoadedRubric<Bound>; readonly promotion: Promotion } => {
  const chosen = rubric.experimental.filter(({ definition }) => ids.includes(definition.id))
  const criteria = [...rubric.criteria, ...chosen]
  return {
    rubric: { ...rubric, criteria, experimental: rubric.experimental.filter((each) => !chosen.includes(each)) },
    promotion: {
      criteria: chosen.map(({ definition: { id, points, title } }) => ({ id, title, points })),
      total: sum(criteria.map(({ definition }) => definition.points))
    }
  }
}

/** A total as a share of 100 points, rounded: the same number where the criteria come to 100. */
export const scaledTotal = (earned: number, criteria: ReadonlyArray<{ readonly points: number }>): number => {
  const most = sum(criteria.map(({ points }) => points))
  return most === 0 ? 0 : Math.round((earned * 100) / most)
}
