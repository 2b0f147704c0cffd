/**
 * The part of ECMAScript's regular expressions that can be matched in linear time: no look-around, no back reference, no word boundary.
 * A foreign pattern is never given to the engine as a whole, only its single characters and classes are.
 */
export type PatternNode =
  | { readonly _tag: "One"; readonly test: (character: string) => boolean }
  | { readonly _tag: "Start" }
  | { readonly _tag: "End" }
  | { readonly _tag: "Sequence"; readonly parts: ReadonlyArray<PatternNode> }
  | { readonly _tag: "Choice"; readonly branches: ReadonlyArray<PatternNode> }
  /** `most` is Infinity where there is no upper bound. */
  | { readonly _tag: "Repeat"; readonly part: PatternNode; readonly least: number; readonly most: number }

/** Characters of a pattern, and groups in groups. Patterns of descriptions in use have some hundreds and a few. */
const LONGEST = 1_000
const NESTING = 40

/** `null` where the pattern is longer, or has something that is not in this subset or not understood. */
export const parsePattern = (pattern: string): PatternNode | null => {
  if (pattern.length > LONGEST) return null
  const reader: Reader = { pattern, at: 0, depth: 0 }
  const node = choice(reader)
  return node !== null && reader.at === pattern.length ? node : null
}

interface Reader {
  readonly pattern: string
  at: number
  depth: number
}

const choice = (reader: Reader): PatternNode | null => {
  const branches: Array<PatternNode> = []
  do {
    const branch = sequence(reader)
    if (branch === null) return null
    branches.push(branch)
  } while (takes(reader, "|"))
  const [only] = branches
  return branches.length === 1 && only !== undefined ? only : { _tag: "Choice", branches }
}

const sequence = (reader: Reader): PatternNode | null => {
  const parts: Array<PatternNode> = []
  while (reader.at < reader.pattern.length && !/[|)]/.test(reader.pattern[reader.at] ?? "")) {
    const atom = atomAt(reader)
    const part = atom === null ? null : repeated(reader, atom)
    if (part === null) return null
    parts.push(part)
  }
  return { _tag: "Sequence", parts }
}

const atomAt = (reader: Reader): PatternNode | null => {
  if (takes(reader, "^")) return { _tag: "Start" }
  if (takes(reader, "$")) return { _tag: "End" }
  if (takes(reader, "(")) return group(reader)
  const source = ATOM.exec(reader.pattern.slice(reader.at, reader.at + LONGEST))?.[0]
  if (source === undefined) return null
  reader.at += source.length
  return oneOf(source)
}

/** A class, an escape, a dot or a literal; a bracket, brace or quantifier that is none of these is not understood. */
const ATOM =
  /^(?:\[(?:[^\]\\]|\\.)*\]|\\(?:x[\da-f]{2}|u[\da-f]{4}|[pP]\{[\w=]{1,60}\}|[dDwWsStnrfv]|[^a-zA-Z\d])|[^\\[\](){}*+?|^$])/i

/** What other dialects have in a class, or would mean by it. */
const FOREIGN_CLASS = /\[:|&&|\\[bBk\d]|\[[^\\\]]{0,200}\[/

const oneOf = (source: string): PatternNode | null => {
  if (source.startsWith("[") && FOREIGN_CLASS.test(source)) return null
  const compiled = compiledOne(source, "u") ?? (/\\[pPu]/.test(source) ? null : compiledOne(source, ""))
  return compiled === null ? null : { _tag: "One", test: (character) => compiled.test(character) }
}

/** A pattern of one character: it has nothing to go back to. */
const compiledOne = (source: string, flags: string): RegExp | null => {
  try {
    return new RegExp(`^${source}$`, flags)
  } catch {
    return null
  }
}

const group = (reader: Reader): PatternNode | null => {
  if (takes(reader, "?")) {
    const named = /^(?::|<[A-Za-z]\w{0,60}>)/.exec(reader.pattern.slice(reader.at, reader.at + 64))?.[0]
    if (named === undefined) return null
    reader.at += named.length
  }
  reader.depth++
  const node = reader.depth > NESTING ? null : choice(reader)
  reader.depth--
  return node !== null && takes(reader, ")") ? node : null
}

const repeated = (reader: Reader, part: PatternNode): PatternNode | null => {
  const found = /^(?:[*+?]|\{(\d{1,4})(?:(,)(\d{0,4}))?\})/.exec(reader.pattern.slice(reader.at, reader.at + 12))
  if (found === null) return part
  reader.at += found[0].length
  // Whether it takes as much or as little as it can does not matter to whether there is a match.
  takes(reader, "?")
  if (part._tag === "Start" || part._tag === "End") return null
  const [least, most] = boundsOf(found)
  return least > most ? null : { _tag: "Repeat", part, least, most }
}

const boundsOf = ([sign = "", least = "0", comma, most]: ReadonlyArray<string | undefined>): readonly [
  number,
  number
] => {
  if (sign === "*") return [0, Infinity]
  if (sign === "+") return [1, Infinity]
  if (sign === "?") return [0, 1]
  if (comma === undefined) return [Number(least), Number(least)]
  return [Number(least), most === undefined || most === "" ? Infinity : Number(most)]
}

const takes = (reader: Reader, character: string): boolean => {
  if (reader.pattern[reader.at] !== character) return false
  reader.at++
  return true
}
