import {
  type AnswerField,
  ANY_SHAPE,
  type ContractAnswer,
  type ContractField,
  type ContractShape,
  marksOf
} from "../Contract.ts"
import { type HttpOperation, isJsonType, isSuccessStatus, mediaTypesOf } from "../quality/SpecOperations.ts"
import { child, type Documents, follow, type Located } from "../text/Documents.ts"
import { has, type Json, listAt, member, objectAt } from "../text/Json.ts"
import { draftReader, fieldDraft, onlySchema, type SchemaDraft, UNKNOWN_SCHEMA } from "./SchemaDraft.ts"

/**
 * Fields of all answers of one description. Operations take up room, too, each as much as five fields, so that a report of GitHub's
 * 1,223 stays below its limit: 155 of them keep their answers, and 166 of Stripe's 468.
 */
const FIELD_LIMIT = 7_500
const FIELDS_OF_AN_OPERATION = 5

/** Objects of all answers of one description. */
const OBJECT_LIMIT = 3_000

/** Levels of objects in an answer; those below are open. */
const NESTING = 3

/** Lists in lists, and schemas that are made of one schema, are followed this far. */
const HOPS = 5

/** With a longer name nothing can be compared. */
const NAME_CHARACTERS = 100

/** What operations answer with, as a graph of objects: an object that many answers have is kept once. */
export interface AnswerTable {
  /** The index of what an operation answers with; `null` where nothing is known of it, or where the limits are reached. */
  readonly answerOf: (operation: HttpOperation) => number | null
  readonly answers: ReadonlyArray<ContractAnswer>
  readonly fields: ReadonlyArray<AnswerField>
}

/** Of anything: the first answer of every table. */
const ANY_ANSWER = 0
const OPEN: ContractAnswer = { fields: [], parts: [], open: true }

/** The table of a description with as many operations. */
export const answerTable = (documents: Documents, shapes: ShapeTable, operations: number): AnswerTable => {
  const answers: Array<ContractAnswer> = [OPEN]
  const fields: Array<AnswerField> = []
  const byText = new Map<string, number>()
  const byParts = new Map<string, number>()
  const known = new Map<Json, number | null>()
  /** Objects whose fields are not read yet, by their index: they are below the levels that are read, so far. */
  const unread = new Map<number, SchemaDraft>()
  /** Objects that an answer is: what is in them is read. */
  const tops = new Set<number>()
  let left = FIELD_LIMIT - operations * FIELDS_OF_AN_OPERATION

  const add = (answer: ContractAnswer): number => answers.push(answer) - 1

  const addField = (name: string, { types }: SchemaDraft): number => {
    const shape = shapes.add({ ...ANY_SHAPE, types: [...(types ?? [])].sort() })
    const text = `${shape} ${name}`
    const index = byText.get(text) ?? fields.push({ name, shape }) - 1
    byText.set(text, index)
    return index
  }

  /** The object that a value is, or that its lists have; `null` where it is none. */
  const objectOf = (written: Located, hops = 0): number | null => {
    const schema = unwrapped(documents, written)
    const before = known.get(schema.value)
    if (before !== undefined) return before
    const draft = shapes.draftOf(schema)
    const index = isList(draft) ? ofItems(draft, hops) : ofDraft(draft)
    known.set(schema.value, index)
    return index
  }

  const ofItems = ({ items }: SchemaDraft, hops: number): number | null =>
    items === null || hops === HOPS ? ANY_ANSWER : objectOf(items, hops + 1)

  const ofDraft = (draft: SchemaDraft): number | null => {
    const { fields: members, items, names, types, values } = draft
    if (values !== null || (types !== null && !types.has("object") && !types.has("array"))) return null
    const saysNothing = members.size === 0 && items === null && names !== "closed"
    if (saysNothing || left <= 0 || answers.length > OBJECT_LIMIT) return ANY_ANSWER
    const index = add(OPEN)
    unread.set(index, draft)
    return index
  }

  /** Level by level, so that an object has what is in it wherever an answer has it near enough to its top. */
  const readFrom = (roots: ReadonlySet<number>): void => {
    let level: ReadonlySet<number> = new Set([...roots].filter((index) => !tops.has(index)))
    for (const index of level) tops.add(index)
    for (let depth = 0; depth < NESTING; depth++) {
      const next = new Set<number>()
      for (const index of level) {
        const draft = unread.get(index)
        if (draft !== undefined) {
          if (draft.fields.size > left) continue
          unread.delete(index)
          answers[index] = objectIn(draft)
        }
        for (const part of answers[index]?.parts ?? []) next.add(part)
      }
      level = next
    }
  }

  const objectIn = (draft: SchemaDraft): ContractAnswer => {
    const own: Array<number> = []
    const parts = new Set<number>()
    let isOpen = draft.names !== "closed"
    for (const [name, schemas] of draft.fields) {
      if (name.length > NAME_CHARACTERS) {
        isOpen = true
        continue
      }
      const field = fieldDraft(schemas, shapes.draftOf)
      const schema = onlySchema(schemas)
      const part = schema === undefined ? ofDraft(field) : objectOf(schema)
      own.push(addField(name, field))
      if (part !== null) parts.add(part)
    }
    left -= own.length
    if (draft.types?.has("array") === true) {
      const items = ofItems(draft, 0)
      if (items !== null) parts.add(items)
    }
    return { fields: own, parts: [...parts], open: isOpen }
  }

  /** Of several answers any may be meant. */
  const anyOf = (objects: ReadonlyArray<number>): number | null => {
    const [first] = objects
    if (first === undefined || objects.length === 1) return first ?? null
    const text = objects.join()
    const index = byParts.get(text) ?? add({ fields: [], parts: objects, open: false })
    byParts.set(text, index)
    return index
  }

  return {
    answers,
    fields,
    answerOf: (operation) => {
      const schemas = schemasOf(documents, operation) ?? []
      const objects = new Set(schemas.map((schema) => objectOf(schema)).filter((index) => index !== null))
      if (objects.size === 0 || objects.has(ANY_ANSWER)) return null
      readFrom(objects)
      return anyOf([...objects])
    }
  }
}

