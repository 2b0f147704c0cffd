import { pinnedPlugin } from "../format/FormatTwoCriterion.ts"
import { suggestion } from "../source/NearestName.ts"
import type { Diagnostic, SourceText, Span } from "../source/SourceText.ts"
import {
  inheritedAt,
  itemsUnder,
  listOf,
  mapOf,
  patched,
  plainTextAt,
  withEntry,
  withoutEntry,
  type YamlEntry,
  type YamlNode
} from "../source/YamlSource.ts"
import { type BaseRubric, type Patch, patchesUnder, removedIds, wrong } from "./BaseRubric.ts"
import { addedTrial, type FormatThreeMerge, formatThreeMerge, type FormatThreeOutcome } from "./FormatThreeMerge.ts"

/** A rubric that is written as changes of a base, as the whole that it comes to. */
interface ExtendedRubric extends FormatThreeOutcome {
  /** Every place is in the file: what is inherited is placed at the id of what it belongs to, or at `extends`. */
  readonly root: YamlNode
  /** The places of inherited values. */
  readonly anchors: ReadonlySet<Span>
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

const KEYS = [
  "format",
  "extends",
  "id",
  "version",
  "title",
  "verdicts",
  "categories",
  "criteria",
  "remove",
  "experimental",
  "changes"
]

/** The base with a file's changes. */
export const extendedRubric = (file: YamlNode, base: BaseRubric, at: Span, source: SourceText): ExtendedRubric => {
  const anchors = new Set<Span>()
  const anchor = (span: Span): Span => {
    const own = { ...span }
    anchors.add(own)
    return own
  }
  const criteria = patchesUnder(file, "criteria")
  const categories = patchesUnder(file, "categories")
  const removed = removedIds(file)
  const merge: Merge = {
    base,
    criteria: criteria.items,
    categories: categories.items,
    removed: new Map(removed.items.map(({ id, span }) => [id, span])),
    at,
    anchor,
    hasOwnId: hasOwnId(file, base),
    three: formatThreeMerge(file, base, source, anchor)
  }
  const name = nameFaults(file, base)
  const root = new Map(inheritedAt(withHistoryOf(base.root, merge.removed), anchor(at)).entries)
  for (const key of ["title", "verdicts", ...(name.length === 0 ? ["id", "version", "changes"] : ["id"])]) {
    const own = file.entries.get(key)
    if (own !== undefined) root.set(key, own)
  }
  // A rubric of its own is released when its author says so.
  if (hasOwnId(file, base)) root.delete("draft")
  const place = anchor(file.entries.get("categories")?.key ?? removed.items[0]?.span ?? criteria.items[0]?.span ?? at)
  root.set("categories", { key: place, node: listOf(mergedCategories(merge), place) })
  const trials = mergedTrials(merge, file)
  if (trials === null) root.delete("experimental")
  else root.set("experimental", trials)
  return {
    root: mapOf(root, file.span),
    anchors,
    ...merge.three.outcome(),
    diagnostics: [
      ...unknownKeys(file),
      ...otherFormat(file),
      ...name,
      ...criteria.diagnostics,
      ...categories.diagnostics,
      ...removed.diagnostics,
      ...criteria.items.flatMap((patch) => criterionFaults(patch, merge)),
      ...categories.items.flatMap(({ node }) => nestedCriteria(node)),
      ...removed.items.flatMap(({ id, span }) => (has(base, id) ? [] : [unknownCriterion(id, span, merge)]))
    ]
  }
}

interface Merge {
  readonly base: BaseRubric
  readonly criteria: ReadonlyArray<Patch>
  readonly categories: ReadonlyArray<Patch>
  /** Removed criteria, and where the file says so. */
  readonly removed: ReadonlyMap<string, Span>
  readonly at: Span
  readonly anchor: (span: Span) => Span
  /** Whether the file is a rubric of another name than the base. */
  readonly hasOwnId: boolean
  readonly three: FormatThreeMerge
}

const mergedCategories = (merge: Merge): ReadonlyArray<YamlNode> => {
  const { anchor, at, base, categories, criteria, removed } = merge
  const touches = [...criteria, ...[...removed].map(([id, span]) => ({ id, span }))]
  const inherited = itemsUnder(base.root, "categories").map((category) => {
    const letter = plainTextAt(category, "id") ?? ""
    const patch = categories.find(({ id }) => id === letter)
    const touched = touches.find(({ id }) => id.startsWith(letter))
    const span = anchor(patch?.span ?? touched?.span ?? at)
    const own =
      patch === undefined
        ? inheritedAt(category, span)
        : patched(category, withoutEntry(patch.node, "criteria"), patch.span, anchor)
    const kept = itemsUnder(category, "criteria").flatMap((criterion) => mergedCriterion(criterion, span, merge))
    return withEntry(own, "criteria", { key: span, node: listOf([...kept, ...addedTo(letter, merge)], span) })
  })
  const added = categories
    .filter(({ id }) => !letters(base).includes(id))
    .map(({ id, node, span }) => withEntry(node, "criteria", { key: span, node: listOf(addedTo(id, merge), span) }))
  return [...inherited, ...added]
}

/** New criteria of a category; whole entries, which name it. */
const addedTo = (letter: string, { base, criteria, three }: Merge): ReadonlyArray<YamlNode> =>
  criteria
    .filter(({ id, node }) => !has(base, id) && plainTextAt(node, "category") === letter)
    .map(({ id, node }) => three.added(id, withoutEntry(node, "category")))

const mergedCriterion = (
  criterion: YamlNode,
  span: Span,
  { anchor, criteria, removed, three }: Merge
): ReadonlyArray<YamlNode> => {
  const id = plainTextAt(criterion, "id") ?? ""
  if (removed.has(id)) return []
  const whole = withoutNeeds(criterion, removed)
  const base = three.baseOf(id)
  const inThree = base === null ? null : withoutNeeds(base, removed)
  const patch = criteria.find((each) => each.id === id)
  if (patch === undefined) {
    three.kept(id, inThree)
    return [inheritedAt(whole, span)]
  }
  const own = withoutEntry(patch.node, "category")
  return [
    three.speaks(own) ? three.changed(whole, inThree, { ...patch, node: own }) : patched(whole, own, patch.span, anchor)
  ]
}

/** A need of a removed criterion is void. */
const withoutNeeds = (criterion: YamlNode, removed: Merge["removed"]): YamlNode => {
  const needs = criterion.entries.get("needs")
  if (needs === undefined) return criterion
  const left = needs.node.items.filter(({ plain }) => !removed.has(String(plain)))
  return left.length === 0
    ? withoutEntry(criterion, "needs")
    : withEntry(criterion, "needs", { ...needs, node: listOf(left, needs.node.span) })
}

/** The history keeps its entries, but names no criterion that the file removes: a rubric may only name those that it has. */
const withHistoryOf = (root: YamlNode, removed: Merge["removed"]): YamlNode => {
  const changes = root.entries.get("changes")
  return changes === undefined
    ? root
    : withEntry(root, "changes", {
        ...changes,
        node: listOf(
          changes.node.items.map((change) => withoutRemoved(change, removed)),
          changes.node.span
        )
      })
}

const withoutRemoved = (change: YamlNode, removed: Merge["removed"]): YamlNode => {
  const criteria = change.entries.get("criteria")
  if (criteria === undefined || !Array.isArray(criteria.node.plain)) return change
  const left = criteria.node.items.filter(({ plain }) => !removed.has(String(plain)))
  return withEntry(change, "criteria", { ...criteria, node: listOf(left, criteria.node.span) })
}

/** The base's criteria on trial, then the file's; `null` if there are none. */
const mergedTrials = (merge: Merge, file: YamlNode): YamlEntry | null => {
  const own = file.entries.get("experimental")
  if (own !== undefined && !Array.isArray(own.node.plain)) return own
  const at = merge.anchor(merge.at)
  const trials = [
    ...itemsUnder(merge.base.root, "experimental").flatMap((criterion) => mergedCriterion(criterion, at, merge)),
    ...(own?.node.items ?? []).map((criterion) => addedTrial(merge.three, criterion))
  ]
  return trials.length === 0 && own === undefined
    ? null
    : { key: own?.key ?? at, node: listOf(trials, own?.node.span ?? at) }
}

const unknownKeys = ({ entries }: YamlNode): ReadonlyArray<Diagnostic> =>
  [...entries].flatMap(([name, { key }]) =>
    KEYS.includes(name)
      ? []
      : [wrong("unknown_key", key, `unknown key "${name}"`, suggestion(name, KEYS, "the keys are"))]
  )

/** A file of format 3 may say so; without it, its keys tell. */
const otherFormat = ({ entries }: YamlNode): ReadonlyArray<Diagnostic> => {
  const format = entries.get("format")
  return format === undefined || format.node.plain === 3
    ? []
    : [
        wrong(
          "extends",
          format.key,
          "the format is that of the rubric that this one extends",
          "leave it out, or say `format: 3`"
        )
      ]
}

const hasOwnId = ({ entries }: YamlNode, { id }: BaseRubric): boolean =>
  entries.has("id") && entries.get("id")?.node.plain !== id

const OWN_ID = "give the rubric an `id` of its own"

/** A name of its own comes with versions of its own; the base's name is for what is published under it, with other thresholds at most. */
const nameFaults = (file: YamlNode, base: BaseRubric): ReadonlyArray<Diagnostic> => {
  const { id, version } = base
  const own = file.entries.get("id")
  const given = file.entries.get("version")
  if (own === undefined || !hasOwnId(file, base)) {
    return [
      ...(given === undefined || given.node.plain === version
        ? []
        : [
            wrong(
              "extends",
              given.node.span,
              `this would be another ${id} ${String(given.node.plain)} than the published one`,
              OWN_ID
            )
          ]),
      ...["title", "verdicts"].flatMap((key) => {
        const entry = file.entries.get(key)
        return entry === undefined
          ? []
          : [wrong("extends", entry.key, `${id} cannot have another "${key}" than the published one`, OWN_ID)]
      })
    ]
  }
  const missing = ["version", "changes"].filter((key) => !file.entries.has(key))
  return missing.map((key) =>
    wrong(
      "missing_key",
      own.key,
      `"${key}" is missing`,
      `a rubric with an id of its own has ${OWN_PARTS[key] ?? "its own"}`
    )
  )
}

const OWN_PARTS: Readonly<Record<string, string>> = {
  version: "versions of its own, such as `version: 1.0.0`",
  changes:
    "a history of its own, such as `changes: [{ version: 1.0.0, date: 2026-11-21, what: First version., criteria: all }]`"
}

const criterionFaults = ({ id, node, span }: Patch, merge: Merge): ReadonlyArray<Diagnostic> => {
  const { base, categories, removed } = merge
  const category = node.entries.get("category")
  if (removed.has(id)) return [wrong("extends", span, `"${id}" is removed by this file`, "leave one of the two out")]
  if (has(base, id)) {
    return [
      ...(category === undefined
        ? []
        : [
            wrong(
              "extends",
              category.key,
              `${base.id} has ${id} already, so its category cannot be given`,
              "leave it out, or take another id for a new criterion"
            )
          ]),
      ...(merge.hasOwnId ? [] : judgedOtherwise(id, node, base))
    ]
  }
  if (category === undefined) return [unknownCriterion(id, span, merge)]
  const known = [...new Set([...letters(base), ...categories.map((each) => each.id)])]
  const { plain, span: place } = category.node
  return known.includes(String(plain))
    ? []
    : [wrong("value", place, `there is no category "${String(plain)}"`, suggestion(String(plain), known, "there are"))]
}

/** Under the base's name, a criterion is measured by the base's plugin and earns the points of the base's levels. */
const judgedOtherwise = (id: string, node: YamlNode, base: BaseRubric): ReadonlyArray<Diagnostic> => {
  const published = criteriaOf(base).find((criterion) => plainTextAt(criterion, "id") === id)
  const plugin = node.entries.get("plugin")
  if (published === undefined) return []
  const earned = earnedBy(published).map(({ plain }) => plain)
  return [
    ...(plugin === undefined || pluginName(plugin.node.plain) === plainTextAt(published, "plugin")
      ? []
      : [
          wrong(
            "extends",
            plugin.node.span,
            `${id} of ${base.id} is measured by ${plainTextAt(published, "plugin") ?? "another plugin"}`,
            OWN_ID
          )
        ]),
    ...earnedBy(node).flatMap(({ plain, span }) =>
      earned.includes(plain)
        ? []
        : [
            wrong(
              "extends",
              span,
              `the levels of ${id} of ${base.id} earn ${earned.join(", ")}, not ${String(plain)}`,
              OWN_ID
            )
          ]
    )
  ]
}

const pluginName = (plugin: unknown): unknown =>
  typeof plugin === "string" ? (pinnedPlugin(plugin)?.name ?? plugin) : plugin

/** The points of a criterion's levels: in format 3 the keys of `points`. */
const earnedBy = (criterion: YamlNode): ReadonlyArray<YamlNode> => [
  ...itemsUnder(criterion, "levels").flatMap(({ entries }) => entries.get("earns")?.node ?? []),
  ...[...(criterion.entries.get("points")?.node.entries ?? [])].map(([points, { key, node }]) => ({
    ...node,
    plain: Number(points),
    span: key
  }))
]

const unknownCriterion = (id: string, span: Span, { base }: Merge): Diagnostic => {
  const ids = criterionIds(base)
  return wrong(
    "extends",
    span,
    `${base.id} ${base.version} has no criterion "${id}"`,
    `${suggestion(id, ids, "it has") ?? ""} Give a new criterion a "category", or put it under "experimental"`.trim()
  )
}

const nestedCriteria = ({ entries }: YamlNode): ReadonlyArray<Diagnostic> => {
  const criteria = entries.get("criteria")
  return criteria === undefined
    ? []
    : [
        wrong(
          "extends",
          criteria.key,
          "a rubric that extends another one lists criteria at the top of the file",
          "move them to a key `criteria` beside `extends`"
        )
      ]
}

const letters = ({ root }: BaseRubric): ReadonlyArray<string> =>
  itemsUnder(root, "categories").flatMap((category) => plainTextAt(category, "id") ?? [])

/** All criteria, those on trial too. */
const criteriaOf = ({ root }: BaseRubric): ReadonlyArray<YamlNode> => [
  ...itemsUnder(root, "categories").flatMap((category) => itemsUnder(category, "criteria")),
  ...itemsUnder(root, "experimental")
]

const criterionIds = (base: BaseRubric): ReadonlyArray<string> =>
  criteriaOf(base).flatMap((criterion) => plainTextAt(criterion, "id") ?? [])

const has = (base: BaseRubric, id: string): boolean => criterionIds(base).includes(id)
