import { follow, type Located } from "../text/Documents.ts"
import { has, isList, isObject, type Json, member, stringAt } from "../text/Json.ts"
import { judgeItems } from "./ArrayItems.ts"
import { judgeCombinations } from "./Combinations.ts"
import { judgeMembers } from "./ObjectMembers.ts"
import { judgeNumber, judgeString, judgeType, judgeValues } from "./Scalars.ts"
import { isPlaceholder } from "./StringFormat.ts"
import {
  allOf,
  allOfEach,
  type JudgeContext,
  type Instance,
  isMismatch,
  isSpent,
  type Judging,
  type Mismatch,
  refusal,
  spend,
  type ValueVerdict
} from "./ValueVerdict.ts"

/** Schemas in schemas, all values inside one another together: each takes some frames of the stack. */
const DEPTH = 200

/** The first place where a value is refused by a schema; `null` where nothing is refused by what could be understood. */
export const mismatchOf = (comparison: JudgeContext, value: Json, schema: Located): Mismatch | null => {
  const verdict = verdictOf(comparison, value, schema)
  return isMismatch(verdict) ? verdict : null
}

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
