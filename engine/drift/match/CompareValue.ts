import type { ContractField, ContractShape, ContractType } from "../../apispec/Contract.ts"
import { hasPlaceholder, type SentFields, type SentValue } from "../ShownCall.ts"

/** What a value has wrong, without the call that it is in. */
export interface ValueFault {
  readonly reason: "wrong_type" | "not_in_enum" | "unknown_field" | "missing_field" | "deprecated"
  /** Names of members from the body to the field. */
  readonly path: ReadonlyArray<string>
  readonly found: string
  readonly expected: ReadonlyArray<string>
}

type Shapes = ReadonlyArray<ContractShape>

/** Values of one call that are looked at. */
const VALUES = 2_000
const FAULTS = 10

/** Names of types and of nothing in particular, which stand for a value. */
const STAND_IN =
  /^(?:string|str|text|number|num|integer|int|int32|int64|long|float|double|decimal|boolean|bool|object|array|list|date|datetime|date-time|timestamp|uuid|guid|null|none|value|any|example|foo|bar|baz|abc|test|optional|required|true\|false|\?+|-+|n)$/i

/** Whether a text is in place of a value: a placeholder, the name of a type, or that of the parameter itself. */
const isStandInText = (text: string, name: string): boolean =>
  text === "" ||
  hasPlaceholder(text) ||
  STAND_IN.test(text) ||
  text.includes("|") ||
  plain(text) === plain(name) ||
  /^[a-z]+(?:[A-Z]\w{0,40}|[_-]\w{0,40})?(?:Id|ID|_id|-id|_name|Name)$/.test(text)

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

/** What a JSON value has wrong, at most ten faults. */
export const jsonFaults = (value: SentValue, shape: number, shapes: Shapes): ReadonlyArray<ValueFault> => {
  const faults: Array<ValueFault> = []
  let seen = 0

  const check = (sent: SentValue, index: number, path: ReadonlyArray<string>): void => {
    seen += 1
    const wanted = shapes[index]
    if (wanted === undefined || seen > VALUES || faults.length >= FAULTS) return
    const fault = ownFault(sent, wanted, path)
    if (fault !== null) {
      faults.push(fault)
      return
    }
    if (sent._tag === "List") for (const item of sent.items) check(item, wanted.items, inList(path))
    if (sent._tag === "Object") members(sent.sent, wanted, path)
  }

  const members = (sent: SentFields, wanted: ContractShape, path: ReadonlyArray<string>): void => {
    faults.push(...nameFaults(sent, wanted, path))
    const byName = new Map(wanted.fields.map((field) => [field.name, field]))
    for (const { name, value: member } of sent.fields) {
      const field = byName.get(name)
      if (field !== undefined) check(member, field.shape, [...path, name])
    }
  }

  check(value, shape, [])
  return once(faults).slice(0, FAULTS)
}

/** Items of a list that have the same wrong are told once. */
const once = (faults: ReadonlyArray<ValueFault>): ReadonlyArray<ValueFault> =>
  [
    ...new Map(faults.toReversed().map((fault) => [`${fault.reason} ${fault.path.join(".")}`, fault])).values()
  ].toReversed()

/** `items[]` for what is in the list `items`. */
const inList = (path: ReadonlyArray<string>): ReadonlyArray<string> => [...path.slice(0, -1), `${path.at(-1) ?? ""}[]`]

/** What the fields of a form have wrong; `a[b]` and `a.b` are members of `a`. */
export const formFaults = (sent: SentFields, shape: number, shapes: Shapes): ReadonlyArray<ValueFault> => {
  const wanted = shapes[shape]
  if (wanted === undefined) return []
  const own = { ...sent, fields: sent.fields.map((field) => ({ ...field, name: baseName(field.name, wanted.fields) })) }
  const faults = own.fields.flatMap(({ name, value }) => {
    const field = wanted.fields.find((one) => one.name === name)
    const fault = field === undefined ? null : textFault(value, name, shapes[field.shape])
    return fault === null ? [] : [{ ...fault, path: [name] }]
  })
  return [...nameFaults(own, wanted, []), ...faults].slice(0, FAULTS)
}

