import { buildSchema } from "graphql/utilities/buildASTSchema.js"
import { introspectionFromSchema } from "graphql/utilities/introspectionFromSchema.js"
import { describe, expect, test } from "vitest"
import type { Json, JsonObject } from "../../engine/apispec/text/Json.ts"
import { described, OK, openapi, unparsed } from "./ReadFixture.ts"

const pair = ({ part, whole }: { readonly part: number; readonly whole: number }) => [part, whole]

describe("OpenAPI", () => {
  test("operations of version 3.2: QUERY and additional ones", async () => {
    const paths = { "/orders": { query: OK, additionalOperations: { COPY: OK } } }
    const spec = await described(openapi({ openapi: "3.2.0", paths }))
    expect(spec.operations.map(({ method }) => method)).toEqual(["QUERY", "COPY"])
  })

  test("what may be a subject of documentation is named, each once, sorted", async () => {
    const limits = {
      headers: {
        "Retry-After": { description: "Seconds to wait" },
        "RateLimit-Limit": { $ref: "#/components/headers/Limit" }
      }
    }
    const parameters = [
      { name: "cursor", in: "query", description: "Where to go on", schema: { type: "string", default: "first" } }
    ]
    const operation = {
      summary: "Read orders",
      description: "Ends with the newest.",
      deprecated: true,
      parameters,
      responses: {
        200: { description: "Done" },
        429: { description: "Too many", ...limits },
        503: { description: "Away", ...limits }
      },
      callbacks: { done: {} }
    }
    const { elements } = await described(
      openapi({
        paths: { "/a": { get: operation, post: operation } },
        components: { headers: { Limit: { description: "How many" } } },
        webhooks: { paid: { post: { summary: "An order was paid" } } },
        tags: [{ name: "Orders", description: "What was ordered" }]
      })
    )
    expect(elements).toEqual({
      parameters: [{ name: "cursor", description: "Where to go on", operations: 2 }],
      responseHeaders: [
        { name: "ratelimit-limit", description: "How many", operations: 2 },
        { name: "retry-after", description: "Seconds to wait", operations: 2 }
      ],
      responses: [
        { name: "200", description: "Done", operations: 2 },
        { name: "429", description: "Too many", operations: 2 },
        { name: "503", description: "Away", operations: 2 }
      ],
      webhooks: [{ name: "paid", description: "An order was paid", operations: 0 }],
      tags: [{ name: "Orders", description: "What was ordered", operations: 0 }],
      callbacks: 2,
      defaults: 1,
      remarks: [
        { operation: "GET /a", text: "Read orders\nEnds with the newest.", deprecated: true },
        { operation: "POST /a", text: "Read orders\nEnds with the newest.", deprecated: true }
      ]
    })
  })

  test("a version that YAML takes for a number is still a version", async () => {
    expect((await described("openapi: 3.1.0\ninfo: { title: T, version: 1.2 }\npaths: {}\n")).version).toBe("1.2")
  })
})

