import { Ajv2020 } from "ajv/dist/2020.js"
import AjvDraft04 from "ajv-draft-04"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Dialect, isMismatch } from "../../../engine/apispec/examples/ValueVerdict.ts"
import { isObject, type Json, type JsonObject } from "../../../engine/apispec/text/Json.ts"
import { judged } from "./JudgedValue.ts"

/** A text reads as no number and no placeholder, so that nothing has to be left open. */
const text = fc.constantFrom("a", "ab", "abc", "b-1")
const number = fc.constantFrom(-1, 0, 1, 2.5, 4, 10)
const scalar: fc.Arbitrary<Json> = fc.oneof(text, number, fc.boolean(), fc.constant(null))
const names = fc.constantFrom("p", "q", "r")

const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthIdentifier: "value" },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(names, tie("value"), { maxKeys: 3, noNullPrototype: true })
  )
})).value

const types = ["string", "integer", "number", "boolean", "object", "array"]
const small = fc.nat({ max: 3 })
const some = (members: Keywords): fc.Arbitrary<JsonObject> =>
  fc
    .record(members, { requiredKeys: [], noNullPrototype: true })
    .map((record) =>
      Object.fromEntries(
        Object.entries(record).flatMap(([name, member]) => (member === undefined ? [] : [[name, member] as const]))
      )
    )

const bounds = {
  minimum: number,
  maximum: number,
  multipleOf: fc.constantFrom(1, 2, 0.5),
  minLength: small,
  maxLength: small,
  pattern: fc.constantFrom("^a", "b$", "^[a-z]{2}$", "-"),
  minItems: small,
  maxItems: small,
  uniqueItems: fc.boolean(),
  minProperties: small,
  maxProperties: small,
  enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 })
}

const lists = (schema: fc.Arbitrary<Json>): fc.Arbitrary<Json> => fc.array(schema, { minLength: 1, maxLength: 2 })

const members = (schema: fc.Arbitrary<Json>): Keywords => ({
  properties: fc.dictionary(names, schema, { maxKeys: 2, noNullPrototype: true }),
  required: fc.uniqueArray(names, { minLength: 1, maxLength: 2 }),
  additionalProperties: fc.oneof(fc.boolean(), schema),
  items: schema
})

type Keywords = Record<string, fc.Arbitrary<Json>>

/** Of one group of keywords, so that most schemas accept something. */
const grouped = (
  type: fc.Arbitrary<Json>,
  more: Keywords,
  combined: ReadonlyArray<(schema: fc.Arbitrary<Json>) => Keywords>
): fc.Arbitrary<Json> =>
  fc.letrec<{ schema: Json }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthIdentifier: "schema", withCrossShrink: true },
      some({ type, ...bounds, ...more }),
      some({ type, ...members(tie("schema")) }),
      ...combined.map((keywords) => some(keywords(tie("schema"))))
    )
  })).schema

const modern = grouped(
  fc.oneof(
    fc.constantFrom(...types, "null"),
    fc.uniqueArray(fc.constantFrom(...types, "null"), { minLength: 1, maxLength: 2 })
  ),
  { const: scalar, exclusiveMinimum: number, exclusiveMaximum: number },
  [
    (schema) => ({ anyOf: lists(schema), not: schema, if: schema, then: schema, else: schema }),
    () => ({
      // Apart from `prefixItems`, beside which the validator lets an empty list pass.
      contains: fc.constantFrom({ type: "integer" }, { minimum: 2 }),
      minContains: small,
      maxContains: small
    }),
    (schema) => ({
      patternProperties: fc.dictionary(fc.constantFrom("^p", "q"), schema, { maxKeys: 2, noNullPrototype: true }),
      propertyNames: fc.constantFrom({ pattern: "^[pq]" }, { maxLength: 1 }),
      additionalProperties: fc.boolean()
    }),
    (schema) => ({
      prefixItems: lists(schema),
      dependentRequired: fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), {
        maxKeys: 2,
        noNullPrototype: true
      }),
      dependentSchemas: fc.dictionary(names, schema, { maxKeys: 1, noNullPrototype: true })
    })
  ]
)

/** In draft 4 a bound is excluded beside itself. */
const old = grouped(fc.constantFrom(...types), {}, [
  (schema) => ({ anyOf: lists(schema), not: schema }),
  () => ({
    anyOf: lists(fc.constantFrom({ minimum: 1, exclusiveMinimum: true }, { maximum: 1, exclusiveMaximum: true }))
  })
])

/** Where several parts speak of one value, or a value may be of several, less is told than a validator refuses. */
const joined = (schema: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  some({
    allOf: lists(schema),
    oneOf: lists(schema),
    additionalProperties: fc.boolean(),
    properties: fc.constant({ p: {} })
  })

const OPTIONS = { strict: false, validateFormats: false, validateSchema: false, logger: false } as const

const validators = { modern: new Ajv2020(OPTIONS), old: new AjvDraft04.default(OPTIONS) }

/** Values are met inside an object: alone, a number may be a text that YAML read. */
const inside = (schema: Json): Json => ({ properties: { v: schema } })

const accepts = (dialect: Dialect, schema: Json, given: Json): unknown => {
  const ajv = dialect === "2020-12" ? validators.modern : validators.old
  return ajv.compile(isObject(schema) ? schema : {})(given)
}

const RUNS = { numRuns: 150 }

describe.each<readonly [Dialect, fc.Arbitrary<Json>]>([
  ["2020-12", modern],
  ["openapi-3.0", old]
])("by %s", (dialect, schemas) => {
  test("a value is refused where a validator refuses it, and accepted where it accepts it", () => {
    fc.assert(
      fc.property(schemas.map(inside), value, (schema, given) => {
        const verdict = judged(dialect, schema, { v: given })
        if (verdict !== "unknown") expect(!isMismatch(verdict)).toBe(accepts(dialect, schema, { v: given }))
      }),
      RUNS
    )
  })

  test("what is refused is refused by a validator also where parts of a schema speak of one value", () => {
    fc.assert(
      fc.property(joined(schemas).map(inside), value, (schema, given) => {
        if (isMismatch(judged(dialect, schema, { v: given })))
          expect(accepts(dialect, schema, { v: given })).toBe(false)
      }),
      RUNS
    )
  })

  test("little is left open", () => {
    const open = fc
      .sample(fc.tuple(schemas.map(inside), value), { numRuns: 500, seed: 1 })
      .filter(([schema, given]) => judged(dialect, schema, { v: given }) === "unknown")
    expect(open.length).toBeLessThan(25)
  })
})
