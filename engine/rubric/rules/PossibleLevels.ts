import type { FactFields, FactRecord, Uncertain, UncertainRecord } from "../../plugin/Fact.ts"
import type { Condition } from "../condition/Condition.ts"
import {
  combination,
  combinations,
  representatives,
  type RepresentativeValue,
  type Thresholds,
  thresholdsOf
} from "./Thresholds.ts"

/** More combinations of values than this are not tried. */
const MOST_COMBINATIONS = 5_000

/**
 * The levels that a criterion may reach if some of its facts are uncertain, given one condition a level (`null`: none, it
 * always holds). Facts are tried in every combination, one value for each stretch that no condition divides, so that the
 * result is exact as long as the facts do not depend on each other, and otherwise has levels too many, never too few. `null`
 * if there is no telling: a condition calculates with an uncertain fact, or there are too many combinations.
 */
export const possibleLevels = (
  conditions: ReadonlyArray<Condition | null>,
  facts: FactRecord,
  uncertain: UncertainRecord,
  fields: FactFields
): ReadonlySet<number> | null => {
  const present = conditions.filter((condition) => condition !== null)
  const names = [...new Set(present.flatMap(({ reads }) => reads))]
    .filter((name) => Object.hasOwn(uncertain, name))
    .sort()
  const thresholds =
    names.length === 0
      ? NONE
      : thresholdsOf(
          present.map(({ tree }) => tree),
          fields
        )
  if (thresholds === null) return null
  const values = names.map((name) => valuesOf(name, uncertain[name], fields, thresholds))
  const total = combinations(values)
  if (total > MOST_COMBINATIONS) return null
  const levels = new Set<number>()
  for (let index = 0; index < total; index += 1) {
    const tried = { ...facts, ...combination(names, values, index) }
    levels.add(conditions.findIndex((condition) => condition === null || condition.holds(tried)))
  }
  return levels
}

const NONE: Thresholds = new Map()

const valuesOf = (
  name: string,
  uncertain: Uncertain | undefined,
  fields: FactFields,
  thresholds: Thresholds
): ReadonlyArray<RepresentativeValue> => {
  if (uncertain === undefined) return []
  if ("one_of" in uncertain) return uncertain.one_of
  const { at_least: least, at_most: most } = uncertain
  const inside = representatives(name, fields[name], thresholds).filter(
    (value) => typeof value === "number" && value > least && (most === null || value < most)
  )
  return [...new Set([least, ...inside, ...(most === null ? [] : [most])])]
}
