import type { ASTNode } from "@marcbachmann/cel-js"
import { children } from "../condition/ConditionTree.ts"
import type { Bump } from "../source/VersionBump.ts"

/** One thing that is different in a later rubric. */
export interface RubricChange {
  /** The criterion or category that it is about; `null`: the rubric as a whole. */
  readonly subject: string | null
  /** What changed, in one plain sentence without a full stop. */
  readonly what: string
  /** The version bump that it owes. */
  readonly owes: Bump
  /** Why it owes that. */
  readonly why: string
}

/** A change before it is known what it is about. */
export type Difference = Omit<RubricChange, "subject">

const WORDS_ONLY = "only the wording: no score changes"
export const ONLY_RAISES = "scores can only rise"
export const EARNS_NOTHING = "earns nothing"
export const ADVICE_ONLY = "reports advise other criteria first: no score changes"

export const words = (what: string): Difference => ({ what, owes: "patch", why: WORDS_ONLY })
export const minor = (what: string, why: string): Difference => ({ what, owes: "minor", why })
export const major = (what: string, why: string): Difference => ({ what, owes: "major", why })

/** A text of the rubric, quoted within a sentence. */
export const quoted = (text: string): string => `\`${text.replace(/\s+/gu, " ").trim()}\``

/** How a condition differs from an earlier one. */
export type ConditionChange =
  /** In nothing but how it is written. */
  | { readonly _tag: "Same" }
  /** In one numeric threshold, and it holds wherever the earlier one held: for all facts, proved by its position. */
  | { readonly _tag: "Loosened"; readonly before: string; readonly after: string }
  /** In anything else, so that it may fail where the earlier one held. */
  | { readonly _tag: "Other" }

const SAME: ConditionChange = { _tag: "Same" }
const OTHER: ConditionChange = { _tag: "Other" }

/** Holds two conditions against each other by their syntax trees. */
export const conditionChange = (before: ASTNode, after: ASTNode): ConditionChange => changeOf(before, after, true)

/**
 * `rising`: the whole condition can only come to hold, never cease to, when this part turns from false to true, gets
 * larger, or, as a list, does so in one element.
 */
const changeOf = (before: ASTNode, after: ASTNode, rising: boolean): ConditionChange => {
  const threshold = thresholdChange(before, after, rising)
  if (threshold !== null) return threshold
  const [earlier, later] = [children(before), children(after)]
  if (headOf(before) !== headOf(after) || earlier.length !== later.length) return OTHER
  const changes = earlier.map((child, index) => {
    const other = later[index]
    return other === undefined ? OTHER : changeOf(child, other, rising && keepsDirection(before, index))
  })
  const differing = changes.filter(({ _tag }) => _tag !== "Same")
  return differing.length > 1 ? OTHER : (differing[0] ?? SAME)
}

/** What a node is, its parts aside. */
const headOf = (node: ASTNode): string => {
  if (node.op === "value") return `value ${typeof node.args} ${String(node.args)}`
  if (node.op === "id") return `id ${node.args}`
  if (node.op === "." || node.op === ".?") return `${node.op} ${node.args[1]}`
  return node.op === "call" || node.op === "rcall" ? `${node.op} ${node.args[0]}` : node.op
}

/** Whether a node rises with its part at `index`; the parts are numbered as `children` has them. */
const keepsDirection = (node: ASTNode, index: number): boolean => {
  if (node.op === "&&" || node.op === "||" || node.op === "+" || node.op === "list") return true
  if (node.op === ">=" || node.op === ">") return index === 0
  if (node.op === "<=" || node.op === "<") return index === 1
  if (node.op === "call") return node.args[0] === "size"
  return node.op === "rcall" && listKeepsDirection(node.args[0], node.args[2], index)
}

/** `list.filter(met, met)` and the like: with more elements true, more remain; the test of elements may be loosened, too. */
const listKeepsDirection = (name: string, args: ReadonlyArray<ASTNode>, index: number): boolean => {
  if (name === "size") return index === 0
  if (!["filter", "exists", "all"].includes(name)) return false
  const [variable, test] = args
  return index === 0 ? variable?.op === "id" && test?.op === "id" && test.args === variable.args : index === 2
}

type Ordering = Extract<ASTNode, { readonly op: "<" | "<=" | ">" | ">=" }>

const isOrdering = (node: ASTNode): node is Ordering =>
  node.op === "<" || node.op === "<=" || node.op === ">" || node.op === ">="

/** Of two comparisons that differ in their number alone; `null` where they are anything else. */
const thresholdChange = (before: ASTNode, after: ASTNode, rising: boolean): ConditionChange | null => {
  if (!isOrdering(before) || !isOrdering(after) || before.op !== after.op) return null
  for (const side of [0, 1] as const) {
    const [from, to] = [numberOf(before.args[side]), numberOf(after.args[side])]
    const other = side === 0 ? 1 : 0
    if (from === null || to === null || changeOf(before.args[other], after.args[other], false)._tag !== "Same") continue
    if (from === to) return SAME
    // A number that something must reach loosens when it falls; one that must reach something, when it rises.
    const mustReach = (before.op === ">=" || before.op === ">") === (side === 1)
    return rising && (mustReach ? to < from : to > from)
      ? { _tag: "Loosened", before: textOf(before), after: textOf(after) }
      : OTHER
  }
  return null
}

const numberOf = (node: ASTNode): number | null => {
  if (node.op === "-_") {
    const inner = numberOf(node.args)
    return inner === null ? null : -inner
  }
  return node.op === "value" && (typeof node.args === "number" || typeof node.args === "bigint")
    ? Number(node.args)
    : null
}

const textOf = (node: ASTNode): string => node.input.slice(node.start, node.end).replace(/\s+/gu, " ")
