import { levelDifferences } from "./LevelDiff.ts"
import { type Difference, EARNS_NOTHING, major, minor, quoted, words } from "./RubricChange.ts"
import type { Criterion } from "./Rubric.ts"
import { sameJson } from "./SameJson.ts"
import type { UnboundCriterion } from "./UnboundRubric.ts"

/** What is different in a criterion that both rubrics have. Of one on trial nothing owes more than a minor version. */
export const criterionDifferences = (before: UnboundCriterion, after: UnboundCriterion): ReadonlyArray<Difference> => {
  const differences = [
    ...standing(before, after),
    ...measuring(before.definition, after.definition),
    ...levelDifferences(before.levels, after.levels),
    ...deprecation(before.definition, after.definition),
    ...wording(before.definition, after.definition)
  ]
  return before.onTrial && after.onTrial ? differences.map(onTrial) : differences
}

/** What a new rubric has, and the old one had not. */
export const addedCriterion = ({ definition: { points, title }, onTrial }: UnboundCriterion): Difference =>
  onTrial
    ? minor(`it is new, and on trial: ${quoted(title)}`, EARNS_NOTHING)
    : major(`it is new, for ${points} points: ${quoted(title)}`, "its points are taken from other criteria")

/** What the old rubric had, and a new one has not. */
export const removedCriterion = ({ definition: { points, title }, onTrial }: UnboundCriterion): Difference =>
  onTrial
    ? minor(`it is gone; it was on trial: ${quoted(title)}`, EARNS_NOTHING)
    : major(`it is gone, with its ${points} points: ${quoted(title)}`, "what it earned is lost")

const onTrial = (difference: Difference): Difference =>
  difference.owes === "patch" ? difference : { ...difference, owes: "minor", why: `it is on trial: ${EARNS_NOTHING}` }

const standing = (before: UnboundCriterion, after: UnboundCriterion): ReadonlyArray<Difference> => {
  if (before.onTrial && !after.onTrial) return [major(`it is promoted, and earns ${after.definition.points} points`, "its points are taken from other criteria")]
  if (!before.onTrial && after.onTrial) return [major("it is put on trial, and earns nothing", "what it earned is lost")]
  return before.category === after.category ? [] : [major(`it is in category ${after.category} instead of ${before.category}`, "the points of both categories move")]
}

const measuring = (before: Criterion, after: Criterion): ReadonlyArray<Difference> => {
  const differences: Array<Difference> = []
  if (before.points !== after.points) differences.push(major(`it has ${after.points} points instead of ${before.points}`, "other criteria have more or fewer in turn"))
  if (before.plugin !== after.plugin) differences.push(major(`the plugin ${quoted(after.plugin)} measures instead of ${quoted(before.plugin)}`, "it may give other facts"))
  else if (before.revision !== after.revision) {
    differences.push(major(`revision ${after.revision} of the plugin ${quoted(after.plugin)} measures instead of ${before.revision}`, "the same site may give other facts"))
  }
  const names = [...new Set([...Object.keys(before.params), ...Object.keys(after.params)])]
  const changed = names.filter((name) => !sameJson(before.params[name], after.params[name]))
  return [...differences, ...changed.map((name) =>
    major(`the param ${quoted(name)} is ${json(after.params[name])} instead of ${json(before.params[name])}`, "the same site may give other facts"))]
}

const json = (value: unknown): string => (value === undefined ? "missing" : JSON.stringify(value))

const deprecation = ({ deprecated: before }: Criterion, { deprecated: after }: Criterion): ReadonlyArray<Difference> => {
  if (sameJson(before, after)) return []
  if (after === undefined) return [minor("it is no longer deprecated", "a deprecation earns nothing")]
  const successor = after.replaced_by === undefined ? "" : `, ${after.replaced_by} takes its place`
  return [minor(`it is deprecated since ${after.since} and will be gone in ${after.until}${successor}`, "a deprecation earns nothing")]
}

const TEXTS = ["title", "why", "how", "remedy", "references"] as const satisfies ReadonlyArray<keyof Criterion>

const wording = (before: Criterion, after: Criterion): ReadonlyArray<Difference> => {
  const changed: ReadonlyArray<string> = TEXTS.filter((name) => !sameJson(before[name], after[name]))
  return changed.length === 0 ? [] : [words(`${changed.map(quoted).join(", ")} ${changed.length === 1 ? "says" : "say"} something else`)]
}
