import { type ConditionChange, conditionChange } from "./ConditionChange.ts"
import { type Difference, major, minor, ONLY_RAISES, quoted } from "./RubricChange.ts"
import type { UnboundLevel } from "../UnboundRubric.ts"

/**
 * What is different in a criterion's levels. Sound for `minor`: where nothing here owes more, each level of before has one
 * that earns as much or more and whose condition holds wherever the old one did, so no facts earn less than they did
 * (levels are tried in order, and earn less and less).
 */
export const levelDifferences = (
  before: ReadonlyArray<UnboundLevel>,
  after: ReadonlyArray<UnboundLevel>
): ReadonlyArray<Difference> => {
  const pairs = pairsOf(before, after)
  return [
    ...before.flatMap((level, index) => {
      const place = pairs.get(index)
      const partner = place === undefined ? undefined : after[place]
      return partner === undefined ? [removed(level)] : pairDifferences(level, partner)
    }),
    ...after.flatMap((level, index) => ([...pairs.values()].includes(index) ? [] : [added(level)]))
  ]
}

/** Levels that are the same: first those of one condition, then, of the others, those that earn the same. */
const pairsOf = (
  before: ReadonlyArray<UnboundLevel>,
  after: ReadonlyArray<UnboundLevel>
): ReadonlyMap<number, number> => {
  const pairs = new Map<number, number>()
  const taken = new Set<number>()
  for (const alike of [sameCondition, sameEarnings]) {
    before.forEach((level, index) => {
      if (pairs.has(index)) return
      const place = after.findIndex((other, at) => !taken.has(at) && alike(level, other))
      if (place === -1) return
      pairs.set(index, place)
      taken.add(place)
    })
  }
  return pairs
}

const sameCondition = (before: UnboundLevel, after: UnboundLevel): boolean =>
  changeBetween(before, after)._tag === "Same"

const sameEarnings = (before: UnboundLevel, after: UnboundLevel): boolean => before.earns === after.earns

const changeBetween = ({ tree: before }: UnboundLevel, { tree: after }: UnboundLevel): ConditionChange => {
  if (before !== null && after !== null) return conditionChange(before, after)
  return { _tag: before === after ? "Same" : "Other" }
}

const pairDifferences = (before: UnboundLevel, after: UnboundLevel): ReadonlyArray<Difference> => {
  const change = changeBetween(before, after)
  if (change._tag !== "Same") return [conditionDifference(before, after, change)]
  const what = `points of the level ${conditionOf(after)}: ${before.earns} → ${after.earns}`
  if (after.earns > before.earns) return [minor(what, ONLY_RAISES)]
  return after.earns < before.earns ? [major(what, "sites that reach it earn less")] : []
}

const conditionDifference = (before: UnboundLevel, after: UnboundLevel, change: ConditionChange): Difference => {
  if (change._tag === "Loosened") {
    const what = `level for ${points(after)}: ${quoted(change.before)} → ${quoted(change.after)}`
    return minor(what, `one threshold is lower, and what held before still holds: ${ONLY_RAISES}`)
  }
  const what = `condition of the level for ${points(after)}: ${conditionOf(before)} → ${conditionOf(after)}`
  return major(what, "what held before may no longer hold")
}

const added = (level: UnboundLevel): Difference =>
  minor(
    `new level for ${points(level)}: ${conditionOf(level)}`,
    `sites that reach a level above it still do: ${ONLY_RAISES}`
  )

const removed = (level: UnboundLevel): Difference =>
  major(`removed level for ${points(level)}: ${conditionOf(level)}`, "sites that reached it may earn less")

const points = ({ earns }: UnboundLevel): string => (earns === 1 ? "1 point" : `${earns} points`)

const conditionOf = ({ when }: UnboundLevel): string => (when === undefined ? "none" : quoted(when))
