import type { ASTNode } from "@marcbachmann/cel-js"
import * as Result from "effect/Result"
import { grouped } from "../../plugin/Wording.ts"
import { parseCondition } from "../condition/Condition.ts"
import { children, factRead, factsRead } from "../condition/ConditionTree.ts"
import type { CriterionDefinition, Rubric, Step } from "../definition/Rubric.ts"
import { type Diagnostic, placeWithin, type SourceText } from "../source/SourceText.ts"
import type { Draft, DraftCriterion } from "../source/Draft.ts"
import { suggestion } from "../source/NearestName.ts"

/** The numbers that the texts of a criterion may name. */
interface TextNumbers {
  readonly params: Readonly<Record<string, unknown>>
  /** Points of the levels, from high to low. */
  readonly points: ReadonlyArray<number>
  /** Conditions of levels, then of steps. */
  readonly conditions: ReadonlyArray<string>
}

/** Code, in which braces are braces; or a name in braces. */
const NAMED = /`[^`]*`|\{([a-z][a-z0-9_]*(?:\.[a-z]+)?)\}/gu

/**
 * The number that a name in a text stands for, as a reader sees it; `null`: there is none.
 *
 * `points` are all points, `points.partial` those of the level below, `points.lowest` those of the lowest level that earns any. Any
 * other name is a param, or else a fact: the number that the first condition which compares it asks for.
 */
const numberNamed = (name: string, { conditions, params, points }: TextNumbers): string | null => {
  const earned = points.filter((each) => each > 0)
  if (name === "points") return pointsShown(earned[0])
  if (name === "points.partial") return pointsShown(earned[1])
  if (name === "points.lowest") return pointsShown(earned.at(-1))
  if (Object.hasOwn(params, name)) return valueShown(params[name])
  for (const condition of conditions) {
    const parsed = parseCondition(condition)
    const asked = Result.isSuccess(parsed) ? thresholdOf(name, parsed.success) : null
    if (asked !== null) return asked
  }
  return null
}

const pointsShown = (points: number | undefined): string | null => (points === undefined ? null : String(points))

/** Numbers between 0 and 1 are shares, and shown in percent. */
const valueShown = (value: unknown): string | null => {
  if (typeof value === "string") return value
  if (typeof value !== "number") return null
  return Number.isInteger(value) ? grouped(value) : shareShown(value)
}

const shareShown = (value: number): string =>
  value > 0 && value <= 1 ? `${Math.round(value * 1000) / 10}%` : String(value)

/** The number that a fact is compared with; CEL writes that of a share with a decimal point. */
const thresholdOf = (fact: string, node: ASTNode): string | null => {
  if (["<", "<=", ">", ">=", "==", "!="].includes(node.op)) {
    const sides = children(node)
    const number = sides.find(({ op }) => op === "value")
    if (number?.op === "value" && sides.some((side) => factRead(side) === fact)) {
      if (typeof number.args === "bigint") return grouped(Number(number.args))
      if (typeof number.args === "number") return shareShown(number.args)
    }
  }
  for (const child of children(node)) {
    const found = thresholdOf(fact, child)
    if (found !== null) return found
  }
  return null
}

/** A rubric with the numbers put into the texts that name them. What has no number stays as it is; `numberDiagnostics` reports it. */
export const withNumbers = (rubric: Rubric): Rubric => ({
  ...rubric,
  categories: rubric.categories.map((category) => ({ ...category, criteria: category.criteria.map(filled) })),
  ...(rubric.experimental === undefined ? {} : { experimental: rubric.experimental.map(filled) })
})

const filled = <A extends CriterionDefinition>(criterion: A): A => {
  const { how, remedy, why } = criterion
  const numbers = numbersOf(criterion)
  const put = (text: string) => textWithNumbers(text, numbers)
  const step = (each: Step): Step => (typeof each === "string" ? put(each) : { ...each, do: put(each.do) })
  return { ...criterion, why: put(why), how: put(how), remedy: { ...remedy, steps: remedy.steps.map(step) } }
}

const numbersOf = ({ levels, params, remedy }: CriterionDefinition): TextNumbers => ({
  params,
  points: levels.map(({ earns }) => earns),
  conditions: [
    ...levels.flatMap(({ when }) => when ?? []),
    ...remedy.steps.flatMap((step) => (typeof step === "string" ? [] : (step.unless ?? [])))
  ]
})

const textWithNumbers = (text: string, numbers: TextNumbers): string =>
  text.replace(NAMED, (whole, name: string | undefined) =>
    name === undefined ? whole : (numberNamed(name, numbers) ?? whole)
  )

/** Names in braces that stand for no number. */
export const numberDiagnostics = ({ criteria }: Draft, source: SourceText): ReadonlyArray<Diagnostic> =>
  criteria.flatMap((criterion) => {
    const numbers = draftNumbers(criterion)
    return criterion.texts.flatMap((text) =>
      [...text.value.matchAll(NAMED)].flatMap(({ 0: whole, 1: name, index }): ReadonlyArray<Diagnostic> => {
        if (name === undefined || numberNamed(name, numbers) !== null) return []
        const part = { start: index, end: index + whole.length }
        return [
          {
            rule: "text_number",
            span: placeWithin(source.text, text, part),
            message: `"${name}" is no param of this criterion, and no fact that a condition compares with a number`,
            hint: hintFor(name, numbers)
          }
        ]
      })
    )
  })

const hintFor = (name: string, numbers: TextNumbers): string | null =>
  name.startsWith("points.")
    ? "the points are {points}, {points.partial} and {points.lowest}"
    : (suggestion(name, [...Object.keys(numbers.params), ...comparedFacts(numbers), "points"], "there are") ??
      "write code in back-ticks")

/** The numbers of a criterion as far as its file can be understood. */
export const draftNumbers = ({ levels, params, steps }: DraftCriterion): TextNumbers => ({
  params: recordOf(params?.plain),
  points: levels.flatMap(({ earns }) => earns?.value ?? []),
  conditions: [
    ...levels.flatMap(({ when }) => when?.value ?? []),
    ...steps.flatMap(({ unless }) => unless?.value ?? [])
  ]
})

const recordOf = (plain: unknown): Readonly<Record<string, unknown>> =>
  typeof plain === "object" && plain !== null ? Object.fromEntries(Object.entries(plain)) : {}

const comparedFacts = ({ conditions }: TextNumbers): ReadonlyArray<string> => {
  const trees = conditions.flatMap((condition) =>
    Result.match(parseCondition(condition), { onFailure: () => [], onSuccess: (tree) => [tree] })
  )
  return [...new Set(trees.flatMap(factsRead))].filter((name) => trees.some((tree) => thresholdOf(name, tree) !== null))
}

/** The texts of a new criterion, until its author writes them; `rubric check` refuses them. */
export const PLACEHOLDERS = {
  why: (criterion: string) => `Say what an agent loses if ${criterion} is not met.`,
  how: (plugin: string) => `Say what ${plugin} looks at, and what it decides where it could be decided otherwise.`,
  step: (criterion: string) => `Say what to do to meet ${criterion}.`
} as const

const ANY_NAME = "\\S+"

const patternOf = (text: string): string => text.replaceAll(".", "\\.").replaceAll("\0", ANY_NAME)

const OWN = new RegExp(
  `^(?:${Object.values(PLACEHOLDERS)
    .map((write) => patternOf(write("\0")))
    .join("|")})$`
)

/** Nothing said, or a mark that people leave to come back to. */
const UNWRITTEN = /^[.…\s?-]*$|\b(?:TODO|TBD|FIXME)\b|\blorem ipsum\b/i

/** Whether a text has yet to be written. */
export const isPlaceholder = (text: string): boolean => OWN.test(text.trim()) || UNWRITTEN.test(text.trim())
