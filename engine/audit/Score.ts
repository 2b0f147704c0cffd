import type { FactRecord, UncertainRecord } from "../plugin/Fact.ts"
import { type Exchange, isForServer, isMissing, isOurLimit } from "../evidence/Exchange.ts"
import { possibleLevels } from "../rubric/rules/Thresholds.ts"
import type { LoadedCriterion, LoadedLevel } from "../rubric/RubricFile.ts"
import type { Verdict } from "../rubric/definition/Rubric.ts"
import type { CriterionStatus } from "./Report.ts"

/** What the rubric says of one criterion's facts. */
export interface Judgement {
  readonly status: CriterionStatus
  readonly earns: number
}

/** What has to be known of a criterion to judge and add it up. */
type Judged = Pick<LoadedCriterion<unknown>, "definition" | "levels" | "category">

const INCONCLUSIVE: Judgement = { status: "inconclusive", earns: 0 }

/**
 * The first level whose condition the facts meet, if it is the same whatever the uncertain ones turn out to be;
 * `inconclusive`, and nothing earned, if it is not, or without facts.
 */
export const judge = (
  levels: ReadonlyArray<LoadedLevel>,
  facts: FactRecord | null,
  uncertain: UncertainRecord = {}
): Judgement => {
  if (facts === null) return INCONCLUSIVE
  const conditions = levels.map(({ condition }) => condition)
  const fields = conditions.find((condition) => condition !== null)?.fields ?? {}
  const [level, ...others] = possibleLevels(conditions, facts, uncertain, fields) ?? []
  if (level === undefined || others.length > 0) return INCONCLUSIVE
  const { earns, status } = levels[level] ?? { earns: 0, status: "absent" }
  return { status, earns }
}

/** What the rubric says of the facts of each criterion, by id. */
export const judgeAll = (
  criteria: ReadonlyArray<Judged>,
  outcomes: ReadonlyMap<string, { readonly facts: FactRecord | null; readonly uncertain: UncertainRecord }>
): ReadonlyMap<string, Judgement> =>
  new Map(
    criteria.map(({ definition, levels }) => {
      const outcome = outcomes.get(definition.id)
      return [definition.id, outcome === undefined ? INCONCLUSIVE : judge(levels, outcome.facts, outcome.uncertain)]
    })
  )

interface CategoryScore {
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

/** The missing responses behind what was measured of criteria, by id. */
type Unanswered = ReadonlyMap<string, { readonly unanswered: ReadonlyArray<Exchange> }>

/** A criterion is inconclusive because of limits of ours alone. */
export const isOpenByOurLimit = (
  judgement: Judgement,
  outcome: { readonly unanswered: ReadonlyArray<Exchange> } | undefined
): boolean =>
  judgement.status === "inconclusive" &&
  outcome !== undefined &&
  outcome.unanswered.length > 0 &&
  outcome.unanswered.every(isOurLimit)

/**
 * The share of points whose evidence could be fetched, 0 to 1, rounded to four places: of the criteria that are not inconclusive, or
 * that only limits of ours left open.
 */
export const coverageOf = (
  criteria: ReadonlyArray<Judged>,
  judgements: ReadonlyMap<string, Judgement>,
  outcomes: Unanswered
): number => {
  const points = sum(criteria.map(({ definition }) => definition.points))
  const had = criteria.filter(({ definition: { id } }) => {
    const judgement = judgements.get(id) ?? INCONCLUSIVE
    return judgement.status !== "inconclusive" || isOpenByOurLimit(judgement, outcomes.get(id))
  })
  return points === 0 ? 0 : Math.round((sum(had.map(({ definition }) => definition.points)) / points) * 10_000) / 10_000
}

/** Points of the criteria that are inconclusive because a response is missing. */
export const pointsLostInTransport = (
  criteria: ReadonlyArray<Judged>,
  outcomes: Unanswered,
  judgements: ReadonlyMap<string, Judgement>
): number => {
  const lost = criteria.filter(
    ({ definition: { id } }) =>
      judgements.get(id)?.status === "inconclusive" &&
      outcomes
        .get(id)
        ?.unanswered.some((exchange) => isMissing(exchange) && !isForServer(exchange) && !isOurLimit(exchange)) === true
  )
  return sum(lost.map(({ definition }) => definition.points))
}

/** The word for a total; `verdicts` go from the highest to the one from 0. */
export const verdictOf = (verdicts: ReadonlyArray<Verdict>, total: number): string =>
  verdicts.find(({ from }) => total >= from)?.word ?? ""

export const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((one, other) => one + other, 0)
