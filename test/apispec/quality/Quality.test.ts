import { describe, expect, test } from "vitest"
import type { Json, JsonObject } from "../../../engine/apispec/text/Json.ts"
import { described, OK, openapi } from "../ReadFixture.ts"

const qualityOf = async (document: JsonObject) => (await described(openapi(document))).quality

const json = (media: JsonObject): JsonObject => ({ description: "Done", content: { "application/json": media } })
const get = (media: JsonObject): JsonObject => ({ get: { responses: { 200: json(media) } } })
const schemas = (properties: JsonObject): JsonObject => ({
  components: { schemas: { A: { type: "object", properties } } }
})
const pair = ({ part, whole }: { readonly part: number; readonly whole: number }) => [part, whole]

describe("descriptions", () => {
  test("of operations: the longer of summary and description, trimmed", async () => {
    const paths = { "/a": { get: { ...OK, summary: "  Short  ", description: "Lists all orders." }, post: OK } }
    expect((await qualityOf({ paths })).operationTexts).toEqual([17, 0])
  })

  test("of operations in Chinese, Japanese and Korean say as much in half of the letters", async () => {
    const paths = { "/a": { get: { ...OK, summary: "사용자정보조회" }, post: { ...OK, summary: "查询所有订单" } } }
    expect((await qualityOf({ paths })).operationTexts).toEqual([14, 12])
  })

  test("of parameters: for each operation that has them, those of the path too", async () => {
    const page = { name: "page", in: "query", schema: { type: "integer" }, description: "Which page" }
    const paths = {
      "/a": {
        parameters: [page],
        get: OK,
        post: { ...OK, parameters: [{ ...page, description: " " }, { $ref: "#/components/parameters/Size" }] }
      }
    }
    const components = {
      parameters: { Size: { name: "size", in: "query", schema: { type: "integer" }, description: "How many" } }
    }
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
    const paths = {
      "/a": get({ schema: { $ref: "#/components/schemas/Order" } }),
      "/b": get({ schema: { $ref: "#/components/schemas/Order" } })
    }
    expect(pair((await qualityOf({ components, paths })).describedProperties)).toEqual([4, 5])
  })

  test("of properties: a part, each alternative but null, or a reference on the way has one", async () => {
    const properties = {
      part: { allOf: [{ type: "string" }, { description: "An amount" }] },
      nullable: { anyOf: [{ $ref: "#/components/schemas/Money" }, { type: "null" }] },
      halfway: { $ref: "#/components/schemas/Alias" },
      either: { oneOf: [{ $ref: "#/components/schemas/Money" }, { type: "integer" }] },
      nothing: { anyOf: [{ type: "null" }] },
      dead: { $ref: "#/components/schemas/Gone", description: "Its own, beside the reference" }
    }
    const components = {
      schemas: {
        Money: { type: "string", description: "An amount" },
        Plain: { type: "string" },
        Alias: { $ref: "#/components/schemas/Plain", description: "Said on the way" },
        Order: { type: "object", properties }
      }
    }
    expect(pair((await qualityOf({ components })).describedProperties)).toEqual([4, 6])
  })

  test("of parameters: beside a reference to one, or in their schema", async () => {
    const components = {
      parameters: { Size: { name: "size", in: "query", schema: { type: "integer" } } },
      schemas: { Page: { type: "integer", description: "Which page" }, Plain: { type: "integer" } }
    }
    const parameters = [
      { $ref: "#/components/parameters/Size", description: "How many on this page" },
      { name: "page", in: "query", schema: { $ref: "#/components/schemas/Page" } },
      { name: "to", in: "query", schema: { type: "string", description: "Until when" } },
      { name: "from", in: "query", schema: { $ref: "#/components/schemas/Plain" } }
    ]
    expect(
      pair((await qualityOf({ components, paths: { "/a": { get: { ...OK, parameters } } } })).describedParameters)
    ).toEqual([3, 4])
  })
})

