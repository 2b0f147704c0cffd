import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  Parser,
  type Scalar,
  type ScalarTag,
  visit
} from "yaml"
import type { DuplicateKey, Json } from "./Json.ts"

/** The JSON value of a YAML text, or why it has none. */
type YamlReading =
  | { readonly _tag: "Read"; readonly value: Json; readonly duplicates: ReadonlyArray<DuplicateKey> }
  | { readonly _tag: "TooDeep" }
  | { readonly _tag: "TooManyAliases" }
  | { readonly _tag: "Malformed"; readonly line: number; readonly column: number }
  /** An alias of a part that contains the alias, which YAML allows and JSON cannot hold. */
  | { readonly _tag: "Circular"; readonly line: number; readonly column: number }

/**
 * How often one anchor's content may be repeated through aliases, nested ones multiplied. Descriptions written by hand
 * stay below a hundred; a bomb is at a thousand after three levels.
 */
const ALIAS_LIMIT = 10_000

/** Aliases of one text: the library looks for the anchor of each from the start. */
const ALIASES_READ = 2_000

const DUPLICATES_KEPT = 100

/** `044925`: a number in YAML 1.2, octal or a text in 1.1. Who writes a zero before it means the text. */
const ZERO_FIRST: ScalarTag = {
  tag: "tag:yaml.org,2002:str",
  default: true,
  test: /^[-+]?0[0-9]+$/,
  resolve: (text) => text
}

/**
 * Reads the first document of a YAML text. Nesting is measured on the concrete syntax, which is built without
 * recursion, before anything that recurses sees it.
 */
export const readSpecYaml = (text: string, depthLimit: number): YamlReading => {
  const tokens = [...new Parser().parse(text)]
  if (deepest(tokens, depthLimit) > depthLimit) return { _tag: "TooDeep" }
  const aliases = aliasesIn(tokens)
  if (aliases > ALIASES_READ) return { _tag: "TooManyAliases" }
  // The library compares every key with every other where it looks for duplicates itself; below it is one pass.
  // Without known tags `!!binary`, `!!set` or `!!timestamp` leave what is written, where they would give values that JSON has not.
  const composer = new Composer({
    schema: "core",
    customTags: (tags) => [ZERO_FIRST, ...tags],
    resolveKnownTags: false,
    uniqueKeys: false,
    merge: true,
    prettyErrors: false,
    logLevel: "silent"
  })
  const document = [...composer.compose(tokens, true, text.length)][0]
  if (document === undefined) return { _tag: "Malformed", line: 1, column: 1 }
  const error = document.errors[0]
  if (error !== undefined) return { _tag: "Malformed", ...positionOf(text, error.pos[0]) }
  const circle = aliases === 0 ? null : circularAlias(document.contents)
  if (circle !== null) return { _tag: "Circular", ...positionOf(text, circle.range?.[0] ?? 0) }
  return valueOf(document, text)
}

const valueOf = (document: Document.Parsed, text: string): YamlReading => {
  try {
    // `toJS` gives what JSON could hold, for the core schema: strings, numbers, booleans, nulls, lists and objects.
    const value = document.toJS({ maxAliasCount: ALIAS_LIMIT }) as Json
    return { _tag: "Read", value, duplicates: duplicateKeys(document.contents) }
  } catch {
    const fault = faultyReference(document.contents)
    return fault === null
      ? { _tag: "TooManyAliases" }
      : { _tag: "Malformed", ...positionOf(text, fault.range?.[0] ?? 0) }
  }
}

/** The first alias of a part that contains it. */
const circularAlias = (root: Node | null): Node | null => {
  const anchors = new Map<string, Node>()
  let circle: Node | null = null
  visit(root, {
    Alias: (_, alias, ancestors) => {
      const target = anchors.get(alias.source)
      if (target === undefined || !ancestors.includes(target)) return undefined
      circle = alias
      return visit.BREAK
    },
    Value: (_, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
    }
  })
  return circle
}

/** The first alias without an anchor before it, or merge of what is no map: the library finds both only when it makes the value. */
const faultyReference = (root: Node | null): Node | null => {
  const anchors = new Map<string, Node>()
  const resolved = (node: unknown): unknown => (isAlias(node) ? anchors.get(node.source) : node)
  const isMergeable = (node: unknown): boolean => {
    const source = resolved(node)
    return isSeq(source) ? source.items.every((item) => isMap(resolved(item))) : isMap(source)
  }
  let fault: Node | null = null
  visit(root, {
    Alias: (_, alias) => {
      if (anchors.has(alias.source)) return undefined
      fault = alias
      return visit.BREAK
    },
    Value: (_, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
    },
    Pair: (_, { key, value }) => {
      if (!isScalar(key) || !isMergeKey(key) || isMergeable(value)) return undefined
      fault = key
      return visit.BREAK
    }
  })
  return fault
}

/** With merging on, the library reads a plain `<<` as a symbol of that name. */
const isMergeKey = ({ value }: Scalar): boolean => typeof value === "symbol" && value.description === "<<"

/** Stops one beyond the limit. */
const deepest = (tokens: ReadonlyArray<CST.Token>, limit: number): number => {
  let level: ReadonlyArray<CST.Token> = tokens
  for (let depth = 0; depth <= limit; depth++) {
    if (level.length === 0) return depth
    level = level.flatMap(inner)
  }
  return limit + 1
}

const aliasesIn = (tokens: ReadonlyArray<CST.Token>): number => {
  let aliases = 0
  for (let level = tokens; level.length > 0; level = level.flatMap(inner)) {
    aliases += level.filter(({ type }) => type === "alias").length
  }
  return aliases
}

/** Values, and keys, which can nest too. */
const inner = (token: CST.Token): ReadonlyArray<CST.Token> => {
  if (token.type === "document") return token.value === undefined ? [] : [token.value]
  if (token.type !== "block-map" && token.type !== "block-seq" && token.type !== "flow-collection") return []
  return token.items.flatMap((item) => [item.key ?? [], item.value ?? []].flat())
}

const duplicateKeys = (root: Node | null): ReadonlyArray<DuplicateKey> => {
  const found: Array<DuplicateKey> = []
  const visitNode = (node: unknown, path: ReadonlyArray<string>): void => {
    if (isSeq(node)) return node.items.forEach((item, index) => visitNode(item, [...path, String(index)]))
    if (!isMap(node)) return
    const seen = new Set<string>()
    for (const pair of node.items) {
      if (!isPair(pair) || !isScalar(pair.key)) continue
      const key = String(pair.key.value)
      // A merge key may occur several times.
      if (seen.has(key) && !isMergeKey(pair.key) && found.length < DUPLICATES_KEPT) found.push({ path, key })
      seen.add(key)
      visitNode(pair.value, [...path, key])
    }
  }
  visitNode(root, [])
  return found
}

const positionOf = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, offset)
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") }
}
