import { beforeAll, describe, expect, test } from "vitest"
import type { Json } from "../../../engine/apispec/text/Json.ts"
import type { ContractIndex } from "../../../engine/drift/match/ContractIndex.ts"
import { HERE, indexOfDescription, parcels, sentFields, shownCall, verdictOf } from "./DriftFixture.ts"

let index: ContractIndex
beforeAll(async () => {
  index = await indexOfDescription(parcels())
})

const of = (shown: Parameters<typeof shownCall>[0], own = index, context = HERE): string =>
  verdictOf(shownCall(shown), own, context).join("; ")

const listing = (query: Readonly<Record<string, Json | undefined>>): string => of({ query })

const QUOTES = "https://api.fernpost.dev/v1/quotes"

describe("a query", () => {
  test("has a name that the operation does not have", () => {
    expect(listing({ offset: "2" })).toBe(
      "unknown_parameter: sends offset in the query of GET /parcels; the description has cursor, limit, state, tags and depot"
    )
  })

  test.each<Readonly<Record<string, Json | undefined>>>([
    { limit: "5", state: "packed", cursor: "x1" },
    { limit: undefined },
    { limit: "<limit>", state: "{state}", cursor: "$CURSOR" },
    { limit: "integer", state: "string" },
    { limit: "limit" },
    { "tags[]": "a", "tags[0]": "b" },
    { state: "PACKED" },
    { state: "packed,sent" },
    { state: "packed|sent" },
    { _: "1", callback: "show", api_key: "k", $top: "3" },
    { "{param}": "x", key: "value" }
  ])("agrees: %o", (query) => {
    expect(listing(query)).toBe("agrees")
  })

  test("has a value of the wrong type, or none of the enum's", () => {
    expect(listing({ limit: "many" })).toBe(
      'wrong_type: sends limit as "many" in GET /parcels; the description wants an integer'
    )
    expect(listing({ state: "lost" })).toBe(
      'not_in_enum: sends state "lost" in GET /parcels; the description wants packed or sent'
    )
  })

  test("has a parameter that is deprecated, which the page does not say", () => {
    expect(listing({ depot: "north" })).toBe(
      "deprecated: sends depot in GET /parcels, which the description has as deprecated"
    )
    expect(of({ query: { depot: "north" } }, index, { ...HERE, around: "depot is deprecated" })).toBe(
      "not compared: said_not_to_work"
    )
  })

  test("lacks what is required", () => {
    expect(of({ address: QUOTES })).toBe(
      "missing_parameter: calls GET /quotes without weight, which the description requires"
    )
    expect(of({ address: QUOTES, query: { weight: "1.5" } })).toBe("agrees")
  })

  test("is not complete in a request line, and where a call names an address only", () => {
    expect(of({ address: QUOTES, client: "line" })).toBe("agrees")
    expect(of({ address: QUOTES, headers: {} })).toBe("agrees")
    expect(verdictOf({ ...shownCall({ address: QUOTES }), query: sentFields({}, true) }, index)).toEqual(["agrees"])
  })

  test("may have anything where the operation declares no parameters, or spreads an object over it", async () => {
    expect(of({ address: "https://api.fernpost.dev/v1/parcels/1", query: { fields: "id" } })).toBe("agrees")
    const spread = {
      name: "filter",
      in: "query",
      required: true,
      schema: { type: "object", properties: { a: { type: "string" } } }
    }
    const own = await indexOfDescription({
      ...parcels(),
      paths: { "/parcels": { get: { parameters: [spread], responses: {} } } }
    })
    expect(of({ query: { b: "1" } }, own)).toBe("agrees")
  })

  test("has members of a deep object by its name", async () => {
    const deep = { name: "filter", in: "query", style: "deepObject", schema: { type: "object" } }
    const own = await indexOfDescription({
      ...parcels(),
      paths: { "/parcels": { get: { parameters: [deep], responses: {} } } }
    })
    expect(of({ query: { "filter[b]": "1" } }, own)).toBe("agrees")
    expect(of({ query: { "where[b]": "1" } }, own)).toContain("unknown_parameter: sends where[b]")
  })

  test("may have the key of a security scheme, required or not", async () => {
    const paths = {
      "/parcels": { get: { parameters: [{ name: "limit", in: "query", schema: { type: "integer" } }], responses: {} } }
    }
    const components = { securitySchemes: { key: { type: "apiKey", in: "query", name: "club" } } }
    expect(of({ query: { club: "x" } }, await indexOfDescription({ ...parcels(), paths, components }))).toBe("agrees")
    expect(of({ query: { club: "x" } }, await indexOfDescription({ ...parcels(), paths }))).toContain("club")
  })

  test("may be written into the path of the description", async () => {
    const own = await indexOfDescription({
      ...parcels(),
      paths: { "/parcels?by=depot": { get: { parameters: [{ name: "depot", in: "query" }], responses: {} } } }
    })
    expect(of({ query: { by: "depot", depot: "n" } }, own)).toBe("agrees")
    expect(of({ query: { by: "depot", deport: "n" } }, own)).toContain("deport")
    const named = await indexOfDescription({
      ...parcels(),
      paths: {
        "/parcels?filter[by]={depot}": {
          get: { parameters: [{ name: "depot", in: "query", required: true }], responses: {} }
        }
      }
    })
    expect(of({ query: { "filter[by]": "n" } }, named)).toBe("agrees")
  })
})

