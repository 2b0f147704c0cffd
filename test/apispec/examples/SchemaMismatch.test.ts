import { describe, expect, test } from "vitest"
import type { Json, JsonObject } from "../../../engine/apispec/text/Json.ts"
import { answering, examplesOf, posting, saidOf, told, version } from "./ExampleFixture.ts"

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more })

type Case = readonly [what: string, value: Json, schema: Json, says: string | null, openapi?: string]

/** Each case by its name. */
const named = (cases: ReadonlyArray<Case>) => cases.map((one) => [one[0], one] as const)

const expectSaid = ([, value, schema, says, openapi]: Case) =>
  expect(saidOf(value, schema, openapi)).resolves.toBe(says)

describe("types", () => {
  const amount = object({ amount: { type: "integer" } })
  test.each(
    named([
      ["another type", { amount: "five" }, amount, 'says "five" for amount; an integer'],
      ["a fraction for an integer", { amount: 5.5 }, amount, "says 5.5 for amount; an integer"],
      ["a whole number for a number", 5, { type: "number" }, null],
      ["one of several types", null, { type: ["string", "null"] }, null],
      ["none of several types", true, { type: ["object", "null"] }, "says true; an object or null"],
      ["a type that JSON Schema has not", { amount: "five" }, object({ amount: { type: "int" } }), null],
      [
        "the word that generators write, for a number",
        { amount: "string" },
        amount,
        'says "string" for amount; an integer'
      ],
      [
        "a number for a string in an object",
        { zip: 1234 },
        object({ zip: { type: "string" } }),
        "says 1234 for zip; a string"
      ],
      ["a null that may not be", { note: null }, object({ note: { type: "string" } }), "says null for note; a string"],
      ["a null in 3.0", { note: null }, object({ note: { type: "string", nullable: true } }), null, "3.0.3"],
      [
        "a null beside a reference in 3.0",
        { note: null },
        object({ note: { $ref: "#/info", nullable: true } }),
        null,
        "3.0.3"
      ],
      ["a null of a set of values in 3.0", { a: null }, object({ a: { nullable: true, enum: ["b"] } }), null, "3.0.3"],
      ["an item", { tags: ["a", 5] }, object({ tags: { items: { type: "string" } } }), "says 5 for tags[1]; a string"]
    ])
  )("%s", (_, one) => expectSaid(one))
})

describe("values and bounds", () => {
  const bounded = (schema: JsonObject): JsonObject => object({ a: schema })
  test.each(
    named([
      ["a value of none of two", { a: "euro" }, bounded({ enum: ["EUR", "USD"] }), 'says "euro" for a; "EUR" or "USD"'],
      [
        "another type than a set has, by the set",
        { a: 978 },
        bounded({ type: "string", enum: ["EUR"] }),
        'says 978 for a; "EUR"'
      ],
      [
        "many values, of which some are named",
        { a: 0 },
        bounded({ enum: [1, 2, 3, 4, 5, 6, 7, 8] }),
        "says 0 for a; one of 1, 2, 3, 4, 5, 6 and 2 more"
      ],
      ["a word of none of two, of no type", "euro", { enum: ["EUR", "USD"] }, 'says "euro"; "EUR" or "USD"'],
      ["an object of a set, members in any order", { a: { x: 1, y: 2 } }, bounded({ enum: [{ y: 2, x: 1 }] }), null],
      ["an unquoted value of YAML", { a: "1" }, bounded({ type: "string", enum: [1, 2] }), null],
      ["not the only value", { a: 2 }, bounded({ const: 1 }), "says 2 for a; 1"],
      ["too little", { a: 0 }, bounded({ minimum: 1 }), "says 0 for a; at least 1"],
      ["too much", { a: 101 }, bounded({ maximum: 100 }), "says 101 for a; at most 100"],
      ["a bound that is left out", { a: 1 }, bounded({ exclusiveMinimum: 1 }), "says 1 for a; more than 1"],
      [
        "the same as 3.0 writes it",
        { a: 1 },
        bounded({ maximum: 1, exclusiveMaximum: true }),
        "says 1 for a; less than 1",
        "3.0.3"
      ],
      ["a number where 3.0 has a boolean", { a: 1 }, bounded({ exclusiveMinimum: 1 }), null, "3.0.3"],
      ["no multiple", { a: 7 }, bounded({ multipleOf: 5 }), "says 7 for a; a multiple of 5"],
      ["a multiple but for binary fractions", { a: 0.3 }, bounded({ multipleOf: 0.1 }), null],
      ["too short", { a: "a" }, bounded({ minLength: 2 }), 'says "a" for a; at least 2 characters'],
      ["too long", { a: "abc" }, bounded({ maxLength: 2 }), 'says "abc" for a; at most 2 characters'],
      ["two characters of two units each", { a: "😀😀" }, bounded({ maxLength: 2 }), null],
      ["too many items", { a: [1, 2] }, bounded({ maxItems: 1 }), "says [1,2] for a; at most 1 item"],
      ["too few items", { a: [] }, bounded({ minItems: 1 }), "says [] for a; at least 1 item"],
      [
        "items that are equal",
        { a: [{ x: 1 }, { x: 1 }] },
        bounded({ uniqueItems: true }),
        'says [{"x":1},{"x":1}] for a; items that differ'
      ],
      ["too many properties", { b: 1, c: 2 }, { maxProperties: 1 }, 'says {"b":1,"c":2}; at most 1 property'],
      ["a pattern", { a: "x1" }, bounded({ pattern: "^o_" }), 'says "x1" for a; what matches ^o_'],
      ["a pattern that is met anywhere", { a: "x1" }, bounded({ pattern: "\\d" }), null],
      ["a pattern as programs write it", { a: "x1" }, bounded({ pattern: "/^o_/" }), null],
      ["a pattern with look-around", { a: "x1" }, bounded({ pattern: "^(?!x)" }), null]
    ])
  )("%s", (_, one) => expectSaid(one))
})

