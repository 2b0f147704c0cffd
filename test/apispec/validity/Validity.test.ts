import { describe, expect, test } from "vitest"
import type { JsonObject } from "../../../engine/apispec/text/Json.ts"
import { described, OK, openapi } from "../ReadFixture.ts"

const errorsOf = async (document: JsonObject, surroundings?: Parameters<typeof described>[1]) =>
  (await described(document, surroundings)).validity.errors.map(({ at, operations, rule }) => [rule, at, operations])

describe("structure", () => {
  test.each([
    ["3.0.3", { openapi: "3.0.3" }],
    ["3.1.0", { openapi: "3.1.0" }],
    ["3.2.0", { openapi: "3.2.0" }]
  ])("a sound document of version %s has no error", async (_, version) => {
    const { validity } = await described(openapi({ ...version, paths: { "/orders": { get: OK } } }))
    expect(validity).toEqual({ errorCount: 0, identityErrorCount: 0, errors: [], touchedOperations: 0, bySchema: true })
  })

  test("a sound Swagger 2 document has none", async () => {
    const { validity } = await described({
      swagger: "2.0",
      info: { title: "T", version: "1" },
      paths: { "/orders": { get: OK } }
    })
    expect(validity).toEqual({ errorCount: 0, identityErrorCount: 0, errors: [], touchedOperations: 0, bySchema: true })
  })

  test("an error inside an operation touches that operation", async () => {
    const paths = {
      "/a": { get: { ...OK, parameters: [{ name: "q", in: "nowhere", schema: {} }] }, post: OK },
      "/b": { get: OK }
    }
    const { validity } = await described(openapi({ openapi: "3.0.3", paths }))
    expect(validity.errorCount).toBeGreaterThan(0)
    expect(validity.touchedOperations).toBe(1)
    expect(validity.errors[0]?.at).toMatch(/^#\/paths\/~1a\/get\/parameters\/0/)
  })

  test("an error among a path's own members touches all its operations", async () => {
    const paths = { "/a": { summary: 5, get: OK, post: OK }, "/b": { get: OK } }
    expect((await described(openapi({ paths }))).validity.touchedOperations).toBe(2)
  })

  test("an error in a component touches the operations that lead there, through other components too", async () => {
    const schemas = {
      Bad: { type: "nothing" },
      Holder: { type: "object", properties: { bad: { $ref: "#/components/schemas/Bad" } } },
      Good: { type: "string" }
    }
    const answer = (name: string) => ({
      responses: {
        200: {
          description: "Done",
          content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } }
        }
      }
    })
    const paths = { "/a": { get: answer("Holder") }, "/b": { get: answer("Bad") }, "/c": { get: answer("Good") } }
    for (const version of ["3.0.3", "3.1.0"]) {
      const { validity } = await described(openapi({ openapi: version, paths, components: { schemas } }))
      expect(validity.errors[0]).toMatchObject({ rule: "structure", operations: 2 })
      expect(validity.touchedOperations).toBe(2)
    }
  })

  test("an error of the document as a whole, or of what every call depends on, touches all", async () => {
    const paths = { "/a": { get: OK, post: OK } }
    for (const members of [{ unknown: 1 }, { servers: [{ url: 5 }] }]) {
      expect((await described(openapi({ paths, ...members }))).validity).toMatchObject({
        errorCount: 1,
        touchedOperations: 2
      })
    }
  })

  test("an error outside of operations and of what they use touches none", async () => {
    const { validity } = await described(openapi({ info: { title: "T" }, paths: { "/a": { get: OK } } }))
    expect(validity.errors).toEqual([
      { rule: "structure", at: "#/info", message: "`version` is missing", operations: 0 }
    ])
    expect(validity.touchedOperations).toBe(0)
  })

  test("one cause is one error, however many branches it fails", async () => {
    const schemas = {
      A: { type: "object", properties: { b: { type: "object", properties: { c: { type: "strng" } } } } }
    }
    expect(await errorsOf(openapi({ openapi: "3.0.3", components: { schemas } }))).toEqual([
      ["structure", "#/components/schemas/A/properties/b/properties/c/type", 0]
    ])
  })

  test("an unknown later version is checked for its essentials only", async () => {
    expect((await described(openapi({ openapi: "3.7.0" }))).validity.bySchema).toBe(false)
  })
})

