import { cutTo, has, isList, isObject, type Json, member, stringAt } from "../text/Json.ts"
import { patternMatcher } from "./PatternMatch.ts"
import {
  type AllowedValues,
  type JudgeContext,
  type Judging,
  refusal,
  spend,
  type ValueVerdict
} from "./ValueVerdict.ts"

const NAMES: Readonly<Record<string, string>> = {
  string: "a string",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "an array",
  null: "null"
}

const isScalar = (value: Json): value is string | number | boolean | null => !isObject(value) && !isList(value)

export const judgeType = (judging: Judging): ValueVerdict => {
  const { comparison, schema, value } = judging
  const written = member(schema.value, "type")
  if (written === undefined) return "accepted"
  const types = (isList(written) ? written : [written]).map((type) => (typeof type === "string" ? type : ""))
  // Another name (`file`, `date`) is not of JSON Schema; what its author means by it is not known.
  if (types.length === 0 || types.some((type) => !Object.hasOwn(NAMES, type))) return "unknown"
  if (types.some((type) => isOf(type, value))) return "accepted"
  // How a list or an object is written as one text is another question.
  if (comparison.textual && isScalar(value) && types.some((type) => type === "array" || type === "object"))
    return "unknown"
  return refusal(judging, "type", wantsOf(schema.value, types))
}

const isOf = (type: string, value: Json): boolean => {
  if (type === "null") return value === null
  if (type === "array") return isList(value)
  if (type === "object") return isObject(value)
  if (type === "integer") return typeof value === "number" && (Number.isInteger(value) || !Number.isFinite(value))
  return typeof value === type
}

const SHOWN = 6

/** Its values where there are few, else its types. */
const wantsOf = (schema: Json, types: ReadonlyArray<string>): string => {
  const values = member(schema, "enum")
  return isList(values) && values.length > 0
    ? valuesShown(values)
    : types.map((type) => NAMES[type] ?? type).join(" or ")
}

const valuesShown = (values: ReadonlyArray<Json>): string => {
  const shown = values.slice(0, SHOWN).map((value) => JSON.stringify(value).slice(0, 40))
  return values.length > SHOWN
    ? `one of ${shown.join(", ")} and ${values.length - SHOWN} more`
    : shown.length < 3
      ? shown.join(" or ")
      : `one of ${shown.join(", ")}`
}

export const judgeValues = (judging: Judging): ValueVerdict => {
  const { comparison, schema, value } = judging
  if (typeof value === "string" && isStringPlaceholder(value)) return "unknown"
  const values = member(schema.value, "enum")
  const only = isModern(comparison) && has(schema.value, "const") ? [member(schema.value, "const") ?? null] : null
  for (const allowed of [isList(values) ? values : null, only]) {
    if (allowed === null || allowed.length === 0) continue
    const text = canonical(value)
    if (!spend(comparison.work, 1 + text.length / CHARACTERS)) return "unknown"
    const { exact, loose } = allowedOf(comparison, allowed)
    if (exact.has(text)) continue
    // An unquoted word or number of YAML may be of another type than its author thinks.
    if (isScalar(value) && loose.has(String(value))) return "unknown"
    return refusal(judging, "enum", valuesShown(allowed))
  }
  return "accepted"
}

/** Characters that are looked at in one step. */
const CHARACTERS = 50

/** The values of a set, read once however often it is asked. */
const allowedOf = ({ enums, work }: JudgeContext, values: ReadonlyArray<Json>): AllowedValues => {
  const known = enums.get(values)
  if (known !== undefined) return known
  spend(work, values.length)
  const allowed = { exact: new Set(values.map(canonical)), loose: new Set(values.filter(isScalar).map(String)) }
  enums.set(values, allowed)
  return allowed
}

/** Whether it has the keywords of JSON Schema that OpenAPI 2 and 3.0 leave out. */
export const isModern = ({ dialect }: JudgeContext): boolean => dialect === "draft-07" || dialect === "2020-12"

export const numberAt = (schema: Json, key: string): number | null => {
  const value = member(schema, key)
  return typeof value === "number" && Number.isFinite(value) ? value : null
}

export const judgeNumber = (judging: Judging): ValueVerdict => {
  const { schema, value } = judging
  if (typeof value !== "number" || !Number.isFinite(value)) return "accepted"
  const modern = isModern(judging.comparison)
  const bound = (key: string): number | null => numberAt(schema.value, key)
  const excluded = (key: string): boolean => !modern && member(schema.value, key) === true
  const [least, most, step] = [bound("minimum"), bound("maximum"), bound("multipleOf")]
  const [above, under] = modern ? [bound("exclusiveMinimum"), bound("exclusiveMaximum")] : [null, null]
  if (least !== null && value < least) return refusal(judging, "bound", `at least ${least}`)
  if (most !== null && value > most) return refusal(judging, "bound", `at most ${most}`)
  if (least !== null && value === least && excluded("exclusiveMinimum"))
    return refusal(judging, "bound", `more than ${least}`)
  if (most !== null && value === most && excluded("exclusiveMaximum"))
    return refusal(judging, "bound", `less than ${most}`)
  if (above !== null && value <= above) return refusal(judging, "bound", `more than ${above}`)
  if (under !== null && value >= under) return refusal(judging, "bound", `less than ${under}`)
  return step !== null && step > 0 && !isMultiple(value, step)
    ? refusal(judging, "bound", `a multiple of ${step}`)
    : "accepted"
}

