import { follow, type Located } from "../text/Documents.ts"
import { has, isList, isObject, type Json, listAt, member, objectAt, stringAt } from "../text/Json.ts"
import { judgeItems, judgeMembers } from "./Containers.ts"
import { isModern, isPlaceholder, judgeNumber, judgeString, judgeType, judgeValues } from "./Scalars.ts"
import {
  allOf,
  allOfEach,
  type Instance,
  isMismatch,
  isSpent,
  type JudgeContext,
  type Judging,
  type Mismatch,
  part,
  refusal,
  spend,
  type ValueVerdict
} from "./ValueVerdict.ts"

/** Schemas in schemas, all values inside one another together: each takes some frames of the stack. */
const DEPTH = 200

/** What a schema says of a value that is met with no other around it. */
export const verdictOf = (comparison: JudgeContext, value: Json, schema: Located): ValueVerdict =>
  judgeInstance(comparison, value, schema, 0)

/** A value is met for the first time: at the top, or inside another. */
const judgeInstance = (comparison: JudgeContext, value: Json, schema: Located, depth: number): ValueVerdict => {
  const judged = (reading: Json): ValueVerdict =>
    judge(comparison, reading, schema, { whole: schema, active: [], depth })
  const verdict = judged(value)
  if (!isMismatch(verdict)) return verdict
  const other = OF_TYPE.has(verdict.reason) ? otherReading(value, comparison.textual) : null
  // Where all is text, one may have become a number unquoted in YAML, or by a tool that reads all examples as JSON.
  const isReadOtherwise = other !== null && (comparison.textual || isZeroFirst(value)) && !isMismatch(judged(other))
  return isReadOtherwise ? "unknown" : verdict
}

/** Reasons that may rest on the type of a scalar. */
const OF_TYPE: ReadonlySet<Mismatch["reason"]> = new Set(["type", "enum", "schema"])

/** `007`, which some readers of YAML take for a number, and others for a text. */
const isZeroFirst = (value: Json): boolean => typeof value === "string" && /^[-+]?0\d{1,15}$/.test(value)

/** What travels as the same text: of a number or a boolean its text; of a text, where all is text, what it reads as. */
const otherReading = (value: Json, textual: boolean): Json => {
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  if (isZeroFirst(value)) return Number(value)
  if (!textual || typeof value !== "string") return null
  if (value === "true" || value === "false") return value === "true"
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : null
}

const judge = (comparison: JudgeContext, value: Json, schema: Located, at: Instance): ValueVerdict => {
  if (schema.value === true) return "accepted"
  if (schema.value === false) return refusal({ value }, "schema", "nothing")
  // A schema that leads back to itself for the same value says no more the second time.
  if (!isObject(schema.value) || at.depth > DEPTH || at.active.includes(schema.value)) return "unknown"
  if (isSpent(comparison.work) || !spend(comparison.work, costOf(value))) return "unknown"
  const within: Instance = { whole: at.whole, active: [...at.active, schema.value], depth: at.depth + 1 }
  if (typeof member(schema.value, "$ref") !== "string") return judgeOwn(comparison, value, schema, within)
  if (value === null && member(schema.value, "nullable") === true) return "unknown"
  const target = follow(comparison.documents, schema)
  const verdict = target === null ? "unknown" : judge(comparison, value, target, within)
  // Members beside a reference count from 2019-09 on.
  return comparison.dialect === "2020-12"
    ? allOf([() => verdict, () => judgeOwn(comparison, value, schema, within)])
    : verdict
}

const judgeOwn = (comparison: JudgeContext, value: Json, schema: Located, at: Instance): ValueVerdict => {
  if (isOpen(comparison, value, schema)) return "unknown"
  const judging: Judging = {
    comparison,
    value,
    schema,
    at,
    same: (other, formats) => judge(formats === false ? { ...comparison, formats } : comparison, value, other, at),
    inner: (inside, other) => judgeInstance(comparison, inside, other, at.depth)
  }
  return allOfEach(rulesFor(value), (rule) => rule(judging))
}

/** What each schema costs that looks at a value: its characters, items or names are gone through. */
const costOf = (value: Json): number => {
  if (typeof value === "string") return 1 + value.length / 50
  if (isList(value)) return 1 + value.length / 20
  return isObject(value) ? 1 + Object.keys(value).length / 20 : 1
}

type Rule = (judging: Judging) => ValueVerdict

/** Schemas of the same value: all of several, one of several, none, or one that depends on another. */
const judgeCombinations = (judging: Judging): ValueVerdict =>
  COMBINING.some((keyword) => has(judging.schema.value, keyword))
    ? allOf([
        () => allOfEach(branchesOf(judging, "allOf"), (branch) => judging.same(branch)),
        () => judgeAlternatives(judging, "anyOf"),
        () => judgeAlternatives(judging, "oneOf"),
        () => judgeNot(judging),
        () => judgeCondition(judging)
      ])
    : "accepted"

const COMBINING = ["allOf", "anyOf", "oneOf", "not", "if"]

/** Many that are listed cost something, also where the first decides. */
const branchesOf = ({ comparison, schema }: Judging, keyword: string): ReadonlyArray<Located> => {
  const branches = listAt(schema.value, keyword)
  spend(comparison.work, branches.length / 10)
  return branches.map((branch, index) => part(schema, branch, keyword, String(index)))
}

