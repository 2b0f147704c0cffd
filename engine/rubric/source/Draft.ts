import type { Revision } from "../../plugin/Registry.ts"
import type { Piece, Span } from "./SourceText.ts"
import { headOf, itemsUnder, type YamlNode } from "./YamlSource.ts"

/** A value of the file of the expected type, and its position. */
export interface SourceValue<A> {
  readonly value: A
  readonly span: Span
  /** Of a text that was composed of several of the file. */
  readonly pieces?: ReadonlyArray<Piece>
}

export interface DraftLevel {
  /** Its first key. */
  readonly head: Span
  readonly status: SourceValue<string> | null
  readonly earns: SourceValue<number> | null
  /** Whether it has a condition, be it of the right type or not. */
  readonly conditional: boolean
  readonly when: SourceValue<string> | null
}

export interface DraftCriterion {
  readonly head: Span
  /** The letter of the category that contains it or, for an experimental one, that it names. */
  readonly category: SourceValue<string> | null
  readonly onTrial: boolean
  readonly id: SourceValue<string> | null
  readonly plugin: SourceValue<string> | null
  readonly revision: SourceValue<Revision> | null
  readonly points: SourceValue<number> | null
  readonly params: YamlNode | null
  readonly levels: ReadonlyArray<DraftLevel>
  /** The criteria that it says must earn points first. */
  readonly needs: ReadonlyArray<SourceValue<string>>
  readonly steps: ReadonlyArray<DraftStep>
  /** Where its keys of format 2 are. */
  readonly formatTwo: ReadonlyArray<SourceValue<string>>
  readonly deprecation: DraftDeprecation
  /** What people read of it: title, why, how and the steps of its remedy, in file order. */
  readonly texts: ReadonlyArray<SourceValue<string>>
  /** URLs of its references. */
  readonly references: ReadonlyArray<SourceValue<string>>
  /** Ids of the studies that its points rest on. */
  readonly evidence: ReadonlyArray<SourceValue<string>>
}

/** A step of a remedy: a text, or a map with `do` and `unless`. */
interface DraftStep {
  readonly head: Span
  readonly text: SourceValue<string> | null
  readonly unless: SourceValue<string> | null
}

interface DraftDeprecation {
  readonly since: SourceValue<string> | null
  readonly until: SourceValue<string> | null
  readonly replacedBy: SourceValue<string> | null
}

export interface DraftCategory {
  readonly head: Span
  readonly id: SourceValue<string> | null
  readonly key: SourceValue<string> | null
  readonly points: SourceValue<number> | null
  readonly criteria: ReadonlyArray<DraftCriterion>
}

interface DraftChange {
  readonly head: Span
  readonly version: SourceValue<string> | null
  readonly criteria: ReadonlyArray<SourceValue<string>>
}

/**
 * A rubric file as far as it can be understood: what is missing or of the wrong type is `null` here and reported
 * elsewhere. The rules of a rubric read this, so that one mistake does not hide another.
 */
export interface Draft {
  readonly format: SourceValue<number> | null
  readonly id: SourceValue<string> | null
  readonly version: SourceValue<string> | null
  /** The key `categories`; the beginning of the file where it is missing. */
  readonly head: Span
  readonly verdicts: ReadonlyArray<SourceValue<number> | null>
  readonly categories: ReadonlyArray<DraftCategory>
  /** All of them, in file order, those on trial last. */
  readonly criteria: ReadonlyArray<DraftCriterion>
  readonly changes: ReadonlyArray<DraftChange>
}

export const draftOf = (root: YamlNode): Draft => {
  const categories = itemsUnder(root, "categories").map(categoryOf)
  const onTrial = itemsUnder(root, "experimental").map((node) => criterionOf(node, text(node, "category"), true))
  return {
    format: number(root, "format"),
    id: text(root, "id"),
    version: text(root, "version"),
    head: root.entries.get("categories")?.key ?? headOf(root),
    verdicts: itemsUnder(root, "verdicts").map((node) => number(node, "from")),
    categories,
    criteria: [...categories.flatMap((category) => category.criteria), ...onTrial],
    changes: itemsUnder(root, "changes").map(changeOf)
  }
}

