import type { ASTNode } from "@marcbachmann/cel-js"
import * as Result from "effect/Result"
import { parseCondition } from "../condition/Condition.ts"
import { composed, type Piece, type PlacedText, placeWithin } from "../source/ComposedText.ts"
import type { Diagnostic, SourceText } from "../source/SourceText.ts"
import { Binding, bindingOf, type PlacedNode, placedParts, rootOf } from "./ConditionSyntax.ts"

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
export interface Spelt {
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
