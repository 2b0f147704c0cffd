import type { FactRecord } from "../criterion/Fact.ts"
import type { LoadedCriterion, LoadedLevel } from "../rubric/RubricFile.ts"
import type { Verdict } from "../rubric/Rubric.ts"
import type { CriterionStatus } from "./Report.ts"

/** What the rubric says of one criterion's facts. */
export interface Judgement {
  readonly status: CriterionStatus
  readonly earns: number
  /** Index into the criterion's levels; `null` where there are no facts to judge. */
  readonly level: number | null
}

/** What has to be known of a criterion to judge and add it up. */
export type Judged = Pick<LoadedCriterion<unknown>, "definition" | "levels" | "category">

/** The first level whose condition the facts meet; `inconclusive`, and nothing earned, without facts. */
export const judge = (levels: ReadonlyArray<LoadedLevel>, facts: FactRecord | null): Judgement => {
  if (facts === null) return { status: "inconclusive", earns: 0, level: null }
  const level = levels.findIndex(({ condition }) => condition === null || condition.holds(facts))
  const { earns, status } = levels[level] ?? { earns: 0, status: "absent" }
  return { status, earns, level }
}

/** Points of one category. */
export interface CategoryScore {
  readonly category: string
  readonly score: number
  readonly max: number
}

/** Sums by category, in the order in which the categories first come. */
export const categoryScores = (
  criteria: ReadonlyArray<Judged>,
  judgements: ReadonlyMap<string, Judgement>
): ReadonlyArray<CategoryScore> =>
  [...new Set(criteria.map(({ category }) => category))].map((category) => {
    const own = criteria.filter((criterion) => criterion.category === category)
    return {
      category,
      score: sum(own.map(({ definition }) => judgements.get(definition.id)?.earns ?? 0)),
      max: sum(own.map(({ definition }) => definition.points))
    }
  })

/** The share of points whose evidence could be had, 0 to 1, rounded to four places. */
export const coverageOf = (
  criteria: ReadonlyArray<Judged>,
  outcomes: ReadonlyMap<string, { readonly facts: FactRecord | null }>
): number => {
  const points = sum(criteria.map(({ definition }) => definition.points))
  const had = criteria.filter(({ definition }) => (outcomes.get(definition.id)?.facts ?? null) !== null)
  return points === 0 ? 0 : Math.round((sum(had.map(({ definition }) => definition.points)) / points) * 10_000) / 10_000
}

/** The word for a total; `verdicts` go from the highest to the one from 0. */
export const verdictOf = (verdicts: ReadonlyArray<Verdict>, total: number): string =>
  verdicts.find(({ from }) => total >= from)?.word ?? ""

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((one, other) => one + other, 0)
