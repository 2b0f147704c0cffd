import { child, type Documents, follow, type Located, onceEach, walk, wayOf } from "../text/Documents.ts"
import { has, isList, isObject, type Json, listAt, member, objectAt, stringAt } from "../text/Json.ts"

/** A parameter's or a property's schema, as written (references not followed). */
export interface Field {
  /** What names and describes it: the parameter, or the property's schema itself. */
  readonly holder: Located
  readonly schema: Located
}

/** Properties read of one description. */
const PROPERTY_LIMIT = 500_000

/** Schemas in schemas that are looked into for an example or a type. */
const NESTING = 12

/** Every property of every schema of all documents, each where it is written and so once, in document order. */
export const propertiesOf = (documents: Documents): ReadonlyArray<Field> => {
  const fields: Array<Field> = []
  for (const document of documents.byUrl.values()) {
    walk(document.root, (node, path) => {
      const properties = objectAt(node, "properties")
      for (const name of Object.keys(properties)) {
        const value = properties[name]
        if (value === undefined || fields.length >= PROPERTY_LIMIT) continue
        const located: Located = { value, document, path: [...path, "properties", name] }
        fields.push({ holder: located, schema: located })
      }
    })
  }
  return fields
}

const COMBINATIONS = ["allOf", "oneOf", "anyOf"] as const

const isCombined = (schema: Json): boolean => COMBINATIONS.some((keyword) => listAt(schema, keyword).length > 0)

const branchesOf = (schema: Json): ReadonlyArray<readonly [keyword: string, index: string]> =>
  COMBINATIONS.flatMap((keyword) => listAt(schema, keyword).map((_, index) => [keyword, String(index)] as const))

/** Branches of one schema that are looked at for a description. */
const BRANCHES = 20

/** Says of a parameter or a property whether it is described; what it is made of is looked at once for all that share it. */
type DescriptionFinder = (holder: Located) => boolean

/**
 * It has a description, or one of the references from there has, or what they lead to, or what it is made of: a part of
 * `allOf`, or each alternative but `null`.
 */
export const descriptionFinder = (documents: Documents): DescriptionFinder => {
  const isMadeOfDescribed = onceEach(
    (target) =>
      branchesAt(target, "allOf").some((part) => isDescribedItself(documents, part)) ||
      ["oneOf", "anyOf"].some((keyword) => {
        const alternatives = branchesAt(target, keyword).filter(({ value }) => stringAt(value, "type") !== "null")
        return alternatives.length > 0 && alternatives.every((one) => isDescribedItself(documents, one))
      })
  )
  return (holder) => {
    if (isDescribedItself(documents, holder)) return true
    const target = follow(documents, holder)
    return target !== null && isCombined(target.value) && isMadeOfDescribed(target)
  }
}

/** By its own description, or that of a reference on the way to its target. */
const isDescribedItself = (documents: Documents, holder: Located): boolean =>
  wayOf(documents, holder).some(({ value }) => stringAt(value, "description") !== "")

/** As written. */
const branchesAt = (schema: Located, keyword: string): ReadonlyArray<Located> =>
  listAt(schema.value, keyword)
    .slice(0, BRANCHES)
    .map((_, index) => at(schema, keyword, String(index)))

/** It says what it holds: a type, a reference, a set of values, or what it is combined of. */
export const isTyped = (schema: Json): boolean =>
  ["type", "$ref", "enum", "const", "properties"].some((key) => has(schema, key)) || isCombined(schema)

const CONSTRAINTS = [
  "enum",
  "const",
  "format",
  "pattern",
  "default",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf"
]

const SCALARS = new Set(["string", "number", "integer"])

/** A string or a number, references followed; of several types any. */
const isScalar = (schema: Json): boolean => {
  const type = member(schema, "type")
  return typeof type === "string"
    ? SCALARS.has(type)
    : isList(type) && type.some((one) => typeof one === "string" && SCALARS.has(one))
}

/** Says of a schema whether it narrows its values down; `null`: neither string nor number, so there is nothing to narrow. */
type ConstraintFinder = (schema: Located) => boolean | null

/**
 * References are followed, and branches looked at where there is no type. What was found of a schema is kept: branches
 * of branches that all lead to one another would be a tree without end.
 */
