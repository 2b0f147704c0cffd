import * as Result from "effect/Result"
import type * as SchemaAST from "effect/SchemaAST"
import type * as SchemaIssue from "effect/SchemaIssue"
import { nearestName, suggestion } from "./NearestName.ts"
import type { ProblemRule } from "./Problem.ts"
import type { Diagnostic, Span } from "./SourceText.ts"
import type { YamlNode } from "./YamlSource.ts"

/** What is wrong with a file, called `whole` where no key of it is meant, such as `a rubric`: one diagnostic a mistake, none where it could be decoded. */
export const shapeDiagnostics = (
  decoded: Result.Result<unknown, SchemaIssue.Issue>,
  root: YamlNode,
  whole: string
): ReadonlyArray<Diagnostic> =>
  Result.isSuccess(decoded)
    ? []
    : schemaDiagnostics(decoded.failure, root, { start: root.span.start, end: root.span.start + 1 }, whole)

/** What a schema has against a part of a file, called `whole` where no key of it is meant, with places; one diagnostic a mistake. */
export const schemaDiagnostics = (
  issue: SchemaIssue.Issue,
  root: YamlNode,
  within: Span,
  whole: string
): ReadonlyArray<Diagnostic> => {
  const leaves = leavesOf(issue, { path: [], keys: [], message: null })
  const misspelt = misspeltKeys(leaves)
  return leaves.flatMap((leaf): ReadonlyArray<Diagnostic> => {
    const place = placeOf(root, leaf.path, within)
    const name = leaf.path.at(-1)
    if (leaf.issue._tag === "MissingKey") {
      return misspelt.has(pathKey(leaf.path))
        ? []
        : [diagnostic("missing_key", place.parent, `"${String(name)}" is missing`, null)]
    }
    if (leaf.issue._tag === "UnexpectedKey") {
      return [
        diagnostic(
          "unknown_key",
          place.key,
          `unknown key "${String(name)}"`,
          suggestion(String(name), namedKeys(leaf.keys), "the keys are")
        )
      ]
    }
    return [valueFinding(leaf, place, name === undefined ? whole : subjectOf(leaf.path, name))]
  })
}

interface Context {
  readonly path: ReadonlyArray<PropertyKey>
  /** The keys that the map around it may have. */
  readonly keys: ReadonlyArray<string>
  /** What a check has to say about its failing. */
  readonly message: string | null
}

interface Leaf extends Context {
  readonly issue: SchemaIssue.Leaf | SchemaIssue.AnyOf
}

const leavesOf = (issue: SchemaIssue.Issue, at: Context): ReadonlyArray<Leaf> => {
  if (issue._tag === "Pointer") return leavesOf(issue.issue, { ...at, path: [...at.path, ...issue.path] })
  if (issue._tag === "Composite") {
    const keys = keysOf(issue.ast)
    return issue.issues.flatMap((part) => leavesOf(part, { ...at, keys }))
  }
  if (issue._tag === "Filter")
    return leavesOf(issue.issue, { ...at, message: checkMessage(issue.filter) ?? at.message })
  if (issue._tag === "Encoding") return leavesOf(issue.issue, at)
  return (issue._tag === "AnyOf" ? inOneMember(issue, at) : null) ?? [{ ...at, issue }]
}

const checkMessage = ({ annotations }: SchemaIssue.Filter["filter"]): string | null => {
  const expected = textOf(annotations?.["expected"])
  return textOf(annotations?.["message"]) ?? (expected === null ? null : `must be ${expected}`)
}

/** Of a choice, the one alternative that the value was meant as, where that is plain: its own faults are the faults. */
const inOneMember = (issue: SchemaIssue.AnyOf, at: Context): ReadonlyArray<Leaf> | null => {
  const deep = issue.issues.flatMap((part) => leavesOf(part, at)).filter((leaf) => leaf.path.length > at.path.length)
  return deep.length === 0 ? null : deep
}

const keysOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  ast._tag === "Objects" ? ast.propertySignatures.map((signature) => String(signature.name)) : []

