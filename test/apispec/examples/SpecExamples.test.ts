import { describe, expect, test } from "vitest"
import type { SpecExamples } from "../../../engine/apispec/ApiSpec.ts"
import type { Json, JsonObject } from "../../../engine/apispec/text/Json.ts"
import { described, openapi } from "../ReadFixture.ts"
import { answering, examplesOf, posting, told, version } from "./ExampleFixture.ts"

const INTEGER = { type: "integer", minimum: 1, maximum: 100 }
const ORDER: JsonObject = { type: "object", required: ["amount"], properties: { amount: { type: "integer" } } }

const withParameter = (parameter: JsonObject): JsonObject =>
  openapi({
    paths: { "/orders": { get: { parameters: [parameter], responses: { 200: { description: "Done" } } } } }
  })
const limit = (more: JsonObject): JsonObject => withParameter({ name: "limit", in: "query", ...more })

const counts = async (content: Json): Promise<ReadonlyArray<number>> => {
  const { compared, notCompared, ...rest } = await examplesOf(content)
  return [compared, rest.false, notCompared]
}

describe("places of OpenAPI 3", () => {
  test("are examples of bodies, by name or not, with the operation and a pointer to what is refused", async () => {
    const examples = { small: { value: { amount: 1 } }, large: { value: { amount: "much" } } }
    const { found, ...rest } = await examplesOf(posting({ schema: ORDER, examples }))
    expect(rest).toEqual({ compared: 2, false: 1, notCompared: 0, missing: [] })
    expect(found).toEqual([
      {
        kind: "example",
        at: "#/paths/~1orders/post/requestBody/content/application~1json/examples/large/value/amount",
        value: '"much"',
        found: 'says "much" for amount',
        wants: "an integer",
        reason: "type",
        operation: "POST /orders"
      }
    ])
  })

  test("are examples and schemas of parameters and headers", async () => {
    expect(told(await examplesOf(limit({ schema: INTEGER, example: "all" })))).toEqual([
      '#/paths/~1orders/get/parameters/0/example says "all" for limit; an integer'
    ])
    expect(told(await examplesOf(limit({ schema: { ...INTEGER, default: 500 } })))).toEqual([
      "#/paths/~1orders/get/parameters/0/schema/default says 500 for limit; at most 100"
    ])
    const headers = { "X-Left": { schema: INTEGER, examples: { some: { value: "some" } } } }
    const document = openapi({
      paths: { "/orders": { get: { responses: { 200: { description: "Done", headers } } } } }
    })
    expect(told(await examplesOf(document))).toEqual([
      '#/paths/~1orders/get/responses/200/headers/X-Left/examples/some/value says "some" for X-Left; an integer'
    ])
  })

  test("are values beside schemas, wherever these are", async () => {
    const properties = {
      a: { type: "integer", example: "x" },
      b: { type: "integer", examples: [1, "y"] },
      c: { type: "integer", const: "z" },
      d: { items: { type: "integer", default: "w" } }
    }
    const { found } = await examplesOf(openapi({ components: { schemas: { A: { properties } } } }))
    expect(found.map((one) => [one.kind, one.found, one.operation])).toEqual([
      ["example", 'says "x" for a', null],
      ["example", 'says "y" for b', null],
      ["const", 'says "z" for c', null],
      ["default", 'says "w" for d', null]
    ])
  })

  test("are compared once where several operations share them", async () => {
    const response = { description: "Done", content: { "application/json": { schema: ORDER, example: {} } } }
    const get = { responses: { 200: { $ref: "#/components/responses/Order" } } }
    const document = openapi({
      paths: { "/a": { get }, "/b": { get } },
      components: { responses: { Order: response } }
    })
    expect(await counts(document)).toEqual([1, 1, 0])
    expect(told(await examplesOf(document))).toEqual([
      "#/components/responses/Order/content/application~1json/example lacks amount; amount"
    ])
  })

  test("are in webhooks and callbacks too", async () => {
    const post = {
      requestBody: { content: { "application/json": { schema: ORDER, example: {} } } },
      responses: { 200: { description: "Done" } }
    }
    expect(await counts(openapi({ webhooks: { made: { post } } }))).toEqual([1, 1, 0])
    const callbacks = { made: { "{$request.body#/url}": { post } } }
    const document = openapi({
      paths: { "/orders": { get: { callbacks, responses: { 200: { description: "Done" } } } } }
    })
    expect(await counts(document)).toEqual([1, 1, 0])
  })

  test("are none where a description is written in a dialect that is not known", async () => {
    const document = { ...posting({ schema: ORDER, example: {} }), jsonSchemaDialect: "https://acme.dev/dialect" }
    expect(await counts(document)).toEqual([0, 0, 0])
  })
})