describe("servers", () => {
  const usable = async (servers: Parameters<typeof openapi>[0]["servers"] & {}) =>
    (await described(openapi({ servers }))).servers.map((server) => server.usable)

  test.each(["https://api.orders.dev/v1", "https://orders.co.uk", "https://sandbox.orders.dev:8443/"])(
    "%s can be called",
    async (url) => {
      expect(await usable([{ url }])).toEqual([true])
    }
  )

  test.each([
    "/",
    "/v1",
    "//api.orders.dev",
    "http://api.orders.dev",
    "https://localhost",
    "https://api.example.com",
    "https://example.org/v1",
    "https://127.0.0.1:8080",
    "https://{tenant}.orders.dev",
    "https://your-domain.com",
    "https://your-company.orders.dev",
    "https://yourdomain.orders.dev",
    "https://<host>/v1",
    "https://api.local",
    "https://api",
    "not an address"
  ])("%s cannot", async (url) => {
    expect(await usable([{ url }])).toEqual([false])
  })

  test("variables stand for their defaults", async () => {
    const variables = { tenant: { default: "eu" }, version: { default: 2 } }
    const { servers } = await described(
      openapi({ servers: [{ url: "https://{tenant}.orders.dev/v{version}", variables }] })
    )
    expect(servers).toEqual([
      {
        template: "https://{tenant}.orders.dev/v{version}",
        url: "https://eu.orders.dev/v2",
        description: "",
        usable: true
      }
    ])
  })

  test("of paths and operations, where the document names none", async () => {
    const { servers } = await described(
      openapi({
        paths: {
          "/a": {
            servers: [{ url: "https://a.orders.dev" }],
            get: { ...OK, servers: [{ url: "https://b.orders.dev" }] }
          }
        }
      })
    )
    expect(servers.map(({ url }) => url)).toEqual(["https://a.orders.dev", "https://b.orders.dev"])
  })

  test("of Swagger 2: schemes, host and base path", async () => {
    const head = {
      swagger: "2.0",
      info: { title: "T", version: "1" },
      paths: {},
      host: "api.orders.dev",
      basePath: "/v2"
    }
    expect(
      (await described({ ...head, schemes: ["http", "https"] })).servers.map(({ url, usable: can }) => [url, can])
    ).toEqual([
      ["http://api.orders.dev/v2", false],
      ["https://api.orders.dev/v2", true]
    ])
    expect((await described(head)).servers.map(({ url }) => url)).toEqual(["https://api.orders.dev/v2"])
  })
})

describe("security", () => {
  const components = {
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "X-Key" },
      bearer: { type: "http", scheme: "Bearer" }
    }
  }
  const refused = { responses: { 200: { description: "Done" }, 401: { description: "Who?" } } }

  test("of the document holds where an operation says nothing else", async () => {
    const paths = { "/a": { get: refused, post: { ...OK, security: [] }, put: { ...OK, security: [{ other: [] }] } } }
    const { security } = await described(openapi({ paths, components, security: [{ key: [] }] }))
    expect(security).toEqual({
      schemes: [
        { name: "key", type: "apiKey", scheme: "", place: "header", parameter: "X-Key", tokenUrl: "", description: "" },
        { name: "bearer", type: "http", scheme: "bearer", place: "", parameter: "", tokenUrl: "", description: "" }
      ],
      securedOperations: 1,
      undeclaredOperations: 1,
      saidToBeNone: false,
      refusingOperations: 1
    })
  })

  test("none is needed where all say so, and nothing is said where nothing is", async () => {
    const paths = { "/a": { get: OK, post: OK } }
    expect((await described(openapi({ paths, security: [] }))).security.saidToBeNone).toBe(true)
    expect((await described(openapi({ paths, security: [{}] }))).security.saidToBeNone).toBe(true)
    expect((await described(openapi({ paths }))).security.saidToBeNone).toBe(false)
    expect((await described(openapi({ paths, components, security: [{ key: [] }, {}] }))).security.saidToBeNone).toBe(
      false
    )
  })
})

describe("a sample API", () => {
  const pets = { "/pet/{petId}": { get: OK } }
  const plants = { "/plants": { get: OK }, "/plants/{id}": { delete: OK } }
  const sampleOf = async (title: string, paths: object, description = "") =>
    (await described(openapi({ info: { title, description, version: "1" }, paths: { ...paths } }))).sampleApi

  test("is the pet store by its name and its paths together", async () => {
    expect(await sampleOf("Swagger Petstore", pets)).toBe("pet_store")
    expect(await sampleOf("Swagger Petstore", { "/orders": { get: OK } })).toBeNull()
    expect(await sampleOf("Veterinary records", pets)).toBeNull()
  })

  test("is the plant store of Mintlify's starter by its name and its paths together", async () => {
    expect(await sampleOf("OpenAPI Plant Store", plants)).toBe("plant_store")
    expect(await sampleOf("Acme API", plants, "A sample API that uses a plant store as an example")).toBe("plant_store")
    expect(await sampleOf("OpenAPI Plant Store", { "/orders": { get: OK } })).toBeNull()
    expect(await sampleOf("OpenAPI Plant Store", { "/plantations": { get: OK } })).toBeNull()
    expect(await sampleOf("Power plants of Europe", plants)).toBeNull()
    expect(await sampleOf("Swagger Petstore", plants)).toBeNull()
  })
})