describe("a path", () => {
  test("has a value of the wrong type", () => {
    expect(of({ address: "https://api.fernpost.dev/v1/parcels/p_17" })).toBe(
      'wrong_type: sends id as "p_17" in GET /parcels/{id}; the description wants an integer'
    )
  })

  test.each(["abc", "parcel-id", "latest", "$ID", "0"])("may have %s, which stands for a value or is one", (id) => {
    expect(of({ address: `https://api.fernpost.dev/v1/parcels/${id}` })).toBe("agrees")
  })
})

const HEADERS = { Authorization: undefined, "Request-Id": "r1" }
const create = (json: Json, headers: Readonly<Record<string, Json | undefined>> = HEADERS): string =>
  of({ method: "POST", headers, json })

describe("headers", () => {
  test("lack what is required", () => {
    expect(create({ weight: 5, service: "slow" }, { Authorization: undefined })).toBe(
      "missing_parameter: calls POST /parcels without Request-Id, which the description requires"
    )
  })

  test("lack a key that is no credential", async () => {
    const parameters = [{ name: "Idempotency-Key", in: "header", required: true, schema: { type: "string" } }]
    const own = await indexOfDescription({
      ...parcels(),
      paths: { "/parcels": { get: { parameters, responses: {} } } }
    })
    expect(of({}, own)).toContain("without Idempotency-Key")
  })

  test("are told by their letters only, and left out where none is shown", () => {
    expect(create({ weight: 5, service: "slow" }, { "request-id": "r1" })).toBe("agrees")
    expect(create({ weight: 5, service: "slow" }, {})).toBe("agrees")
  })

  test.each(["Accept", "Content-Type", "Authorization", "X-Api-Key", "User-Agent"])("may lack %s", async (name) => {
    const parameters = [{ name, in: "header", required: true, schema: { type: "string" } }]
    const own = await indexOfDescription({
      ...parcels(),
      paths: { "/parcels": { get: { parameters, responses: {} } } }
    })
    expect(of({ headers: { Host: "api.fernpost.dev" } }, own)).toBe("agrees")
  })
})

test("A call that may be below a prefix of a server agrees or says nothing, unless it begins as the description's paths do", async () => {
  const own = await indexOfDescription({ ...parcels(), servers: [] })
  const below = "http://localhost:3000/shop/9"
  expect(of({ address: `${below}/parcels`, query: { limit: "5" } }, own)).toBe("agrees")
  expect(of({ address: `${below}/parcels`, query: { colour: "red" } }, own)).toBe("not compared: other_api")
  expect(of({ address: "http://localhost:3000/parcels/9/parcels" }, own)).toContain(
    "unknown_path: calls GET /parcels/9/parcels"
  )
})

