import { mapOf, listOf } from "../source/TreeParts.ts"
import type { Span } from "../source/SourceText.ts"
import type { YamlNode } from "../source/YamlSource.ts"

/** A value as YAML has it; maps keep the order of their keys, numbers among them. */
export type WrittenValue = string | number | boolean | null | WrittenList | WrittenMap
export type WrittenList = ReadonlyArray<WrittenValue>
export interface WrittenMap extends ReadonlyMap<string, WrittenValue> {}

export const isWrittenMap = (value: WrittenValue): value is WrittenMap => value instanceof Map

/** JSON, or maps and lists of it, as YAML has them. */
export const writtenOf = (value: unknown): WrittenValue => {
  if (value instanceof Map) return writtenMap(value)
  if (Array.isArray(value)) return value.map(writtenOf)
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value
  return typeof value === "object" && value !== null ? writtenMap(Object.entries(value)) : null
}

/** Those of some entries that have a value. */
export const writtenMap = (entries: Iterable<readonly [key: string, value: unknown]>): WrittenMap =>
  new Map([...entries].flatMap(([key, value]) => (value === undefined ? [] : [[key, writtenOf(value)] as const])))

/** A part of a file as it is written there. */
export const writtenNode = ({ entries, items, plain }: YamlNode): WrittenValue => {
  if (Array.isArray(plain)) return items.map(writtenNode)
  return typeof plain === "object" && plain !== null
    ? new Map([...entries].map(([key, { node }]) => [key, writtenNode(node)]))
    : writtenOf(plain)
}

/** As a part of a file, all of it at one place. */
export const nodeOf = (written: WrittenValue, span: Span): YamlNode => {
  if (isWrittenMap(written))
    return mapOf(new Map([...written].map(([key, value]) => [key, { key: span, node: nodeOf(value, span) }])), span)
  return typeof written === "object" && written !== null
    ? listOf(
        written.map((item) => nodeOf(item, span)),
        span
      )
    : { plain: written, span, entries: new Map(), items: [] }
}