const isList = ({ fields, items, types }: SchemaDraft): boolean =>
  types === null ? items !== null && fields.size === 0 : types.has("array") && !types.has("object")

/** Keywords by which a schema says more of an object than the one that it is made of. */
const SAYING = ["properties", "additionalProperties", "patternProperties", "items", "if"]

/** The schema that another one only wraps, so that all who do share it. */
const unwrapped = (documents: Documents, written: Located): Located => {
  let schema = written
  for (let hops = 0; hops < HOPS; hops++) {
    const { value } = schema
    const keys = ["$ref", "allOf", "oneOf", "anyOf"].filter((key) => has(value, key))
    const [key] = keys
    if (key === undefined || keys.length > 1 || SAYING.some((said) => has(value, said))) return schema
    if (key !== "$ref" && listAt(value, key).length !== 1) return schema
    const inside = key === "$ref" ? follow(documents, schema) : child(documents, schema, key, "0")
    if (inside === null || inside === schema) return schema
    schema = inside
  }
  return schema
}

/** Of the successful answers, else of the default one; `null` where one of them is not known. */
const schemasOf = (documents: Documents, operation: HttpOperation): ReadonlyArray<Located> | null => {
  const declared = Object.keys(objectAt(operation.located.value, "responses"))
  const successful = declared.filter(isSuccessStatus)
  const wanted = successful.length > 0 ? successful : declared.filter((status) => status === "default")
  const responses = operation.responses.filter(({ status }) => wanted.includes(status))
  if (responses.length < wanted.length) return null
  const holders = responses.flatMap(({ located }) => [
    ...(has(located.value, "schema") ? [located] : []),
    ...mediaTypesOf(documents, located).flatMap((media) => (isJsonType(media.name) ? [media.located] : []))
  ])
  return holders.every(({ value }) => has(value, "schema"))
    ? holders.map(({ document, path, value }) => ({
        value: member(value, "schema") ?? null,
        document,
        path: [...path, "schema"]
      }))
    : null
}

/** Fields of all shapes of one description; beyond them everything is of any value. */
const SHAPE_FIELD_LIMIT = 20_000

/** Schemas that are looked at for one description. */
const READ_LIMIT = 100_000

export interface ShapeTable {
  readonly shapeOf: (schema: Located) => number
  /** What a schema says on its own level. */
  readonly draftOf: (schema: Located) => SchemaDraft
  /** The index of a shape that is made elsewhere. */
  readonly add: (shape: ContractShape) => number
  readonly shapes: ReadonlyArray<ContractShape>
}

/** The shapes of one description: equal ones are kept once. */
export const shapeTable = (documents: Documents): ShapeTable => {
  const read = draftReader(documents)
  const shapes: Array<ContractShape> = [ANY_SHAPE]
  const byText = new Map<string, number>([[JSON.stringify(ANY_SHAPE), 0]])
  const known = new Map<Json, Array<number | undefined>>()
  let fields = 0
  let reads = 0

  const add = (shape: ContractShape): number => {
    const text = JSON.stringify(shape)
    const before = byText.get(text)
    if (before !== undefined) return before
    fields += shape.fields.length
    byText.set(text, shapes.length)
    shapes.push(shape)
    return shapes.length - 1
  }

  const shapeAt = (schema: Located, level: number): number => {
    const levels = known.get(schema.value) ?? []
    const before = levels[level]
    if (before !== undefined) return before
    const index = made(draftOf(schema), level)
    levels[level] = index
    known.set(schema.value, levels)
    return index
  }

  const draftOf = (schema: Located): SchemaDraft => {
    reads += 1
    return reads > READ_LIMIT || fields > SHAPE_FIELD_LIMIT ? UNKNOWN_SCHEMA : read(schema)
  }

  const made = (draft: SchemaDraft, level: number): number => {
    const isDeep = level >= NESTING || fields + draft.fields.size > SHAPE_FIELD_LIMIT
    const members = isDeep ? [] : fieldsOf(draft, level + 1)
    return add({
      types: [...(draft.types ?? [])].sort(),
      values: draft.values,
      fields: members,
      closed: !isDeep && draft.names === "closed",
      items: draft.items === null || isDeep ? 0 : shapeAt(draft.items, level + 1)
    })
  }

  /** Names that are required and declared nowhere are a fault of the description. */
  const fieldsOf = (draft: SchemaDraft, level: number): ReadonlyArray<ContractField> =>
    [...draft.fields].map(([name, schemas]) => {
      const field = fieldDraft(schemas, draftOf)
      const schema = onlySchema(schemas)
      return {
        name,
        marks: marksOf({
          required: draft.required.has(name),
          excused: field.excused,
          deprecated: field.deprecated
        }),
        shape: schema === undefined ? made(field, level) : shapeAt(schema, level)
      }
    })

  return { shapeOf: (schema) => shapeAt(schema, 0), draftOf: read, add, shapes }
}