describe("references", () => {
  test("one that leads nowhere is an error", async () => {
    const paths = { "/a": { get: { responses: { 200: { $ref: "#/components/responses/Gone" } } } } }
    expect(await errorsOf(openapi({ paths }))).toEqual([["reference", "#/paths/~1a/get/responses/200", 1]])
  })

  test("circles are none", async () => {
    const schemas = {
      Tree: { type: "object", properties: { child: { $ref: "#/components/schemas/Tree" } } },
      Loop: { $ref: "#/components/schemas/Loop" }
    }
    expect(await errorsOf(openapi({ components: { schemas } }))).toEqual([])
  })

  test("escapes, anchors and ids are followed", async () => {
    const schemas = {
      Named: { $anchor: "named", type: "string" },
      Own: { $id: "https://schemas.example.com/own", type: "string" },
      User: {
        type: "object",
        properties: {
          one: { $ref: "#/paths/~1orders~1%7Bid%7D/parameters/0/schema" },
          plain: { $ref: "#/paths/~1orders~1{id}/parameters/0/schema" },
          two: { $ref: "#named" },
          three: { $ref: "https://schemas.example.com/own" }
        }
      }
    }
    const paths = {
      "/orders/{id}": { parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }], get: OK }
    }
    const spec = await described(openapi({ paths, components: { schemas } }))
    expect(spec.validity.errors).toEqual([])
    expect(spec.missingFiles).toEqual([])
  })

  test("strings in examples, defaults and extensions are none, names like these are no obstacle", async () => {
    const nowhere = { $ref: "#/nowhere" }
    const schema = {
      type: "object",
      properties: { example: nowhere },
      example: nowhere,
      default: nowhere,
      enum: [nowhere],
      "x-more": nowhere
    }
    expect(await errorsOf(openapi({ components: { schemas: { A: schema } } }))).toEqual([
      ["reference", "#/components/schemas/A/properties/example", 0]
    ])
  })

  test("files: those that were read, those that are not there, and those that nothing is known of", async () => {
    const properties = {
      here: { $ref: "schemas/here.json#/Order" },
      gone: { $ref: "schemas/gone.json" },
      away: { $ref: "https://other.example.org/x.json" }
    }
    const document = openapi({ components: { schemas: { A: { type: "object", properties } } } })
    expect((await described(document)).missingFiles).toEqual([
      "https://docs.example.com/schemas/gone.json",
      "https://docs.example.com/schemas/here.json",
      "https://other.example.org/x.json"
    ])
    const spec = await described(document, {
      others: { "https://docs.example.com/schemas/here.json": { Order: { $ref: "#/Missing" } } },
      absent: ["https://docs.example.com/schemas/gone.json"]
    })
    expect(spec.files).toBe(2)
    expect(spec.missingFiles).toEqual(["https://other.example.org/x.json"])
    expect(spec.validity.errors.map(({ at, rule }) => [rule, at])).toEqual([
      ["reference", "#/components/schemas/A/properties/gone"],
      ["reference", "https://docs.example.com/schemas/here.json#/Order"]
    ])
  })

  test("a path item in a file of its own", async () => {
    const spec = await described(openapi({ paths: { "/a/{id}": { $ref: "paths/a.json" } } }), {
      others: {
        "https://docs.example.com/paths/a.json": {
          get: { ...OK, summary: "Fetch one", parameters: [{ $ref: "../parameters.json#/id" }] },
          post: { $ref: "#/nowhere" }
        },
        "https://docs.example.com/parameters.json": {
          id: { name: "id", in: "path", required: true, schema: { type: "string" } }
        }
      }
    })
    expect(spec.operations).toEqual([{ method: "GET", path: "/a/{id}", id: "", summary: "Fetch one" }])
    expect(spec.validity.errors).toMatchObject([{ rule: "reference", operations: 1 }])
  })
})

