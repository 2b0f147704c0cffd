import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { patternMatcher } from "../apispec/examples/PatternMatch.ts"
import { type Json, member, placeSteps } from "../apispec/text/Json.ts"
import { NO_REQUESTS } from "../evidence/AuditBudget.ts"
import { readSelector } from "../page/select/Selector.ts"
import { define } from "./Criterion.ts"
import { measureShare, shareFacts } from "./DefineShare.ts"
import { measureSpec, specFacts } from "./DefineSpecRule.ts"
import { register, type RegisteredCriterion } from "./Registry.ts"
import type { Forms } from "./Wording.ts"

// The plugins behind `measure:` in a rubric, which takes what they need as their params.

const pattern = Schema.String.check(
  Schema.makeFilter((text) =>
    patternMatcher(text) === null
      ? "expected a regular expression without look-around, back references and word boundaries, of at most 1,000 characters"
      : undefined
  )
)

const characters = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_000 }))

/** What is wanted of a text; with none of these, that it is not blank. All that are given must hold. */
const conditions = {
  equals: Schema.optionalKey(Schema.String),
  contains: Schema.optionalKey(Schema.String),
  matches: Schema.optionalKey(pattern),
  min_characters: Schema.optionalKey(characters),
  max_characters: Schema.optionalKey(characters)
}

type TextCondition = Schema.Struct.Type<typeof conditions>

const isOpen = (condition: TextCondition): boolean => Object.keys(conditions).every((key) => !(key in condition))

/** Whether a text is as wanted; the pattern is made ready once. */
const conditionOf = (condition: TextCondition): ((text: string) => boolean) => {
  const { contains, equals, matches, max_characters: most, min_characters: least } = condition
  if (isOpen(condition)) return (text) => text.trim() !== ""
  const matcher = matches === undefined ? null : patternMatcher(matches)
  return (text) =>
    (equals === undefined || text === equals) &&
    (contains === undefined || text.includes(contains)) &&
    (matcher === null || matcher.matches(comparable(text)) === true) &&
    (least === undefined || text.length >= least) &&
    (most === undefined || text.length <= most)
}

/** The matcher takes so many characters, and none beyond the first plane, such as emoji. */
const comparable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .slice(0, 1_000)

/** The conditions in words, to follow what they are about. */
const conditionShown = ({
  contains,
  equals,
  matches,
  max_characters: most,
  min_characters: least
}: TextCondition): string =>
  [
    ...(equals === undefined ? [] : [` that is "${equals}"`]),
    ...(contains === undefined ? [] : [` that contains "${contains}"`]),
    ...(matches === undefined ? [] : [` that matches "${matches}"`]),
    ...(least === undefined ? [] : [` of at least ${least} characters`]),
    ...(most === undefined ? [] : [` of at most ${most} characters`])
  ].join(" and")

const having = (what: string): { readonly says: Forms; readonly lacks: string } => ({
  says: [`has ${what}`, `have ${what}`],
  lacks: `has no ${what}`
})

/** The share of HTML pages with an element that a selector selects and whose attribute or text is as wanted. */
const measurePages = define({
  id: "measure-pages",
  revision: 1,
  budget: NO_REQUESTS,
  params: Schema.Struct({
    select: Schema.String.check(
      Schema.makeFilter((text) =>
        Result.match(readSelector(text), { onFailure: (message) => message, onSuccess: () => undefined })
      )
    ),
    attribute: Schema.optionalKey(Schema.String),
    ...conditions
  }),
  facts: shareFacts(
    "HTML pages of the sample that were fetched",
    "of those, pages with an element that is selected and as wanted"
  ),
  measure: Effect.fn("measure-pages")(function* (site, params) {
    const { attribute, select } = params
    const holds = conditionOf(params)
    const anyElement = attribute === undefined && isOpen(params)
    const textOf = (element: { readonly attributes: Readonly<Record<string, string>>; readonly text: string }) =>
      attribute === undefined ? element.text : (element.attributes[attribute.toLowerCase()] ?? null)
    return yield* measureShare(site, params, {
      select,
      where: (_page, _params, elements) =>
        elements.some((element) => {
          const text = textOf(element)
          return anyElement || (text !== null && holds(text))
        }),
      ...having(`${select}${attribute === undefined ? "" : ` with ${attribute}`}${conditionShown(params)}`)
    })
  })
})

/** The share of places of the API description whose value, or a member of it, is as wanted. */
const measureDescription = define({
  id: "measure-description",
  revision: 1,
  budget: NO_REQUESTS,
  params: Schema.Struct({
    at: Schema.String.check(
      Schema.makeFilter((text) =>
        placeSteps(text) === null ? 'expected a JSON pointer, such as "/info", or "operations"' : undefined
      )
    ),
    has: Schema.optionalKey(Schema.String),
    ...conditions
  }),
  facts: specFacts("places of the API description that `at` names", "of those, places with the value that is wanted"),
  measure: Effect.fn("measure-description")(function* (site, params) {
    const { at, has } = params
    const holds = conditionOf(params)
    return yield* measureSpec(site, params, {
      at,
      ...(has === undefined ? {} : { only: [has] }),
      where: (value) => isWanted(has === undefined ? value : member(value, has), holds, isOpen(params)),
      ...having(`${has ?? "a value"}${conditionShown(params)}`)
    })
  })
})

/** Numbers and flags as text; of a map or a list only that it is not empty. */
const isWanted = (value: Json | undefined, holds: (text: string) => boolean, isAnything: boolean): boolean => {
  if (value === undefined || value === null) return false
  if (typeof value === "object") return isAnything && Object.keys(value).length > 0
  return holds(String(value))
}

/** The plugins that a rubric may use without naming one, by what `measure` says: `pages` or `description`. */
export const rulesWithoutCode: ReadonlyArray<RegisteredCriterion> = [
  register(measurePages),
  register(measureDescription)
]
