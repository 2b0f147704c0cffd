import { describe, expect, test } from "vitest"
import type { Json, JsonObject } from "../../../engine/site/spec/Json.ts"
import { described, OK, openapi } from "./ReadFixture.ts"

const qualityOf = async (document: JsonObject) => (await described(openapi(document))).quality

const json = (media: JsonObject): JsonObject => ({ description: "Done", content: { "application/json": media } })
const get = (media: JsonObject): JsonObject => ({ get: { responses: { 200: json(media) } } })
const schemas = (properties: JsonObject): JsonObject => ({ components: { schemas: { A: { type: "object", properties } } } })
const pair = ({ part, whole }: { readonly part: number; readonly whole: number }) => [part, whole]

describe("descriptions", () => {
  test("of operations: the longer of summary and description, trimmed", async () => {
    const paths = { "/a": { get: { ...OK, summary: "  Short  ", description: "Lists all orders." }, post: OK } }
    expect((await qualityOf({ paths })).operationTexts).toEqual([17, 0])
  })

  test("of parameters: for each operation that has them, those of the path too", async () => {
    const page = { name: "page", in: "query", schema: { type: "integer" }, description: "Which page" }
    const paths = { "/a": { parameters: [page], get: OK, post: { ...OK, parameters: [{ ...page, description: " " }, { $ref: "#/components/parameters/Size" }] } } }
    const components = { parameters: { Size: { name: "size", in: "query", schema: { type: "integer" }, description: "How many" } } }
    expect(pair((await qualityOf({ paths, components })).describedParameters)).toEqual([2, 3])
  })

  test("of properties: where they stand, through a reference, or through its one wrapper", async () => {
    const components = {
      schemas: {
        Money: { type: "string", description: "An amount" },
        Order: {
          type: "object",
          properties: {
            own: { type: "string", description: "Its own" },
            referred: { $ref: "#/components/schemas/Money" },
            wrapped: { allOf: [{ $ref: "#/components/schemas/Money" }] },
            silent: { type: "string" },
            joined: { allOf: [{ $ref: "#/components/schemas/Money" }, { type: "string" }] }
          }
        }
      }
    }
    const paths = { "/a": get({ schema: { $ref: "#/components/schemas/Order" } }), "/b": get({ schema: { $ref: "#/components/schemas/Order" } }) }
    expect(pair((await qualityOf({ components, paths })).describedProperties)).toEqual([3, 5])
  })
})

describe("examples", () => {
  const exampleOf = async (paths: JsonObject, components: JsonObject = {}) => pair((await qualityOf({ paths, components })).exampleOperations)

  test.each<[string, JsonObject]>([
    ["in the media type", { example: { id: 1 } }],
    ["among examples", { examples: { one: { value: 1 } } }],
    ["in the schema", { schema: { type: "object", example: { id: 1 } } }],
    ["in the schema's examples", { schema: { type: "object", examples: [{ id: 1 }] } }],
    ["in all required properties", { schema: { type: "object", required: ["id"], properties: { id: { type: "integer", example: 1 }, note: { type: "string" } } } }],
    ["in all properties, where none is required", { schema: { type: "object", properties: { id: { type: "integer", example: 1 } } } }],
    ["in the items", { schema: { type: "array", items: { type: "string", example: "x" } } }],
    ["in one alternative", { schema: { oneOf: [{ type: "string" }, { type: "string", example: "x" }] } }],
    ["in all parts", { schema: { allOf: [{ example: {} }, { properties: { a: { example: 1 } } }] } }]
  ])("stands %s", async (_, media) => {
    expect(await exampleOf({ "/a": get(media) })).toEqual([1, 1])
  })

  test.each<[string, JsonObject]>([
    ["a schema without", { schema: { type: "object" } }],
    ["a required property without", { schema: { type: "object", required: ["id", "at"], properties: { id: { example: 1 }, at: { type: "string" } } } }],
    ["no examples among examples", { examples: {} }],
    ["a part without", { schema: { allOf: [{ example: {} }, { properties: { a: { type: "string" } } }] } }],
    ["a circle", { schema: { $ref: "#/components/schemas/Loop" } }]
  ])("%s is none", async (_, media) => {
    const Loop = { type: "object", required: ["next"], properties: { next: { $ref: "#/components/schemas/Loop" } } }
    expect(await exampleOf({ "/a": get(media) }, { schemas: { Loop } })).toEqual([0, 1])
  })

  test("both the request and an answer of success need one", async () => {
    const shown = { content: { "application/json": { example: 1 } } }
    const bare = { content: { "application/json": { schema: { type: "string" } } } }
    const operation = (request: Json, answer: JsonObject) => ({ post: { requestBody: request, responses: { 201: { description: "Made", ...answer }, 400: json({}) } } })
    expect(await exampleOf({ "/a": operation(shown, shown), "/b": operation(bare, shown), "/c": operation(shown, bare), "/d": operation(shown, {}) })).toEqual([2, 4])
  })

  test("operations without a body either way, or with bytes, have nothing to show", async () => {
    const image = { get: { responses: { 200: { description: "Image", content: { "image/png": { schema: { type: "string", format: "binary" } } } } } } }
    expect(await exampleOf({ "/a": { get: OK }, "/b": { delete: { responses: { 204: { description: "Gone" } } } }, "/c": image })).toEqual([0, 0])
  })

  test("Swagger 2 has them in answers and schemas", async () => {
    const body = { name: "order", in: "body", schema: { type: "object", example: {} } }
    const spec = await described({
      swagger: "2.0",
      info: { title: "T", version: "1" },
      paths: {
        "/a": { post: { parameters: [body], responses: { 200: { description: "Done", schema: { type: "object" }, examples: { "application/json": {} } } } } },
        "/b": { get: { responses: { 200: { description: "Done", schema: { type: "string" } } } } }
      }
    })
    expect(pair(spec.quality.exampleOperations)).toEqual([1, 2])
    expect(pair(spec.quality.describedParameters)).toEqual([0, 0])
  })
})

