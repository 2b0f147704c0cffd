import type { Span } from "./SourceText.ts"
import type { YamlEntry, YamlNode } from "./YamlSource.ts"

/** A map with these entries. */
export const mapOf = (entries: ReadonlyMap<string, YamlEntry>, span: Span): YamlNode => ({
  plain: Object.fromEntries([...entries].map(([key, { node }]) => [key, node.plain])),
  span,
  entries,
  items: []
})

/** A list of these items. */
export const listOf = (items: ReadonlyArray<YamlNode>, span: Span): YamlNode => ({
  plain: items.map(({ plain }) => plain),
  span,
  entries: new Map(),
  items
})

export const isMap = ({ plain }: YamlNode): boolean =>
  typeof plain === "object" && plain !== null && !Array.isArray(plain)

/** The items of the list under a key; none where there is no list. */
export const itemsOf = (node: YamlNode, key: string): ReadonlyArray<YamlNode> => node.entries.get(key)?.node.items ?? []

/** The text under a key; `null` where there is none. */
export const plainTextAt = (node: YamlNode, key: string): string | null => {
  const plain = node.entries.get(key)?.node.plain
  return typeof plain === "string" ? plain : null
}

/** A map with one entry more, or another one under its key. */
export const withEntry = (node: YamlNode, key: string, entry: YamlEntry): YamlNode =>
  mapOf(new Map(node.entries).set(key, entry), node.span)

export const withoutEntry = (node: YamlNode, key: string): YamlNode =>
  mapOf(new Map([...node.entries].filter(([name]) => name !== key)), node.span)

/** A value of the base, placed where the file inherits it. */
export const inheritedAt = (node: YamlNode, span: Span): YamlNode => ({
  plain: node.plain,
  span,
  items: node.items.map((item) => inheritedAt(item, span)),
  entries: new Map([...node.entries].map(([key, entry]) => [key, { key: span, node: inheritedAt(entry.node, span) }]))
})

/**
 * A value of the base with the file's changes, as by a JSON Merge Patch (RFC 7396): maps are merged key by key, an empty value
 * removes its key, and anything else, lists too, replaces the base's value. `anchor` marks a place as that of inherited values.
 */
export const patched = (base: YamlNode, patch: YamlNode, span: Span, anchor: (span: Span) => Span): YamlNode => {
  if (!isMap(base) || !isMap(patch)) return patch
  const entries = new Map(inheritedAt(base, anchor(span)).entries)
  for (const [key, entry] of patch.entries) {
    const below = base.entries.get(key)
    if (entry.node.plain === null) entries.delete(key)
    else
      entries.set(
        key,
        below === undefined ? entry : { key: entry.key, node: patched(below.node, entry.node, entry.key, anchor) }
      )
  }
  return mapOf(entries, patch.span)
}

/** The first key of a map. */
export const headOf = ({ entries, span }: YamlNode): Span =>
  entries.values().next().value?.key ?? { start: span.start, end: span.start + 1 }
