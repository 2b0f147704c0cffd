import type { YamlEntry, YamlNode } from "./YamlSource.ts"

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
  if ("plain" in packed) return { plain: packed.plain, span, entries: new Map(), items: [] }
  if ("items" in packed) {
    const items = packed.items.map(unpackYaml)
    return { plain: items.map(({ plain }) => plain), span, entries: new Map(), items }
  }
  const entries = new Map(
    packed.entries.map(([name, key, node]): [string, YamlEntry] => [name, { key: spanOf(key), node: unpackYaml(node) }])
  )
  return {
    plain: Object.fromEntries([...entries].map(([name, { node }]) => [name, node.plain])),
    span,
    entries,
    items: []
  }
}

const spanOf = ([start, end]: PackedSpan) => ({ start, end })