describe("formats are annotations, and told only where a value is unmistakably not of one", () => {
  const of = (format: string): JsonObject => ({ type: "string", format })
  test.each(
    named([
      ["a UUID", "6f1c0c3e-58a4-4f0e-9d7b-0a1b2c3d4e5f", of("uuid"), null],
      ["a UUID without hyphens", "6f1c0c3e58a44f0e9d7b0a1b2c3d4e5f", of("uuid"), null],
      ["no UUID", "order-1", of("uuid"), 'says "order-1"; a UUID'],
      ["a date", "2026-11-28", of("date"), null],
      ["a date that there is not", "2026-13-28", of("date"), 'says "2026-13-28"; a date (RFC 3339)'],
      ["a time without a zone", "2026-11-28 10:00", of("date-time"), null],
      ["a day in words", "last Monday", of("date-time"), 'says "last Monday"; a date and time (RFC 3339)'],
      ["a date in quotes", '"2026-11-28T10:00:00Z"', of("date-time"), null],
      ["a URI without a scheme", "docs.acme.dev/a", of("uri"), null],
      ["words for a URI", "the home page", of("uri"), 'says "the home page"; a URI'],
      ["a date that YAML 1.1 made a time", "2026-11-28T00:00:00.000Z", { ...of("date"), maxLength: 10 }, null],
      ["a format that is not checked", "not an address", of("email"), null]
    ])
  )("%s", (_, one) => expectSaid(one))
})

describe("placeholders say nothing", () => {
  const id = object({ id: { type: "integer" } })
  test.each(["{{id}}", "${ID}", "<your id>", "{id}", "YOUR_ID", "your-id", "xxxx", "…", "$ID"])("%s", (text) =>
    expect(saidOf({ id: text }, id)).resolves.toBeNull()
  )
  test("nor does an object that says that members were left out", () =>
    expect(
      saidOf({ a: 1, "...": "..." }, { required: ["b"], properties: { a: {} }, additionalProperties: false })
    ).resolves.toBeNull())
  test("nor the word that generators write for any string", () =>
    expect(saidOf("string", { type: "string", enum: ["a"], format: "uuid" })).resolves.toBeNull())
})

