import { leafOf, listOf, mapOf } from "./Draft.ts"
import type { YamlNode } from "./YamlSource.ts"

/** A YAML tree as JSON: its offsets, then a value, or the items of a list, or the entries of a map. */
export type PackedYaml =
  | { readonly at: PackedSpan; readonly plain: unknown }
  | { readonly at: PackedSpan; readonly items: ReadonlyArray<PackedYaml> }
  | {
      readonly at: PackedSpan
      readonly entries: ReadonlyArray<readonly [name: string, key: PackedSpan, node: PackedYaml]>
    }

type PackedSpan = readonly [start: number, end: number]

/** The tree as JSON, for the build. */
export const packYaml = ({ entries, items, plain, span: { end, start } }: YamlNode): PackedYaml => {
  const at = [start, end] as const
  if (Array.isArray(plain)) return { at, items: items.map(packYaml) }
  if (typeof plain !== "object" || plain === null) return { at, plain }
  return { at, entries: [...entries].map(([name, { key, node }]) => [name, [key.start, key.end], packYaml(node)]) }
}

/** The tree that was packed, places included. */
export const unpackYaml = (packed: PackedYaml): YamlNode => {
  const span = spanOf(packed.at)
  if ("plain" in packed) return leafOf(packed.plain, span)
  if ("items" in packed) return listOf(packed.items.map(unpackYaml), span)
  return mapOf(
    new Map(packed.entries.map(([name, key, node]) => [name, { key: spanOf(key), node: unpackYaml(node) }])),
    span
  )
}

const spanOf = ([start, end]: PackedSpan) => ({ start, end })