/** Up to what binary fractions lose. */
const isMultiple = (value: number, step: number): boolean => {
  const times = value / step
  return Math.abs(times - Math.round(times)) <= 1e-6 * Math.max(1, Math.abs(times))
}

export const judgeString = (judging: Judging): ValueVerdict => {
  const { comparison, schema, value } = judging
  if (typeof value !== "string") return "accepted"
  const format = stringAt(schema.value, "format")
  // YAML of version 1.1 makes a time of a date.
  const isMade = format === "date" && /^\d{4}-\d\d-\d\dT00:00:00/.test(value)
  if (isMade || isStringPlaceholder(value)) return "unknown"
  const length = judgeLength(judging, value)
  if (length !== "accepted") return length
  const pattern = member(schema.value, "pattern")
  const matched = typeof pattern === "string" ? matchesWritten(comparison, pattern, value) : true
  if (typeof pattern === "string" && matched === false) {
    return refusal(judging, "pattern", `what matches ${cutTo(pattern, 80)}`)
  }
  const wants = comparison.formats ? unmetFormat(format, value) : null
  if (wants !== null) return refusal(judging, "format", wants)
  // What is an annotation here may be an assertion there.
  return matched === null || format !== "" ? "unknown" : "accepted"
}

/** Of one written as in a program, between slashes and with flags, what it matches is not what it is meant to match. */
const matchesWritten = (comparison: JudgeContext, pattern: string, text: string): boolean | null =>
  /^\/.{0,1000}\/[a-z]{0,8}$/.test(pattern) ? null : matches(comparison, pattern, text)

/** Lengths are in characters, of which a JavaScript string has one or two units each. */
const judgeLength = (judging: Judging, value: string): ValueVerdict => {
  const [least, most] = [numberAt(judging.schema.value, "minLength"), numberAt(judging.schema.value, "maxLength")]
  if (least === null && most === null) return "accepted"
  const length = value.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, " ").length
  if (least !== null && length < least)
    return refusal(judging, "bound", `at least ${least} ${least === 1 ? "character" : "characters"}`)
  return most !== null && length > most
    ? refusal(judging, "bound", `at most ${most} ${most === 1 ? "character" : "characters"}`)
    : "accepted"
}

/** `null` where nothing can be said. */
export const matches = ({ matchers, work }: JudgeContext, pattern: string, text: string): boolean | null => {
  const known = matchers.get(pattern)
  const matcher = known === undefined ? patternMatcher(pattern) : known
  if (known === undefined) {
    matchers.set(pattern, matcher)
    spend(work, 1 + pattern.length / 2 + (matcher?.states ?? 0) / 10)
  }
  if (matcher === null) return null
  return spend(work, 1 + (matcher.states * text.length) / 20) ? matcher.matches(text) : null
}

/** A text in place of a value, in any usual form: `{{id}}`, `${ID}`, `<your id>`, `YOUR_KEY`, `xxxx`, `…`. It says nothing. */
export const isPlaceholder = (text: string): boolean => text.length <= 1_000 && PLACEHOLDER.test(text)

const PLACEHOLDER =
  /\{\{|\$\{|\$\(|^\$[A-Za-z_]|^%[\w-]{1,100}%$|^<.{0,300}>$|^\{[\w .:-]{0,100}\}$|^\[[\w .:-]{0,100}\]$|…|\.\.\.|\b(?:YOUR|MY|INSERT|REPLACE|TODO)\b|^(?:your|my|insert|replace|some|any|todo)[-_ ]|x{3,}|\*{3,}|_{3,}/i

/** What generators write for any string, and names of parts of a date. */
const isStringPlaceholder = (text: string): boolean =>
  text === "" || text === "string" || /yyyy|mm-dd|hh:mm/i.test(text)

/**
 * What a format wants where a text is unmistakably not of it; `null` else. Formats are annotations: only texts that cannot be
 * read as one are named. A date may lack its zone, a URI its scheme, and any be in quotes.
 */
const unmetFormat = (format: string, text: string): string | null => {
  const wants = WANTS[format]
  const unquoted = text.trim().replace(/^["']|["']$/g, "")
  return wants !== undefined && text.length <= 2_000 && isNone(format, unquoted) ? wants : null
}

const WANTS: Readonly<Record<string, string>> = {
  uuid: "a UUID",
  date: "a date (RFC 3339)",
  "date-time": "a date and time (RFC 3339)",
  uri: "a URI"
}

const isNone = (format: string, text: string): boolean => {
  if (format === "uuid") return !/^(?:urn:uuid:)?\{?[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}\}?$/i.test(text)
  if (format === "uri") return /\s/.test(text) || !/[.:/]/.test(text)
  return !isDate(text)
}

/** It begins with a year, or with a month and a day that there are. */
const isDate = (text: string): boolean => {
  const [, month, day] = /^[+-]?\d{4,6}-(\d\d)-(\d\d)/.exec(text) ?? []
  return month === undefined || day === undefined
    ? /^[+-]?\d{4}/.test(text)
    : Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
}

/** A text that is the same for equal values: members in the order of their names. Recurses as deep as the value, which is bounded. */
export const canonical = (value: Json): string => {
  if (isList(value)) return `[${value.map(canonical).join(",")}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`)
  return `{${members.join(",")}}`
}
