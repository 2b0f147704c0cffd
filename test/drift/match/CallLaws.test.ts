import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Json, JsonObject } from "../../../engine/apispec/text/Json.ts"
import type { ShownCall } from "../../../engine/drift/ShownCall.ts"
import { openapi } from "../../apispec/ReadFixture.ts"
import { indexOfDescription, sentFields, shownCall, verdictOf } from "./DriftFixture.ts"

/*
 * Calls that are made from a random operation agree with its description, and each change of one thing is told.
 */

type Kind = "string" | "integer" | "boolean" | "enum"

interface Field {
  readonly name: string
  readonly kind: Kind
  readonly required: boolean
}

interface Operation {
  readonly words: ReadonlyArray<string>
  readonly method: string
  readonly query: ReadonlyArray<Field>
  readonly headers: ReadonlyArray<Field>
  readonly body: ReadonlyArray<Field>
}

const WORDS = "barrels|lanterns|harbours|compasses|anchors|meadows|orchards|granaries|furnaces|bridges".split("|")
const NAMES = "width|colour|origin|grade|vendor|amount|rating|region|shape|weight|season|height".split("|")

const fieldsFrom = (names: ReadonlyArray<string>, least: number) =>
  fc.uniqueArray(
    fc.record<Field>({
      name: fc.constantFrom(...names),
      kind: fc.constantFrom<Kind>("string", "integer", "boolean", "enum"),
      required: fc.boolean()
    }),
    { selector: ({ name }) => name, minLength: least, maxLength: 4 }
  )

const anOperation: fc.Arbitrary<Operation> = fc.record({
  words: fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
  method: fc.constantFrom("POST", "PUT", "PATCH"),
  query: fieldsFrom(NAMES.slice(0, 4), 1),
  headers: fieldsFrom(["Depot", "Shift-Number", "Idempotency-Key"], 0),
  body: fieldsFrom(NAMES.slice(4), 1)
})

const CHOICES = ["copper", "silver"]

const schemaOf = ({ kind }: Field): JsonObject => (kind === "enum" ? { type: "string", enum: CHOICES } : { type: kind })

const valueOf = ({ kind }: Field): string | number | boolean =>
  ({ string: "plain words", integer: 17, boolean: true, enum: "copper" })[kind]

const templateOf = ({ words }: Operation): string => `/${words.map((word) => `${word}/{${word}_id}`).join("/")}`

const described = (operation: Operation) =>
  indexOfDescription(
    openapi({
      servers: [{ url: "https://api.fernpost.dev/v1" }],
      paths: {
        [templateOf(operation)]: {
          [operation.method.toLowerCase()]: {
            parameters: [
              ...operation.words.map((word) => ({
                name: `${word}_id`,
                in: "path",
                required: true,
                schema: { type: "integer" }
              })),
              ...operation.query.map((field) => ({
                name: field.name,
                in: "query",
                required: field.required,
                schema: schemaOf(field)
              })),
              ...operation.headers.map((field) => ({
                name: field.name,
                in: "header",
                required: field.required,
                schema: schemaOf(field)
              }))
            ],
            requestBody: {
              content: {
                "application/json": {
                  schema: {
                    type: "object",
                    required: operation.body.filter(({ required }) => required).map(({ name }) => name),
                    properties: Object.fromEntries(operation.body.map((field) => [field.name, schemaOf(field)]))
                  }
                }
              }
            },
            responses: {}
          }
        }
      }
    })
  )

const addressOf = ({ words }: Operation): string =>
  `https://api.fernpost.dev/v1/${words.map((word, at) => `${word}/${at + 10}`).join("/")}`

const texts = (fields: ReadonlyArray<Field>): Readonly<Record<string, Json>> =>
  Object.fromEntries(fields.map((field) => [field.name, String(valueOf(field))]))

const values = (fields: ReadonlyArray<Field>): Readonly<Record<string, Json>> =>
  Object.fromEntries(fields.map((field) => [field.name, valueOf(field)]))

const callOf = (operation: Operation): ShownCall =>
  shownCall({
    method: operation.method,
    address: addressOf(operation),
    query: texts(operation.query),
    headers: { Authorization: undefined, ...texts(operation.headers) },
    json: values(operation.body)
  })

