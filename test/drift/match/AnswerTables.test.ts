import { describe, expect, test } from "vitest"
import type { Json, JsonObject } from "../../../engine/apispec/text/Json.ts"
import { compareTables, tableSentenceOf } from "../../../engine/drift/match/Tables.ts"
import { readPage } from "../../../engine/page/read/ReadPage.ts"
import { openapi } from "../../apispec/ReadFixture.ts"
import { answerOf } from "../../site/FakeContext.ts"
import { answering, indexOfDescription } from "./DriftFixture.ts"

const text = { type: "string" }
const integer = { type: "integer" }
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties })

const PARCEL = object({
  id: text,
  state: text,
  weight: integer,
  to: object({ city: text, street: text }),
  items: { type: "array", items: object({ sku: text, count: integer }) }
})

const described = (get: JsonObject, components: JsonObject = {}): JsonObject =>
  openapi({ paths: { "/parcels/{id}": { get } }, components: { schemas: components } })

const compared = async (markdown: string, description: Json = described(answering(PARCEL))) => {
  const body = `# Parcels\n\nHow parcels are listed and sent, with all that a caller may say.\n\n${markdown}\n`
  const page = readPage({ answer: answerOf("https://docs.fernpost.dev/parcels.md", { body, type: "text/markdown" }) })
  return compareTables(page, await indexOfDescription(description))
}

const said = async (markdown: string, description?: Json): Promise<ReadonlyArray<string>> =>
  (await compared(markdown, description)).findings.map(tableSentenceOf)

const table = (...rows: ReadonlyArray<string>): string =>
  ["Field | Type", "--- | ---", ...rows].map((row) => `| ${row} |`).join("\n")

const below = (heading: string, ...rows: ReadonlyArray<string>): string =>
  `## Get a parcel\n\n\`GET /parcels/{id}\`\n\n### ${heading}\n\n${table(...rows)}`

const UNKNOWN = ["id | string", "state | string", "colour | string"]
const TOLD =
  "lists colour among the fields of the answer of GET /parcels/{id}; the description has id, state, weight, to and items"