/**
 * Refused where every alternative refuses it. A value of several alternatives of `oneOf`, of which it may be of one only, shows
 * a fault of the schema and not of the value.
 */
const judgeAlternatives = (judging: Judging, keyword: "anyOf" | "oneOf"): ValueVerdict => {
  const branches = branchesOf(judging, keyword)
  if (branches.length === 0) return "accepted"
  const refusals: Array<Mismatch> = []
  let accepted = 0
  for (const branch of branches) {
    if (isSpent(judging.comparison.work)) return "unknown"
    const verdict = judging.same(branch)
    if (isMismatch(verdict)) refusals.push(verdict)
    else if (verdict === "accepted") accepted++
    if (keyword === "anyOf" && accepted > 0) return "accepted"
  }
  if (refusals.length < branches.length)
    return accepted === 1 && refusals.length === branches.length - 1 ? "accepted" : "unknown"
  return meant(judging, branches, refusals) ?? refusal(judging, "schema", `one of its ${branches.length} alternatives`)
}

/** The refusal by the alternative that the value is meant to be of: the one that it names, or the only one of its type. */
const meant = (
  judging: Judging,
  branches: ReadonlyArray<Located>,
  refusals: ReadonlyArray<Mismatch>
): Mismatch | null => {
  const named = namedBranch(judging, branches)
  if (named !== null) return refusals[named] ?? null
  const ofType = refusals.filter(({ path, reason }) => path.length > 0 || reason !== "type")
  const [only] = ofType
  if (ofType.length === 1 && only !== undefined) return only
  const wants = new Set(refusals.map((one) => one.wants))
  return ofType.length === 0 && wants.size <= 4 ? refusal(judging, "type", [...wants].join(" or ")) : null
}

/** By `discriminator`: the index of the alternative, `null` where none is named. */
const namedBranch = ({ schema, value }: Judging, branches: ReadonlyArray<Located>): number | null => {
  const discriminator = objectAt(schema.value, "discriminator")
  const name = stringAt(value, stringAt(discriminator, "propertyName"))
  if (name === "") return null
  const ref = stringAt(objectAt(discriminator, "mapping"), name) || name
  const index = branches.findIndex((branch) => {
    const written = stringAt(branch.value, "$ref")
    return written !== "" && (written === ref || written.endsWith(`/${ref}`))
  })
  return index < 0 ? null : index
}

const judgeNot = (judging: Judging): ValueVerdict => {
  if (!has(judging.schema.value, "not")) return "accepted"
  const verdict = judging.same(part(judging.schema, member(judging.schema.value, "not"), "not"), false)
  if (verdict === "accepted") return refusal(judging, "schema", "something else")
  return isMismatch(verdict) ? "accepted" : "unknown"
}

const judgeCondition = (judging: Judging): ValueVerdict => {
  const { comparison, same, schema } = judging
  if (!isModern(comparison) || !has(schema.value, "if")) return "accepted"
  const met = same(part(schema, member(schema.value, "if"), "if"), false)
  if (met === "unknown") return "unknown"
  const keyword = met === "accepted" ? "then" : "else"
  return has(schema.value, keyword) ? same(part(schema, member(schema.value, keyword), keyword)) : "accepted"
}

const ANY: ReadonlyArray<Rule> = [judgeType, judgeValues, judgeCombinations]
const NUMBER: ReadonlyArray<Rule> = [judgeType, judgeValues, judgeNumber, judgeCombinations]
const STRING: ReadonlyArray<Rule> = [judgeType, judgeValues, judgeString, judgeCombinations]
const LIST: ReadonlyArray<Rule> = [judgeType, judgeValues, judgeItems, judgeCombinations]
const OBJECT: ReadonlyArray<Rule> = [judgeType, judgeValues, judgeMembers, judgeCombinations]

const rulesFor = (value: Json): ReadonlyArray<Rule> => {
  if (isList(value)) return LIST
  if (isObject(value)) return OBJECT
  return typeof value === "number" ? NUMBER : typeof value === "string" ? STRING : ANY
}

/** Nothing can be said: a placeholder, a reference in an example, a null where authors and tools disagree how to allow it, or a schema of another kind. */
const isOpen = ({ dialect }: JudgeContext, value: Json, schema: Located): boolean => {
  if (typeof value === "string" && isPlaceholder(value)) return true
  // Tools put what it leads to in its place, though an example is data.
  if (typeof member(value, "$ref") === "string") return true
  const nullable = member(schema.value, "nullable") === true || member(schema.value, "x-nullable") === true
  if (value === null && (nullable || dialect === "swagger")) return true
  const declared = stringAt(schema.value, "$schema")
  return OPAQUE.some((keyword) => has(schema.value, keyword)) || (declared !== "" && !DECLARED[dialect].test(declared))
}

/** References whose target depends on the way to them. */
const OPAQUE = ["$dynamicRef", "$recursiveRef"]

/** What `$schema` may say where it says nothing new. */
const DECLARED = {
  swagger: /\/draft-04\//,
  "openapi-3.0": /\/draft-0[45]\//,
  "draft-07": /\/draft-07\//,
  "2020-12": /\/draft\/2020-12\/|spec\.openapis\.org\/oas\/3\./
} as const
