import { servesRevision } from "../../plugin/Registry.ts"
import { type CriterionDefinition, type Step, stepText } from "../definition/Rubric.ts"
import { isDeepStrictEqual } from "node:util"
import type { UnboundCriterion, UnboundLevel } from "../RubricFile.ts"
import {
  ADVICE_ONLY,
  type ConditionChange,
  conditionChange,
  type Difference,
  EARNS_NOTHING,
  major,
  minor,
  ONLY_RAISES,
  quoted,
  words
} from "./RubricChange.ts"

/** What is different in a criterion that both rubrics have. Of one on trial nothing owes more than a minor version. */
export const criterionDifferences = (before: UnboundCriterion, after: UnboundCriterion): ReadonlyArray<Difference> => {
  const differences = [
    ...standing(before, after),
    ...measuring(before.definition, after.definition),
    ...levelDifferences(before.levels, after.levels),
    ...deprecation(before.definition, after.definition),
    ...advising(before.definition, after.definition),
    ...wording(before.definition, after.definition)
  ]
  return before.onTrial && after.onTrial ? differences.map(onTrial) : differences
}

export const addedCriterion = ({ definition: { points, title }, onTrial }: UnboundCriterion): Difference =>
  onTrial
    ? minor(`new experimental criterion: ${quoted(title)}`, EARNS_NOTHING)
    : major(`new criterion with ${points} points: ${quoted(title)}`, "its points come from other criteria")

/** What a new rubric removes. */
export const removedCriterion = ({ definition: { points, title }, onTrial }: UnboundCriterion): Difference =>
  onTrial
    ? minor(`removed experimental criterion: ${quoted(title)}`, EARNS_NOTHING)
    : major(`removed criterion with ${points} points: ${quoted(title)}`, "sites lose what it earned them")

const onTrial = (difference: Difference): Difference =>
  difference.owes === "patch"
    ? difference
    : { ...difference, owes: "minor", why: `it is experimental and ${EARNS_NOTHING}` }

const standing = (before: UnboundCriterion, after: UnboundCriterion): ReadonlyArray<Difference> => {
  if (before.onTrial && !after.onTrial)
    return [
      major(`promoted from experimental, with ${after.definition.points} points`, "its points come from other criteria")
    ]
  if (!before.onTrial && after.onTrial)
    return [major("made experimental, without points", "sites lose what it earned them")]
  return before.category === after.category
    ? []
    : [major(`category: ${before.category} → ${after.category}`, "the points of both categories change")]
}

const measuring = (before: CriterionDefinition, after: CriterionDefinition): ReadonlyArray<Difference> => {
  const differences: Array<Difference> = []
  if (before.points !== after.points)
    differences.push(
      major(`points: ${before.points} → ${after.points}`, "other criteria get more or fewer points in turn")
    )
  if (before.plugin !== after.plugin)
    differences.push(
      major(`plugin: ${quoted(before.plugin)} → ${quoted(after.plugin)}`, "it may report different facts")
    )
  else differences.push(...revising(before, after))
  const names = [...new Set([...Object.keys(before.params), ...Object.keys(after.params)])]
  const changed = names.filter((name) => !isDeepStrictEqual(before.params[name], after.params[name]))
  return [
    ...differences,
    ...changed.map((name) =>
      major(
        `param ${quoted(name)}: ${json(before.params[name])} → ${json(after.params[name])}`,
        "the same site may give different facts"
      )
    )
  ]
}

const revising = (before: CriterionDefinition, after: CriterionDefinition): ReadonlyArray<Difference> => {
  if (servesRevision(before.revision, after.revision) && servesRevision(after.revision, before.revision)) return []
  const what = `revision of the plugin ${quoted(after.plugin)}: ${before.revision} → ${after.revision}`
  return [
    servesRevision(after.revision, before.revision)
      ? minor(what, "reports have more facts: no score changes")
      : major(what, "the same site may give different facts")
  ]
}

const json = (value: unknown): string => (value === undefined ? "missing" : JSON.stringify(value))

const deprecation = (
  { deprecated: before }: CriterionDefinition,
  { deprecated: after }: CriterionDefinition
): ReadonlyArray<Difference> => {
  if (isDeepStrictEqual(before, after)) return []
  if (after === undefined) return [minor("no longer deprecated", "a deprecation changes no score")]
  const successor = after.replaced_by === undefined ? "" : `, replaced by ${after.replaced_by}`
  return [
    minor(
      `deprecated since ${after.since}, to be removed in ${after.until}${successor}`,
      "a deprecation changes no score"
    )
  ]
}

/** What decides which criteria are advised: no score changes, but reports call others the first to fix. */
const advising = (before: CriterionDefinition, after: CriterionDefinition): ReadonlyArray<Difference> => {
  const needs = ({ needs = [] }: CriterionDefinition): string => needs.join(", ") || "none"
  const applies = ({ applies }: CriterionDefinition): string => applies ?? "always"
  return [
    ...(needs(before) === needs(after) ? [] : [minor(`needs: ${needs(before)} → ${needs(after)}`, ADVICE_ONLY)]),
    ...(applies(before) === applies(after)
      ? []
      : [minor(`applies: ${applies(before)} → ${applies(after)}`, ADVICE_ONLY)])
  ]
}

const TEXTS = ["title", "why", "how", "references"] as const satisfies ReadonlyArray<keyof CriterionDefinition>

const wording = (before: CriterionDefinition, after: CriterionDefinition): ReadonlyArray<Difference> => {
  const changed: ReadonlyArray<string> = [
    ...TEXTS.filter((name) => !isDeepStrictEqual(before[name], after[name])),
    ...remedyParts(before.remedy, after.remedy)
  ]
  return changed.length === 0 ? [] : [words(`${changed.map(quoted).join(", ")} changed`)]
}

/** What changed in a remedy; a step that is a plain text is the same as one without a condition. */
const remedyParts = (
  before: CriterionDefinition["remedy"],
  after: CriterionDefinition["remedy"]
): ReadonlyArray<string> => [
  ...(before.effort === after.effort && isDeepStrictEqual(before.steps.map(stepText), after.steps.map(stepText))
    ? []
    : ["remedy"]),
  ...(isDeepStrictEqual(before.steps.map(unlessOf), after.steps.map(unlessOf)) ? [] : ["unless"]),
  ...(isDeepStrictEqual(before.recipes, after.recipes) ? [] : ["recipes"])
]

const unlessOf = (step: Step): string | null =>
  typeof step === "string" ? null : (step.unless?.replace(/\s+/gu, " ").trim() ?? null)

/**
 * What is different in a criterion's levels. Sound for `minor`: where nothing here owes more, each level of before has one
 * that earns as much or more and whose condition holds wherever the old one did, so no facts earn less than they did
 * (levels are tried in order, and earn less and less).
 */
const levelDifferences = (
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
