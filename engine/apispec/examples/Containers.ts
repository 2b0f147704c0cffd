import { follow, type Located, wayOf } from "../text/Documents.ts"
import {
  cutTo,
  entriesAt,
  has,
  isList,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  member,
  objectAt
} from "../text/Json.ts"
import { canonical, isModern, matches, numberAt } from "./Scalars.ts"
import {
  allOf,
  allOfEach,
  below,
  type Definitions,
  isMismatch,
  isSpent,
  type JudgeContext,
  type Judging,
  part,
  refusal,
  spend,
  type ValueVerdict
} from "./ValueVerdict.ts"

/** Members that say that others were left out. */
const ELLIPSES = ["...", "…"]

const isAbridged = (value: JsonObject): boolean => ELLIPSES.some((name) => has(value, name))

/** Each member by the schemas that its name leads to. */
const judgeProperties = (judging: Judging, value: JsonObject): ValueVerdict =>
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

const COMBINATIONS = ["allOf", "anyOf", "oneOf"] as const
const BRANCHES = ["if", "then", "else"] as const

/** Parts of one schema that are looked at. */
const PARTS = 300

/** Steps that one of them costs: it takes as long as some values at a schema. */
const PART = 4

/** The definitions of a property in the outermost schema of this value, and in everything that it is combined of. */
const definitionsOf = ({ at, comparison }: Judging, name: string): Definitions => {
  const known = comparison.definitions.get(at.whole.value) ?? new Map<string, Definitions>()
  comparison.definitions.set(at.whole.value, known)
  const definitions = known.get(name) ?? searched(comparison, at.whole, name)
  // Where the work was used up, another value may have more left.
  if (comparison.work.left >= 0) known.set(name, definitions)
  return definitions
}

const searched = (comparison: JudgeContext, whole: Located, name: string): Definitions => {
  const found: Array<Located> = []
  const pending = new Map([[whole.value, whole]])
  let complete = true
  for (const written of pending.values()) {
    const schema = follow(comparison.documents, written)
    if (pending.size > PARTS || !spend(comparison.work, PART)) return { found, complete: false }
    if (schema === null) {
      complete = false
      continue
    }
    for (const place of schema === written ? [schema] : [written, schema]) {
      const properties = objectAt(place.value, "properties")
      if (has(properties, name)) found.push(part(place, properties[name], "properties", name))
      for (const branch of branchesOf(place)) pending.set(branch.value, branch)
    }
    if (schema !== written) pending.set(schema.value, schema)
  }
  return { found, complete }
}

const branchesOf = (schema: Located): ReadonlyArray<Located> => [
  ...COMBINATIONS.flatMap((keyword) =>
    listAt(schema.value, keyword)
      .slice(0, PARTS + 1)
      .map((branch, index) => part(schema, branch, keyword, String(index)))
  ),
  ...BRANCHES.filter((keyword) => isObject(member(schema.value, keyword))).map((keyword) =>
    part(schema, member(schema.value, keyword), keyword)
  )
]

/** Whether a property is sent in the other direction only. A reference may say so beside it, and so may what it is made of. */
const isOneSided = ({ direction, documents, work }: JudgeContext, definition: Located): boolean => {
  const flags = FLAGS[direction]
  const says = (place: Located): boolean =>
    wayOf(documents, place).some(({ value }) => flags.some((flag) => member(value, flag) === true))
  if (says(definition)) return true
  const target = follow(documents, definition)
  const branches = target === null ? [] : branchesOf(target)
  spend(work, 1 + branches.length)
  return branches.some(says)
}

const FLAGS = { request: ["readOnly"], answer: ["writeOnly"], either: ["readOnly", "writeOnly"] } as const

/** The items of an array: how many, which, and whether they differ. */
export const judgeItems = (judging: Judging): ValueVerdict => {
  const { value } = judging
  if (!isList(value)) return "accepted"
  return allOf([
    () => judgeCount(judging, value.length),
    () => judgeEach(judging, value),
    () => judgeContained(judging, value),
    () => judgeUnique(judging, value)
  ])
}

const judgeCount = (judging: Judging, count: number): ValueVerdict => {
  const [least, most] = [numberAt(judging.schema.value, "minItems"), numberAt(judging.schema.value, "maxItems")]
  if (least !== null && count < least)
    return refusal(judging, "bound", `at least ${least} ${least === 1 ? "item" : "items"}`)
  return most !== null && count > most
    ? refusal(judging, "bound", `at most ${most} ${most === 1 ? "item" : "items"}`)
    : "accepted"
}