describe("a JSON body", () => {
  test.each<readonly [Json, string]>([
    [
      { weight: 5, service: "slow", remark: "soon" },
      "unknown_field: sends the field remark in POST /parcels; the description has id, weight, service, note, to, marks, items and colour"
    ],
    [{ weight: 5 }, "missing_field: leaves out the field service in POST /parcels, which the description requires"],
    [
      { weight: "5", service: "slow" },
      'wrong_type: sends weight as a string ("5") in POST /parcels; the description wants an integer'
    ],
    [{ weight: 5, service: 7 }, "not_in_enum: sends service 7 in POST /parcels; the description wants slow or fast"],
    [
      { weight: 5, service: "slow", note: 7 },
      "wrong_type: sends note as an integer (7) in POST /parcels; the description wants a string"
    ],
    [
      { weight: 5, service: "slow", to: { town: "Ulm", city: "Ulm" } },
      "unknown_field: sends the field to.town in POST /parcels; the description has city and street"
    ],
    [
      { weight: 5, service: "slow", to: {} },
      "missing_field: leaves out the field to.city in POST /parcels, which the description requires"
    ],
    [
      { weight: 5, service: "slow", to: ["Ulm"] },
      "wrong_type: sends to as a list in POST /parcels; the description wants an object"
    ],
    [
      { weight: 5, service: "slow", items: [{ sku: "a", count: "2" }] },
      'wrong_type: sends items[].count as a string ("2") in POST /parcels; the description wants an integer'
    ],
    [
      { weight: 5, service: "slow", colour: "red" },
      "deprecated: sends colour in POST /parcels, which the description has as deprecated"
    ],
    [[{ weight: 5 }], "wrong_type: sends the body as a list in POST /parcels; the description wants an object"]
  ])("%j is false", (json, said) => {
    expect(create(json)).toBe(said)
  })

  test.each<Json>([
    { weight: 5, service: "slow" },
    { weight: 5, service: "FAST", note: null },
    { weight: 5, service: "<service>", marks: { fragile: "yes" } },
    { weight: 5, service: "string", "...": "" },
    { weight: "{{weight}}", service: "slow" },
    { weight: 5, service: "slow", id: "x" },
    { weight: 5, service: "slow", to: { city: "Ulm" }, items: [{ sku: "a" }, {}] }
  ])("%j agrees", (json) => {
    expect(create(json)).toBe("agrees")
  })

  test("that is open lacks nothing", () => {
    const call = { ...shownCall({ method: "POST", headers: HEADERS }) }
    const sent = sentFields({ weight: 5 }, true)
    expect(verdictOf({ ...call, body: { _tag: "Json", value: { _tag: "Object", sent } } }, index)).toEqual(["agrees"])
    expect(verdictOf({ ...call, body: { _tag: "Open" } }, index)).toEqual(["agrees"])
  })

  const withSchema = (schema: Json) =>
    indexOfDescription({
      ...parcels(),
      paths: { "/parcels": { post: { requestBody: { content: { "application/json": { schema } } }, responses: {} } } }
    })
  const text = { type: "string" }

  test("of alternatives has the names of all, and lacks what all require", async () => {
    const own = await withSchema({
      anyOf: [
        { type: "object", required: ["kind", "a"], properties: { kind: text, a: text } },
        { type: "object", required: ["kind", "b"], properties: { kind: text, b: { type: "integer" } } }
      ]
    })
    const body = (json: Json): string => of({ method: "POST", json }, own)
    expect(body({ kind: "x", a: "1", b: 2 })).toBe("agrees")
    expect(body({ kind: "x", c: 1 })).toContain("unknown_field: sends the field c")
    expect(body({ a: "1" })).toContain("missing_field: leaves out the field kind")
  })

  test("of parts has the names of all parts, and is open if one is", async () => {
    const base = { type: "object", required: ["a"], properties: { a: text } }
    const closed = await withSchema({ allOf: [base, { properties: { b: text } }] })
    const open = await withSchema({ allOf: [base, { additionalProperties: true }] })
    expect(of({ method: "POST", json: { a: "1", b: "2" } }, closed)).toBe("agrees")
    expect(of({ method: "POST", json: { b: "2", c: 1 } }, closed)).toContain("unknown_field")
    expect(of({ method: "POST", json: { a: "1", c: 1 } }, open)).toBe("agrees")
  })

  test.each<Json>([
    { type: "object" },
    { type: "object", properties: { a: text }, additionalProperties: {} },
    { type: "object", properties: { a: text }, patternProperties: { "^x": {} } },
    { type: "object", properties: { a: text }, allOf: [{ $ref: "./missing.json" }] },
    { $ref: "#/components/schemas/Missing" }
  ])("may have any field where the schema is %j", async (schema) => {
    expect(of({ method: "POST", json: { a: "1", other: 1 } }, await withSchema(schema))).toBe("agrees")
  })
})