describe("examples in files of their own", () => {
  const BESIDE = "https://docs.example.com/examples/order.json"
  const external = posting({ schema: ORDER, examples: { a: { externalValue: "examples/order.json" } } })

  test("are named, and not compared, until they are given", async () => {
    const { compared, missing, notCompared } = await examplesOf(external)
    expect([compared, notCompared, missing]).toEqual([0, 1, [BESIDE]])
  })

  test("are compared as any other, and told by the place that names them", async () => {
    expect(await examplesOf(external, { examples: { [BESIDE]: { amount: 1 } } })).toMatchObject({
      compared: 1,
      false: 0,
      missing: []
    })
    expect(told(await examplesOf(external, { examples: { [BESIDE]: { amount: "much" } } }))).toEqual([
      '#/paths/~1orders/post/requestBody/content/application~1json/examples/a says "much" for amount; an integer'
    ])
  })

  test("may be YAML where they are called so: any text is YAML of some kind", async () => {
    const named = (name: string): Promise<SpecExamples> =>
      examplesOf(posting({ schema: ORDER, examples: { a: { externalValue: name } } }), {
        examples: { [`https://docs.example.com/${name}`]: "amount: much\n" }
      })
    expect((await named("order.yaml")).false).toBe(1)
    expect(await named("order.txt")).toMatchObject({ compared: 0, notCompared: 1 })
  })

  test.each<[string, Json]>([
    ["a web page", "<!doctype html><title>Order</title>"],
    ["broken", '{"amount":'],
    ["empty", ""],
    ["nested without end", "[".repeat(5_000)]
  ])("are not compared where the file is %s", async (_, content) => {
    expect(await examplesOf(external, { examples: { [BESIDE]: content } })).toMatchObject({
      compared: 0,
      notCompared: 1
    })
  })

  test("are not asked for where the media type is no JSON", async () => {
    const xml = posting({ schema: ORDER, examples: { a: { externalValue: "order.xml" } } }, {}, "application/xml")
    expect(await examplesOf(xml)).toMatchObject({ compared: 0, notCompared: 1, missing: [] })
  })

  test("are data: references in them are not followed", async () => {
    const examples = { [BESIDE]: { amount: 1, $ref: "https://docs.example.com/other.json" } }
    expect((await described(external, { examples })).missingFiles).toEqual([])
  })

  test("are asked for twenty at most", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`e${index}`, { externalValue: `e${index}.json` }])
    )
    expect((await examplesOf(posting({ schema: ORDER, examples: many }))).missing).toHaveLength(20)
  })
})

describe("values as they travel", () => {
  test("of parameters are texts: a number and its text are the same, and lists are written in many ways", async () => {
    expect((await examplesOf(limit({ schema: INTEGER, example: "50" }))).false).toBe(0)
    expect((await examplesOf(limit({ schema: { type: "string" }, example: 50 }))).false).toBe(0)
    expect((await examplesOf(limit({ schema: { type: "array", items: INTEGER }, example: "1,2" }))).false).toBe(0)
    expect((await examplesOf(limit({ schema: INTEGER, example: "500" }))).false).toBe(1)
  })

  test("of forms are texts, and a form as one text is not compared", async () => {
    const form = "application/x-www-form-urlencoded"
    expect(await counts(posting({ schema: ORDER, example: { amount: "5" } }, {}, form))).toEqual([1, 0, 0])
    expect(await counts(posting({ schema: ORDER, example: "amount=5" }, {}, form))).toEqual([0, 0, 1])
  })

  test("of other media types are not compared", async () => {
    expect(await counts(posting({ schema: ORDER, example: "<order/>" }, {}, "application/xml"))).toEqual([0, 0, 1])
    expect(await counts(posting({ schema: ORDER, example: "amount" }, {}, "text/csv"))).toEqual([0, 0, 1])
    expect(await counts(posting({ schema: ORDER, example: "{}\n{}" }, {}, "application/x-ndjson"))).toEqual([0, 0, 1])
  })

  test("that are JSON in a string are compared as what they hold", async () => {
    expect(await counts(posting({ schema: ORDER, example: '{"amount": 5}' }))).toEqual([1, 0, 0])
    expect(told(await examplesOf(posting({ schema: ORDER, example: '{"amount": "x"}' })))).toEqual([
      '#/paths/~1orders/post/requestBody/content/application~1json/example says "x" for amount; an integer'
    ])
  })

  test("that are words where JSON is an object are told, and not where they may stand for it", async () => {
    expect((await examplesOf(posting({ schema: ORDER, example: "An order" }))).false).toBe(1)
    for (const example of ["{amount: 5}", "./order.json", "<order/>", "order.json", "{{order}}"]) {
      expect((await examplesOf(posting({ schema: ORDER, example }))).false).toBe(0)
    }
    expect((await examplesOf(posting({ schema: ORDER, example: "An order" }, {}, "*/*"))).false).toBe(0)
    expect(
      (await examplesOf(openapi({ components: { schemas: { A: { ...ORDER, example: "An order" } } } }))).false
    ).toBe(0)
  })
})

