import type { Span } from "./SourceText.ts"
import type { YamlNode } from "./YamlSource.ts"

/** A value of the file that has the type it should have, and where it stands. */
export interface Spot<A> {
  readonly value: A
  readonly span: Span
}

export interface DraftLevel {
  /** Its first key. */
  readonly head: Span
  readonly status: Spot<string> | null
  readonly earns: Spot<number> | null
  /** Whether it has a condition, be it of the right type or not. */
  readonly conditional: boolean
  readonly when: Spot<string> | null
}

export interface DraftCriterion {
  readonly head: Span
  /** The letter of the category that it stands in, or, on trial, that it names. */
  readonly category: Spot<string> | null
  readonly onTrial: boolean
  readonly id: Spot<string> | null
  readonly plugin: Spot<string> | null
  readonly revision: Spot<number> | null
  readonly points: Spot<number> | null
  readonly params: YamlNode | null
  readonly levels: ReadonlyArray<DraftLevel>
  readonly deprecation: DraftDeprecation
  /** What people read of it: title, why, how and the steps of its remedy, in file order. */
  readonly texts: ReadonlyArray<Spot<string>>
}

export interface DraftDeprecation {
  readonly since: Spot<string> | null
  readonly until: Spot<string> | null
  readonly replacedBy: Spot<string> | null
}

export interface DraftCategory {
  readonly head: Span
  readonly id: Spot<string> | null
  readonly key: Spot<string> | null
  readonly points: Spot<number> | null
  readonly criteria: ReadonlyArray<DraftCriterion>
}

export interface DraftChange {
  readonly head: Span
  readonly version: Spot<string> | null
  readonly criteria: ReadonlyArray<Spot<string>>
}

/**
 * A rubric file as far as it can be understood: what is missing or of the wrong type is `null` here and reported
 * elsewhere. The rules of a rubric read this, so that one mistake does not hide another.
 */
export interface Draft {
  readonly id: Spot<string> | null
  readonly version: Spot<string> | null
  /** The key `categories`; the beginning of the file where it is missing. */
  readonly head: Span
  readonly verdicts: ReadonlyArray<Spot<number> | null>
  readonly categories: ReadonlyArray<DraftCategory>
  /** All of them, in file order, those on trial last. */
  readonly criteria: ReadonlyArray<DraftCriterion>
  readonly changes: ReadonlyArray<DraftChange>
}

export const draftOf = (root: YamlNode): Draft => {
  const categories = list(root, "categories").map(categoryOf)
  const onTrial = list(root, "experimental").map((node) => criterionOf(node, text(node, "category"), true))
  return {
    id: text(root, "id"),
    version: text(root, "version"),
    head: root.entries.get("categories")?.key ?? headOf(root),
    verdicts: list(root, "verdicts").map((node) => number(node, "from")),
    categories,
    criteria: [...categories.flatMap((category) => category.criteria), ...onTrial],
    changes: list(root, "changes").map(changeOf)
  }
}

const categoryOf = (node: YamlNode): DraftCategory => {
  const id = text(node, "id")
  return {
    head: headOf(node),
    id,
    key: text(node, "key"),
    points: number(node, "points"),
    criteria: list(node, "criteria").map((criterion) => criterionOf(criterion, id, false))
  }
}

const criterionOf = (node: YamlNode, category: Spot<string> | null, onTrial: boolean): DraftCriterion => ({
  head: headOf(node),
  category,
  onTrial,
  id: text(node, "id"),
  plugin: text(node, "plugin"),
  revision: number(node, "revision"),
  points: number(node, "points"),
  params: node.entries.get("params")?.node ?? null,
  levels: list(node, "levels").map(levelOf),
  deprecation: {
    since: nested(node, "deprecated", "since"),
    until: nested(node, "deprecated", "until"),
    replacedBy: nested(node, "deprecated", "replaced_by")
  },
  texts: [...["title", "why", "how"].map((key) => text(node, key)), ...stepsOf(node)]
    .flatMap((spot) => (spot === null ? [] : [spot]))
    .toSorted((one, other) => one.span.start - other.span.start)
})

const stepsOf = (node: YamlNode): ReadonlyArray<Spot<string> | null> => {
  const remedy = node.entries.get("remedy")?.node
  return remedy === undefined ? [] : list(remedy, "steps").map(spotOf)
}

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
  criteria: list(node, "criteria").flatMap(({ plain, span }) => (typeof plain === "string" ? [{ value: plain, span }] : []))
})

const headOf = (node: YamlNode): Span =>
  node.entries.values().next().value?.key ?? { start: node.span.start, end: node.span.start + 1 }

const list = (node: YamlNode, key: string): ReadonlyArray<YamlNode> => node.entries.get(key)?.node.items ?? []

const text = (node: YamlNode, key: string): Spot<string> | null => {
  const value = node.entries.get(key)?.node
  return value === undefined ? null : spotOf(value)
}

const spotOf = ({ plain, span }: YamlNode): Spot<string> | null => (typeof plain === "string" ? { value: plain, span } : null)

const number = (node: YamlNode, key: string): Spot<number> | null => {
  const value = node.entries.get(key)?.node
  return typeof value?.plain === "number" && Number.isInteger(value.plain) ? { value: value.plain, span: value.span } : null
}

const nested = (node: YamlNode, key: string, inner: string): Spot<string> | null => {
  const value = node.entries.get(key)?.node
  return value === undefined ? null : text(value, inner)
}