describe("a response table", () => {
  test.each([
    "Response",
    "Response fields",
    "Response body:",
    "Returns",
    "Successful response (200)",
    "200 Response",
    "JSON response",
    "Result object",
    "Antwort",
    "Respuesta",
    "レスポンス",
    "返回参数",
    "응답 필드"
  ])("lists a field that the answer does not have: %s", async (heading) => {
    expect(await said(below(heading, ...UNKNOWN))).toEqual([TOLD])
  })

  test("tells the reason, the place and how many rows were compared", async () => {
    const { compared: rows, findings } = await compared(below("Response", ...UNKNOWN))
    expect(rows).toBe(3)
    expect(findings).toMatchObject([
      { reason: "unknown_field", side: "answer", pointer: "/paths/~1parcels~1{id}/get/responses", row: 2 }
    ])
  })

  test.each([
    "Response headers",
    "Error response",
    "Response errors",
    "Response codes",
    "Webhook response",
    "Events",
    "Request and response",
    "Return a parcel",
    "Rate limit response structure",
    "Old response (deprecated)"
  ])("is none of a successful answer: %s", async (heading) => {
    expect(await said(below(heading, ...UNKNOWN))).toEqual([])
  })

  test("may be one of errors where a section has several", async () => {
    const error = table("id | string", "state | string", "message | string")
    expect(await said(`${below("Response", "id | string", "state | string")}\n\nWith status 404:\n\n${error}`)).toEqual(
      []
    )
  })

  test("is none of a call that failed", async () => {
    const failed = below("Responses", ...UNKNOWN).replace(
      "### Responses",
      "### Responses\n\n422: The parcel is refused."
    )
    expect(await said(failed)).toEqual([])
    const codes =
      "| Field | Code | Description |\n| --- | --- | --- |\n| id | a | b |\n| state | a | b |\n| colour | a | b |"
    expect(await said(`## Get a parcel\n\n\`GET /parcels/{id}\`\n\n### Responses\n\n${codes}`)).toEqual([])
  })

  test("says that something has another type, at the depth that it shows", async () => {
    expect(await said(below("Response", "id | integer", "to.city | string", "items[].count | string"))).toEqual([
      "says that id in the answer of GET /parcels/{id} is of type integer; the description wants string",
      "says that items[].count in the answer of GET /parcels/{id} is of type string; the description wants integer"
    ])
  })

  test("may call a number of seconds a date, and no list a text", async () => {
    const order = described(answering(object({ id: text, made: integer, tags: { type: "array", items: text } })))
    expect(await said(below("Response", "id | string", "made | datetime", "tags | string"), order)).toEqual([
      "says that tags in the answer of GET /parcels/{id} is of type string; the description wants array"
    ])
  })

  test("may mean any of several fields with one name", async () => {
    const nested = described(answering(object({ id: text, state: text, parts: object({ id: integer, state: text }) })))
    expect(await said(below("Response", "id | string", "parts.id | integer", "state | string"), nested)).toEqual([])
    expect(await said(below("Response", "id | boolean", "state | string"), nested)).toEqual([
      "says that id in the answer of GET /parcels/{id} is of type boolean; the description wants string or integer"
    ])
  })

  test("is of what is in an envelope or a list", async () => {
    const enveloped = described(answering(object({ data: { type: "array", items: PARCEL }, next: text })))
    expect(await said(below("Response", ...UNKNOWN), enveloped)).toEqual([TOLD])
    expect(await said(below("Response", ...UNKNOWN), described(answering({ type: "array", items: PARCEL })))).toEqual([
      TOLD
    ])
  })

  test("may have headers in it, which are none of its fields", async () => {
    const head = "| Name | In | Type |\n| --- | --- | --- |\n"
    const rows =
      "| id | body | string |\n| state | body | string |\n| colour | body | string |\n| X-Trace | header | string |"
    expect(await said(`## Get a parcel\n\n\`GET /parcels/{id}\`\n\n### Response parameters\n\n${head}${rows}`)).toEqual(
      [TOLD]
    )
  })

  test("says nothing of what is required", async () => {
    const required = "| Field | Required |\n| --- | --- |\n| id | yes |\n| state | no |\n"
    expect(await said(`## Get a parcel\n\n\`GET /parcels/{id}\`\n\n### Response\n\n${required}`)).toEqual([])
  })

  test.each<[string, JsonObject]>([
    ["may have any other fields", answering({ ...PARCEL, additionalProperties: true })],
    ["is described elsewhere", answering({ $ref: "./parcel.json" })],
    ["is described by a response elsewhere", { responses: { 200: { $ref: "./answers.json" } } }],
    ["has no schema", { responses: { 200: { description: "Done", content: { "application/json": {} } } } }],
    ["is no JSON", { responses: { 200: { description: "Done", content: { "text/csv": { schema: PARCEL } } } } }],
    ["is not described", { responses: {} }]
  ])("finds nothing unknown in an answer that %s", async (_, get) => {
    expect(await said(below("Response", ...UNKNOWN), described(get))).toEqual([])
  })

  test.each<[string, JsonObject]>([
    ["any fields", { type: "object" }],
    ["fields below the levels that are kept", deep(4)],
    ["a value of any kind", {}]
  ])("may go on with what is in a field with %s, after that field or by its path", async (_, labels) => {
    const description = described(answering(object({ id: text, state: text, labels })))
    const told =
      "lists colour among the fields of the answer of GET /parcels/{id}; the description has id, state and labels"
    expect(await said(below("Response", ...UNKNOWN), description)).toEqual([told])
    expect(await said(below("Response", ...UNKNOWN, "labels | object", "size | string"), description)).toEqual([told])
    expect(await said(below("Response", "labels | object", ...UNKNOWN), description)).toEqual([])
    expect(
      await said(below("Response", "id | string", "state | string", "labels.colour | string"), description)
    ).toEqual([])
  })

  test("may be of what is in an object of any fields if its names are of several objects", async () => {
    const open = described(answering(object({ id: text, to: object({ city: text }), labels: { type: "object" } })))
    expect(await said(below("Response", "id | string", "city | string", "colour | string"), open)).toEqual([])
  })

  test("is of any successful answer, and of the default one where there is none", async () => {
    const response = (schema: Json): Json => ({ description: "Done", content: { "application/json": { schema } } })
    const several = {
      200: response(PARCEL),
      202: response(object({ colour: text })),
      404: response(object({ hue: text }))
    }
    expect(await said(below("Response", ...UNKNOWN), described({ responses: several }))).toEqual([])
    expect(
      await said(below("Response", "id | string", "state | string", "hue | string"), described({ responses: several }))
    ).toHaveLength(1)
    expect(await said(below("Response", ...UNKNOWN), described({ responses: { default: response(PARCEL) } }))).toEqual([
      TOLD
    ])
  })

  test("is compared with an answer of Swagger 2, and with schemas that have themselves in them", async () => {
    const swagger = {
      swagger: "2.0",
      info: { title: "a", version: "1" },
      paths: { "/parcels/{id}": { get: { responses: { 200: { description: "Done", schema: PARCEL } } } } }
    }
    expect(await said(below("Response", ...UNKNOWN), swagger)).toEqual([TOLD])
    const parcel = { $ref: "#/components/schemas/Parcel" }
    const tree = described(answering(parcel), {
      Parcel: object({ id: text, state: text, parent: parcel, parts: { type: "array", items: { allOf: [parcel] } } })
    })
    expect(await said(below("Response", ...UNKNOWN), tree)).toEqual([
      "lists colour among the fields of the answer of GET /parcels/{id}; the description has id, state, parent and parts"
    ])
  })

  test("is of the operation above it, whatever other one it names", async () => {
    const paths = { "/parcels/{id}": { get: answering(PARCEL), delete: answering(object({ id: text, state: text })) } }
    const description = openapi({ paths })
    const naming = below("Response", "id | Use it with `DELETE /parcels/{id}`", "state | string", "weight | integer")
    expect(await said(naming, description)).toEqual([])
    const flat = "## Get a parcel\n\n`GET /parcels/{id}`\n\n### Delete it\n\n`DELETE /parcels/{id}`\n\n### Response\n\n"
    expect(await said(flat + table(...UNKNOWN), description)).toEqual([])
  })

  test("is of the only operation before it on a page without levels", async () => {
    const flat = (...before: ReadonlyArray<string>): string =>
      [...before, "## Response fields (200 OK)", table(...UNKNOWN)].join("\n\n")
    const endpoint = "## Endpoint\n\n`GET /parcels/{id}`"
    expect(await said(flat(endpoint, "## Headers"))).toEqual([TOLD])
    expect(await said(flat(endpoint, "## Example\n\n`GET /parcels/{id}`"))).toEqual([TOLD])
    expect(await said(flat(endpoint, "## Pay for it\n\n`POST /payments`"))).toEqual([])
    expect(await said(flat(endpoint, "## Webhook").replace("## Response", "### Response"))).toEqual([])
  })

  test("is told by its caption, too", async () => {
    const captioned = async (caption: string): Promise<ReadonlyArray<string>> => {
      const rows = UNKNOWN.map((row) => `<tr><td>${row.replace(" | ", "</td><td>")}</td></tr>`).join("")
      const head = `<caption>${caption}</caption><tr><th>Field</th><th>Type</th></tr>`
      const body = `<main><h1>Parcels</h1><h2>Get a parcel</h2><p>GET /parcels/{id}</p><table>${head}${rows}</table></main>`
      const page = readPage({ answer: answerOf("https://docs.fernpost.dev/parcels", { body }) })
      return compareTables(page, await indexOfDescription(described(answering(PARCEL)))).findings.map(tableSentenceOf)
    }
    expect(await captioned("Response fields")).toEqual([TOLD])
    expect(await captioned("Error response")).toEqual([])
  })

  test("has less than half of its names from the answer: it is a table of something else", async () => {
    expect(
      await said(below("Response", "id | string", "state | string", "a1 | string", "b1 | string", "c1 | string"))
    ).toEqual([])
  })
})

function deep(levels: number): JsonObject {
  return object({ [`level${levels}`]: levels === 0 ? text : deep(levels - 1) })
}