const judgeEach = ({ comparison, inner, schema }: Judging, value: ReadonlyArray<Json>): ValueVerdict => {
  const tupleKey = comparison.dialect === "2020-12" ? "prefixItems" : "items"
  const restKey = tupleKey === "items" && isList(member(schema.value, "items")) ? "additionalItems" : "items"
  const tuple = member(schema.value, tupleKey)
  const known = isList(tuple) ? tuple : []
  const rest = member(schema.value, restKey)
  // A list is no schema here: of an older draft than the description's.
  if (isList(rest) || has(schema.value, "unevaluatedItems")) return "unknown"
  return allOfEach(value, (item, index) => {
    const own = known[index]
    if (own !== undefined) return below(String(index), inner(item, part(schema, own, tupleKey, String(index))))
    return rest === undefined ? "accepted" : below(String(index), inner(item, part(schema, rest, restKey)))
  })
}

const judgeContained = (judging: Judging, value: ReadonlyArray<Json>): ValueVerdict => {
  const { comparison, inner, schema } = judging
  if (!isModern(comparison) || !has(schema.value, "contains")) return "accepted"
  const wanted = part(schema, member(schema.value, "contains"), "contains")
  const bounded = comparison.dialect === "2020-12"
  const least = (bounded ? numberAt(schema.value, "minContains") : null) ?? 1
  const most = (bounded ? numberAt(schema.value, "maxContains") : null) ?? Infinity
  const verdicts = value.map((item) => inner(item, wanted))
  const accepted = verdicts.filter((verdict) => verdict === "accepted").length
  const refused = verdicts.filter(isMismatch).length
  if (value.length - refused < least)
    return refusal(judging, "schema", least === 1 ? "an item that it lacks" : `${least} items of a kind`)
  if (accepted > most) return refusal(judging, "schema", `at most ${most} items of a kind`)
  return accepted >= least && value.length - refused <= most ? "accepted" : "unknown"
}

const judgeUnique = (judging: Judging, value: ReadonlyArray<Json>): ValueVerdict => {
  if (member(judging.schema.value, "uniqueItems") !== true) return "accepted"
  const seen = new Set<string>()
  for (const item of value) {
    const text = canonical(item)
    if (!spend(judging.comparison.work, 1 + text.length / 50)) return "unknown"
    if (seen.has(text)) return refusal(judging, "schema", "items that differ")
    seen.add(text)
  }
  return "accepted"
}

/** The members of an object: how many, which there must be, which there may be, and what they are. */
export const judgeMembers = (judging: Judging): ValueVerdict => {
  const { value } = judging
  if (!isObject(value)) return "accepted"
  return allOf([
    () => judgeMemberCount(judging, Object.keys(value).length),
    () => judgeNames(judging, value, listAt(judging.schema.value, "required")),
    () => judgeProperties(judging, value),
    () => (isModern(judging.comparison) ? judgeDependent(judging, value) : "accepted")
  ])
}

const judgeMemberCount = (judging: Judging, count: number): ValueVerdict => {
  const least = numberAt(judging.schema.value, "minProperties")
  const most = numberAt(judging.schema.value, "maxProperties")
  if (least !== null && count < least)
    return refusal(judging, "bound", `at least ${least} ${least === 1 ? "property" : "properties"}`)
  return most !== null && count > most
    ? refusal(judging, "bound", `at most ${most} ${most === 1 ? "property" : "properties"}`)
    : "accepted"
}

/** A name of a list costs less than a value. */
const NAME = 0.2

const judgeNames = (judging: Judging, value: JsonObject, names: ReadonlyArray<Json>): ValueVerdict =>
  allOfEach(names, (name) => {
    if (!spend(judging.comparison.work, NAME)) return "unknown"
    if (typeof name !== "string" || has(value, name)) return "accepted"
    return isAbridged(value) || mayLack(judging, name) ? "unknown" : refusal(judging, "required", cutTo(name, 80), name)
  })

/** It is not sent in this direction, or what it is was not read. */
const mayLack = (judging: Judging, name: string): boolean => {
  const { complete, found } = definitionsOf(judging, name)
  return (found.length === 0 && !complete) || found.some((definition) => isOneSided(judging.comparison, definition))
}

const judgeDependent = (judging: Judging, value: JsonObject): ValueVerdict => {
  const { comparison, same, schema } = judging
  const keywords = comparison.dialect === "draft-07" ? ["dependencies"] : ["dependentRequired", "dependentSchemas"]
  const wanted = keywords.flatMap((keyword) =>
    entriesAt(schema.value, keyword).map(([name, wants]) => ({ keyword, name, wants }))
  )
  if (!spend(comparison.work, NAME * wanted.length)) return "unknown"
  return allOfEach(wanted, ({ keyword, name, wants }) => {
    if (!has(value, name)) return "accepted"
    return isList(wants) ? judgeNames(judging, value, wants) : same(part(schema, wants, keyword, name))
  })
}