describe("members", () => {
  const closed = object({ amount: {} }, { additionalProperties: false })
  const base = { $ref: "#/info/base" }
  test.each(
    named([
      ["a missing one", { amount: 1 }, { required: ["amount", "currency"] }, "lacks currency; currency"],
      ["a missing one inside", { item: {} }, object({ item: { required: ["sku"] } }), "lacks sku; sku"],
      ["one that is not allowed", { amounts: 1 }, closed, "has amounts; no property of that name"],
      ["one more where it is not forbidden", { amounts: 1 }, object({ amount: {} }), null],
      [
        "one that a pattern of names allows",
        { x_a: 1 },
        { ...closed, patternProperties: { "^x_": { type: "integer" } } },
        null
      ],
      [
        "one that a pattern of names refuses",
        { x_a: "b" },
        { patternProperties: { "^x_": { type: "integer" } } },
        'says "b" for x_a; an integer'
      ],
      [
        "a pattern of names that is not understood",
        { x_a: 1 },
        { ...closed, patternProperties: { "(?=x)": {} } },
        null
      ],
      ["others of a type", { a: "b" }, { additionalProperties: { type: "integer" } }, 'says "b" for a; an integer'],
      [
        "a name that is not allowed",
        { A: 1 },
        { propertyNames: { pattern: "^[a-z]" } },
        "has A; what matches ^[a-z] as the name"
      ],
      ["one that another needs", { card: 1 }, { dependentRequired: { card: ["address"] } }, "lacks address; address"],
      [
        "what another needs",
        { card: 1 },
        { dependentSchemas: { card: { required: ["address"] } } },
        "lacks address; address"
      ],
      ["a property with the schema false", { old: 1 }, object({ old: false }), "has old; no property of that name"],
      ["unevaluated ones are not judged", { a: 1 }, { unevaluatedProperties: false }, null],
      [
        "one that another part of the schema has",
        { a: 1, b: 2 },
        { allOf: [object({ a: {} }, { additionalProperties: false }), object({ b: {} })] },
        null
      ],
      [
        "one that no part of the schema has",
        { a: 1, c: 2 },
        { allOf: [object({ a: {} }, { additionalProperties: false }), object({ b: {} })] },
        "has c; no property of that name"
      ],
      [
        "a part that was not read",
        { a: 1, b: 2 },
        { allOf: [object({ a: {} }, { additionalProperties: false }), base] },
        null
      ]
    ])
  )("%s", (_, one) => expectSaid(one))
})

describe("items", () => {
  test.each(
    named([
      [
        "by their places",
        ["a", "b"],
        { prefixItems: [{ type: "string" }, { type: "integer" }] },
        'says "b"; an integer'
      ],
      ["after those places", ["a", "b"], { prefixItems: [{}], items: { type: "integer" } }, 'says "b"; an integer'],
      ["none after those places", ["a", "b"], { prefixItems: [{}], items: false }, 'says "b"; nothing'],
      ["one of a kind", ["a"], { contains: { type: "integer" } }, 'says ["a"]; an item that it lacks'],
      [
        "not too many of a kind",
        [1, 2],
        { contains: { type: "integer" }, maxContains: 1 },
        "says [1,2]; at most 1 items of a kind"
      ],
      ["unevaluated ones are not judged", ["a"], { unevaluatedItems: false }, null]
    ])
  )("%s", (_, one) => expectSaid(one))
})

describe("combined schemas", () => {
  const card = object({ kind: { const: "card" }, number: { type: "string" } }, { required: ["number"] })
  const bank = object({ kind: { const: "bank" }, iban: { type: "string" } }, { required: ["iban"] })
  const discriminated = { discriminator: { propertyName: "kind", mapping: { card: "#/components/schemas/Card" } } }
  test.each(
    named([
      ["all of them", { a: "b" }, { allOf: [{}, object({ a: { type: "integer" } })] }, 'says "b" for a; an integer'],
      [
        "none of several types",
        true,
        { anyOf: [{ type: "object" }, { type: "null" }] },
        "says true; an object or null"
      ],
      [
        "the only one of its type",
        { a: "b" },
        { oneOf: [{ type: "null" }, object({ a: { type: "integer" } })] },
        'says "b" for a; an integer'
      ],
      ["none of several objects", { c: 1 }, { oneOf: [card, bank] }, 'says {"c":1}; one of its 2 alternatives'],
      [
        "more than one of several, which is the schema's fault",
        { a: 1 },
        { oneOf: [{ type: "object" }, object({ a: {} })] },
        null
      ],
      ["none, by one that was not read", { c: 1 }, { oneOf: [card, { $ref: "other.json" }] }, null],
      ["what may not be", { a: 5 }, object({ a: { not: { type: "integer" } } }), "says 5 for a; something else"],
      ["what may be", "a", { not: { type: "integer" } }, null],
      ["a condition that is met", { a: 1 }, { if: { required: ["a"] }, then: { required: ["b"] } }, "lacks b; b"],
      ["a condition that is not met", {}, { if: { required: ["a"] }, else: { required: ["b"] } }, "lacks b; b"],
      ["a condition that rests on a format", "x", { if: { format: "uuid" }, else: { type: "integer" } }, null],
      ["a schema that is false", 5, false, "says 5; nothing"]
    ])
  )("%s", (_, one) => expectSaid(one))

  test("the alternative that the value names is the one that is told of", async () => {
    const schema = {
      oneOf: [{ $ref: "#/components/schemas/Card" }, { $ref: "#/components/schemas/Bank" }],
      ...discriminated
    }
    const document = posting(
      { schema, example: { kind: "card", number: 5 } },
      { components: { schemas: { Card: card, Bank: bank } } }
    )
    expect(told(await examplesOf(document))[0]).toMatch(/example\/number says 5 for number; a string$/)
  })
})

