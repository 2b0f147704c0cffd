import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Int } from "../database/ColumnValues.ts"

/** How many sites have which outcome for a criterion, by their newest reliable runs. */
export interface CriterionAdoption {
  /** Category letter and number, such as `D3`. */
  readonly id: string
  readonly sites: Readonly<Record<OutcomeState, number>>
  /** Points earned by all those sites, and the points that they could have earned. */
  readonly points: number
  readonly maxPoints: number
}

interface CountRow {
  readonly criterion: string
  readonly state: OutcomeState
  readonly sites: Int
  readonly points: Int
  readonly max_points: Int
}

/** Moves sites from their earlier outcomes to their new ones, both packed; empty for none. Most audits change few of them. */
export const addOutcomes = Effect.fnUntraced(function* (
  sql: SqlClient,
  changes: ReadonlyArray<OutcomeChange>
): Effect.fn.Return<void, SqlError> {
  const [first, ...rest] = differences(changes)
  if (first === undefined) return
  yield* sql`
    INSERT INTO outcome_counts ${sql.insert([first, ...rest])} ON CONFLICT (criterion, state) DO UPDATE SET sites = outcome_counts.sites + excluded.sites,
      points = outcome_counts.points + excluded.points, max_points = outcome_counts.max_points + excluded.max_points`
})

interface OutcomeChange {
  readonly outcomesBefore: string
  readonly outcomesAfter: string
}

const differences = (changes: ReadonlyArray<OutcomeChange>) => {
  const sums = new Map<
    string,
    { readonly criterion: string; readonly state: OutcomeState; sites: number; points: number; max_points: number }
  >()
  const add = (outcomes: ReadonlyArray<CriterionOutcome>, sign: number): void => {
    for (const { id, max, score, state } of outcomes) {
      const key = `${id} ${state}`
      const sum = sums.get(key) ?? { criterion: id, state, sites: 0, points: 0, max_points: 0 }
      sums.set(key, {
        ...sum,
        sites: sum.sites + sign,
        points: sum.points + sign * score,
        max_points: sum.max_points + sign * max
      })
    }
  }
  for (const { outcomesAfter, outcomesBefore } of changes) {
    add(unpackOutcomes(outcomesBefore), -1)
    add(unpackOutcomes(outcomesAfter), 1)
  }
  return [...sums.values()].filter(({ max_points, points, sites }) => sites !== 0 || points !== 0 || max_points !== 0)
}

/** By criterion, in the order of their ids: A2 before A10. */
export const readAdoption = (sql: SqlClient): Effect.Effect<ReadonlyArray<CriterionAdoption>, SqlError> =>
  Effect.map(
    sql<CountRow>`SELECT criterion, state, sites, points, max_points FROM outcome_counts WHERE sites > 0`,
    (rows) =>
      [...Map.groupBy(rows, ({ criterion }) => criterion)]
        .map(([id, states]): CriterionAdoption => {
          const sitesIn = (state: OutcomeState): number => Number(states.find((row) => row.state === state)?.sites ?? 0)
          const [present = 0, partial = 0, absent = 0, inconclusive = 0, not_applicable = 0] =
            OUTCOME_STATES.map(sitesIn)
          return {
            id,
            sites: { present, partial, absent, inconclusive, not_applicable },
            points: sumOf(states, "points"),
            maxPoints: sumOf(states, "max_points")
          }
        })
        .sort((one, other) => byCriterion(one.id, other.id))
  )

const sumOf = (rows: ReadonlyArray<CountRow>, column: "points" | "max_points"): number =>
  rows.reduce((sum, row) => sum + Number(row[column]), 0)

/** The order of the ids of criteria: A2 before A10. */
export const byCriterion = (one: string, other: string): number =>
  one.charCodeAt(0) - other.charCodeAt(0) || Number(one.slice(1)) - Number(other.slice(1))

/** What an audit found for a criterion; `inconclusive`: we could not check it, `not_applicable`: the site has no HTTP API to document. */
export const OUTCOME_STATES = ["present", "partial", "absent", "inconclusive", "not_applicable"] as const
export type OutcomeState = (typeof OUTCOME_STATES)[number]

/** One criterion of a report: what the corpus counts, and what the history of a site shows. */
export interface CriterionOutcome {
  /** Category letter and number, such as `D3`. */
  readonly id: string
  readonly state: OutcomeState
  readonly score: number
  readonly max: number
}

const SIGNS: Readonly<Record<OutcomeState, string>> = {
  present: "+",
  partial: "~",
  absent: "-",
  inconclusive: "?",
  not_applicable: "x"
}

const STATES = new Map(OUTCOME_STATES.map((state) => [SIGNS[state], state]))

/** As text of about eight bytes each: `A1+2/2 A2~1/3`. The pages of a site read a hundred of them, which reports would make slow. */
export const packOutcomes = (outcomes: ReadonlyArray<CriterionOutcome>): string =>
  outcomes.map(({ id, max, score, state }) => `${id}${SIGNS[state]}${score}/${max}`).join(" ")

/** The outcomes of such a text. Leaves out what it cannot read, such as outcomes of a later version. */
export const unpackOutcomes = (text: string): ReadonlyArray<CriterionOutcome> =>
  text.split(" ").flatMap((packed): ReadonlyArray<CriterionOutcome> => {
    const [, id, sign = "", score, max] = /^([A-Z]\d{1,4})([-+~?x])(\d{1,3})\/(\d{1,3})$/.exec(packed) ?? []
    const state = STATES.get(sign)
    return id === undefined || state === undefined ? [] : [{ id, state, score: Number(score), max: Number(max) }]
  })