describe("types and constraints", () => {
  test("a type, a reference, values or a branch that has one", async () => {
    const properties = {
      typed: { type: "string" }, referred: { $ref: "#/components/schemas/B" }, listed: { enum: [1] }, fixed: { const: 1 },
      branched: { oneOf: [{ type: "string" }, {}] }, bare: {}, described: { description: "Anything" }, anything: true
    }
    const components = { schemas: { A: { type: "object", properties }, B: { type: "string" } } }
    expect(pair((await qualityOf({ components })).typedFields)).toEqual([5, 8])
  })

  test("strings and numbers only, references followed, several types among them", async () => {
    const properties = {
      bare: { type: "string" }, bounded: { type: "integer", minimum: 1 }, listed: { type: "string", enum: ["a"] },
      dated: { type: ["string", "null"], format: "date" }, referred: { $ref: "#/components/schemas/Colour" },
      flag: { type: "boolean" }, object: { type: "object" }, either: { anyOf: [{ type: "string", pattern: "x" }, { type: "null" }] },
      defaulted: { type: "number", default: 0 }, multiple: { oneOf: [{ type: "boolean" }] }
    }
    const components = { schemas: { A: { type: "object", properties }, Colour: { type: "string", enum: ["red"] } } }
    expect(pair((await qualityOf({ components })).constrainedFields)).toEqual([6, 7])
  })

  test("branches that all lead to one another come to an end", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `S${index}`)
    const all = { oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) }
    const components = { schemas: { ...Object.fromEntries(names.map((name) => [name, all])), A: { type: "object", properties: { a: all } } } }
    expect(pair((await qualityOf({ components })).constrainedFields)).toEqual([0, 0])
  })

  test("parameters by their schema, their content, or themselves in Swagger 2", async () => {
    const parameters = [
      { name: "a", in: "query", schema: { type: "string", maxLength: 5 } },
      { name: "b", in: "query", content: { "application/json": { schema: { type: "string" } } } },
      { name: "c", in: "query" }
    ]
    const quality = await qualityOf({ paths: { "/a": { get: { ...OK, parameters } } } })
    expect([pair(quality.typedFields), pair(quality.constrainedFields)]).toEqual([[2, 3], [1, 2]])
    const swagger = await described({ swagger: "2.0", info: { title: "T", version: "1" }, paths: { "/a": { get: { ...OK, parameters: [{ name: "a", in: "query", type: "string", enum: ["x"] }] } } } })
    expect([pair(swagger.quality.typedFields), pair(swagger.quality.constrainedFields)]).toEqual([[1, 1], [1, 1]])
  })

  test("nothing to count is 0 of 0", async () => {
    const quality = await qualityOf(schemas({}))
    expect([pair(quality.typedFields), pair(quality.constrainedFields), pair(quality.describedProperties)]).toEqual([[0, 0], [0, 0], [0, 0]])
  })
})

describe("errors", () => {
  test("a 4xx or default answer with a schema", async () => {
    const schema = { schema: { type: "object" } }
    const operation = (responses: JsonObject) => ({ get: { responses: { 200: { description: "Done" }, ...responses } } })
    const paths = {
      "/exact": operation({ 404: json(schema) }), "/range": operation({ "4XX": json(schema) }), "/rest": operation({ default: json(schema) }),
      "/referred": operation({ 401: { $ref: "#/components/responses/No" } }),
      "/bare": operation({ 404: { description: "Missing" } }), "/server": operation({ 500: json(schema) }), "/none": operation({})
    }
    const components = { responses: { No: json(schema) } }
    expect(pair((await qualityOf({ paths, components })).errorOperations)).toEqual([4, 7])
  })
})

test("a chain of a hundred thousand schemas is followed a little way", async () => {
  const chain = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`S${index}`, { oneOf: [{ $ref: `#/components/schemas/S${index + 1}` }] }]))
  const media = { schema: { $ref: "#/components/schemas/S0" } }
  const components = { schemas: { ...chain, S100000: { type: "string", example: "x" }, A: { type: "object", properties: { a: media.schema } } } }
  const quality = await qualityOf({ components, paths: { "/a": get(media) } })
  expect([pair(quality.constrainedFields), pair(quality.exampleOperations)]).toEqual([[0, 0], [0, 1]])
})
