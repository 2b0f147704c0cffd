import { Document, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml"
import type { CriterionDefinition, Rubric } from "../definition/Rubric.ts"
import { isDeepStrictEqual } from "node:util"
import type { YamlNode } from "../source/YamlSource.ts"
import {
  formatThreeCriterion,
  isWrittenMap,
  type WrittenMap,
  writtenMap,
  writtenNode,
  type WrittenValue
} from "./FormatThreeCriterion.ts"
import { rfcTitle } from "./FormatTwoCriterion.ts"

/** Keys of format 3 whose values stay in one line where they fit. */
const INLINE = new Set([
  "verdicts",
  "categories",
  "params",
  "needs",
  "checks",
  "points",
  "recipes",
  "read",
  "evidence",
  "deprecated",
  "criteria",
  "changes"
])

/**
 * A rubric as a file of format 3.
 *
 * @param rubric its texts as they are written, with the names of numbers in them.
 * @param own the criteria that are of format 3 already, by id: they stay as their authors wrote them.
 */
export const formatThreeText = (rubric: Rubric, own: ReadonlyMap<string, YamlNode>): string => {
  const { categories, changes, draft, experimental, id, title, verdicts, version } = rubric
  const titles = new Map<string, string>()
  const write = (definition: CriterionDefinition): WrittenMap => writtenCriterion(definition, own, titles)
  const scored = categories.flatMap(({ criteria }) => criteria)
  const file = writtenMap([
    ["format", 3],
    ["id", id],
    ["version", version],
    ["draft", draft],
    ["title", title],
    ["verdicts", verdicts],
    ["categories", categories.map(({ id, key, points, title, why }) => ({ id, key, title, points, why }))],
    ["criteria", scored.map(write)],
    ["experimental", experimental?.map(write)],
    ["recipes", sharedRecipes([...scored, ...(experimental ?? [])])],
    ["changes", changes]
  ])
  const heading = (item: WrittenValue, index: number, items: ReadonlyArray<WrittenValue>): string | null => {
    const letter = letterOf(item)
    const category = categories.find((each) => each.id === letter)
    return category === undefined || letterOf(items[index - 1] ?? null) === letter ? null : category.title
  }
  return yamlText(file, {
    inline: INLINE,
    oneLine: new Set(["categories"]),
    spaced: new Map([
      ["criteria", heading],
      ["experimental", () => null]
    ])
  })
}

const letterOf = (item: WrittenValue): string => {
  const id = isWrittenMap(item) ? item.get("id") : null
  return typeof id === "string" ? id.slice(0, 1) : ""
}

const writtenCriterion = (
  definition: CriterionDefinition,
  own: ReadonlyMap<string, YamlNode>,
  titles: Map<string, string>
): WrittenMap => {
  const node = own.get(definition.id)
  const written = node === undefined ? formatThreeCriterion(definition) : writtenNode(node)
  if (!isWrittenMap(written)) return formatThreeCriterion(definition)
  const entries = new Map(written)
  entries.delete("recipes")
  entries.set(
    "read",
    definition.references.map((reference) => readOf(reference, titles))
  )
  return entries
}

/** A title is given once; that of an RFC is its number. */
const readOf = (
  { title, url }: CriterionDefinition["references"][number],
  titles: Map<string, string>
): WrittenValue => {
  if (titles.get(url) === title || rfcTitle(url) === title) return url
  if (!titles.has(url)) titles.set(url, title)
  return writtenMap([
    ["title", title],
    ["url", url]
  ])
}

interface Shared {
  readonly criteria: Array<string>
  readonly recipe: { readonly do: string; readonly url: string }
}

/** The recipes of all criteria by generator, each once; `undefined` where there are none. */
const sharedRecipes = (criteria: ReadonlyArray<CriterionDefinition>): WrittenMap | undefined => {
  const byGenerator = new Map<string, Array<Shared>>()
  for (const { id, remedy } of criteria) {
    for (const [generator, recipe] of Object.entries(remedy.recipes ?? {})) {
      const shared = byGenerator.get(generator) ?? []
      const same = shared.find((each) => isDeepStrictEqual(each.recipe, recipe))
      if (same === undefined) shared.push({ criteria: [id], recipe })
      else same.criteria.push(id)
      byGenerator.set(generator, shared)
    }
  }
  const sorted = [...byGenerator].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return sorted.length === 0
    ? undefined
    : writtenMap(
        sorted.map(
          ([generator, recipes]) =>
            [generator, recipes.map(({ criteria, recipe }) => ({ criteria, do: recipe.do, url: recipe.url }))] as const
        )
      )
}

/** Columns of a line. */
const WIDTH = 120

/** How the parts of a file are laid out; all others are maps and lists with a line for each entry. */
interface Layout {
  /** Keys whose map, or whose list's items, stay in one line where they fit. */
  readonly inline: ReadonlySet<string>
  /** Keys whose list's items stay in one line each, however long that is. */
  readonly oneLine: ReadonlySet<string>
  /** Keys whose items have a blank line before them; with it, the comment above an item. */
  readonly spaced: ReadonlyMap<
    string,
    (item: WrittenValue, index: number, items: ReadonlyArray<WrittenValue>) => string | null
  >
}

/** A value as YAML, at most 120 columns wide where its words allow it: long texts are folded. */
const yamlText = (value: WrittenMap, layout: Layout): string => {
  const document = new Document({})
  document.contents = mapNode(value, 0, layout)
  return document.toString(OPTIONS)
}

const OPTIONS = { lineWidth: WIDTH - 1, flowCollectionPadding: true, indentSeq: false } as const

type YamlValue = Scalar | YAMLMap | YAMLSeq

/** A list in brackets, which have no spaces inside as braces have. */
class BracketList extends YAMLSeq {
  override toString(...[context, onComment, onChompKeep]: Parameters<YAMLSeq["toString"]>): string {
    return super.toString(
      context === undefined ? context : { ...context, flowCollectionPadding: "" },
      onComment,
      onChompKeep
    )
  }
}

/** A map in braces that stays in one line, however long that is. */
class LongMap extends YAMLMap {
  override flow = true
  override toString(...[context, onComment, onChompKeep]: Parameters<YAMLMap["toString"]>): string {
    return super.toString(
      context === undefined ? context : { ...context, options: { ...context.options, lineWidth: 0 } },
      onComment,
      onChompKeep
    )
  }
}

/** In a line of its own behind a key or a dash. */
const inOneLine = (node: YamlValue): string => {
  const document = new Document({})
  document.contents = node
  return document.toString({ ...OPTIONS, lineWidth: 0 }).trimEnd()
}

const fits = (node: YamlValue, column: number): boolean => {
  const text = inOneLine(node)
  return !text.includes("\n") && column + text.length <= WIDTH
}

/** `column`: where the keys of the map begin. */
const mapNode = (value: WrittenMap, column: number, layout: Layout): YAMLMap => {
  const map = new YAMLMap()
  for (const [key, item] of value) {
    const name = keyNode(key)
    map.items.push(new Pair(name, valueNode(key, item, column, layout)))
  }
  return map
}

const keyNode = (key: string): Scalar => new Scalar(/^(?:0|[1-9]\d{0,8})$/u.test(key) ? Number(key) : key)

const valueNode = (key: string, item: WrittenValue, column: number, layout: Layout): YamlValue => {
  const behind = column + key.length + 2
  if (isWrittenMap(item))
    return (layout.inline.has(key) ? inline(item, behind) : null) ?? mapNode(item, column + 2, layout)
  if (typeof item === "object" && item !== null) return listNode(key, item, column, layout)
  return textNode(item, behind)
}

const listNode = (key: string, items: ReadonlyArray<WrittenValue>, column: number, layout: Layout): YAMLSeq => {
  const isInline = layout.inline.has(key)
  const isOneLine = layout.oneLine.has(key)
  const whole = isInline && items.every((item) => typeof item !== "object") ? flowList(items) : null
  if (whole !== null && fits(whole, column + key.length + 2)) return whole
  const list = new YAMLSeq()
  const comment = layout.spaced.get(key)
  items.forEach((item, index) => {
    const node =
      isOneLine && isWrittenMap(item) ? flowMap(item, new LongMap()) : itemNode(item, column + 2, isInline, layout)
    if (comment !== undefined) {
      const said = comment(item, index, items)
      node.spaceBefore = index > 0
      if (said !== null) node.commentBefore = ` ${said}`
    }
    list.items.push(node)
  })
  return list
}

/** `column`: behind the dash. */
const itemNode = (item: WrittenValue, column: number, isInline: boolean, layout: Layout): YamlValue => {
  if (isWrittenMap(item)) return (isInline ? inline(item, column) : null) ?? mapNode(item, column, layout)
  if (typeof item === "object" && item !== null) return flowList(item)
  return textNode(item, column)
}

const inline = (item: WrittenMap, column: number): YAMLMap | null => {
  const map = flowMap(item)
  return fits(map, column) ? map : null
}

const flowMap = (value: WrittenMap, map = new YAMLMap()): YAMLMap => {
  map.flow = true
  for (const [key, item] of value) map.items.push(new Pair(keyNode(key), flowValue(item)))
  return map
}

const flowList = (items: ReadonlyArray<WrittenValue>): YAMLSeq => {
  const list = new BracketList()
  list.flow = true
  list.items.push(...items.map(flowValue))
  return list
}

const flowValue = (item: WrittenValue): YamlValue => {
  if (isWrittenMap(item)) return flowMap(item)
  return typeof item === "object" && item !== null ? flowList(item) : new Scalar(item)
}

/** A text that is longer than its line is folded over the lines below. */
const textNode = (value: string | number | boolean | null, column: number): Scalar => {
  const scalar = new Scalar(value)
  if (typeof value === "string" && /^\S[^\n]*\S$/u.test(value) && !fits(scalar, column))
    scalar.type = Scalar.BLOCK_FOLDED
  return scalar
}
