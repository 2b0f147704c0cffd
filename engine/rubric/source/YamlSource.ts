import {
  isAlias,
  isMap as isYamlMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type YAMLError,
  type YAMLWarning
} from "yaml"
import { type Diagnostic, lineAt, type Piece, type SourceText, type Span } from "./SourceText.ts"

/** A value of the file, with its place. */
export interface YamlNode {
  /** The value as JavaScript has it. */
  readonly plain: unknown
  readonly span: Span
  /** Of a map; empty otherwise. */
  readonly entries: ReadonlyMap<string, YamlEntry>
  /** Of a list; empty otherwise. */
  readonly items: ReadonlyArray<YamlNode>
  /** Of a text that was composed of several of the file. */
  readonly pieces?: ReadonlyArray<Piece>
}

export interface YamlEntry {
  readonly key: Span
  readonly node: YamlNode
}

/** What a text holds as YAML. */
export interface YamlSource {
  /** `null` where the text cannot be relied on: it is not YAML, or not YAML that a rubric may use. */
  readonly root: YamlNode | null
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** The items of the list that a map has under a key; empty: there is none. */
export const itemsUnder = (node: YamlNode | undefined, key: string): ReadonlyArray<YamlNode> =>
  node?.entries.get(key)?.node.items ?? []

/** Deeper nesting is refused; a rubric needs seven levels. */
const DEEPEST = 32

const TOO_DEEP = "the file is nested too deeply"

/** More values are refused; a rubric of thirty criteria has two thousand. */
const MOST_VALUES = 20_000

/** Syntax problems that are reported; behind the first few come the consequences of the first few. */
const MOST_SYNTAX_PROBLEMS = 10

/** Reads a text as one YAML 1.2 document without aliases and tags: every line must mean what it says. */
export const readYamlSource = (source: SourceText): YamlSource => {
  const broken = syntaxDiagnostics(source)
  if ("diagnostics" in broken) return { root: null, diagnostics: broken.diagnostics }
  const reading: Reading = { diagnostics: [], fatal: false, values: 0 }
  const root = convert(broken.contents, { start: 0, end: 0 }, 0, reading)
  return { root: reading.fatal ? null : root, diagnostics: reading.diagnostics }
}

interface Reading {
  readonly diagnostics: Array<Diagnostic>
  fatal: boolean
  values: number
}

const syntaxDiagnostics = (
  source: SourceText
): { readonly diagnostics: ReadonlyArray<Diagnostic> } | { readonly contents: Node } => {
  const whole = { start: 0, end: 0 }
  const fail = (message: string, rule: Diagnostic["rule"] = "file") => ({
    diagnostics: [{ rule, span: whole, message }]
  })
  // Duplicate keys are looked for below: the library's own check takes quadratic time.
  const document = attempt(() => parseDocument(source.text, { prettyErrors: false, uniqueKeys: false }))
  if (document === null) return fail(TOO_DEEP, "yaml")
  const diagnostics: Array<Diagnostic> = []
  const seen = new Set<number>()
  for (const fault of causes([...document.errors, ...document.warnings])) {
    const line = lineAt(source, fault.pos[0])
    if (seen.has(line) || diagnostics.length === MOST_SYNTAX_PROBLEMS) continue
    seen.add(line)
    diagnostics.push({
      rule: "yaml",
      span: { start: fault.pos[0], end: fault.pos[1] },
      ...wording(fault.code, fault.message)
    })
  }
  if (diagnostics.length > 0) return { diagnostics }
  const { contents } = document
  return contents === null || (isScalar(contents) && contents.value === null) ? fail("the file is empty") : { contents }
}

/** In file order; where tabs are among them, those alone, since all the others follow from them. */
const causes = (faults: ReadonlyArray<YAMLError | YAMLWarning>): ReadonlyArray<YAMLError | YAMLWarning> => {
  const tabs = faults.filter((fault) => fault.code === "TAB_AS_INDENT")
  return (tabs.length > 0 ? tabs : faults).toSorted((a, b) => a.pos[0] - b.pos[0])
}

/** The library recurses; hostile nesting can exhaust the stack. */
const attempt = <A>(read: () => A): A | null => {
  try {
    return read()
  } catch {
    return null
  }
}

const wording = (code: string, message: string): { readonly message: string; readonly hint: string | null } => {
  switch (code) {
    case "TAB_AS_INDENT":
      return { message: "a tab cannot indent YAML", hint: "indent with spaces" }
    case "TAG_RESOLVE_FAILED":
      return { message: "a rubric has no YAML tags", hint: 'a text that begins with "!" must be quoted' }
    case "MULTIPLE_DOCS":
      return { message: "the file holds more than one YAML document", hint: null }
    case "BLOCK_AS_IMPLICIT_KEY":
      return {
        message: 'a second ":" on the line',
        hint: 'a text with ": " in it must be quoted; a key below it must be indented as its neighbours are'
      }
    case "RESOURCE_EXHAUSTION":
      return { message: TOO_DEEP, hint: null }
    case "BAD_SCALAR_START":
      return { message: "a text cannot begin with this character", hint: "quote the text" }
    default:
      return { message: `not YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`, hint: null }
  }
}

const NO_ENTRIES: ReadonlyMap<string, YamlEntry> = new Map()

const spanOf = (node: Node, otherwise: Span): Span =>
  node.range === null || node.range === undefined ? otherwise : { start: node.range[0], end: node.range[1] }

const convert = (node: unknown, place: Span, depth: number, reading: Reading): YamlNode => {
  const nothing = { plain: null, span: place, entries: NO_ENTRIES, items: [] }
  if (reading.fatal) return nothing
  reading.values += 1
  if (reading.values > MOST_VALUES)
    return refuse(reading, nothing, place, `the file has more than ${MOST_VALUES} values`, null)
  if (isScalar(node)) return { plain: node.value, span: spanOf(node, place), entries: NO_ENTRIES, items: [] }
  if (isAlias(node))
    return refuse(reading, nothing, spanOf(node, place), "a rubric has no YAML aliases", "write the value out")
  if (!isYamlMap(node) && !isSeq(node)) return nothing
  const span = spanOf(node, place)
  if (depth === DEEPEST) return refuse(reading, nothing, { start: span.start, end: span.start }, TOO_DEEP, null)
  if (isSeq(node)) {
    const items = node.items.map((item) => convert(item, span, depth + 1, reading))
    return { plain: items.map((item) => item.plain), span, entries: NO_ENTRIES, items }
  }
  const entries = entriesOf(node.items, span, depth, reading)
  return {
    plain: Object.fromEntries([...entries].map(([key, entry]) => [key, entry.node.plain])),
    span,
    entries,
    items: []
  }
}

const refuse = (reading: Reading, node: YamlNode, span: Span, message: string, hint: string | null): YamlNode => {
  reading.fatal = true
  reading.diagnostics.push({ rule: "yaml", span, message, hint })
  return node
}

/** The entries of a map; of a key that is given twice, the first. */
const entriesOf = (
  pairs: ReadonlyArray<Pair>,
  place: Span,
  depth: number,
  reading: Reading
): ReadonlyMap<string, YamlEntry> => {
  const entries = new Map<string, YamlEntry>()
  for (const { key, value } of pairs) {
    if (reading.fatal) break
    const named = convert(key, place, depth + 1, reading)
    const name = String(named.plain)
    if (entries.has(name)) {
      reading.diagnostics.push({
        rule: "duplicate_key",
        span: named.span,
        message: `"${name}" is given twice`,
        hint: "remove one of the two"
      })
    } else {
      entries.set(name, { key: named.span, node: convert(value, named.span, depth + 1, reading) })
    }
  }
  return entries
}

export const leafOf = (plain: unknown, span: Span): YamlNode => ({ plain, span, entries: new Map(), items: [] })

export const mapOf = (entries: ReadonlyMap<string, YamlEntry>, span: Span): YamlNode => ({
  plain: Object.fromEntries([...entries].map(([key, { node }]) => [key, node.plain])),
  span,
  entries,
  items: []
})

export const listOf = (items: ReadonlyArray<YamlNode>, span: Span): YamlNode => ({
  plain: items.map(({ plain }) => plain),
  span,
  entries: new Map(),
  items
})

export const isMap = ({ plain }: YamlNode): boolean =>
  typeof plain === "object" && plain !== null && !Array.isArray(plain)

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
  const span = packedSpan(packed.at)
  if ("plain" in packed) return leafOf(packed.plain, span)
  if ("items" in packed) return listOf(packed.items.map(unpackYaml), span)
  return mapOf(
    new Map(packed.entries.map(([name, key, node]) => [name, { key: packedSpan(key), node: unpackYaml(node) }])),
    span
  )
}

const packedSpan = ([start, end]: PackedSpan) => ({ start, end })
