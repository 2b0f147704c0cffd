import { type Documents, type Located, wayOf } from "../text/Documents.ts"
import { entriesAt, has, isList, isObject, type Json, listAt, member, stringAt } from "../text/Json.ts"
import type { ContractType, ContractValue } from "../Contract.ts"

/** Alternatives for a field, each the schemas that hold together; none: anything. */
type FieldSchemas = ReadonlyArray<ReadonlyArray<Located>>

/** What a schema says of a value on its own level, all that it is made of considered; its fields are not looked into yet. */
export interface SchemaDraft {
  /** `null`: anything. */
  readonly types: ReadonlySet<ContractType> | null
  readonly values: ReadonlyArray<ContractValue> | null
  readonly fields: ReadonlyMap<string, FieldSchemas>
  readonly required: ReadonlySet<string>
  /** Whether an object may have other names than those of `fields`; `unsaid`: it declares none. */
  readonly names: "unsaid" | "closed" | "open"
  readonly items: Located | null
  /** It is read-only or has a default. */
  readonly excused: boolean
  readonly deprecated: boolean
}

const NOTHING_SAID: SchemaDraft = {
  types: null,
  values: null,
  fields: new Map(),
  required: new Set(),
  names: "unsaid",
  items: null,
  excused: false,
  deprecated: false
}

/** Of a schema that could not be read: it may say anything. */
export const UNKNOWN_SCHEMA: SchemaDraft = { ...NOTHING_SAID, names: "open", excused: true }

const TYPES: ReadonlyArray<ContractType> = ["string", "number", "integer", "boolean", "object", "array", "null"]

/** Values of an enum, fields of one schema and alternatives of it that are kept; of one with more nothing is said. */
const VALUES = 50
const FIELDS = 300
const ALTERNATIVES = 50

/** Schemas that are made of schemas are followed this far. */
const NESTING = 20

/** Keywords by which a schema may have further members that are not followed here. */
const OPENING = [
  "patternProperties",
  "dependentSchemas",
  "dependencies",
  "if",
  "$dynamicRef",
  "$recursiveRef",
  "propertyNames"
]

const typesOf = (schema: Json): ReadonlySet<ContractType> | null => {
  const said = member(schema, "type")
  const names = typeof said === "string" ? [said] : isList(said) ? said : []
  const types = TYPES.filter((type) => names.includes(type))
  if (types.length === 0 || types.length < names.length) return null
  return new Set<ContractType>(member(schema, "nullable") === true ? [...types, "null"] : types)
}

const isValue = (value: Json): value is ContractValue => typeof value !== "object" || value === null

const valuesOf = (schema: Json): ReadonlyArray<ContractValue> | null => {
  const constant = member(schema, "const")
  const all = constant === undefined ? listAt(schema, "enum") : [constant]
  const values = all.filter(isValue)
  return values.length === 0 || values.length > VALUES || values.length < all.length ? null : values
}

const namesOf = (schema: Json): SchemaDraft["names"] => {
  const more = member(schema, "additionalProperties") ?? member(schema, "unevaluatedProperties")
  if (OPENING.some((keyword) => has(schema, keyword)) || (more !== undefined && more !== false)) return "open"
  const declared = entriesAt(schema, "properties").length
  return declared > FIELDS ? "open" : declared > 0 ? "closed" : more === false ? "closed" : "unsaid"
}

const below = (schema: Located, ...keys: ReadonlyArray<string>): Located["path"] => [...schema.path, ...keys]

const fieldsOf = (schema: Located): SchemaDraft["fields"] =>
  new Map(
    entriesAt(schema.value, "properties")
      .slice(0, FIELDS)
      .map(([name, value]) => [name, [[{ value, document: schema.document, path: below(schema, "properties", name) }]]])
  )

const ownDraft = (schema: Located): SchemaDraft => {
  const { value } = schema
  const items = member(value, "items")
  return {
    types: typesOf(value),
    values: valuesOf(value),
    fields: fieldsOf(schema),
    required: new Set(
      listAt(value, "required")
        .filter((name) => typeof name === "string")
        .slice(0, FIELDS)
    ),
    names: namesOf(value),
    items: isObject(items) ? { value: items, document: schema.document, path: below(schema, "items") } : null,
    excused: member(value, "readOnly") === true || has(value, "default"),
    deprecated: member(value, "deprecated") === true
  }
}

const meetTypes = (one: SchemaDraft["types"], other: SchemaDraft["types"]): SchemaDraft["types"] => {
  if (one === null || other === null) return one ?? other
  const within = (some: ReadonlySet<ContractType>, all: ReadonlySet<ContractType>): ReadonlyArray<ContractType> =>
    [...some].filter((type) => all.has(type) || (type === "integer" && all.has("number")))
  const shared = [...within(one, other), ...within(other, one)]
  // Types that exclude each other are a fault of the description: nothing is said of a call for it.
  return shared.length === 0 ? null : new Set(shared)
}

/** Parts and alternatives of one field that are looked at. */
const FIELD_PARTS = 4
const FIELD_ALTERNATIVES = 10

/** Where both have alternatives, those of one are enough: nothing is said that does not hold. */
const both = (one: FieldSchemas | undefined, other: FieldSchemas): FieldSchemas => {
  if (one === undefined) return other
  const [first] = one
  if (one.length !== 1 || first === undefined) return one
  return other.length === 0 ? one : other.map((schemas) => [...first, ...schemas].slice(0, FIELD_PARTS))
}

