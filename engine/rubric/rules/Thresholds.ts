import type { ASTNode } from "@marcbachmann/cel-js"
import type { Fact, FactFields, FactRecord, Uncertain, UncertainRecord } from "../../plugin/Fact.ts"
import { factRead } from "../condition/ConditionTree.ts"
import type { Condition } from "../condition/Condition.ts"

/**
 * The numbers that conditions compare each numeric fact with. Between two neighbouring ones every value of the fact gives
 * the same outcome, so that one value of each stretch represents all of them.
 */
type Thresholds = ReadonlyMap<string, ReadonlyArray<number>>

/**
 * The thresholds of some conditions; `null` where a fact is calculated with, or compared with another one, so that
 * single thresholds do not tell its outcomes apart.
 */
export const thresholdsOf = (trees: ReadonlyArray<ASTNode>, fields: FactFields): Thresholds | null => {
  const found = new Map<string, Set<number>>()
  for (const tree of trees) {
    if (visit(tree, { fields, found, bound: new Map() }) === null) return null
  }
  return new Map([...found].map(([fact, numbers]) => [fact, [...numbers].toSorted((a, b) => a - b)]))
}

interface Visit {
  readonly fields: FactFields
  readonly found: Map<string, Set<number>>
  /** The facts that the variable of a `filter` and the like ranges over. */
  readonly bound: ReadonlyMap<string, ReadonlyArray<string>>
}

/** What a part of a condition gives to the comparison around it. */
interface Loose {
  /** Numeric facts whose values it passes on. */
  readonly facts: ReadonlyArray<string>
  readonly numbers: ReadonlyArray<number>
}

const NOTHING: Loose = { facts: [], numbers: [] }

/** `null` where single thresholds do not do. */
const visit = (node: ASTNode, at: Visit): Loose | null => {
  if (node.op === "value") return numberOf(node.args)
  if (node.op === "id") return { facts: at.bound.get(node.args) ?? [], numbers: [] }
  if (node.op === ".") return numericFact(node, at.fields)
  if (node.op === "-_") return negate(node.args, at)
  if (node.op === "!_") return swallow([node.args], at)
  if (node.op === "&&" || node.op === "||") return swallow(node.args, at)
  if (isComparison(node)) return compare(node.args, at)
  if (isCalculation(node)) return calculate(node.args, at)
  if (node.op === "?:") return visit(node.args[0], at) === null ? null : merge([node.args[1], node.args[2]], at)
  if (node.op === "list") return merge(node.args, at)
  if (node.op === "call") return swallow(node.args[1], at)
  return node.op === "rcall" ? callOnList(node.args[0], node.args[1], node.args[2], at) : null
}

const COMPARISONS = ["==", "!=", "<", "<=", ">", ">=", "in"] as const
const CALCULATIONS = ["+", "-", "*", "/", "%"] as const

type Operation<Op extends ASTNode["op"]> = Extract<ASTNode, { readonly op: Op }>

const isComparison = (node: ASTNode): node is Operation<(typeof COMPARISONS)[number]> =>
  COMPARISONS.some((op) => op === node.op)

const isCalculation = (node: ASTNode): node is Operation<(typeof CALCULATIONS)[number]> =>
  CALCULATIONS.some((op) => op === node.op)

const numberOf = (literal: unknown): Loose =>
  typeof literal === "number" || typeof literal === "bigint" ? { facts: [], numbers: [Number(literal)] } : NOTHING

const negate = (node: ASTNode, at: Visit): Loose | null => {
  const inner = visit(node, at)
  return inner === null || inner.facts.length > 0
    ? null
    : { facts: [], numbers: inner.numbers.map((number) => -number) }
}

const numericFact = (node: ASTNode, fields: FactFields): Loose => {
  const name = factRead(node)
  const kind = name !== null && Object.hasOwn(fields, name) ? fields[name]?.kind : undefined
  return name !== null && (kind === "count" || kind === "share") ? { facts: [name], numbers: [] } : NOTHING
}

const merge = (nodes: ReadonlyArray<ASTNode>, at: Visit): Loose | null => {
  const parts = nodes.map((node) => visit(node, at)).filter((part) => part !== null)
  if (parts.length < nodes.length) return null
  return { facts: parts.flatMap((part) => part.facts), numbers: parts.flatMap((part) => part.numbers) }
}

/** Parts whose outcome is true, false or a size: what is loose in them is not passed on. */
const swallow = (nodes: ReadonlyArray<ASTNode>, at: Visit): Loose | null => (merge(nodes, at) === null ? null : NOTHING)

const compare = (sides: readonly [ASTNode, ASTNode], at: Visit): Loose | null => {
  const left = visit(sides[0], at)
  const right = visit(sides[1], at)
  if (left === null || right === null || (left.facts.length > 0 && right.facts.length > 0)) return null
  for (const fact of [...left.facts, ...right.facts]) {
    const numbers = at.found.get(fact) ?? new Set<number>()
    for (const number of [...left.numbers, ...right.numbers]) numbers.add(number)
    at.found.set(fact, numbers)
  }
  return NOTHING
}