describe("operations", () => {
  test("an operationId that is used twice touches both", async () => {
    const paths = {
      "/a": { get: { ...OK, operationId: "list" } },
      "/b": { get: { ...OK, operationId: "list" } },
      "/c": { get: { ...OK, operationId: "other" } }
    }
    const { validity } = await described(openapi({ paths }))
    expect(validity).toMatchObject({ errorCount: 2, touchedOperations: 2 })
    expect(validity.errors[0]).toMatchObject({
      rule: "operation_id",
      at: "#/paths/~1a/get",
      message: "the operationId `list` is used 2 times"
    })
  })

  test("path parameters are declared, by the path or the operation, and are in the path", async () => {
    const id = { name: "id", in: "path", required: true, schema: { type: "string" } }
    const paths = {
      "/own/{id}": { get: { ...OK, parameters: [id] } },
      "/shared/{id}": { parameters: [id], get: OK },
      "/missing/{id}": { get: OK },
      "/surplus": { get: { ...OK, parameters: [id] } },
      "/unread/{id}": { get: { ...OK, parameters: [{ $ref: "https://other.example.org/p.json" }] } }
    }
    expect(await errorsOf(openapi({ paths }))).toEqual([
      ["path_parameter", "#/paths/~1missing~1{id}/get", 1],
      ["path_parameter", "#/paths/~1surplus/get", 1]
    ])
  })

  test("errors are counted, and shown up to ten", async () => {
    const paths = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`/p${index}/{id}`, { get: OK }]))
    const { validity } = await described(openapi({ paths }))
    expect([validity.errorCount, validity.errors.length, validity.touchedOperations]).toEqual([200, 10, 200])
  })

  test.each(["3.0.3", "3.1.0"])(
    "a thousand errors in a document of version %s are the end: all operations count as affected",
    async (version) => {
      const properties = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: "strng" }]))
      const withErrors = (count: number) =>
        described(
          openapi({
            openapi: version,
            paths: { "/a": { get: OK }, "/b": { get: OK } },
            components: { schemas: { A: { type: "object", properties: properties(count) } } }
          })
        )
      expect((await withErrors(1_000)).validity).toMatchObject({ errorCount: 1_000, touchedOperations: 0 })
      expect((await withErrors(1_001)).validity).toMatchObject({ errorCount: 1_000, touchedOperations: 2 })
      expect((await withErrors(50_000)).validity).toMatchObject({ errorCount: 1_000, touchedOperations: 2 })
    }
  )

  test("paths that differ only in the names of their parameters are identical", async () => {
    const parameter = (name: string) => ({ name, in: "path", required: true, schema: { type: "string" } })
    const item = (name: string, method: string) => ({ parameters: [parameter(name)], [method]: OK })
    const paths = {
      "/orders/{id}": item("id", "get"),
      "/orders/{key}": item("key", "post"),
      "/orders/{id}/lines": item("id", "get"),
      "/orders/all": { get: OK }
    }
    expect(await errorsOf(openapi({ paths }))).toEqual([
      ["identical_path", "#/paths/~1orders~1{id}", 1],
      ["identical_path", "#/paths/~1orders~1{key}", 1]
    ])
  })

  test("a request of Swagger 2 has one body, or form fields, but not both", async () => {
    const body = (name: string) => ({ name, in: "body", schema: { type: "object" } })
    const field = { name: "file", in: "formData", type: "string" }
    const post = (...parameters: ReadonlyArray<JsonObject>) => ({ ...OK, parameters })
    const paths = {
      "/both": { post: post(body("order"), field) },
      "/shared": { parameters: [field], post: post(body("order")), get: OK },
      "/two": { post: post(body("order"), body("note")) },
      "/fine": { post: post(body("order")), put: post(field) }
    }
    expect(await errorsOf({ swagger: "2.0", info: { title: "T", version: "1" }, paths })).toEqual([
      ["parameter", "#/paths/~1both/post", 1],
      ["parameter", "#/paths/~1shared/post", 1],
      ["parameter", "#/paths/~1two/post", 1]
    ])
  })

  test("a list names each parameter once; an operation may name one of its path's again", async () => {
    const parameter = (name: string, place: string) => ({ name, in: place, schema: { type: "string" } })
    const components = { parameters: { Page: { ...parameter("page", "query"), description: "Which page" } } }
    const paths = {
      "/own": {
        get: {
          ...OK,
          parameters: [
            parameter("page", "query"),
            { $ref: "#/components/parameters/Page" },
            parameter("page", "header")
          ]
        }
      },
      "/shared": {
        parameters: [parameter("X-Id", "header"), { ...parameter("x-id", "header"), description: "Again" }],
        get: OK,
        post: OK
      },
      "/narrowed": {
        parameters: [parameter("page", "query")],
        get: { ...OK, parameters: [parameter("page", "query")] }
      }
    }
    expect(await errorsOf(openapi({ paths, components }))).toEqual([
      ["parameter", "#/paths/~1own/get/parameters/1", 1],
      ["parameter", "#/paths/~1shared/parameters/1", 2]
    ])
  })
})