describe("examples", () => {
  const exampleOf = async (paths: JsonObject, components: JsonObject = {}) =>
    pair((await qualityOf({ paths, components })).exampleOperations)

  test.each<[string, JsonObject]>([
    ["in the media type", { example: { id: 1 } }],
    ["among examples", { examples: { one: { value: 1 } } }],
    ["in the schema", { schema: { type: "object", example: { id: 1 } } }],
    ["in the schema's examples", { schema: { type: "object", examples: [{ id: 1 }] } }],
    [
      "in all required properties",
      {
        schema: {
          type: "object",
          required: ["id"],
          properties: { id: { type: "integer", example: 1 }, note: { type: "string" } }
        }
      }
    ],
    [
      "in all properties, where none is required",
      { schema: { type: "object", properties: { id: { type: "integer", example: 1 } } } }
    ],
    ["in the items", { schema: { type: "array", items: { type: "string", example: "x" } } }],
    ["in one alternative", { schema: { oneOf: [{ type: "string" }, { type: "string", example: "x" }] } }],
    ["in all parts", { schema: { allOf: [{ example: {} }, { properties: { a: { example: 1 } } }] } }]
  ])("stands %s", async (_, media) => {
    expect(await exampleOf({ "/a": get(media) })).toEqual([1, 1])
  })

  test.each<[string, JsonObject]>([
    ["a schema without", { schema: { type: "object" } }],
    [
      "a required property without",
      { schema: { type: "object", required: ["id", "at"], properties: { id: { example: 1 }, at: { type: "string" } } } }
    ],
    ["no examples among examples", { schema: { type: "object" }, examples: {} }],
    ["a part without", { schema: { allOf: [{ example: {} }, { properties: { a: { type: "string" } } }] } }],
    ["a circle", { schema: { $ref: "#/components/schemas/Loop" } }]
  ])("%s is none", async (_, media) => {
    const Loop = { type: "object", required: ["next"], properties: { next: { $ref: "#/components/schemas/Loop" } } }
    expect(await exampleOf({ "/a": get(media) }, { schemas: { Loop } })).toEqual([0, 1])
  })

  test("both the request and an answer of success need one", async () => {
    const shown = { content: { "application/json": { example: 1 } } }
    const bare = { content: { "application/json": { schema: { type: "string" } } } }
    const operation = (request: Json, answer: JsonObject) => ({
      post: { requestBody: request, responses: { 201: { description: "Made", ...answer }, 400: json({}) } }
    })
    expect(
      await exampleOf({
        "/a": operation(shown, shown),
        "/b": operation(bare, shown),
        "/c": operation(shown, bare),
        "/d": operation(shown, {})
      })
    ).toEqual([2, 4])
  })

  test("operations without a body either way, or with bytes, have nothing to show", async () => {
    const image = {
      get: {
        responses: {
          200: { description: "Image", content: { "image/png": { schema: { type: "string", format: "binary" } } } }
        }
      }
    }
    expect(
      await exampleOf({
        "/a": { get: OK },
        "/b": { delete: { responses: { 204: { description: "Gone" } } } },
        "/c": image
      })
    ).toEqual([0, 0])
  })

  test("a body without a schema and an example has no content to show", async () => {
    const bare = { content: { "application/json": {} } }
    const shown = { content: { "application/json": { example: 1 } } }
    const operation = (request: Json, answer: JsonObject) => ({
      post: { requestBody: request, responses: { 200: { description: "Done", ...answer } } }
    })
    expect(
      await exampleOf({
        "/a": operation(bare, bare),
        "/b": operation({ content: {} }, {}),
        "/c": operation(bare, shown)
      })
    ).toEqual([1, 1])
  })

  test("Swagger 2 has them in answers and schemas", async () => {
    const body = { name: "order", in: "body", schema: { type: "object", example: {} } }
    const spec = await described({
      swagger: "2.0",
      info: { title: "T", version: "1" },
      paths: {
        "/a": {
          post: {
            parameters: [body],
            responses: {
              200: { description: "Done", schema: { type: "object" }, examples: { "application/json": {} } }
            }
          }
        },
        "/b": { get: { responses: { 200: { description: "Done", schema: { type: "string" } } } } }
      }
    })
    expect(pair(spec.quality.exampleOperations)).toEqual([1, 2])
    expect(pair(spec.quality.describedParameters)).toEqual([0, 0])
  })
})

