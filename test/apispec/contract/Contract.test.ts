import { describe, expect, test } from "vitest"
import type { ContractShape, SpecContract } from "../../../engine/apispec/Contract.ts"
import type { Json, JsonObject } from "../../../engine/apispec/text/Json.ts"
import { described, openapi } from "../ReadFixture.ts"

const contractOf = async (content: Json): Promise<SpecContract> => (await described(content)).contract

const posting = (schema: Json, components: JsonObject = {}): JsonObject =>
  openapi({
    paths: { "/parcels": { post: { requestBody: { content: { "application/json": { schema } } }, responses: {} } } },
    components: { schemas: components }
  })

const bodyOf = ({ operations, shapes }: SpecContract): ContractShape | undefined =>
  shapes[operations[0]?.bodies[0]?.shape ?? -1]

const shapeOf = async (schema: Json, components?: JsonObject): Promise<ContractShape | undefined> =>
  bodyOf(await contractOf(posting(schema, components)))

const text = { type: "string" }

describe("the contract of a description", () => {
  test("has servers with their variables, those of paths and operations too", async () => {
    const variables = { region: { default: "eu", enum: ["eu", "us"] }, tenant: { default: "demo" } }
    const { commonServers, operations, servers } = await contractOf(
      openapi({
        servers: [{ url: "https://{tenant}.{region}.fernpost.dev/v1", variables }],
        paths: {
          "/parcels": { get: { responses: {} } },
          "/labels": {
            servers: [{ url: "/labels" }],
            get: { responses: {} },
            post: { servers: [{ url: "https://up.fernpost.dev" }] }
          }
        }
      })
    )
    expect(servers).toEqual([
      {
        url: "https://{tenant}.{region}.fernpost.dev/v1",
        variables: [
          { name: "region", values: ["eu", "us"] },
          { name: "tenant", values: [] }
        ]
      },
      { url: "/labels", variables: [] },
      { url: "https://up.fernpost.dev", variables: [] }
    ])
    expect(commonServers).toEqual([0])
    expect(operations.map((operation) => operation.servers)).toEqual([null, [1], [2]])
  })

  test("has the parameters of path and operation, shared where they are equal", async () => {
    const limit = { name: "limit", in: "query", schema: { type: "integer" } }
    const { operations, parameters, shapes } = await contractOf(
      openapi({
        paths: {
          "/parcels": { parameters: [limit], get: { deprecated: true, responses: {} }, delete: { responses: {} } },
          "/labels": { get: { parameters: [{ ...limit, required: true, deprecated: true }], responses: {} } }
        }
      })
    )
    expect(operations.map((operation) => [operation.method, operation.marks, operation.parameters])).toEqual([
      ["GET", ["deprecated"], [0]],
      ["DELETE", [], [0]],
      ["GET", [], [1]]
    ])
    expect(parameters.map(({ marks, name }) => [name, marks])).toEqual([
      ["limit", []],
      ["limit", ["required", "deprecated"]]
    ])
    expect(shapes[parameters[0]?.shape ?? -1]?.types).toEqual(["integer"])
  })

  test("has a query that is open where a parameter cannot be read or spreads its members", async () => {
    const marksOf = async (parameter: Json) =>
      (await contractOf(openapi({ paths: { "/a": { get: { parameters: [parameter], responses: {} } } } })))
        .operations[0]?.marks
    const object = { type: "object", properties: { a: text } }
    expect(await marksOf({ $ref: "./missing.json" })).toEqual(["open_query"])
    expect(await marksOf({ name: "a", in: "query", schema: object })).toEqual(["open_query"])
    expect(await marksOf({ name: "a", in: "query", style: "deepObject", schema: object })).toEqual([])
    expect(await marksOf({ name: "a", in: "query", explode: false, schema: object })).toEqual([])
    expect(await marksOf({ name: "a", in: "query", schema: text })).toEqual([])
  })

  test("has what security schemes add, and where tokens come from", async () => {
    const securitySchemes = {
      key: { type: "apiKey", in: "header", name: "X-Fern" },
      club: { type: "apiKey", in: "query", name: "club" },
      oauth: { type: "oauth2", flows: { clientCredentials: { tokenUrl: "https://id.fernpost.dev/token", scopes: {} } } }
    }
    const { credentials } = await contractOf(openapi({ components: { securitySchemes } }))
    expect(credentials).toEqual({ query: ["club"], headers: ["x-fern"], urls: ["https://id.fernpost.dev/token"] })
  })

  test("is complete unless a path could not be read", async () => {
    const read = { "/a": { get: { responses: {} } } }
    expect((await contractOf(openapi({ paths: read }))).complete).toBe(true)
    expect((await contractOf(openapi({ paths: { ...read, "/b": { $ref: "./b.json" } } }))).complete).toBe(false)
    expect((await contractOf(openapi({ paths: { ...read, b: { get: { responses: {} } } } }))).complete).toBe(false)
  })

  test("is empty for formats without HTTP operations", async () => {
    const { operations, shapes } = await contractOf({
      openrpc: "1.3.2",
      info: { title: "a", version: "1" },
      methods: []
    })
    expect([operations, shapes.length]).toEqual([[], 1])
  })
})