/** `measure` is spelt out as a plugin before a criterion gets here. */
const namedKeys = (keys: ReadonlyArray<string>): ReadonlyArray<string> =>
  keys.flatMap((key) => (key === "plugin" ? [key, "measure"] : [key]))

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

const pathKey = (path: ReadonlyArray<PropertyKey>): string => JSON.stringify(path.map(String))

/** Missing keys that the file has under a misspelt name: one mistake, reported at that name. */
const misspeltKeys = (leaves: ReadonlyArray<Leaf>): ReadonlySet<string> =>
  new Set(
    leaves.flatMap((leaf) => {
      const near = leaf.issue._tag === "UnexpectedKey" ? nearestName(String(leaf.path.at(-1)), leaf.keys) : null
      return near === null ? [] : [pathKey([...leaf.path.slice(0, -1), near])]
    })
  )

interface Place {
  readonly key: Span
  readonly value: Span
  /** The first key of the map around it. */
  readonly parent: Span
  readonly plain: unknown
}

const placeOf = (root: YamlNode, path: ReadonlyArray<PropertyKey>, within: Span): Place => {
  let place: Place = { key: within, value: root.span, parent: within, plain: root.plain }
  let node: YamlNode | undefined = root
  for (const step of path) {
    const around: YamlNode = node
    const parent = head(around, place.value)
    const entry: { readonly key: Span; readonly node: YamlNode } | undefined = around.entries.get(String(step))
    node = entry?.node ?? around.items[Number(step)]
    if (node === undefined) return { ...place, parent }
    place = { key: entry?.key ?? node.span, value: node.span, parent, plain: node.plain }
  }
  return place
}

const head = (node: YamlNode, otherwise: Span): Span => node.entries.values().next().value?.key ?? otherwise

const diagnostic = (rule: ProblemRule, span: Span, message: string, hint: string | null): Diagnostic => ({
  rule,
  span,
  message,
  hint
})

const valueFinding = (leaf: Leaf, place: Place, subject: string): Diagnostic => {
  const { plain } = place
  const span = typeof plain === "object" && plain !== null ? place.key : place.value
  if (leaf.message !== null) return diagnostic("value", span, `${subject} ${leaf.message}`, null)
  const told = leaf.issue._tag === "InvalidValue" ? textOf(leaf.issue.annotations?.["message"]) : null
  if (told !== null) return diagnostic("value", span, `${subject}: ${told}`, null)
  const choices = leaf.issue._tag === "InvalidType" || leaf.issue._tag === "AnyOf" ? literalsOf(leaf.issue.ast) : []
  if (choices.length > 0 && typeof plain === "string") {
    return diagnostic("value", span, `${subject} cannot be "${plain}"`, suggestion(plain, choices, "it is one of"))
  }
  return diagnostic("value", span, `${subject} must be ${expectedOf(leaf.issue)}, not ${kindOf(plain)}`, null)
}

const subjectOf = (path: ReadonlyArray<PropertyKey>, name: PropertyKey): string => {
  const list = path.findLast((step) => typeof step === "string")
  return typeof name === "number" && list !== undefined ? `each of "${list}"` : `"${String(name)}"`
}

const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (ast._tag === "Literal") return [String(ast.literal)]
  if (ast._tag !== "Union") return []
  return ast.types.every((type) => type._tag === "Literal") ? ast.types.flatMap(literalsOf) : []
}

const expectedOf = (issue: Leaf["issue"]): string => {
  if (!("ast" in issue)) return "something else"
  const { ast } = issue
  const said = textOf(ast.annotations?.["expected"])
  if (said !== null) return said
  return KINDS.get(ast._tag) ?? "of another kind"
}

const KINDS: ReadonlyMap<SchemaAST.AST["_tag"], string> = new Map([
  ["String", "text"],
  ["Number", "a number"],
  ["Boolean", "true or false"],
  ["Arrays", "a list"],
  ["Objects", "a map"]
])

const kindOf = (value: unknown): string => {
  if (value === null) return "empty"
  if (Array.isArray(value)) return "a list"
  if (typeof value === "string") return "text"
  if (typeof value === "number") return String(value)
  return typeof value === "boolean" ? String(value) : "a map"
}
