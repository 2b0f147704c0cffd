import { describe, expect, test } from "vitest"
import type { SpecContract } from "../../../engine/apispec/Contract.ts"
import type { Json, JsonObject } from "../../../engine/apispec/text/Json.ts"
import { described, openapi } from "../ReadFixture.ts"

const text = { type: "string" }
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties })
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/** `GET /a0`, `GET /a1`, … with these schemas of their answers. */
const answering = (schemas: ReadonlyArray<Json>, components: JsonObject = {}): Promise<SpecContract> => {
  const get = (schema: Json): Json => ({
    get: { responses: { 200: { description: "Done", content: { "application/json": { schema } } } } }
  })
  const paths = Object.fromEntries(schemas.map((schema, index) => [`/a${index}`, get(schema)]))
  return described(openapi({ paths, components: { schemas: components } })).then(({ contract }) => contract)
}

/** The names and types of an answer's objects by level, and whether each may have more. */
const levelsOf = (
  { answerFields, answers, operations, shapes }: SpecContract,
  operation = 0
): ReadonlyArray<readonly [string, boolean | undefined]> => {
  const seen = new Set([operations[operation]?.answer ?? -1])
  // What is added to a set while it is walked through is walked through, too.
  for (const at of seen) for (const part of answers[at]?.parts ?? []) seen.add(part)
  const fieldShown = (field: number): string => {
    const { name, shape } = answerFields[field] ?? { name: "", shape: -1 }
    return `${name} ${shapes[shape]?.types.join("|") ?? ""}`
  }
  return [...seen].map((at) => [(answers[at]?.fields ?? []).map(fieldShown).join(", "), answers[at]?.open])
}

describe("the answer of an operation", () => {
  test("has its fields with their types, and those of what is in it", async () => {
    const parcel = object({ id: text, weight: { type: ["integer", "null"] }, to: object({ city: text }) })
    expect(levelsOf(await answering([object({ data: { type: "array", items: parcel } })]))).toEqual([
      ["data array", false],
      ["id string, weight integer|null, to object", false],
      ["city string", false]
    ])
  })

  test("is kept once for all who share it, however they refer to it", async () => {
    const wrapped = [ref("A"), { type: "array", items: ref("A") }, { allOf: [ref("A")] }, object({ a: ref("A") })]
    const { answers, operations } = await answering(wrapped, { A: object({ id: text }) })
    const own = operations.map(({ answer }) => answer)
    expect(own.slice(1, 3)).toEqual([own[0], own[0]])
    expect(answers[own[3] ?? -1]?.parts).toEqual([own[0]])
  })

  test("may have itself in it", async () => {
    const contract = await answering([ref("A")], { A: object({ id: text, parent: ref("A") }) })
    expect(contract.answers[contract.operations[0]?.answer ?? -1]?.parts).toEqual([contract.operations[0]?.answer])
  })

  test("is open below three levels, and where the description is", async () => {
    const nested = object({ a: object({ b: object({ c: object({ d: text }) }) }) })
    expect(levelsOf(await answering([nested]))).toEqual([
      ["a object", false],
      ["b object", false],
      ["c object", false],
      ["", true]
    ])
    const free = { ...object({ a: text }), additionalProperties: true }
    expect(levelsOf(await answering([free]))).toEqual([["a string", true]])
    expect(levelsOf(await answering([object({ a: { type: "object" }, b: {} })]))).toEqual([
      ["a object, b ", false],
      ["", true]
    ])
  })

  test("is not known where it is no object, or of another media type", async () => {
    const { operations } = await answering([text, {}, { type: "array" }, { enum: ["a"] }])
    expect(operations.map(({ answer }) => answer)).toEqual([undefined, undefined, undefined, undefined])
  })

  test("is open where all answers together have more fields than are kept", async () => {
    const wide = (from: number): JsonObject =>
      object(Object.fromEntries(Array.from({ length: 290 }, (_, index) => [`f${from + index}`, text])))
    const contract = await answering(Array.from({ length: 60 }, (_, index) => wide(index * 1_000)))
    const rows = contract.answers.reduce((sum, { fields }) => sum + fields.length, 0)
    expect([rows > 5_000, rows <= 7_500]).toEqual([true, true])
    expect(levelsOf(contract, 0).map(([, open]) => open)).toEqual([false])
    expect(contract.answers[contract.operations[59]?.answer ?? 0]).toEqual({ fields: [], parts: [], open: true })
  })

  test("leaves less room for fields where there are many operations", async () => {
    const { answers, operations } = await answering(
      Array.from({ length: 1_600 }, (_, index) => object({ [`f${index}`]: text }))
    )
    expect([answers.length, operations.some(({ answer }) => answer !== undefined)]).toEqual([1, false])
  })
})
