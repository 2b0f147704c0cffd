import type { Fact, FactFields, FactRecord } from "../criterion/Fact.ts"
import type { Condition } from "./Condition.ts"
import { type Thresholds, thresholdsOf } from "./Thresholds.ts"

/** A level that no facts reach. */
export interface UnreachableLevel {
  /** Its place among the levels, from 0. */
  readonly level: number
  readonly reason: "same_condition" | "never_holds" | "taken_before"
}

/** More combinations than this are not tried: the levels then count as reachable. */
const MOST_COMBINATIONS = 20_000

/**
 * The levels that no facts can reach, given one condition a level (`null`: none, it always holds). Exact where every
 * numeric fact is only compared with numbers: then one value for each stretch between its thresholds stands for all. Where
 * facts are calculated with or compared with each other, only repeated conditions are found.
 */
export const unreachableLevels = (
  conditions: ReadonlyArray<Condition | null>,
  fields: FactFields
): ReadonlyArray<UnreachableLevel> => {
  const present = conditions.filter((condition) => condition !== null)
  const thresholds = thresholdsOf(present.map((condition) => condition.tree), fields)
  const read = [...new Set(present.flatMap((condition) => condition.reads))]
  const values = thresholds === null ? null : read.map((name) => representatives(name, fields[name], thresholds))
  const tried = values === null || size(values) > MOST_COMBINATIONS ? null : tryAll(conditions, read, values)
  return conditions.flatMap((condition, level): ReadonlyArray<UnreachableLevel> => {
    if (repeats(conditions, level)) return [{ level, reason: "same_condition" }]
    if (tried === null || tried.reached.has(level)) return []
    return [{ level, reason: condition !== null && !tried.held.has(level) ? "never_holds" : "taken_before" }]
  })
}

const repeats = (conditions: ReadonlyArray<Condition | null>, level: number): boolean => {
  const text = squeezed(conditions[level])
  return text !== null && conditions.slice(0, level).some((earlier) => squeezed(earlier) === text)
}

const squeezed = (condition: Condition | null | undefined): string | null => condition?.text.replace(/\s+/gu, " ").trim() ?? null

const size = (values: ReadonlyArray<ReadonlyArray<unknown>>): number =>
  values.reduce((product, choices) => Math.min(product * choices.length, Number.MAX_SAFE_INTEGER), 1)

/**
 * Goes through the combinations, far apart first, until every level has been reached: a rubric without mistakes is done
 * after a few dozen.
 */
const tryAll = (
  conditions: ReadonlyArray<Condition | null>,
  names: ReadonlyArray<string>,
  values: ReadonlyArray<ReadonlyArray<number | boolean | string>>
) => {
  const reached = new Set<number>()
  const held = new Set<number>()
  const total = size(values)
  const stride = strideThrough(total)
  for (let tried = 0; tried < total && reached.size < conditions.length; tried += 1) {
    const facts = combination(names, values, (tried * stride) % total)
    const first = conditions.findIndex((condition) => condition === null || condition.holds(facts))
    reached.add(first)
    conditions.forEach((condition, level) => {
      if (level > first && !reached.has(level) && condition?.holds(facts) === true) held.add(level)
    })
  }
  return { reached, held }
}

/** A step of about the golden section that passes every number below `total` once. */
const strideThrough = (total: number): number => {
  let stride = Math.max(1, Math.floor(total * 0.618))
  while (divisor(stride, total) !== 1) stride += 1
  return stride
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))

/** The combination at an index, read as a number whose digits choose the values. */
const combination = (
  names: ReadonlyArray<string>,
  values: ReadonlyArray<ReadonlyArray<number | boolean | string>>,
  index: number
): FactRecord => {
  let rest = index
  const facts: Record<string, number | boolean | string> = {}
  names.forEach((name, place) => {
    const choices = values[place] ?? []
    const choice = choices[rest % choices.length]
    rest = Math.floor(rest / choices.length)
    if (choice !== undefined) facts[name] = choice
  })
  return facts
}

/** One value for each stretch of values that conditions cannot tell apart. */
const representatives = (name: string, fact: Fact | undefined, thresholds: Thresholds): ReadonlyArray<number | boolean | string> => {
  if (fact === undefined) return []
  if (fact.kind === "flag") return [false, true]
  if (fact.kind === "word") return fact.words
  const numbers = thresholds.get(name) ?? []
  return fact.kind === "count" ? wholeNumbers(numbers) : portions(numbers)
}

/** 0, every threshold that is whole, and the whole number above each: one value of each stretch. */
const wholeNumbers = (thresholds: ReadonlyArray<number>): ReadonlyArray<number> => {
  const values = thresholds.flatMap((number) => (Number.isInteger(number) ? [number, number + 1] : [Math.floor(number) + 1]))
  return [...new Set([0, ...values])].filter((number) => number >= 0 && Number.isSafeInteger(number)).toSorted((a, b) => a - b)
}

/** The thresholds from 0 to 1, and one value between each two, before the first and behind the last. */
const portions = (thresholds: ReadonlyArray<number>): ReadonlyArray<number> => {
  const marks = thresholds.filter((number) => number >= 0 && number <= 1)
  const between = marks.slice(1).map((mark, index) => (mark + (marks[index] ?? mark)) / 2)
  return [...new Set([0, ...marks, ...between, 1])].toSorted((a, b) => a - b)
}