describe("AsyncAPI", () => {
  const message = {
    payload: { type: "object", properties: { id: { type: "string", description: "Its id" } } },
    examples: [{ payload: { id: "1" } }]
  }

  test("version 2: what channels publish and subscribe", async () => {
    const spec = await described({
      asyncapi: "2.6.0",
      info: { title: "Orders", version: "1" },
      servers: { live: { url: "wss://events.orders.dev", protocol: "wss" } },
      channels: {
        "orders/{id}": {
          parameters: { id: { description: "Which", schema: { type: "string" } } },
          subscribe: { operationId: "onOrder", summary: "An order changed", message }
        }
      }
    })
    expect(spec.operations).toEqual([
      { method: "SUBSCRIBE", path: "orders/{id}", id: "onOrder", summary: "An order changed" }
    ])
    expect(spec.servers).toEqual([{ url: "wss://events.orders.dev", description: "", usable: true }])
    expect([
      pair(spec.quality.describedParameters),
      pair(spec.quality.exampleOperations),
      pair(spec.quality.describedProperties)
    ]).toEqual([
      [1, 1],
      [1, 1],
      [1, 1]
    ])
    expect(spec.validity).toMatchObject({ errorCount: 0, bySchema: false })
  })

  test("version 3: operations beside channels", async () => {
    const spec = await described({
      asyncapi: "3.0.0",
      info: { title: "Orders", version: "1" },
      servers: { live: { host: "events.orders.dev", protocol: "wss", pathname: "/v1" } },
      channels: { orders: { address: "orders.changed", messages: { changed: message } } },
      operations: {
        onOrder: {
          action: "receive",
          channel: { $ref: "#/channels/orders" },
          messages: [{ $ref: "#/channels/orders/messages/gone" }]
        }
      }
    })
    expect(spec.operations).toMatchObject([{ method: "RECEIVE", path: "orders.changed" }])
    expect(spec.servers[0]?.url).toBe("wss://events.orders.dev/v1")
    expect(spec.validity.errors).toMatchObject([{ rule: "reference" }])
  })

  test("version 3, as its tools write a reference to a channel that they have followed", async () => {
    const { operations } = await described({
      asyncapi: "3.0.0",
      info: { title: "Orders", version: "1" },
      channels: { orders: { address: "orders.changed", messages: { changed: message } } },
      operations: { onOrder: { action: "receive", channel: "$ref:$.channels.orders" } }
    })
    expect(operations).toMatchObject([{ method: "RECEIVE", path: "orders.changed" }])
  })
})

test("OpenRPC: methods, their parameters, results and errors", async () => {
  const spec = await described({
    openrpc: "1.3.2",
    info: { title: "Orders", version: "1" },
    servers: [{ url: "https://rpc.orders.dev" }],
    methods: [
      {
        name: "order.get",
        summary: "Fetches an order",
        params: [{ name: "id", description: "Which", schema: { type: "string" } }],
        result: { name: "order", schema: { type: "object", example: {} } },
        errors: [{ code: 1, message: "None" }]
      },
      {
        name: "order.list",
        params: [],
        result: { name: "orders", schema: { type: "array", items: { type: "string" } } }
      }
    ]
  })
  expect(spec.operations.map(({ method, path }) => `${method} ${path}`)).toEqual(["CALL order.get", "CALL order.list"])
  expect(spec.elements.parameters).toEqual([{ name: "id", description: "Which", operations: 1 }])
  expect([
    pair(spec.quality.exampleOperations),
    pair(spec.quality.errorOperations),
    pair(spec.quality.describedParameters)
  ]).toEqual([
    [1, 2],
    [1, 2],
    [1, 1]
  ])
  expect(spec.validity.errorCount).toBe(0)
})