describe("a form", () => {
  const swagger = (): Json => ({
    swagger: "2.0",
    info: { title: "Depots", version: "1" },
    host: "api.fernpost.dev",
    basePath: "/v1",
    paths: {
      "/depots": {
        post: {
          consumes: ["application/x-www-form-urlencoded"],
          parameters: [
            { name: "name", in: "formData", required: true, type: "string" },
            { name: "gates", in: "formData", type: "integer" },
            { name: "address", in: "formData", type: "object" }
          ],
          responses: { 200: { description: "Done" } }
        }
      }
    }
  })
  const address = "https://api.fernpost.dev/v1/depots"

  test("is compared by its names and by what its values read as", async () => {
    const own = await indexOfDescription(swagger())
    const send = (form: Readonly<Record<string, Json>>): string => of({ method: "POST", address, form }, own)
    expect(send({ name: "North", gates: "4", "address[city]": "Ulm" })).toBe("agrees")
    expect(send({ name: "North", doors: "4" })).toContain("unknown_field: sends the field doors")
    expect(send({ gates: "4" })).toContain("missing_field: leaves out the field name")
    expect(send({ name: "North", gates: "four" })).toContain('wrong_type: sends gates as "four"')
  })

  test("says nothing of an operation that takes JSON", () => {
    expect(of({ method: "POST", headers: HEADERS, form: { x: "1" } })).toBe("agrees")
  })
})

describe("a call", () => {
  test("of a deprecated operation is told, unless the page says so", () => {
    const shown = { method: "DELETE", address: "https://api.fernpost.dev/v1/parcels/17" }
    expect(of(shown)).toBe("deprecated: calls DELETE /parcels/{id}, which the description has as deprecated")
    expect(of(shown, index, { ...HERE, around: "Delete (deprecated)" })).toBe("not compared: said_not_to_work")
  })

  test.each([
    "This request returns a 400 error",
    "An invalid request",
    "Esto ya no funciona",
    "この呼び出しは失敗します"
  ])("is not compared where the page says: %s", (around) => {
    expect(of({ query: { offset: "2" } }, index, { ...HERE, around })).toBe("not compared: said_not_to_work")
  })

  test.each(["changelog", "blog/2023/parcels", "docs/migration-guide", "whats-new.html"])(
    "on a page of the past is not compared: %s",
    (path) => {
      const context = { ...HERE, page: `https://docs.fernpost.dev/${path}` }
      expect(of({ query: { offset: "2" } }, index, context)).toBe("not compared: said_not_to_work")
      expect(of({ query: { limit: "2" } }, index, context)).toBe("agrees")
    }
  )

  test("of a description without HTTP operations is not compared", async () => {
    const own = await indexOfDescription({ openrpc: "1.3.2", info: { title: "a", version: "1" }, methods: [] })
    expect(of({}, own)).toBe("not compared: no_contract")
  })

  test("agrees with the one of two operations of the same path that it means", async () => {
    const parameters = (name: string): Json => [{ name, in: "query", required: true, schema: { type: "string" } }]
    const own = await indexOfDescription({
      ...parcels(),
      paths: {
        "/parcels#byDepot": { get: { parameters: parameters("depot"), responses: {} } },
        "/parcels#byState": { get: { parameters: parameters("state"), responses: {} } }
      }
    })
    expect(of({ query: { state: "x" } }, own)).toBe("agrees")
  })

  test("quotes nothing that could break a line or run on", () => {
    const said = of({ query: { [`off\u202Eset\n${"x".repeat(1_000)}`.replaceAll("xxx", "abc")]: "1" } })
    expect(said.length).toBeLessThan(400)
    expect(said).not.toMatch(/[\n\u202E]/)
  })
})
