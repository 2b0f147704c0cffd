import type { ASTNode } from "@marcbachmann/cel-js"
import * as Result from "effect/Result"
import { parseCondition } from "../condition/Condition.ts"
import {
  composed,
  type Diagnostic,
  type Piece,
  type PlacedText,
  placeWithin,
  type SourceText
} from "../source/SourceText.ts"

/** A check of a criterion: a condition with a name. */
export interface NamedCheck {
  readonly name: string
  /** Over `facts`; `null` where it does not read as CEL, which `checkOf` reports. */
  readonly pieces: ReadonlyArray<Piece> | null
  readonly binding: Binding
  /** What it adds to `checks` where it holds. */
  readonly counts: number
}

/** A condition of format 3 in the words of format 2: over `facts`, without names of checks. */
interface Spelt {
  /** `null` where it cannot be told, because a check in it does not read as CEL. */
  readonly pieces: ReadonlyArray<Piece> | null
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** The number of checks that hold, in conditions. */
export const CHECKS = "checks"

const FACTS = "facts"

/** The condition of a check, in which all names are facts. */
export const checkOf = (
  name: string,
  text: PlacedText,
  counts: number,
  source: SourceText
): { readonly check: NamedCheck; readonly diagnostics: ReadonlyArray<Diagnostic> } => {
  const parsed = parseNames(text.value)
  if (Result.isFailure(parsed)) {
    const { hint, message, ...part } = parsed.failure
    return {
      check: { name, pieces: null, binding: Binding.atom, counts },
      diagnostics: [{ rule: "condition", span: placeWithin(source.text, text, part), message, hint }]
    }
  }
  const { diagnostics, pieces } = spelt(text, [], source)
  return { check: { name, pieces, binding: bindingOf(parsed.success), counts }, diagnostics }
}

/**
 * A condition with its names spelt out. Where true or false is wanted, a name is that of a check, if there is one; anywhere else
 * it is that of a fact, or `checks`. What does not read as CEL is left as it is: whoever compiles it reports it.
 */
export const spelt = (text: PlacedText, checks: ReadonlyArray<NamedCheck>, source: SourceText): Spelt => {
  const parsed = parseNames(text.value)
  if (Result.isFailure(parsed)) return { pieces: [wholeOf(text)], diagnostics: [] }
  const names = namesIn(rootOf(parsed.success)).toSorted((one, other) => one.node.start - other.node.start)
  const spelling = names.map((name) => ({ name, pieces: piecesOf(name, text, checks) }))
  return {
    pieces: spelling.some(({ pieces }) => pieces === null) ? null : joined(text, spelling),
    diagnostics: names.flatMap(({ node }) => misnamed(node, text, checks, source))
  }
}

interface Spelling {
  readonly name: PlacedNode
  readonly pieces: ReadonlyArray<Piece> | null
}

const namesIn = (placed: PlacedNode): ReadonlyArray<PlacedNode> => {
  const { bound, node } = placed
  return node.op === "id" && !bound.includes(node.args) ? [placed] : placedParts(placed).flatMap(namesIn)
}

/** The text between the names as it is, and the spelling of each. */
const joined = (text: PlacedText, spelling: ReadonlyArray<Spelling>): ReadonlyArray<Piece> => {
  const stretch = (start: number, end: number): ReadonlyArray<Piece> =>
    start === end ? [] : [{ ...wholeOf(text), text: text.value.slice(start, end), at: { start, end } }]
  const parts = spelling.flatMap(({ name, pieces }, index) => [
    ...stretch(spelling[index - 1]?.name.node.end ?? 0, name.node.start),
    ...(pieces ?? [])
  ])
  return [...parts, ...stretch(spelling.at(-1)?.name.node.end ?? 0, text.value.length)]
}

const wholeOf = ({ span, value }: PlacedText): Piece => ({
  text: value,
  value,
  span,
  at: { start: 0, end: value.length }
})

/** Words that CEL reserves, which facts are named after all the same; texts in quotes are matched to be left alone. */
const RESERVED =
  /"[^"]*"|'[^']*'|\b(?:as|break|const|continue|else|for|function|if|import|let|loop|namespace|package|return|var|void|while)\b/gu

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** The syntax tree of a condition of format 3, in which a reserved word is a name with a capital. */
const parseNames = (text: string): ReturnType<typeof parseCondition> =>
  parseCondition(text.replace(RESERVED, (word) => (/^["']/u.test(word) ? word : capitalised(word))))

/** Names of facts and checks have no capitals. */
const nameOf = (node: ASTNode): string =>
  node.op === "id" ? node.args.charAt(0).toLowerCase() + node.args.slice(1) : ""

const piecesOf = (
  placed: PlacedNode,
  text: PlacedText,
  checks: ReadonlyArray<NamedCheck>
): ReadonlyArray<Piece> | null => {
  const { binding, isTruth, node } = placed
  const name = nameOf(node)
  const written = (said: string): Piece => ({
    ...wholeOf(text),
    text: said,
    at: { start: node.start, end: node.end }
  })
  const within = (pieces: ReadonlyArray<Piece>, own: Binding): ReadonlyArray<Piece> =>
    own < binding ? [written("("), ...pieces, written(")")] : pieces
  const check = isTruth ? checks.find((each) => each.name === name) : undefined
  if (check !== undefined) return check.pieces === null ? null : within(check.pieces, check.binding)
  if (name === FACTS) return [written(name)]
  if (name === CHECKS && checks.length === 0) return null
  if (name !== CHECKS) return [written(`${FACTS}.${name}`)]
  const number = numberOf(checks, written)
  return number === null ? null : within(number, checks.some(({ counts }) => counts > 1) ? Binding.sum : Binding.atom)
}

/** How many checks hold: those that count once as the size of a list, each other as a choice. */
const numberOf = (checks: ReadonlyArray<NamedCheck>, written: (said: string) => Piece): ReadonlyArray<Piece> | null => {
  const once = checks.filter(({ counts }) => counts === 1)
  const list = once.flatMap(({ pieces }, index) => [...(index === 0 ? [] : [written(", ")]), ...(pieces ?? [])])
  const terms = [
    ...(once.length === 0 ? [] : [[written("["), ...list, written("].filter(met, met).size()")]]),
    ...checks
      .filter(({ counts }) => counts > 1)
      .map(({ binding, counts, pieces }) => [
        written("("),
        ...(binding === Binding.choice ? [written("("), ...(pieces ?? []), written(")")] : (pieces ?? [])),
        written(` ? ${counts} : 0)`)
      ])
  ]
  return checks.some(({ pieces }) => pieces === null)
    ? null
    : terms.flatMap((term, index) => [...(index === 0 ? [] : [written(" + ")]), ...term])
}

/** Names that format 3 does not have. */
const misnamed = (
  node: ASTNode,
  text: PlacedText,
  checks: ReadonlyArray<NamedCheck>,
  source: SourceText
): ReadonlyArray<Diagnostic> => {
  const fault = (message: string, hint: string): ReadonlyArray<Diagnostic> => [
    { rule: "condition", span: placeWithin(source.text, text, node), message, hint }
  ]
  if (nameOf(node) === FACTS) return fault("format 3 names facts without `facts.`", "leave `facts.` out")
  if (nameOf(node) === CHECKS && checks.length === 0)
    return fault("there are no checks to count", "name conditions under `checks`; a check itself reads facts only")
  return []
}

/** The text that some pieces come to. */
export const spelling = ({ pieces }: Spelt): string | null => (pieces === null ? null : composed(pieces))

/** How tightly the outermost operator of a condition binds; a part that binds looser than its place allows needs parentheses. */
const Binding = { choice: 0, or: 1, and: 2, comparison: 3, sum: 4, product: 5, negation: 6, atom: 7 } as const
type Binding = (typeof Binding)[keyof typeof Binding]

/** The functions whose first argument is a variable for the elements of a list. */
const MACROS: ReadonlySet<string> = new Set(["filter", "all", "exists", "exists_one"])

/** A node of a condition with what its place means for it. */
export interface PlacedNode {
  readonly node: ASTNode
  /** Whether its place wants true or false. */
  readonly isTruth: boolean
  /** It needs parentheses where it binds looser. */
  readonly binding: Binding
  /** The variables of the functions around it. */
  readonly bound: ReadonlyArray<string>
}

export const rootOf = (node: ASTNode): PlacedNode => ({ node, isTruth: true, binding: Binding.choice, bound: [] })

/** Of each operator; everything else is an atom. */
const BINDINGS: ReadonlyMap<ASTNode["op"], Binding> = new Map([
  ["?:", Binding.choice],
  ["||", Binding.or],
  ["&&", Binding.and],
  ["==", Binding.comparison],
  ["!=", Binding.comparison],
  ["<", Binding.comparison],
  ["<=", Binding.comparison],
  [">", Binding.comparison],
  [">=", Binding.comparison],
  ["in", Binding.comparison],
  ["+", Binding.sum],
  ["-", Binding.sum],
  ["*", Binding.product],
  ["/", Binding.product],
  ["%", Binding.product],
  ["!_", Binding.negation],
  ["-_", Binding.negation]
])

/** How tightly a condition binds. */
const bindingOf = ({ op }: ASTNode): Binding => BINDINGS.get(op) ?? Binding.atom

/** The parts of a node that are read for their values, in the order in which they are written; the variables of functions are left out. */
export const placedParts = ({ bound, isTruth, node }: PlacedNode): ReadonlyArray<PlacedNode> => {
  const part = (node: ASTNode, isTruth: boolean, binding: Binding, more: ReadonlyArray<string> = []): PlacedNode => ({
    node,
    isTruth,
    binding,
    bound: [...bound, ...more]
  })
  if (node.op === "value" || node.op === "id" || node.op === "map") return []
  if (node.op === "." || node.op === ".?") return [part(node.args[0], false, Binding.atom)]
  if (node.op === "!_") return [part(node.args, true, Binding.negation)]
  if (node.op === "-_") return [part(node.args, false, Binding.negation)]
  if (node.op === "&&" || node.op === "||") return node.args.map((each) => part(each, true, bindingOf(node)))
  if (node.op === "?:") {
    const [test, then, otherwise] = node.args
    return [part(test, true, Binding.or), part(then, isTruth, Binding.or), part(otherwise, isTruth, Binding.choice)]
  }
  if (node.op === "list") return node.args.map((each) => part(each, true, Binding.choice))
  if (node.op === "call") return node.args[1].map((each) => part(each, false, Binding.choice))
  if (node.op === "rcall") {
    const [name, list, [variable, test]] = node.args
    const receiver = part(list, false, Binding.atom)
    if (!MACROS.has(name) || variable?.op !== "id" || test === undefined)
      return [receiver, ...node.args[2].map((each) => part(each, false, Binding.choice))]
    return [receiver, part(test, true, Binding.choice, [variable.args])]
  }
  const tighter = bindingOf(node) === Binding.comparison ? Binding.sum : Binding.atom
  return node.args.map((each) => part(each, false, tighter))
}

/** The text of a node with all its parentheses, which the parser leaves out at its edges. */
export const nodeText = ({ end, input, start }: ASTNode): string => input.slice(...balanced(input, start, end))

/** The stretch of a node, made longer until each parenthesis in it has its other half. */
export const balanced = (input: string, start: number, end: number): readonly [start: number, end: number] => {
  const { closing, opening } = unmatched(input.slice(start, end))
  let [from, to] = [start, end]
  for (let left = closing; left > 0; left -= 1) from = input.lastIndexOf("(", from - 1)
  for (let left = opening; left > 0; left -= 1) to = input.indexOf(")", to) + 1
  return from < 0 || to <= 0 ? [start, end] : [from, to]
}

const QUOTED = /"[^"]*"|'[^']*'/gu

const unmatched = (text: string): { readonly closing: number; readonly opening: number } => {
  let closing = 0
  let opening = 0
  for (const character of text.replace(QUOTED, "")) {
    if (character === "(") opening += 1
    if (character === ")" && opening === 0) closing += 1
    else if (character === ")") opening -= 1
  }
  return { closing, opening }
}
