/** A foreign pattern, ready to be matched in time proportional to its size and to the text's. */
export interface PatternMatcher {
  /** States of the automaton: what one character costs at most. */
  readonly states: number
  /** Whether the pattern matches anywhere in the text, as `RegExp.test`; `null` for texts that are not compared. */
  readonly matches: (text: string) => boolean | null
}

type Instruction =
  | { readonly _tag: "One"; readonly test: (character: string) => boolean }
  | { readonly _tag: "Start" }
  | { readonly _tag: "End" }
  /** Goes on at both. */
  | { readonly _tag: "Fork"; first: number; second: number }
  | { readonly _tag: "Match" }

/** A repetition is written out as often as it says: `(a{1000}){1000}` has too many. */
const STATES = 2_000
const TEXT = 1_000

/** `null` where the pattern is not understood or too large: then nothing can be said by it. */
export const patternMatcher = (pattern: string): PatternMatcher | null => {
  const node = parsePattern(pattern)
  const program: Array<Instruction> = []
  if (node === null || !write(program, node)) return null
  program.push({ _tag: "Match" })
  return {
    states: program.length,
    // Classes without the flag `u` see a character beyond the first plane as two.
    matches: (text) => (text.length > TEXT || /[\uD800-\uDFFF]/.test(text) ? null : run(program, text))
  }
}

/** False where the program would be too large. */
const write = (program: Array<Instruction>, node: PatternNode): boolean => {
  if (program.length > STATES) return false
  if (node._tag === "Sequence") return node.parts.every((part) => write(program, part))
  if (node._tag === "Choice") return writeChoice(program, node.branches)
  if (node._tag === "Repeat") return writeRepeat(program, node)
  program.push(node)
  return true
}

type Fork = Extract<Instruction, { _tag: "Fork" }>

/** Goes on at the next instruction, until it is told otherwise. */
const fork = (program: Array<Instruction>): Fork => {
  const next = program.length + 1
  const instruction: Fork = { _tag: "Fork", first: next, second: next }
  program.push(instruction)
  return instruction
}

const writeChoice = (program: Array<Instruction>, branches: ReadonlyArray<PatternNode>): boolean => {
  const ends: Array<Fork> = []
  for (const branch of branches) {
    const start = fork(program)
    if (!write(program, branch)) return false
    ends.push(fork(program))
    start.second = program.length
  }
  // After the last branch there is nothing else to try: a class of no character ends it.
  program.push({ _tag: "One", test: () => false })
  for (const end of ends) end.first = end.second = program.length
  return true
}

const writeRepeat = (
  program: Array<Instruction>,
  { least, most, part }: Extract<PatternNode, { _tag: "Repeat" }>
): boolean => {
  for (let count = 0; count < least; count++) if (!write(program, part)) return false
  if (most === Infinity) {
    const start = program.length
    const loop = fork(program)
    if (!write(program, part)) return false
    const back = fork(program)
    back.first = back.second = start
    loop.second = program.length
    return true
  }
  const skips: Array<Fork> = []
  for (let count = least; count < most; count++) {
    skips.push(fork(program))
    if (!write(program, part)) return false
  }
  for (const skip of skips) skip.second = program.length
  return true
}

/** All states at once, character by character; a match may begin at each. */
const run = (program: ReadonlyArray<Instruction>, text: string): boolean => {
  const reached = new Uint32Array(program.length)
  let current: Array<number> = []
  for (let at = 0; at <= text.length; at++) {
    const next: Array<number> = []
    const pending = [...current, 0]
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (reached[index] === at + 1) continue
      reached[index] = at + 1
      const instruction = program[index]
      if (instruction === undefined) continue
      if (instruction._tag === "Match") return true
      if (instruction._tag === "Fork") pending.push(instruction.first, instruction.second)
      else if (instruction._tag === "One") {
        if (at < text.length && instruction.test(text[at] ?? "")) next.push(index + 1)
      } else if (instruction._tag === "Start" ? at === 0 : at === text.length) pending.push(index + 1)
    }
    current = next
  }
  return false
}

/**
 * The part of ECMAScript's regular expressions that can be matched in linear time: no look-around, no back reference, no word boundary.
 * A foreign pattern is never given to the engine as a whole, only its single characters and classes are.
 */
type PatternNode =
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
const parsePattern = (pattern: string): PatternNode | null => {
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
