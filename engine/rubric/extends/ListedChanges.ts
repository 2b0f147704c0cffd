import type { Diagnostic, Span } from "../source/SourceText.ts"
import type { YamlNode } from "../source/YamlSource.ts"
import { headOf, isMap, plainTextAt } from "../source/Draft.ts"

/** What a file says of a criterion or category, found by its id. */
export interface Patch {
  readonly id: string
  /** Where the id stands. */
  readonly span: Span
  readonly node: YamlNode
}

/** A part of a file as far as it can be understood, and what is wrong with the rest. */
interface Listed<A> {
  readonly items: ReadonlyArray<A>
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** The entries of `criteria` or `categories`, each with its id. */
export const patchesUnder = (root: YamlNode, key: string): Listed<Patch> => {
  const seen = new Set<string>()
  return listed(root, key, (node) => {
    const id = plainTextAt(node, "id")
    const entry = node.entries.get("id")
    if (!isMap(node))
      return wrong("value", node.span, `each of "${key}" must be a map with the "id" of what it changes`)
    if (id === null || entry === undefined)
      return wrong("missing_key", headOf(node), '"id" is missing', "name what this changes")
    if (seen.has(id))
      return wrong("duplicate_id", entry.node.span, `"${id}" is changed twice`, "write both changes in one place")
    seen.add(id)
    return { id, span: entry.node.span, node }
  })
}

/** The ids under `remove`. */
export const removedIds = (root: YamlNode): Listed<Omit<Patch, "node">> =>
  listed(root, "remove", ({ plain, span }) =>
    typeof plain === "string"
      ? { id: plain, span }
      : wrong("value", span, 'each of "remove" must be the id of a criterion')
  )

const listed = <A extends object>(root: YamlNode, key: string, read: (item: YamlNode) => A | Diagnostic): Listed<A> => {
  const entry = root.entries.get(key)
  if (entry === undefined) return { items: [], diagnostics: [] }
  if (!Array.isArray(entry.node.plain))
    return { items: [], diagnostics: [wrong("value", entry.key, `"${key}" must be a list`)] }
  const results = entry.node.items.map(read)
  return {
    items: results.flatMap((result) => (isDiagnostic(result) ? [] : [result])),
    diagnostics: results.flatMap((result) => (isDiagnostic(result) ? [result] : []))
  }
}

const isDiagnostic = (result: object): result is Diagnostic => "message" in result

export const wrong = (
  rule: Diagnostic["rule"],
  span: Span,
  message: string,
  hint: string | null = null
): Diagnostic => ({ rule, span, message, hint })