describe("the shape of a body", () => {
  test("has its fields, with what is required and what may be left out all the same", async () => {
    const shape = await shapeOf({
      type: "object",
      required: ["a", "b", "c", "unheard-of"],
      properties: {
        a: text,
        b: { ...text, readOnly: true },
        c: { ...text, default: "x" },
        d: { ...text, deprecated: true }
      }
    })
    expect(shape?.fields.map(({ marks, name }) => [name, marks])).toEqual([
      ["a", ["required"]],
      ["b", ["required", "excused"]],
      ["c", ["required", "excused"]],
      ["d", ["deprecated"]]
    ])
    expect([shape?.types, shape?.closed]).toEqual([["object"], true])
  })

  test("is open below three levels of members", async () => {
    const nested = (levels: number): JsonObject => ({
      type: "object",
      properties: { a: levels === 0 ? text : nested(levels - 1) }
    })
    const contract = await contractOf(posting(nested(5)))
    let shape = bodyOf(contract)
    const closed: Array<boolean | undefined> = []
    for (let level = 0; level < 4; level++) {
      closed.push(shape?.closed)
      shape = contract.shapes[shape?.fields[0]?.shape ?? 0]
    }
    expect(closed).toEqual([true, true, true, false])
  })

  test("has the only values of an enum, of at most 50", async () => {
    expect((await shapeOf({ enum: ["a", "b"] }))?.values).toEqual(["a", "b"])
    expect((await shapeOf({ enum: Array.from({ length: 51 }, (_, index) => index) }))?.values).toBeNull()
    expect((await shapeOf({ oneOf: [{ const: 1 }, { const: 2 }] }))?.values).toEqual([1, 2])
    expect((await shapeOf({ anyOf: [{ enum: ["a"] }, text] }))?.values).toBeNull()
  })

  test("has the types of all alternatives, and none where one is of any", async () => {
    expect((await shapeOf({ anyOf: [text, { type: "integer" }] }))?.types).toEqual(["integer", "string"])
    expect((await shapeOf({ anyOf: [text, {}] }))?.types).toEqual([])
    expect((await shapeOf({ type: "string", nullable: true }))?.types).toEqual(["null", "string"])
    expect((await shapeOf({ allOf: [{ type: "number" }, { type: "integer" }] }))?.types).toEqual(["integer"])
  })

  test("has what stands beside a reference", async () => {
    const shape = await shapeOf(
      { $ref: "#/components/schemas/A", properties: { b: text } },
      { A: { properties: { a: text } } }
    )
    expect(shape?.fields.map(({ name }) => name)).toEqual(["b", "a"])
  })

  test("that refers to itself ends", async () => {
    const node = { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } }
    const circle = { allOf: [{ $ref: "#/components/schemas/Circle" }] }
    expect((await shapeOf({ $ref: "#/components/schemas/Node" }, { Node: node }))?.closed).toBe(true)
    expect((await shapeOf({ $ref: "#/components/schemas/Circle" }, { Circle: circle }))?.closed).toBe(false)
  })

  test("is of a form where Swagger 2 declares its fields one by one", async () => {
    const contract = await contractOf({
      swagger: "2.0",
      info: { title: "Depots", version: "1" },
      host: "api.fernpost.dev",
      basePath: "/v1",
      paths: {
        "/depots": {
          post: { parameters: [{ name: "a", in: "formData", required: true, type: "integer" }], responses: {} }
        }
      }
    })
    expect(contract.servers.map(({ url }) => url)).toEqual(["https://api.fernpost.dev/v1"])
    expect(contract.operations[0]?.bodies.map(({ kind }) => kind)).toEqual(["form"])
    expect(bodyOf(contract)?.fields.map(({ marks, name }) => [name, marks])).toEqual([["a", ["required"]]])
  })

  test("keeps at most 20,000 fields of one description", async () => {
    const properties = (at: number) =>
      Object.fromEntries(Array.from({ length: 250 }, (_, field) => [`f${at}_${field}`, text]))
    const paths = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [
        `/p${at}`,
        {
          post: {
            requestBody: { content: { "application/json": { schema: { properties: properties(at) } } } },
            responses: {}
          }
        }
      ])
    )
    const { operations, shapes } = await contractOf(openapi({ paths }))
    expect(shapes.reduce((sum, { fields }) => sum + fields.length, 0)).toBeLessThanOrEqual(20_000)
    expect(shapes[operations[99]?.bodies[0]?.shape ?? -1]?.closed).toBe(false)
  })
})