describe("types and constraints", () => {
  test("a type, a reference, values or what it is combined of", async () => {
    const properties = {
      alternatives: { anyOf: [{ description: "One" }, { description: "Other" }] },
      parts: { allOf: [{ minLength: 1 }] },
      none: { oneOf: [] },
      typed: { type: "string" },
      referred: { $ref: "#/components/schemas/B" },
      listed: { enum: [1] },
      fixed: { const: 1 },
      branched: { oneOf: [{ type: "string" }, {}] },
      bare: {},
      described: { description: "Anything" },
      anything: true
    }
    const components = { schemas: { A: { type: "object", properties }, B: { type: "string" } } }
    expect(pair((await qualityOf({ components })).typedFields)).toEqual([7, 11])
  })

  test("strings and numbers only, references followed, several types among them", async () => {
    const properties = {
      bare: { type: "string" },
      bounded: { type: "integer", minimum: 1 },
      listed: { type: "string", enum: ["a"] },
      dated: { type: ["string", "null"], format: "date" },
      referred: { $ref: "#/components/schemas/Colour" },
      flag: { type: "boolean" },
      object: { type: "object" },
      either: { anyOf: [{ type: "string", pattern: "x" }, { type: "null" }] },
      defaulted: { type: "number", default: 0 },
      multiple: { oneOf: [{ type: "boolean" }] }
    }
    const components = { schemas: { A: { type: "object", properties }, Colour: { type: "string", enum: ["red"] } } }
    expect(pair((await qualityOf({ components })).constrainedFields)).toEqual([6, 7])
  })

  test("branches that all lead to one another come to an end", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `S${index}`)
    const all = { oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) }
    const components = {
      schemas: {
        ...Object.fromEntries(names.map((name) => [name, all])),
        A: { type: "object", properties: { a: all } }
      }
    }
    expect(pair((await qualityOf({ components })).constrainedFields)).toEqual([0, 0])
  })

  test("parameters by their schema, their content, or themselves in Swagger 2", async () => {
    const parameters = [
      { name: "a", in: "query", schema: { type: "string", maxLength: 5 } },
      { name: "b", in: "query", content: { "application/json": { schema: { type: "string" } } } },
      { name: "c", in: "query" }
    ]
    const quality = await qualityOf({ paths: { "/a": { get: { ...OK, parameters } } } })
    expect([pair(quality.typedFields), pair(quality.constrainedFields)]).toEqual([
      [2, 3],
      [1, 2]
    ])
    const swagger = await described({
      swagger: "2.0",
      info: { title: "T", version: "1" },
      paths: { "/a": { get: { ...OK, parameters: [{ name: "a", in: "query", type: "string", enum: ["x"] }] } } }
    })
    expect([pair(swagger.quality.typedFields), pair(swagger.quality.constrainedFields)]).toEqual([
      [1, 1],
      [1, 1]
    ])
  })

  test("nothing to count is 0 of 0", async () => {
    const quality = await qualityOf(schemas({}))
    expect([pair(quality.typedFields), pair(quality.constrainedFields), pair(quality.describedProperties)]).toEqual([
      [0, 0],
      [0, 0],
      [0, 0]
    ])
  })
})

describe("errors", () => {
  test("a 4xx or default answer with a schema", async () => {
    const schema = { schema: { type: "object" } }
    const operation = (responses: JsonObject) => ({
      get: { responses: { 200: { description: "Done" }, ...responses } }
    })
    const paths = {
      "/exact": operation({ 404: json(schema) }),
      "/range": operation({ "4XX": json(schema) }),
      "/rest": operation({ default: json(schema) }),
      "/referred": operation({ 401: { $ref: "#/components/responses/No" } }),
      "/bare": operation({ 404: { description: "Missing" } }),
      "/server": operation({ 500: json(schema) }),
      "/none": operation({})
    }
    const components = { responses: { No: json(schema) } }
    expect(pair((await qualityOf({ paths, components })).errorOperations)).toEqual([4, 7])
  })
})

