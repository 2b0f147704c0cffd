import type { FactFields } from "../../criterion/Fact.ts"
import type { Condition } from "../condition/Condition.ts"
import { combination, combinations, type RepresentativeValue, representatives } from "./Stretches.ts"
import { thresholdsOf } from "./Thresholds.ts"

/** A level that no facts reach. */
export interface UnreachableLevel {
  /** Its place among the levels, from 0. */
  readonly level: number
  readonly reason: "same_condition" | "never_holds" | "taken_before"
}

/** More combinations than this are not tried: the levels then count as reachable. */
const MOST_COMBINATIONS = 20_000

/**
 * The levels that no facts can reach, given one condition a level (`null`: none, it always holds). Exact where every
 * numeric fact is only compared with numbers: then one value for each stretch between its thresholds represents all. Where
 * facts are calculated with or compared with each other, only repeated conditions are found.
 */
export const unreachableLevels = (
  conditions: ReadonlyArray<Condition | null>,
  fields: FactFields
): ReadonlyArray<UnreachableLevel> => {
  const present = conditions.filter((condition) => condition !== null)
  const thresholds = thresholdsOf(
    present.map((condition) => condition.tree),
    fields
  )
  const read = [...new Set(present.flatMap((condition) => condition.reads))]
  const values = thresholds === null ? null : read.map((name) => representatives(name, fields[name], thresholds))
  const tried = values === null || combinations(values) > MOST_COMBINATIONS ? null : tryAll(conditions, read, values)
  return conditions.flatMap((condition, level): ReadonlyArray<UnreachableLevel> => {
    if (repeats(conditions, level)) return [{ level, reason: "same_condition" }]
    if (tried === null || tried.reached.has(level)) return []
    return [{ level, reason: condition !== null && !tried.held.has(level) ? "never_holds" : "taken_before" }]
  })
}

const repeats = (conditions: ReadonlyArray<Condition | null>, level: number): boolean => {
  const text = squeezed(conditions[level])
  return text !== null && conditions.slice(0, level).some((earlier) => squeezed(earlier) === text)
}

const squeezed = (condition: Condition | null | undefined): string | null =>
  condition?.text.replace(/\s+/gu, " ").trim() ?? null

/**
 * Goes through the combinations, far apart first, until every level has been reached: a rubric without mistakes is done
 * after a few dozen.
 */
const tryAll = (
  conditions: ReadonlyArray<Condition | null>,
  names: ReadonlyArray<string>,
  values: ReadonlyArray<ReadonlyArray<RepresentativeValue>>
) => {
  const reached = new Set<number>()
  const held = new Set<number>()
  const total = combinations(values)
  const stride = strideThrough(total)
  for (let tried = 0; tried < total && reached.size < conditions.length; tried += 1) {
    const facts = combination(names, values, (tried * stride) % total)
    const first = conditions.findIndex((condition) => condition === null || condition.holds(facts))
    reached.add(first)
    conditions.forEach((condition, level) => {
      if (level > first && !reached.has(level) && condition?.holds(facts) === true) held.add(level)
    })
  }
  return { reached, held }
}

/** A step of about the golden section that passes every number below `total` once. */
const strideThrough = (total: number): number => {
  let stride = Math.max(1, Math.floor(total * 0.618))
  while (divisor(stride, total) !== 1) stride += 1
  return stride
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
