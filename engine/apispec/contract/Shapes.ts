import type { Documents, Located } from "../text/Documents.ts"
import type { Json } from "../text/Json.ts"
import { ANY_SHAPE, type ContractField, type ContractShape, marksOf } from "../Contract.ts"
import { draftReader, fieldDraft, onlySchema, type SchemaDraft, UNKNOWN_SCHEMA } from "./SchemaDraft.ts"

/** Levels of members and items below a body or parameter that are kept: objects and lists below are of any value. */
const NESTING = 3

/** Fields of all shapes of one description; beyond them everything is of any value. */
const FIELD_LIMIT = 20_000

/** Schemas that are looked at for one description. */
const READ_LIMIT = 100_000

export interface ShapeTable {
  /** The index of the schema's shape. */
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
    return reads > READ_LIMIT || fields > FIELD_LIMIT ? UNKNOWN_SCHEMA : read(schema)
  }

  const made = (draft: SchemaDraft, level: number): number => {
    const isDeep = level >= NESTING || fields + draft.fields.size > FIELD_LIMIT
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
