import { Document, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml"
import { isWrittenMap, type WrittenValue, type WrittenMap } from "./WrittenValue.ts"

/** Columns of a line. */
const WIDTH = 120

/** How the parts of a file are laid out; all others are maps and lists with a line for each entry. */
export interface Layout {
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
export const yamlText = (value: WrittenMap, layout: Layout): string => {
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