const withQuery = (call: ShownCall, fields: Readonly<Record<string, Json>>): ShownCall => ({
  ...call,
  query: sentFields(fields)
})

const withBody = (call: ShownCall, fields: Readonly<Record<string, Json>>): ShownCall => ({
  ...call,
  body: { _tag: "Json", value: { _tag: "Object", sent: sentFields(fields) } }
})

const without = (fields: ReadonlyArray<Field>, left: Field): ReadonlyArray<Field> =>
  fields.filter((field) => field !== left)

/** A change of one thing, and the reason that it is told with; `null` where the operation has nothing to change. */
type Mutation = (operation: Operation, call: ShownCall) => readonly [call: ShownCall, told: string] | null

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  "a renamed segment": ({ words: [word = ""] }, call) => [
    { ...call, address: call.address.replace(word, `${word.slice(0, -1)}ings`) },
    "unknown_path"
  ],
  "another method": (_, call) => [{ ...call, method: "DELETE" }, "unknown_method"],
  "another version": (_, call) => [{ ...call, address: call.address.replace("/v1/", "/v2/") }, "unknown_version"],
  "another host": (_, call) => [
    { ...call, address: call.address.replace("fernpost.dev", "elsewhere.dev") },
    "not compared: other_host"
  ],
  "a renamed parameter": ({ query: [first, ...rest] }, call) =>
    first === undefined || first.required
      ? null
      : [withQuery(call, { ...texts(rest), [`${first.name}_new`]: "1" }), "unknown_parameter"],
  "a parameter left out": ({ query }, call) => {
    const left = query.find(({ required }) => required)
    return left === undefined ? null : [withQuery(call, texts(without(query, left))), "missing_parameter"]
  },
  "a header left out": ({ headers }, call) => {
    const left = headers.find(({ required }) => required)
    if (left === undefined) return null
    return [
      { ...call, headers: sentFields({ Authorization: undefined, ...texts(without(headers, left)) }) },
      "missing_parameter"
    ]
  },
  "a parameter of the wrong type": ({ query }, call) => {
    const wrong = query.find(({ kind }) => kind === "integer")
    return wrong === undefined ? null : [withQuery(call, { ...texts(query), [wrong.name]: "seventeen" }), "wrong_type"]
  },
  "a parameter outside its enum": ({ query }, call) => {
    const wrong = query.find(({ kind }) => kind === "enum")
    return wrong === undefined ? null : [withQuery(call, { ...texts(query), [wrong.name]: "wooden" }), "not_in_enum"]
  },
  "a field too many": ({ body }, call) => [withBody(call, { ...values(body), surplus: 1 }), "unknown_field"],
  "a field left out": ({ body }, call) => {
    const left = body.find(({ required }) => required)
    return left === undefined ? null : [withBody(call, values(without(body, left))), "missing_field"]
  },
  "a field of the wrong type": ({ body }, call) => {
    const wrong = body.find(({ kind }) => kind !== "enum")
    return wrong === undefined ? null : [withBody(call, { ...values(body), [wrong.name]: [1] }), "wrong_type"]
  },
  "a field outside its enum": ({ body }, call) => {
    const wrong = body.find(({ kind }) => kind === "enum")
    return wrong === undefined ? null : [withBody(call, { ...values(body), [wrong.name]: "wooden" }), "not_in_enum"]
  }
}

describe("a call that is made from an operation", () => {
  test("agrees with it", async () => {
    await fc.assert(
      fc.asyncProperty(anOperation, async (operation) => {
        expect(verdictOf(callOf(operation), await described(operation))).toEqual(["agrees"])
      }),
      { numRuns: 60 }
    )
  })

  test.each(Object.entries(MUTATIONS))("is told with %s", async (_, mutate) => {
    let told = 0
    await fc.assert(
      fc.asyncProperty(anOperation, async (operation) => {
        const mutated = mutate(operation, callOf(operation))
        if (mutated === null) return
        told += 1
        expect(
          verdictOf(mutated[0], await described(operation)).map((said) => said.split(/: (?!other)/, 1)[0])
        ).toEqual([mutated[1]])
      }),
      { numRuns: 40 }
    )
    expect(told).toBeGreaterThan(5)
  })
})
