import type { Located } from "../text/Documents.ts"
import { has, type Json, type JsonObject, member, objectAt } from "../text/Json.ts"
import { definitionsOf, isOneSided } from "./Definitions.ts"
import { isModern, matches } from "./Scalars.ts"
import { allOf, allOfEach, below, isMismatch, isSpent, type Judging, part, type ValueVerdict } from "./ValueVerdict.ts"

/** Members that say that others were left out. */
const ELLIPSES = ["...", "…"]

export const isAbridged = (value: JsonObject): boolean => ELLIPSES.some((name) => has(value, name))

/** Each member by the schemas that its name leads to. */
export const judgeProperties = (judging: Judging, value: JsonObject): ValueVerdict =>
  allOf([
    () => allOfEach(Object.keys(value), (name) => judgeProperty(judging, name, value[name] ?? null)),
    () => (has(judging.schema.value, "unevaluatedProperties") ? "unknown" : "accepted")
  ])

const judgeProperty = (judging: Judging, name: string, value: Json): ValueVerdict => {
  if (ELLIPSES.includes(name) || isSpent(judging.comparison.work)) return "unknown"
  const { isCertain, schemas } = schemasOf(judging, name)
  return allOf([
    () => judgeName(judging, name, value),
    ...schemas.map((schema) => () => judgeValue(judging, name, value, schema)),
    () => {
      if (schemas.length > 0) return isCertain ? "accepted" : "unknown"
      return isCertain ? judgeAdditional(judging, name, value) : "unknown"
    }
  ])
}

/** The schemas of `properties` and `patternProperties`; not certain where a pattern may or may not match. */
const schemasOf = (
  { comparison, schema }: Judging,
  name: string
): { readonly schemas: ReadonlyArray<Located>; readonly isCertain: boolean } => {
  const properties = objectAt(schema.value, "properties")
  const patterns = objectAt(schema.value, "patternProperties")
  const own = has(properties, name) ? [part(schema, properties[name], "properties", name)] : []
  const matching = Object.keys(patterns).map(
    (pattern) => [pattern, isModern(comparison) ? matches(comparison, pattern, name) : null] as const
  )
  const byPattern = matching.filter(([, matched]) => matched === true)
  return {
    schemas: [...own, ...byPattern.map(([pattern]) => part(schema, patterns[pattern], "patternProperties", pattern))],
    isCertain: matching.every(([, matched]) => matched !== null)
  }
}

const judgeName = ({ comparison, inner, schema }: Judging, name: string, value: Json): ValueVerdict => {
  const names = member(schema.value, "propertyNames")
  if (names === undefined || !isModern(comparison)) return "accepted"
  const verdict = inner(name, part(schema, names, "propertyNames"))
  return isMismatch(verdict)
    ? { reason: "additional", path: [name], value, name, wants: `${verdict.wants} as the name` }
    : verdict
}

/** What is sent in the other direction only is not judged: whether it may be here is left open. */
const judgeValue = ({ comparison, inner }: Judging, name: string, value: Json, schema: Located): ValueVerdict => {
  if (schema.value === false) return unwanted(name, value)
  const verdict = inner(value, schema)
  return isMismatch(verdict) && isOneSided(comparison, schema) ? "unknown" : below(name, verdict)
}

const unwanted = (name: string, value: Json): ValueVerdict => ({
  reason: "additional",
  path: [name],
  value,
  name,
  wants: "no property of that name"
})

const judgeAdditional = (judging: Judging, name: string, value: Json): ValueVerdict => {
  const { inner, schema } = judging
  const additional = member(schema.value, "additionalProperties")
  if (additional === undefined || additional === true) return "accepted"
  const verdict =
    additional === false
      ? unwanted(name, value)
      : below(name, inner(value, part(schema, additional, "additionalProperties")))
  if (!isMismatch(verdict)) return verdict
  // Parts of one schema often forbid what other parts have: no value could be right, and the example is not what is wrong.
  const { complete, found } = definitionsOf(judging, name)
  return complete && found.length === 0 && !isBase(schema.value) ? verdict : "unknown"
}

/** A base that others extend: values are of those. */
const isBase = (schema: Json): boolean => has(schema, "discriminator") && !has(schema, "oneOf") && !has(schema, "anyOf")