/** Sizes and choices may be added up; a fact that is calculated with is beyond thresholds, and so is a calculated number. */
const calculate = (sides: readonly [ASTNode, ASTNode], at: Visit): Loose | null => {
  const both = merge(sides, at)
  return both === null || both.facts.length > 0 ? null : NOTHING
}

/** `list.filter(variable, test)` passes its elements on; the rest gives true, false or a size. */
const callOnList = (name: string, list: ASTNode, args: ReadonlyArray<ASTNode>, at: Visit): Loose | null => {
  const elements = visit(list, at)
  if (elements === null) return null
  const [variable, test] = args
  if (variable?.op !== "id" || test === undefined) return NOTHING
  const bound = new Map(at.bound).set(variable.args, elements.facts)
  if (visit(test, { ...at, bound }) === null) return null
  return name === "filter" ? elements : NOTHING
}

/** A value of a fact. */
export type RepresentativeValue = number | boolean | string

/** One value for each stretch of values that conditions with these thresholds cannot tell apart. */
export const representatives = (
  name: string,
  fact: Fact | undefined,
  thresholds: Thresholds
): ReadonlyArray<RepresentativeValue> => {
  if (fact === undefined) return []
  if (fact.kind === "flag") return [false, true]
  if (fact.kind === "word") return fact.words
  const numbers = thresholds.get(name) ?? []
  return fact.kind === "count" ? wholeNumbers(numbers) : portions(numbers)
}

/** 0, every threshold that is whole, and the whole number above each: one value of each stretch. */
const wholeNumbers = (thresholds: ReadonlyArray<number>): ReadonlyArray<number> => {
  const values = thresholds.flatMap((number) =>
    Number.isInteger(number) ? [number, number + 1] : [Math.floor(number) + 1]
  )
  return [...new Set([0, ...values])]
    .filter((number) => number >= 0 && Number.isSafeInteger(number))
    .toSorted((a, b) => a - b)
}

/** The thresholds from 0 to 1, and one value between each two, before the first and behind the last. */
const portions = (thresholds: ReadonlyArray<number>): ReadonlyArray<number> => {
  const marks = thresholds.filter((number) => number >= 0 && number <= 1)
  const between = marks.slice(1).map((mark, index) => (mark + (marks[index] ?? mark)) / 2)
  return [...new Set([0, ...marks, ...between, 1])].toSorted((a, b) => a - b)
}

/** How many combinations some lists of values have. */
export const combinations = (values: ReadonlyArray<ReadonlyArray<unknown>>): number =>
  values.reduce((product, choices) => Math.min(product * choices.length, Number.MAX_SAFE_INTEGER), 1)

/** The combination at an index, read as a number whose digits choose the values. */
export const combination = (
  names: ReadonlyArray<string>,
  values: ReadonlyArray<ReadonlyArray<RepresentativeValue>>,
  index: number
): Readonly<Record<string, RepresentativeValue>> => {
  let rest = index
  const facts: Record<string, RepresentativeValue> = {}
  names.forEach((name, place) => {
    const choices = values[place] ?? []
    const choice = choices[rest % choices.length]
    rest = Math.floor(rest / choices.length)
    if (choice !== undefined) facts[name] = choice
  })
  return facts
}

/** More combinations of values than this are not tried. */
const MOST_COMBINATIONS = 5_000

/**
 * The levels that a criterion may reach if some of its facts are uncertain, given one condition a level (`null`: none, it
 * always holds). Facts are tried in every combination, one value for each stretch that no condition divides, so that the
 * result is exact as long as the facts do not depend on each other, and otherwise has levels too many, never too few. `null`
 * if there is no telling: a condition calculates with an uncertain fact, or there are too many combinations.
 */
export const possibleLevels = (
  conditions: ReadonlyArray<Condition | null>,
  facts: FactRecord,
  uncertain: UncertainRecord,
  fields: FactFields
): ReadonlySet<number> | null => {
  const present = conditions.filter((condition) => condition !== null)
  const names = [...new Set(present.flatMap(({ reads }) => reads))]
    .filter((name) => Object.hasOwn(uncertain, name))
    .sort()
  const thresholds =
    names.length === 0
      ? NONE
      : thresholdsOf(
          present.map(({ tree }) => tree),
          fields
        )
  if (thresholds === null) return null
  const values = names.map((name) => valuesOf(name, uncertain[name], fields, thresholds))
  const total = combinations(values)
  if (total > MOST_COMBINATIONS) return null
  const levels = new Set<number>()
  for (let index = 0; index < total; index += 1) {
    const tried = { ...facts, ...combination(names, values, index) }
    levels.add(conditions.findIndex((condition) => condition === null || condition.holds(tried)))
  }
  return levels
}

const NONE: Thresholds = new Map()

const valuesOf = (
  name: string,
  uncertain: Uncertain | undefined,
  fields: FactFields,
  thresholds: Thresholds
): ReadonlyArray<RepresentativeValue> => {
  if (uncertain === undefined) return []
  if ("one_of" in uncertain) return uncertain.one_of
  const { at_least: least, at_most: most } = uncertain
  const inside = representatives(name, fields[name], thresholds).filter(
    (value) => typeof value === "number" && value > least && (most === null || value < most)
  )
  return [...new Set([least, ...inside, ...(most === null ? [] : [most])])]
}