describe("nothing is said", () => {
  const schema = (more: JsonObject): JsonObject => openapi({ components: { schemas: { A: more } } })
  test.each<readonly [string, JsonObject]>([
    ["of an example that is null", { type: "string", example: null }],
    ["of an empty text", { type: "integer", default: "" }],
    ["of a default that its members complete", { ...ORDER, default: {} }],
    ["of a word for a time as a default", { type: "string", format: "date-time", default: "now" }],
    ["of an example in a part that is of the whole", { allOf: [{ additionalProperties: false, example: { a: 1 } }] }]
  ])("%s", async (_, more) => expect((await examplesOf(schema(more))).false).toBe(0))

  test.each<readonly [string, JsonObject]>([
    ["of a reference in the place of a value", { $ref: "#/components/examples/order" }],
    ["of an Example Object in the place of a value", { summary: "An order", value: { amount: 5 } }]
  ])("%s", async (_, example) => expect((await examplesOf(posting({ schema: ORDER, example }))).false).toBe(0))

  test("of a number for a text, where all is text", async () => {
    const text = { schema: { type: "string", example: 1.1 } }
    expect((await examplesOf(limit(text))).false).toBe(0)
    expect(told(await examplesOf(schema(text.schema)))).toEqual(["#/components/schemas/A/example says 1.1; a string"])
  })

  test.each(["string", "integer"])(
    "of a number of YAML that begins with a zero, for a schema of type %s",
    async (type) => {
      const text = `openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths: {}\ncomponents: {schemas: {A: {type: ${type}, example: 044925}}}\n`
      expect((await examplesOf(new TextEncoder().encode(text))).false).toBe(0)
    }
  )

  test("of what has no schema: it is not counted", async () => {
    expect(await counts(answering({ example: { amount: 5 } }))).toEqual([0, 0, 0])
  })

  test("beside a reference in 3.0, which ignores it", async () => {
    const properties = { a: { $ref: "#/components/schemas/B", example: "x" } }
    const document = openapi({ components: { schemas: { A: { properties }, B: { type: "integer" } } } })
    expect(await counts(version("3.0.3", document))).toEqual([0, 0, 0])
    expect(await counts(document)).toEqual([1, 1, 0])
  })
})

describe("places of Swagger 2", () => {
  const swagger = (operation: JsonObject, members: JsonObject = {}): JsonObject => ({
    swagger: "2.0",
    info: { title: "Orders", version: "1.0" },
    paths: { "/orders": { post: { responses: { 200: { description: "Done" } }, ...operation } } },
    ...members
  })
  const answer = (examples: JsonObject): JsonObject =>
    swagger({ responses: { 200: { description: "Done", schema: ORDER, examples } } })

  test("are examples of answers by media type", async () => {
    expect(told(await examplesOf(answer({ "application/json": { amount: "x" } })))).toEqual([
      '#/paths/~1orders/post/responses/200/examples/application~1json/amount says "x" for amount; an integer'
    ])
    expect(await counts(answer({ "text/csv": "amount\n5", "application/json": { amount: 5 } }))).toEqual([1, 0, 1])
  })

  test("are defaults and examples of parameters", async () => {
    const parameter = { name: "limit", in: "query", ...INTEGER }
    expect(
      told(await examplesOf(swagger({ parameters: [{ ...parameter, default: 500, "x-example": "all" }] })))
    ).toEqual([
      '#/paths/~1orders/post/parameters/0/x-example says "all" for limit; an integer',
      "#/paths/~1orders/post/parameters/0/default says 500 for limit; at most 100"
    ])
  })

  test("are examples of schemas of bodies and definitions, where null may be meant", async () => {
    const body = { name: "body", in: "body", schema: { ...ORDER, example: { amount: null } } }
    expect(await counts(swagger({ parameters: [body] }))).toEqual([1, 0, 0])
    const members = { definitions: { Order: { ...ORDER, example: {} } } }
    expect(told(await examplesOf(swagger({}, members)))).toEqual(["#/definitions/Order/example lacks amount; amount"])
  })
})