describe("GraphQL", () => {
  const SDL = `
"""Orders"""
type Query {
  "Fetches an order"
  order("Which" id: ID!, first: Int = 10): Order
}
type Mutation { cancel(id: ID!): Order }
type Order { "Its id" id: ID! state: State at: Date total: Float paid: Boolean }
enum State { OPEN CLOSED }
scalar Date
`

  test("root fields are operations, arguments parameters, other fields properties", async () => {
    const spec = await described(SDL)
    expect(spec.format).toBe("graphql")
    expect(spec.operations).toEqual([
      { method: "QUERY", path: "order", id: "order", summary: "Fetches an order" },
      { method: "MUTATION", path: "cancel", id: "cancel", summary: "" }
    ])
    const { quality } = spec
    expect([
      pair(quality.describedParameters),
      pair(quality.describedProperties),
      pair(quality.typedFields),
      pair(quality.constrainedFields)
    ]).toEqual([
      [1, 3],
      [1, 5],
      [8, 8],
      [3, 7]
    ])
    expect(spec.validity.errorCount).toBe(0)
  })

  test("a schema names its root types", async () => {
    const spec = await described("schema { query: Root }\ntype Root { a: Int }\ntype Query { b: Int }")
    expect(spec.operations).toMatchObject([{ method: "QUERY", path: "a" }])
  })

  test("an unknown type is an error that touches all; a gateway's directive is none", async () => {
    expect((await described("type Query { a: Gone b: Int }")).validity).toMatchObject({
      errorCount: 1,
      touchedOperations: 2
    })
    expect((await described("type Query { a: Int @shareable }")).validity.errorCount).toBe(0)
  })

  test.each([
    ["a brace on the next line", "type Query\n{\n  a: Int\n}"],
    ["arguments of a directive", 'type Query @auth(rules: [{ allow: public, roles: ["a: b"] }]) {\n  a: Int\n}'],
    [
      "interfaces on lines of their own",
      "interface Node { id: ID }\ninterface Named { name: String }\ntype Query implements\n  & Node\n  & Named\n{\n  id: ID\n  name: String\n}"
    ],
    [
      "a schema with a directive that has arguments",
      'schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key"]) {\n  query: Root\n}\ntype Root { a: Int }'
    ],
    ["a comment before the brace", "schema # the roots\n{ query: Root }\ntype Root { a: Int }"]
  ])("%s is read by GraphQL's own parser", async (_, text) => {
    const spec = await described(text)
    expect([spec.format, spec.operationCount > 0, spec.validity.errorCount]).toEqual(["graphql", true, 0])
  })

  test.each([
    [
      "a type without the fields of its interface",
      "interface Node { id: ID! }\ntype Query implements Node { a: Int }",
      "Interface field Node.id expected but Query does not provide it."
    ],
    [
      "an input as the type of a field",
      "input I { a: Int }\ntype Query { a: I }",
      "The type of Query.a must be Output Type but got: I."
    ],
    [
      "a union of what is no object",
      "type Query { a: U }\nunion U = Int",
      "Union type U can only include Object types, it cannot include Int."
    ],
    ["no query type", "type Mutation { a: Int }", "Query root type must be provided."]
  ])("%s is an error", async (_, text, message) => {
    const { validity } = await described(text)
    expect(validity).toMatchObject({ bySchema: true, errorCount: 1 })
    expect(validity.errors[0]?.message).toBe(message)
  })

  test("a schema that takes too many steps to validate is checked for its essentials only", async () => {
    const names = Array.from({ length: 150 }, (_, index) => `I${index}`)
    const fields = Array.from({ length: 20 }, (_, index) => `f${index}: Int`).join(" ")
    const types = [
      ...names.map((name) => `interface ${name} { ${fields} }`),
      ...names.map((name) => `type T${name} implements ${names.join(" & ")} { ${fields} }`)
    ]
    expect((await described(`type Query { a: Int }\n${types.join("\n")}`)).validity).toMatchObject({
      bySchema: false,
      errorCount: 0
    })
    expect((await described(`type Query { a: Int }\n${types.slice(0, 155).join("\n")}`)).validity.bySchema).toBe(true)
  })

  test("an OpenAPI description in YAML that quotes a schema is OpenAPI", async () => {
    const yaml =
      "openapi: 3.0.0\ninfo:\n  title: T\n  version: '1'\n  description: |\n    Our schema:\n    type Query {\n      a: Int\n    }\npaths: {}\n"
    expect((await described(yaml)).format).toBe("openapi")
  })

  test("the result of an introspection is read as the schema that it describes", async () => {
    const result = introspectionFromSchema(buildSchema(SDL))
    const schema = await described(SDL)
    for (const root of [result, { data: result }]) {
      const spec = await described(JSON.stringify(root))
      expect([spec.format, spec.operations, spec.quality.describedParameters, spec.validity.errorCount]).toEqual([
        "graphql",
        schema.operations,
        schema.quality.describedParameters,
        0
      ])
    }
    expect((await unparsed('{"__schema":{"types":[{"kind":"OBJECT"}]}}')).reason).toBe("syntax")
    expect((await unparsed('{"__schema":"x"}')).reason).toBe("not_a_description")
  })

  test("one that does not parse says where", async () => {
    expect(await unparsed("type Query {\n  a: \n}")).toMatchObject({
      reason: "syntax",
      message: "it is not valid GraphQL (line 3, column 1)"
    })
  })

  test("prose and YAML that speak of types are none", async () => {
    expect((await unparsed("Define a type Query in your schema, then run it.")).reason).toBe("not_a_description")
    expect(
      (
        await described(
          "openapi: 3.0.0\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n    Query: { type: object }\n"
        )
      ).format
    ).toBe("openapi")
  })
})

