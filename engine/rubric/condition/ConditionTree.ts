import type { ASTNode } from "@marcbachmann/cel-js"
import type { FactFields } from "../../plugin/Fact.ts"
import { suggestion } from "../source/NearestName.ts"

/** Why a condition cannot be used; offsets are into its text. */
export interface ConditionFault {
  readonly message: string
  readonly hint: string | null
  readonly start: number
  readonly end: number
}

/** The functions of CEL that a condition may use: total, and linear in their input. */
const FUNCTIONS: ReadonlyArray<string> = ["size", "filter", "all", "exists", "exists_one"]

/** The fact that a node reads, `facts.<name>`; `null` for any other node. */
export const factRead = (node: ASTNode): string | null =>
  node.op === "." && node.args[0].op === "id" && node.args[0].args === "facts" ? node.args[1] : null

/** The parts of a node, in the order in which they are written. */
export const children = (node: ASTNode): ReadonlyArray<ASTNode> => {
  if (node.op === "value" || node.op === "id") return []
  if (node.op === "." || node.op === ".?") return [node.args[0]]
  if (node.op === "!_" || node.op === "-_") return [node.args]
  if (node.op === "call") return node.args[1]
  if (node.op === "rcall") return [node.args[1], ...node.args[2]]
  return node.op === "map" ? node.args.flat() : node.args
}

/** The names of the facts that a condition reads, in order of first reading. */
export const factsRead = (node: ASTNode): ReadonlyArray<string> => {
  const name = factRead(node)
  return name === null ? [...new Set(children(node).flatMap(factsRead))] : [name]
}

/** The first thing in a condition that a rubric may not say, though CEL has it; `null` where there is none. */
export const disallowed = (node: ASTNode, fields: FactFields): ConditionFault | null => {
  const fault = faultOf(node, fields)
  if (fault !== null) return fault
  for (const child of children(node)) {
    const found = disallowed(child, fields)
    if (found !== null) return found
  }
  return null
}

const faultOf = (node: ASTNode, fields: FactFields): ConditionFault | null => {
  const name = factRead(node)
  if (name !== null) return unknownFact(name, node, fields)
  if (node.op === "call" || node.op === "rcall") return unknownFunction(node.args[0], node)
  if (node.op === "==" || node.op === "!=" || node.op === "in") return impossibleWord(node.args, fields)
  return null
}

const unknownFact = (name: string, node: ASTNode, fields: FactFields): ConditionFault | null => {
  if (Object.hasOwn(fields, name)) return null
  const names = Object.keys(fields)
  return {
    message: `the plugin has no fact "${name}"`,
    hint: suggestion(name, names, "it has"),
    start: node.end - name.length,
    end: node.end
  }
}

const unknownFunction = (name: string, node: ASTNode): ConditionFault | null => {
  if (FUNCTIONS.includes(name)) return null
  const at = node.input.indexOf(name, node.op === "rcall" ? node.args[1].end : node.start)
  const start = at === -1 ? node.start : at
  return {
    message: `a condition cannot use the function "${name}"`,
    hint: `the functions are ${FUNCTIONS.join(", ")}`,
    start,
    end: start + name.length
  }
}

/** A word is compared with one that the fact can never be. */
const impossibleWord = (sides: readonly [ASTNode, ASTNode], fields: FactFields): ConditionFault | null => {
  const words = sides.flatMap((side) => wordsOf(side, fields))
  if (words.length === 0) return null
  for (const literal of sides.flatMap((side) => (side.op === "list" ? side.args : [side]))) {
    if (literal.op !== "value" || typeof literal.args !== "string" || words.includes(literal.args)) continue
    return {
      message: `the fact is never "${literal.args}"`,
      hint: suggestion(literal.args, words, "it is one of"),
      start: literal.start,
      end: literal.end
    }
  }
  return null
}

const wordsOf = (node: ASTNode, fields: FactFields): ReadonlyArray<string> => {
  const name = factRead(node)
  const fact = name !== null && Object.hasOwn(fields, name) ? fields[name] : undefined
  return fact?.kind === "word" ? fact.words : []
}
