import type { Fact } from "../../criterion/Fact.ts"
import type { Thresholds } from "./Thresholds.ts"

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