describe("references", () => {
  const order = object({ id: { type: "integer" } })
  test("are followed, across files", async () => {
    const document = posting({ schema: { $ref: "order.json#/Order" }, example: { id: "a" } })
    const others = { "https://docs.example.com/order.json": { Order: order } }
    expect(told(await examplesOf(document, { others }))[0]).toMatch(/says "a" for id; an integer$/)
  })

  test("that lead nowhere, or to what was not read, leave the example out", async () => {
    const document = posting({ schema: { $ref: "order.json" }, example: { id: "a" } })
    expect(await examplesOf(document)).toEqual({ compared: 0, false: 0, notCompared: 1, missing: [], found: [] })
  })

  test("count alone in 3.0, and with what is beside them in 3.1", async () => {
    const media = { schema: { $ref: "#/components/schemas/Id", maximum: 5 }, example: 9 }
    const document = posting(media, { components: { schemas: { Id: { type: "integer" } } } })
    expect((await examplesOf(version("3.0.3", document))).false).toBe(0)
    expect((await examplesOf(document)).false).toBe(1)
  })

  test("that lead back to the same value end", async () => {
    const schemas = {
      Loop: { allOf: [{ $ref: "#/components/schemas/Loop" }] },
      Node: object({ next: { $ref: "#/components/schemas/Node" }, id: { type: "integer" } })
    }
    const loop = posting({ schema: { $ref: "#/components/schemas/Loop" }, example: 1 }, { components: { schemas } })
    expect((await examplesOf(loop)).false).toBe(0)
    const media = { schema: { $ref: "#/components/schemas/Node" }, example: { next: { next: { id: "a" } } } }
    expect(told(await examplesOf(posting(media, { components: { schemas } })))[0]).toMatch(
      /example\/next\/next\/id says "a" for id/
    )
  })
})

describe("fields of one direction", () => {
  const schema = object(
    { id: { type: "string", readOnly: true }, secret: { type: "string", writeOnly: true } },
    { required: ["id", "secret"] }
  )
  test("may lack where they are not sent", async () => {
    expect((await examplesOf(posting({ schema, example: { secret: "a" } }))).false).toBe(0)
    expect((await examplesOf(answering({ schema, example: { id: "a" } }))).false).toBe(0)
  })

  test("may not lack where they are", async () => {
    expect(told(await examplesOf(posting({ schema, example: {} })))[0]).toMatch(/lacks secret; secret$/)
    expect(told(await examplesOf(answering({ schema, example: {} })))[0]).toMatch(/lacks id; id$/)
  })

  test("are not judged where they are not sent", async () => {
    expect((await examplesOf(posting({ schema, example: { id: 5, secret: "a" } }))).false).toBe(0)
  })

  test("may say so in another part of the schema, or beside a reference", async () => {
    const required = { required: ["id"] }
    const parts = { allOf: [object({ id: { readOnly: true } }), required] }
    expect((await examplesOf(posting({ schema: parts, example: {} }))).false).toBe(0)
    const beside = object({ id: { $ref: "#/components/schemas/Id", readOnly: true } }, required)
    const components = { schemas: { Id: { type: "string" } } }
    expect((await examplesOf(posting({ schema: beside, example: {} }, { components }))).false).toBe(0)
  })
})