/** Of a value for which both hold. */
const meet = (one: SchemaDraft, other: SchemaDraft): SchemaDraft => {
  const fields = new Map(one.fields)
  for (const [name, schemas] of other.fields) fields.set(name, both(fields.get(name), schemas))
  const isOpen = one.names === "open" || other.names === "open" || fields.size > FIELDS
  return {
    types: meetTypes(one.types, other.types),
    values: one.values ?? other.values,
    fields: cut(fields),
    required: new Set([...one.required, ...other.required]),
    names: isOpen ? "open" : one.names === "unsaid" ? other.names : one.names,
    items: one.items ?? other.items,
    excused: one.excused || other.excused,
    deprecated: one.deprecated || other.deprecated
  }
}

const cut = (fields: SchemaDraft["fields"]): SchemaDraft["fields"] =>
  fields.size > FIELDS ? new Map([...fields].slice(0, FIELDS)) : fields

const isNoObject = ({ types }: SchemaDraft): boolean => types !== null && !types.has("object")

/** Of a value for which one of them holds. */
const join = (branches: ReadonlyArray<SchemaDraft>): SchemaDraft => {
  const [only, ...more] = branches
  if (only !== undefined && more.length === 0) return only
  // Names and required fields are those of objects: an alternative such as null has no say.
  const objects = branches.filter((branch) => !isNoObject(branch))
  const fields = new Map<string, FieldSchemas>()
  for (const branch of objects) {
    for (const [name, schemas] of branch.fields) {
      const known = fields.get(name)
      fields.set(name, known === undefined ? schemas : either(known, schemas))
    }
  }
  const [first, ...rest] = objects
  const known = branches.map(({ types }) => types).filter((types) => types !== null)
  const values = branches.map((branch) => branch.values).filter((list) => list !== null)
  const all = [...new Set(values.flat())]
  return {
    types: known.length < branches.length ? null : new Set(known.flatMap((types) => [...types])),
    values: values.length < branches.length || all.length > VALUES ? null : all,
    fields: cut(fields),
    required: new Set([...(first?.required ?? [])].filter((name) => rest.every(({ required }) => required.has(name)))),
    names:
      objects.length === 0
        ? "unsaid"
        : objects.some(({ names }) => names !== "closed") || fields.size > FIELDS
          ? "open"
          : "closed",
    items: null,
    excused: branches.some(({ excused }) => excused),
    deprecated: branches.every(({ deprecated }) => deprecated)
  }
}

const either = (one: FieldSchemas, other: FieldSchemas): FieldSchemas => {
  if (one.length === 0 || other.length === 0) return []
  const all = [...one, ...other.filter((schemas) => !one.some((known) => isSame(known, schemas)))]
  return all.length > FIELD_ALTERNATIVES ? [] : all
}

const isSame = (one: ReadonlyArray<Located>, other: ReadonlyArray<Located>): boolean =>
  one.length === other.length && one.every(({ value }, index) => value === other[index]?.value)

/** Of a field, `read` being asked for the schemas that it may have. */
export const fieldDraft = (schemas: FieldSchemas, read: (schema: Located) => SchemaDraft): SchemaDraft =>
  schemas.length === 0 ? UNKNOWN_SCHEMA : join(schemas.map((parts) => parts.map(read).reduce(meet, NOTHING_SAID)))

/** The schema of a field that has no more than one. */
export const onlySchema = ([first = [], ...others]: FieldSchemas): Located | undefined =>
  others.length === 0 && first.length === 1 ? first[0] : undefined

/** Reads drafts, each schema once. */
export const draftReader = (documents: Documents): ((schema: Located) => SchemaDraft) => {
  const known = new Map<Json, SchemaDraft>()
  let nesting = 0

  const read = (start: Located): SchemaDraft => {
    const before = known.get(start.value)
    if (before !== undefined || nesting >= NESTING) return before ?? UNKNOWN_SCHEMA
    // A schema that is made of itself says nothing the second time round.
    known.set(start.value, UNKNOWN_SCHEMA)
    nesting += 1
    const draft = compose(start)
    nesting -= 1
    known.set(start.value, draft)
    return draft
  }

  const compose = (start: Located): SchemaDraft => {
    const way = wayOf(documents, start)
    const last = way.at(-1)
    if (last === undefined || stringAt(last.value, "$ref") !== "" || !isObject(last.value)) return UNKNOWN_SCHEMA
    // What is beside a reference counts, too (JSON Schema 2020-12).
    return way.map(level).reduce(meet)
  }

  const level = (schema: Located): SchemaDraft => {
    if (["allOf", "oneOf", "anyOf"].some((keyword) => listAt(schema.value, keyword).length > ALTERNATIVES))
      return UNKNOWN_SCHEMA
    const parts = branches(schema, "allOf").map(read)
    const alternatives = ["oneOf", "anyOf"].flatMap((keyword) => {
      const some = branches(schema, keyword)
      return some.length === 0 ? [] : [join(some.map(read))]
    })
    const own = [ownDraft(schema), ...parts, ...alternatives].reduce(meet)
    return own.types?.has("null") !== true && member(schema.value, "nullable") === true && own.types !== null
      ? { ...own, types: new Set<ContractType>([...own.types, "null"]) }
      : own
  }

  const branches = (schema: Located, keyword: string): ReadonlyArray<Located> =>
    listAt(schema.value, keyword).map((value, index) => ({
      value,
      document: schema.document,
      path: below(schema, keyword, String(index))
    }))

  return read
}