export const constraintFinder = (documents: Documents): ConstraintFinder => {
  const known = new Map<Json, boolean | null>()

  const find = (schema: Located, nesting: number): boolean | null => {
    const target = nesting === 0 ? null : follow(documents, schema)
    if (target === null) return null
    const verdict = verdictOf(target, nesting)
    return verdict === null ? null : verdict || isNarrowed(schema.value)
  }

  const verdictOf = (target: Located, nesting: number): boolean | null => {
    if (isScalar(target.value)) return isNarrowed(target.value)
    if (has(target.value, "type") || !isCombined(target.value)) return null
    const before = known.get(target.value)
    if (before !== undefined) return before
    // In a circle the second time round counts as nothing to narrow.
    known.set(target.value, null)
    const verdicts = branchesOf(target.value)
      .map(([keyword, index]) => find(at(target, keyword, index), nesting - 1))
      .filter((verdict) => verdict !== null)
    const verdict = verdicts.length === 0 ? null : verdicts.some(Boolean) || isNarrowed(target.value)
    known.set(target.value, verdict)
    return verdict
  }

  return (schema) => find(schema, NESTING)
}

const isNarrowed = (schema: Json): boolean => CONSTRAINTS.some((key) => has(schema, key))

const at = (parent: Located, keyword: string, index: string): Located => ({
  value: listAt(parent.value, keyword)[Number(index)] ?? null,
  document: parent.document,
  path: [...parent.path, keyword, index]
})

/** Tells whether a schema shows an example; what it found is kept, because components are asked about again and again. */
export type ExampleFinder = (schema: Located) => boolean

/**
 * A schema shows an example where it has one itself, where its items do, where one of its alternatives or all its parts
 * together do, or where all its required properties do (all properties where none is required).
 */
export const exampleFinder = (documents: Documents): ExampleFinder => {
  const known = new Map<Json, boolean>()

  const find = (start: Located, nesting: number): boolean => {
    if (hasOwnExample(start.value)) return true
    const schema = follow(documents, start)
    if (schema === null || nesting === 0) return false
    const before = known.get(schema.value)
    if (before !== undefined) return before
    // In a circle the second time round counts as no example.
    known.set(schema.value, false)
    const verdict = hasOwnExample(schema.value) || inside(schema, nesting - 1)
    known.set(schema.value, verdict)
    return verdict
  }

  const inside = (schema: Located, nesting: number): boolean => {
    const items = child(documents, schema, "items")
    if (items !== null && find(items, nesting)) return true
    const alternatives = [...branches(schema, "oneOf"), ...branches(schema, "anyOf")]
    if (alternatives.some((branch) => find(branch, nesting))) return true
    const parts = branches(schema, "allOf")
    const own = propertiesShow(schema, nesting)
    const verdicts = parts.map((part) => find(part, nesting))
    return parts.length === 0 ? own === true : own !== false && verdicts.every(Boolean)
  }

  const branches = (schema: Located, keyword: string): ReadonlyArray<Located> =>
    listAt(schema.value, keyword).map((value, index) => ({
      value,
      document: schema.document,
      path: [...schema.path, keyword, String(index)]
    }))

  /** `null` where there are none. */
  const propertiesShow = (schema: Located, nesting: number): boolean | null => {
    const properties = objectAt(schema.value, "properties")
    const required = listAt(schema.value, "required").filter(
      (name): name is string => typeof name === "string" && has(properties, name)
    )
    const names = required.length > 0 ? required : Object.keys(properties)
    if (names.length === 0) return null
    return names.every((name) =>
      find(
        {
          value: properties[name] ?? null,
          document: schema.document,
          path: [...schema.path, "properties", name]
        },
        nesting
      )
    )
  }

  return (schema) => find(schema, NESTING)
}

/** `example`, a non-empty `examples`, or the only value there can be. */
export const hasOwnExample = (holder: Json): boolean => {
  if (has(holder, "example") || has(holder, "const")) return true
  const examples = member(holder, "examples")
  return isList(examples) ? examples.length > 0 : isObject(examples) && Object.keys(examples).length > 0
}