const baseName = (name: string, fields: ReadonlyArray<ContractField>): string =>
  fields.some((field) => field.name === name) ? name : (name.split(/[[.]/, 1)[0] ?? name)

const nameFaults = (
  sent: SentFields,
  wanted: ContractShape,
  path: ReadonlyArray<string>
): ReadonlyArray<ValueFault> => {
  const names = new Set(sent.fields.map(({ name }) => name))
  const known = new Map(wanted.fields.map((field) => [field.name, field]))
  const expected = wanted.fields.map(({ name }) => name)
  const unknown = wanted.closed ? [...names].filter((name) => !known.has(name) && !isStandInName(name)) : []
  const missing = sent.open ? [] : wanted.fields.filter((field) => isMissing(field, names))
  const deprecated = [...names].filter((name) => known.get(name)?.marks.includes("deprecated") === true)
  return [
    ...unknown.map((name) => ({ reason: "unknown_field" as const, path: [...path, name], found: name, expected })),
    ...missing.map(({ name }) => ({
      reason: "missing_field" as const,
      path: [...path, name],
      found: "",
      expected: [name]
    })),
    ...deprecated.map((name) => ({ reason: "deprecated" as const, path: [...path, name], found: name, expected: [] }))
  ]
}

const isMissing = ({ marks, name }: ContractField, sent: ReadonlySet<string>): boolean =>
  marks.includes("required") && !marks.includes("excused") && !sent.has(name)

/** A name that stands for any: `{key}`, `...`, `key`, `property1`, `// …`. */
export const isStandInName = (name: string): boolean =>
  name === "" ||
  hasPlaceholder(name) ||
  /[\s/*]/.test(name) ||
  /^(?:key|name|field|param|parameter|property|prop|additionalProp|attribute|foo|bar|baz|some\w{0,30}|your\w{0,30}|my\w{0,30})\d{0,3}$/i.test(
    name
  )

const typeOf = (sent: SentValue): ContractType | null => {
  switch (sent._tag) {
    case "Open":
      return null
    case "List":
      return "array"
    case "Object":
      return "object"
    case "Known":
      if (sent.value === null) return null
      if (typeof sent.value === "number") return Number.isInteger(sent.value) ? "integer" : "number"
      return typeof sent.value === "boolean" ? "boolean" : "string"
  }
}

const ownFault = (sent: SentValue, wanted: ContractShape, path: ReadonlyArray<string>): ValueFault | null => {
  const type = typeOf(sent)
  // Many descriptions do not say where null is taken.
  if (type === null || (isEmptyList(sent) && wanted.types.includes("object"))) return null
  const name = path.at(-1) ?? ""
  const text = sent._tag === "Known" ? String(sent.value) : null
  if (type === "string" && isStandInText(text ?? "", name.replaceAll("[]", ""))) return null
  if (text !== null && isOutside(text, wanted))
    return { reason: "not_in_enum", path, found: shown(sent), expected: valuesOf(wanted) }
  if (fitsType(type, wanted.types)) return null
  return {
    reason: "wrong_type",
    path,
    found: shownAs(type, sent),
    expected: wanted.types.filter((one) => one !== "null").map(withArticle)
  }
}

/** In PHP an empty object is written as an empty list. */
const isEmptyList = (sent: SentValue): boolean => sent._tag === "List" && sent.items.length === 0

const fitsType = (type: ContractType, types: ReadonlyArray<ContractType>): boolean =>
  types.length === 0 || types.includes(type) || (type === "integer" && types.includes("number"))

/** Letters of another case are taken by many servers. */
const isOutside = (text: string, { values }: ContractShape): boolean =>
  values !== null && !values.some((value) => String(value).toLowerCase() === text.toLowerCase())

const valuesOf = ({ values }: ContractShape): ReadonlyArray<string> =>
  (values ?? []).filter((value) => value !== null).map(String)

const ARTICLES: Readonly<Record<ContractType, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  object: "an object",
  array: "a list",
  null: "null"
}

const withArticle = (type: ContractType): string => ARTICLES[type]

const shown = (sent: SentValue): string => (sent._tag === "Known" ? JSON.stringify(sent.value) : "")

const shownAs = (type: ContractType, sent: SentValue): string =>
  sent._tag === "Known" ? `${withArticle(type)} (${shown(sent)})` : withArticle(type)

const NUMBER = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:e[+-]?\d{1,4})?$/i
const INTEGER = /^[+-]?\d{1,400}$/

/** What a value of a query, path, header or form has wrong: it is a text, and counts as what it reads as. */
export const textFault = (
  sent: SentValue,
  name: string,
  wanted: ContractShape | undefined
): Pick<ValueFault, "reason" | "found" | "expected"> | null => {
  if (wanted === undefined || sent._tag !== "Known" || sent.value === null) return null
  const text = String(sent.value)
  if (isStandInText(text, name) || wanted.types.includes("array") || wanted.types.includes("object")) return null
  const isListed = text.includes(",") && text.split(",").every((one) => !isOutside(one.trim(), wanted))
  if (isOutside(text, wanted) && !isListed)
    return { reason: "not_in_enum", found: JSON.stringify(text), expected: valuesOf(wanted) }
  const types = wanted.types.filter((type) => type !== "null")
  if (types.length === 0 || types.some((type) => readsAs(text, type))) return null
  return { reason: "wrong_type", found: JSON.stringify(text), expected: types.map(withArticle) }
}

const readsAs = (text: string, type: ContractType): boolean => {
  if (type === "integer") return INTEGER.test(text)
  if (type === "number") return NUMBER.test(text)
  return type === "boolean" ? /^(?:true|false|yes|no|on|off|[01tfyn])$/i.test(text) : true
}
