import * as Result from "effect/Result"
import * as SchemaParser from "effect/SchemaParser"
import { CriterionThree } from "../format/FormatThree.ts"
import { formatThreeCriterion, nodeOf } from "../format/FormatThreeCriterion.ts"
import { formatTwoCriterion, pinnedPlugin } from "../format/FormatTwoCriterion.ts"
import { titlesIn, trialOf } from "../format/FormatTwoTree.ts"
import { CriterionDefinition } from "../definition/Rubric.ts"
import { shapeDiagnostics } from "../source/SchemaDiagnostics.ts"
import type { Diagnostic, SourceText, Span } from "../source/SourceText.ts"
import {
  inheritedAt,
  isMap,
  itemsUnder,
  listOf,
  mapOf,
  patched,
  plainTextAt,
  withEntry,
  type YamlNode
} from "../source/YamlSource.ts"
import type { BaseRubric, Patch } from "./BaseRubric.ts"

/** The criteria of a rubric that extends another one, where its file or the base is of format 3. */
export interface FormatThreeMerge {
  /** Whether a criterion of the file is written in format 3: by its keys and, where both formats have them, as the base is. */
  readonly speaks: (criterion: YamlNode) => boolean
  /** The base's criterion, if the base is of format 3. */
  readonly baseOf: (id: string) => YamlNode | null
  /** Takes over a criterion of the base as it is. */
  readonly kept: (id: string, three: YamlNode | null) => void
  /** A new criterion, as format 2 has it. */
  readonly added: (id: string, criterion: YamlNode) => YamlNode
  /** A criterion of the base with a change of format 3, as format 2 has it. `three`: the base's, if it is of format 3; else it is made from `two`. */
  readonly changed: (two: YamlNode, three: YamlNode | null, patch: Patch) => YamlNode
  readonly outcome: () => FormatThreeOutcome
}

export interface FormatThreeOutcome {
  /** The criteria that format 3 has, as it has them, by id. */
  readonly formatThree: ReadonlyMap<string, YamlNode>
  /** Whether texts may name numbers: the base or a change is of format 3. */
  readonly namesNumbers: boolean
  /** What is wrong with the parts of format 3. */
  readonly faults: ReadonlyArray<Diagnostic>
}

const decodeThree = SchemaParser.decodeUnknownResult(CriterionThree, { errors: "all", onExcessProperty: "error" })
const decodeTwo = SchemaParser.decodeUnknownResult(CriterionDefinition)

export const formatThreeMerge = (
  file: YamlNode,
  base: BaseRubric,
  source: SourceText,
  anchor: (span: Span) => Span
): FormatThreeMerge => {
  const formatThree = new Map<string, YamlNode>()
  const faults: Array<Diagnostic> = []
  let namesNumbers = base.format === 3
  const titles = titlesIn([
    ...itemsUnder(base.root, "categories").flatMap((category) => itemsUnder(category, "criteria")),
    ...itemsUnder(base.root, "experimental"),
    ...itemsUnder(file, "criteria"),
    ...itemsUnder(file, "experimental")
  ])
  const isThree = file.entries.get("format")?.node.plain === 3
  const speaks = (criterion: YamlNode): boolean => isThree || (formatOf(criterion) ?? base.format) === 3
  const spell = (id: string, three: YamlNode): YamlNode => {
    const { diagnostics, node } = formatTwoCriterion(three, titles, source)
    namesNumbers = true
    formatThree.set(id, three)
    faults.push(...shapeDiagnostics(decodeThree(three.plain), three, "a criterion"), ...diagnostics)
    return node
  }
  return {
    speaks,
    baseOf: (id) => base.formatThree.get(id) ?? null,
    kept: (id, three) => {
      if (three !== null) formatThree.set(id, three)
    },
    added: (id, criterion) => (speaks(criterion) ? spell(id, criterion) : criterion),
    changed: (two, three, { id, node, span }) => spell(id, changedThree(three ?? upgraded(two), node, span, anchor)),
    outcome: () => ({ formatThree, namesNumbers, faults })
  }
}

/** A new criterion on trial: in format 3 the letter of its id is its category. */
export const addedTrial = (three: FormatThreeMerge, criterion: YamlNode): YamlNode => {
  const id = plainTextAt(criterion, "id")
  const node = three.added(id ?? "", criterion)
  return three.speaks(criterion) ? trialOf({ id, node, diagnostics: [] }) : node
}

const ONLY_THREE = ["checks", "effort", "steps", "recipes", "read"]
const ONLY_TWO = ["revision", "levels", "remedy", "references"]

/** The format that a criterion's keys are of; `null` where it has only keys that both formats have. */
const formatOf = (criterion: YamlNode): 2 | 3 | null => {
  const { entries } = criterion
  const points = entries.get("points")?.node
  if (
    ONLY_THREE.some((key) => entries.has(key)) ||
    (points !== undefined && isMap(points)) ||
    pinnedPlugin(plainTextAt(criterion, "plugin") ?? "") !== null
  )
    return 3
  return points !== undefined || ONLY_TWO.some((key) => entries.has(key)) ? 2 : null
}

/** A criterion of format 2 as format 3 has it; the same where it cannot be read. */
const upgraded = (two: YamlNode): YamlNode =>
  Result.match(decodeTwo(two.plain), {
    onFailure: () => two,
    onSuccess: (definition) => nodeOf(formatThreeCriterion(definition), two.span)
  })

/** Maps are merged: `points` by number, and `steps`, where the change has a map of them, by the name of the check. */
const changedThree = (base: YamlNode, patch: YamlNode, span: Span, anchor: (span: Span) => Span): YamlNode => {
  const steps = patch.entries.get("steps")
  const own =
    steps === undefined || !isMap(steps.node)
      ? patch
      : withEntry(patch, "steps", { ...steps, node: changedSteps(base, steps.node, anchor(steps.key)) })
  const merged = patched(base, own, span, anchor)
  const points = merged.entries.get("points")
  return points === undefined || !isMap(points.node)
    ? merged
    : withEntry(merged, "points", { ...points, node: falling(points.node) })
}

const falling = ({ entries, span }: YamlNode): YamlNode =>
  mapOf(new Map([...entries].toSorted(([one], [other]) => Number(other) - Number(one))), span)

/** The base's steps, of which those with a name that is given are replaced, or left out where it is empty; new names come last. */
const changedSteps = (base: YamlNode, patch: YamlNode, at: Span): YamlNode => {
  const steps = itemsUnder(base, "steps")
  const named = ([name, entry]: readonly [string, { readonly key: Span; readonly node: YamlNode }]): YamlNode =>
    mapOf(new Map([[name, entry]]), entry.node.span)
  const kept = steps.flatMap((step): ReadonlyArray<YamlNode> => {
    const name = nameOf(step)
    const entry = name === null ? undefined : patch.entries.get(name)
    if (name === null || entry === undefined) return [inheritedAt(step, at)]
    return entry.node.plain === null ? [] : [named([name, entry])]
  })
  const names = new Set(steps.map(nameOf))
  const added = [...patch.entries].filter(([name, { node }]) => !names.has(name) && node.plain !== null).map(named)
  return listOf([...kept, ...added], patch.span)
}

/** The check that a step has the name of. */
const nameOf = (step: YamlNode): string | null => {
  const [name, more] = step.entries.keys()
  return name === undefined || more !== undefined || name === "do" ? null : name
}