describe("places of other formats", () => {
  const message = { payload: ORDER, examples: [{ payload: { amount: 5 } }, { payload: { amount: "x" } }] }
  test("are examples of AsyncAPI's messages, in version 2", async () => {
    const document = {
      asyncapi: "2.6.0",
      info: { title: "Orders", version: "1.0" },
      channels: { made: { subscribe: { message } } }
    }
    const { found } = await examplesOf(document)
    expect(told({ found })).toEqual([
      '#/channels/made/subscribe/message/examples/1/payload/amount says "x" for amount; an integer'
    ])
    expect(found[0]?.operation).toBe("SUBSCRIBE made")
  })

  test("are the same in version 3, but for schemas of other languages", async () => {
    const document = (one: JsonObject): JsonObject => ({
      asyncapi: "3.0.0",
      info: { title: "Orders", version: "1.0" },
      channels: { made: { address: "made", messages: { one: { $ref: "#/components/messages/one" } } } },
      operations: {},
      components: { messages: { one } }
    })
    expect(await counts(document(message))).toEqual([2, 1, 0])
    const avro = { ...message, payload: { schemaFormat: "application/vnd.apache.avro;version=1.9.0", schema: ORDER } }
    expect(await counts(document(avro))).toEqual([0, 0, 0])
    const headers = { ...message, headers: { properties: { left: INTEGER } }, examples: [{ headers: { left: "x" } }] }
    expect(told(await examplesOf(document(headers)))).toEqual([
      '#/components/messages/one/examples/0/headers/left says "x" for left; an integer'
    ])
  })

  test("are examples of OpenRPC's methods, by the names of their parameters", async () => {
    const document = {
      openrpc: "1.3.2",
      info: { title: "Orders", version: "1.0" },
      methods: [
        {
          name: "place",
          params: [{ name: "amount", schema: { type: "integer" } }],
          result: { name: "order", schema: ORDER },
          examples: [
            {
              name: "one",
              params: [
                { name: "amount", value: "x" },
                { name: "of another name", value: 5 }
              ],
              result: { name: "order", value: {} }
            }
          ]
        }
      ]
    }
    expect(await counts(document)).toEqual([2, 2, 1])
    expect(told(await examplesOf(document))).toEqual([
      '#/methods/0/examples/0/params/0/value says "x" for amount; an integer',
      "#/methods/0/examples/0/result/value lacks amount; amount"
    ])
  })

  test("are none of a collection or a GraphQL schema", async () => {
    expect(await counts("type Query { orders: [Int] }")).toEqual([0, 0, 0])
  })
})

describe("limits", () => {
  const names = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, index) => `a${index}`)
  test("the first 500 are told, and all are counted", async () => {
    const properties = Object.fromEntries(names(510).map((name) => [name, { type: "integer", example: "x" }]))
    const { found, ...rest } = await examplesOf(openapi({ components: { schemas: { A: { properties } } } }))
    expect([rest.false, found.length, found[499]?.found]).toEqual([510, 500, 'says "x" for a499'])
  })

  test("a value that takes too much work is left out, and others are compared", async () => {
    const twice = (name: string): JsonObject => {
      const $ref = `#/components/schemas/${name}`
      return { anyOf: [{ allOf: [{ $ref }, { maxLength: 1 }] }, { allOf: [{ $ref }, { maxLength: 2 }] }] }
    }
    const deep = Object.fromEntries(names(24).map((name, index) => [name, twice(`a${index + 1}`)]))
    const schemas = {
      Top: { allOf: [{ $ref: "#/components/schemas/a0" }], example: "text" },
      ...deep,
      a24: { type: "object" },
      Other: { type: "integer", example: "x" }
    }
    expect(await counts(openapi({ components: { schemas } }))).toEqual([1, 1, 1])
  })

  test("values are shown by their beginning", async () => {
    const { found } = await examplesOf(posting({ schema: { type: "integer" }, example: { a: "x".repeat(500) } }))
    expect(found[0]?.value.length).toBe(80)
  })
})
