import type {
  AnswerField,
  ContractAnswer,
  ContractField,
  ContractOperation,
  ContractShape,
  SpecContract
} from "../../apispec/Contract.ts"

/** `city` of `to.city`, `items[].city` and `to[city]`. */
export const lastOf = (name: string): string => name.split(/[.[\]]/).findLast((part) => part !== "") ?? name

/** A field as far as tables are compared with it. */
export type KnownField = Omit<ContractField, "name">

/** All that an operation takes or answers with, by the last part of its name. */
export interface KnownFields {
  readonly byName: ReadonlyMap<string, ReadonlyArray<KnownField>>
  /** Those that a table should have, in order. */
  readonly names: ReadonlyArray<string>
  /** Where there may be more: `inside` some of those that are lists, objects or of any value, or `anywhere`. */
  readonly open: "nowhere" | "inside" | "anywhere"
  /** It marks anything but its path as required: one that marks nothing does not say that all is optional. */
  readonly tellsRequired: boolean
}

const SHAPES = 500

/** What callers send. */
export const requestFields = (operation: ContractOperation, { parameters, shapes }: SpecContract): KnownFields => {
  const byName = new Map<string, Array<ContractField>>()
  const seen = new Set<number>()
  let open = operation.marks.includes("open_query")

  const name = (field: ContractField): void => {
    const last = lastOf(field.name)
    const fields = byName.get(last) ?? []
    fields.push(field)
    byName.set(last, fields)
  }
  const visit = (at: number, shape: ContractShape | undefined): void => {
    if (shape === undefined || seen.has(at)) return
    if (seen.size >= SHAPES) {
      open = true
      return
    }
    seen.add(at)
    if (!shape.closed && (shape.types.length === 0 || shape.types.includes("object"))) open = true
    for (const field of shape.fields) {
      name(field)
      visit(field.shape, shapes[field.shape])
    }
    if (shape.types.includes("array")) visit(shape.items, shapes[shape.items])
  }

  const own = operation.parameters.flatMap((at) => parameters[at] ?? [])
  for (const parameter of own) {
    name(parameter)
    const shape = shapes[parameter.shape]
    if (shape?.types.includes("object") === true) visit(parameter.shape, shape)
  }
  for (const { shape } of operation.bodies) visit(shape, shapes[shape])
  const body = operation.bodies.flatMap(({ shape }) => shapes[shape]?.fields ?? [])
  const marked = [...own.filter((one) => one.in !== "path"), ...body]
  return {
    byName,
    names: [...new Set([...own, ...body].map((field) => field.name))],
    open: open ? "anywhere" : "nowhere",
    tellsRequired: marked.some(({ marks }) => marks.includes("required"))
  }
}

/** What callers are answered. Of several objects in an answer, a table is of the one that has most of its names. */
export const answerFields = (
  answer: number,
  shown: ReadonlyArray<string>,
  { answerFields: fields, answers }: SpecContract
): KnownFields => {
  const objects = objectsIn(answer, answers)
  const own = objects.map((object) => object.fields.flatMap((at) => fields[at] ?? []))
  const byName = new Map<string, Array<KnownField>>()
  for (const { name, shape } of own.flat()) {
    const last = lastOf(name)
    const some = byName.get(last) ?? []
    some.push({ marks: [], shape })
    byName.set(last, some)
  }
  const wanted = new Set(shown.map(lastOf))
  const counts = own.map((some) => some.filter(({ name }) => wanted.has(lastOf(name))).length)
  const likeliest = own[counts.indexOf(Math.max(...counts))] ?? []
  return {
    byName,
    names: likeliest.map(({ name }) => name),
    open: opennessOf(objects, wanted, byName, likeliest),
    tellsRequired: false
  }
}

/** `inside` only if all names that are known are those of one object: then the table is of that one, and not of what is in it. */
const opennessOf = (
  objects: ReadonlyArray<ContractAnswer>,
  wanted: ReadonlySet<string>,
  byName: KnownFields["byName"],
  likeliest: ReadonlyArray<AnswerField>
): KnownFields["open"] => {
  const open = objects.filter((object) => object.open)
  if (objects.length > SHAPES || open.some(({ fields }) => fields.length > 0)) return "anywhere"
  const own = new Set(likeliest.map(({ name }) => lastOf(name)))
  const isOfOne = [...wanted].every((name) => own.has(name) || !byName.has(name))
  return open.length === 0 ? "nowhere" : isOfOne ? "inside" : "anywhere"
}

/** An object and all that is in it, nearest first; of too many the first ones, and one more. */
const objectsIn = (answer: number, answers: ReadonlyArray<ContractAnswer>): ReadonlyArray<ContractAnswer> => {
  const seen = new Set([answer])
  const objects: Array<ContractAnswer> = []
  // What is added to a set while it is walked through is walked through, too.
  for (const at of seen) {
    const object = answers[at]
    if (object === undefined) continue
    objects.push(object)
    if (objects.length > SHAPES) return objects
    for (const part of object.parts) seen.add(part)
  }
  return objects
}