test("Postman: requests in folders, variables, saved answers", async () => {
  const spec = await described({
    info: { name: "Orders", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
    variable: [{ key: "base", value: "https://api.orders.dev" }],
    auth: { type: "bearer" },
    item: [
      {
        name: "Folder",
        item: [
          {
            name: "List orders",
            request: {
              method: "GET",
              url: { raw: "{{base}}/orders?page=1", query: [{ key: "page", description: "Which page" }] }
            },
            response: [{ code: 200, body: "[]" }]
          }
        ]
      },
      { name: "Health", request: "{{base}}/health" }
    ]
  })
  expect(spec).toMatchObject({ format: "postman", formatVersion: "2.1.0", title: "Orders", operationCount: 2 })
  expect(spec.servers).toEqual([{ url: "https://api.orders.dev", description: "", usable: true }])
  expect(spec.security).toMatchObject({ securedOperations: 2, schemes: [{ type: "bearer" }] })
  expect([pair(spec.quality.exampleOperations), pair(spec.quality.describedParameters)]).toEqual([
    [1, 2],
    [1, 1]
  ])
})

describe("Postman", () => {
  const collection = (members: JsonObject): JsonObject => ({
    info: { name: "Orders", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
    ...members
  })

  test("an address without `raw` is assembled from its parts", async () => {
    const request = (url: Json) => ({ name: "One", request: { url } })
    const spec = await described(
      collection({
        item: [
          request({
            protocol: "https",
            host: ["api", "orders", "dev"],
            port: "8443",
            path: ["v1", { type: "string", value: "orders" }, ":id"]
          }),
          request({ protocol: "https", host: "api.orders.dev", path: "/v2/orders" }),
          request({ host: ["{{base}}"], path: ["orders"] }),
          request({ path: ["health"] })
        ],
        variable: [{ key: "base", value: "https://live.orders.dev" }]
      })
    )
    expect(spec.operations.map(({ path }) => path)).toEqual([
      "https://api.orders.dev:8443/v1/orders/:id",
      "https://api.orders.dev/v2/orders",
      "{{base}}/orders",
      "/health"
    ])
    expect(spec.servers.map(({ url }) => url)).toEqual([
      "https://api.orders.dev:8443",
      "https://api.orders.dev",
      "https://live.orders.dev"
    ])
  })

  test("authentication is that of the nearest folder that sets one, and `null` sets none", async () => {
    const request = (auth?: Json) => ({
      name: "One",
      request: { url: "https://api.orders.dev/a", ...(auth === undefined ? {} : { auth }) }
    })
    const { security } = await described(
      collection({
        auth: { type: "bearer" },
        item: [
          request(null),
          {
            name: "Keys",
            auth: { type: "apikey" },
            item: [request(), { name: "Inner", auth: null, item: [request(null), request({ type: "basic" })] }]
          },
          { name: "Public", auth: { type: "noauth" }, item: [request()] }
        ]
      })
    )
    expect(security).toMatchObject({ securedOperations: 4, saidToBeNone: false })
    expect(security.schemes.map(({ type }) => type)).toEqual(["apikey", "basic", "bearer"])
  })
})