const categoryOf = (node: YamlNode): DraftCategory => {
  const id = text(node, "id")
  return {
    head: headOf(node),
    id,
    key: text(node, "key"),
    points: number(node, "points"),
    criteria: itemsUnder(node, "criteria").map((criterion) => criterionOf(criterion, id, false))
  }
}

const criterionOf = (node: YamlNode, category: SourceValue<string> | null, onTrial: boolean): DraftCriterion => {
  const steps = stepsOf(node)
  return {
    head: headOf(node),
    category,
    onTrial,
    id: text(node, "id"),
    plugin: text(node, "plugin"),
    revision: number(node, "revision") ?? text(node, "revision"),
    points: number(node, "points"),
    params: node.entries.get("params")?.node ?? null,
    levels: itemsUnder(node, "levels").map(levelOf),
    needs: itemsUnder(node, "needs").flatMap((need) => spotOf(need) ?? []),
    steps,
    formatTwo: [
      ...keysOf(node, ["needs", "applies"]),
      ...keysOf(node.entries.get("remedy")?.node, ["recipes"]),
      ...itemsUnder(remedyOf(node), "steps").flatMap((step) => keysOf(step, ["do", "unless"]))
    ],
    deprecation: {
      since: nested(node, "deprecated", "since"),
      until: nested(node, "deprecated", "until"),
      replacedBy: nested(node, "deprecated", "replaced_by")
    },
    texts: [...["title", "why", "how"].map((key) => text(node, key)), ...steps.map((step) => step.text)]
      .flatMap((value) => (value === null ? [] : [value]))
      .toSorted((one, other) => one.span.start - other.span.start),
    references: itemsUnder(node, "references").flatMap((reference) => text(reference, "url") ?? []),
    evidence: itemsUnder(node, "evidence").flatMap((study) => spotOf(study) ?? [])
  }
}

const remedyOf = (node: YamlNode): YamlNode | undefined => node.entries.get("remedy")?.node

const stepsOf = (node: YamlNode): ReadonlyArray<DraftStep> =>
  itemsUnder(remedyOf(node), "steps").map((step) => ({
    head: headOf(step),
    text: step.entries.size === 0 ? spotOf(step) : text(step, "do"),
    unless: text(step, "unless")
  }))

/** Those of some keys that a map has, each with its place. */
const keysOf = (node: YamlNode | undefined, keys: ReadonlyArray<string>): ReadonlyArray<SourceValue<string>> =>
  keys.flatMap((value) => {
    const span = node?.entries.get(value)?.key
    return span === undefined ? [] : [{ value, span }]
  })

const levelOf = (node: YamlNode): DraftLevel => ({
  head: headOf(node),
  status: text(node, "status"),
  earns: number(node, "earns"),
  conditional: node.entries.has("when"),
  when: text(node, "when")
})

const changeOf = (node: YamlNode): DraftChange => ({
  head: headOf(node),
  version: text(node, "version"),
  criteria: itemsUnder(node, "criteria").flatMap(({ plain, span }) =>
    typeof plain === "string" ? [{ value: plain, span }] : []
  )
})

const text = (node: YamlNode, key: string): SourceValue<string> | null => {
  const value = node.entries.get(key)?.node
  return value === undefined ? null : spotOf(value)
}

const spotOf = ({ pieces, plain, span }: YamlNode): SourceValue<string> | null =>
  typeof plain === "string" ? { value: plain, span, ...(pieces === undefined ? {} : { pieces }) } : null

const number = (node: YamlNode, key: string): SourceValue<number> | null => {
  const value = node.entries.get(key)?.node
  return typeof value?.plain === "number" && Number.isInteger(value.plain)
    ? { value: value.plain, span: value.span }
    : null
}

const nested = (node: YamlNode, key: string, inner: string): SourceValue<string> | null => {
  const value = node.entries.get(key)?.node
  return value === undefined ? null : text(value, inner)
}
