import { parsePattern, type PatternNode } from "./PatternSyntax.ts"

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