describe("errors that help", () => {
  const helpful = async (paths: JsonObject, components: JsonObject = {}) =>
    pair((await qualityOf({ paths, components })).helpfulErrors)
  const answering = (response: JsonObject) => ({ get: { responses: { 422: response } } })

  test("a message, and beside it the field, the reason or what to do, at any level", async () => {
    const Violation = { type: "object", properties: { field: { type: "string" } } }
    const Problem = {
      allOf: [
        { properties: { title: { type: "string" } } },
        { properties: { errors: { type: "array", items: { $ref: "#/components/schemas/Violation" } } } }
      ]
    }
    const paths = {
      "/nested": answering(json({ schema: { $ref: "#/components/schemas/Problem" } })),
      "/example": answering(json({ example: { error: { message: "No", doc_url: "https://docs.example.com" } } })),
      "/examples": answering(json({ examples: { one: { value: { detail: "No", invalidParams: [] } } } })),
      "/code": answering(json({ schema: { properties: { code: { type: "string" }, message: { type: "string" } } } })),
      "/fields": answering(json({ schema: Violation })),
      "/none": answering({ description: "No" })
    }
    expect(await helpful(paths, { schemas: { Problem, Violation } })).toEqual([3, 6])
  })

  test("a schema that has itself is looked into a little way", async () => {
    const Node = {
      properties: Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [`f${index}`, { $ref: "#/components/schemas/Node" }])
      )
    }
    const paths = { "/tree": answering(json({ schema: { $ref: "#/components/schemas/Node" } })) }
    expect(await helpful(paths, { schemas: { Node } })).toEqual([0, 1])
  })
})

test("a chain of thirty thousand schemas is followed a little way", async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 30_000 }, (_, index) => [
      `S${index}`,
      { oneOf: [{ $ref: `#/components/schemas/S${index + 1}` }] }
    ])
  )
  const media = { schema: { $ref: "#/components/schemas/S0" } }
  const components = {
    schemas: {
      ...chain,
      S30000: { type: "string", example: "x" },
      A: { type: "object", properties: { a: media.schema } }
    }
  }
  const quality = await qualityOf({ components, paths: { "/a": get(media) } })
  expect([pair(quality.constrainedFields), pair(quality.exampleOperations)]).toEqual([
    [0, 0],
    [0, 1]
  ])
})

describe("what operations share", () => {
  const many = <T>(count: number, item: (index: number) => T): ReadonlyArray<T> =>
    Array.from({ length: count }, (_, index) => item(index))

  test("is read for as many operations as have 100,000 parts together", async () => {
    const parameters = many(3_000, (index) => ({ name: `p${index}`, in: "query", schema: { type: "string" } }))
    const additionalOperations = Object.fromEntries(many(3_000, (index) => [`OP${index}`, OK]))
    const { operationCount, quality } = await described(
      openapi({ openapi: "3.2.0", paths: { "/a": { parameters, additionalOperations } } })
    )
    expect([operationCount, quality.describedParameters.whole]).toEqual([34, 102_000])
  })

  test("is read of as many methods of JSON-RPC", async () => {
    const params = many(3_000, (index) => ({ name: `p${index}`, schema: { type: "string" } }))
    const methods = many(3_000, () => ({ $ref: "#/components/one" }))
    const { quality } = await described({
      openrpc: "1.3.2",
      info: { title: "T", version: "1" },
      methods,
      components: { one: { name: "one", params } }
    })
    expect(quality.describedParameters.whole).toBe(102_000)
  })

  test("is read once of a channel that many operations of AsyncAPI act on", async () => {
    const parameters = { a: { description: "The user's id" }, b: {} }
    const operations = Object.fromEntries(
      many(50, (index) => [`o${index}`, { action: "send", channel: { $ref: "#/channels/c" } }])
    )
    const { operationCount, quality } = await described({
      asyncapi: "3.0.0",
      info: { title: "T", version: "1" },
      channels: { c: { parameters } },
      operations
    })
    expect([operationCount, pair(quality.describedParameters)]).toEqual([50, [1, 2]])
  })
})