describe("servers", () => {
  const paths = { "/a": { get: OK }, "/b": { get: { ...OK, servers: [{ url: "https://{region}.orders.dev" }] } } }

  test("the variables of a URL are defined, for all operations or for one", async () => {
    const servers = [{ url: "https://{tenant}.orders.dev/{version}", variables: { tenant: { default: "eu" } } }]
    expect(await errorsOf(openapi({ servers, paths }))).toEqual([
      ["server_variable", "#/servers/0", 2],
      ["server_variable", "#/paths/~1b/get/servers/0", 1]
    ])
  })

  test("from version 3.1 on a default is one of the values", async () => {
    const servers = [
      { url: "https://{tenant}.orders.dev", variables: { tenant: { default: "asia", enum: ["eu", "us"] } } }
    ]
    expect(await errorsOf(openapi({ servers, paths: { "/a": { get: OK } } }))).toEqual([
      ["server_variable", "#/servers/0/variables/tenant", 1]
    ])
    expect(await errorsOf(openapi({ openapi: "3.0.3", servers }))).toEqual([])
  })
})

describe("Schema Objects of version 3.1 and later", () => {
  const schemaErrors = async (version: string, schema: JsonObject) =>
    errorsOf(openapi({ openapi: version, components: { schemas: { A: schema } } }))

  test.each(["3.1.0", "3.2.0"])(
    "of version %s are held to the dialect of OpenAPI, inside one another too",
    async (version) => {
      const inner = { type: "object", discriminator: { mapping: {} }, xml: { attribute: "yes" }, externalDocs: {} }
      expect((await schemaErrors(version, { properties: { a: { items: inner } } })).map(([, at]) => at)).toEqual([
        "#/components/schemas/A/properties/a/items/discriminator",
        "#/components/schemas/A/properties/a/items/externalDocs",
        "#/components/schemas/A/properties/a/items/xml/attribute"
      ])
      expect(
        await schemaErrors(version, {
          discriminator: { propertyName: "kind", mapping: { a: "#/a" }, "x-more": 1 },
          xml: { name: "a" },
          example: 1,
          "x-own": 1
        })
      ).toEqual([])
    }
  )

  test("what version 3.2 adds is an error in 3.1", async () => {
    const schema = { discriminator: { propertyName: "kind", defaultMapping: "A" }, xml: { nodeType: "cdata" } }
    expect(await schemaErrors("3.2.0", schema)).toEqual([])
    expect((await schemaErrors("3.1.0", schema)).map(([, at]) => at)).toEqual([
      "#/components/schemas/A/discriminator",
      "#/components/schemas/A/xml"
    ])
    expect(
      (await schemaErrors("3.2.0", { xml: { attribute: true, nodeType: "attribute" } })).map(([, at]) => at)
    ).toEqual(["#/components/schemas/A/xml/attribute"])
  })

  test("stand in parameters, headers and media types; a parameter of the name `schema` is none", async () => {
    const bad = { type: "strng" }
    const media = { "application/json": { schema: bad } }
    const parameters = { schema: { name: "q", in: "query", required: true, schema: bad } }
    const paths = {
      "/a": {
        get: {
          responses: {
            200: { description: "Done", content: media, headers: { schema: { required: true, schema: bad } } }
          }
        }
      }
    }
    expect((await errorsOf(openapi({ paths, components: { parameters } }))).map(([, at]) => at)).toEqual([
      "#/paths/~1a/get/responses/200/content/application~1json/schema/type",
      "#/paths/~1a/get/responses/200/headers/schema/schema/type",
      "#/components/parameters/schema/schema/type"
    ])
    const stream = { "application/jsonl": { itemSchema: bad } }
    const answer = { "/a": { get: { responses: { 200: { description: "Done", content: stream } } } } }
    expect(await errorsOf(openapi({ openapi: "3.2.0", paths: answer }))).toMatchObject([
      ["structure", "#/paths/~1a/get/responses/200/content/application~1jsonl/itemSchema/type", 1]
    ])
  })

  test("are left alone where they name another dialect", async () => {
    const schema = { type: "strng" }
    expect(await schemaErrors("3.1.0", { ...schema, $schema: "https://example.com/own" })).toEqual([])
    expect(
      await schemaErrors("3.1.0", { ...schema, $schema: "https://json-schema.org/draft/2020-12/schema" })
    ).toHaveLength(1)
    const document = (jsonSchemaDialect: string) =>
      openapi({ jsonSchemaDialect, components: { schemas: { A: schema } } })
    expect(await errorsOf(document("https://example.com/own"))).toEqual([])
    expect(await errorsOf(document("https://spec.openapis.org/oas/3.1/dialect/base"))).toHaveLength(1)
  })
})
