import { describe, expect, test } from "vitest"
import type { JsonObject } from "../../engine/apispec/text/Json.ts"
import { examplesOf, told } from "./examples/ExampleFixture.ts"
import { described, openapi } from "./ReadFixture.ts"
import { ORDER, descriptionIn } from "./SameInBothVersions.ts"

describe("a description of OpenAPI 3.2", () => {
  test("is valid, and is measured as the one of 3.1 that says the same", async () => {
    const [older, newer] = [await described(descriptionIn(false)), await described(descriptionIn(true))]
    expect(older.validity).toMatchObject({ errorCount: 0, bySchema: true })
    expect(newer.validity).toEqual(older.validity)
    expect(newer.quality).toEqual(older.quality)
    expect(newer.elements.responses).toEqual(older.elements.responses)
    expect(newer.elements.tags.map(({ name }) => name)).toEqual(older.elements.tags.map(({ name }) => name))
    expect(newer.security).toEqual(older.security)
    // The media type of the components is one place, which 3.1 has to write twice.
    expect([older, newer].map(({ examples }) => [examples.compared, examples.false, examples.notCompared])).toEqual([
      [7, 0, 0],
      [6, 0, 0]
    ])
    expect(newer.operations.map(({ method }) => method)).toEqual(["QUERY", "COPY"])
  })

  test("is held to its schema: a method with a member of its own is no additional operation", async () => {
    const paths = { "/orders": { additionalOperations: { POST: { responses: { 200: { description: "Done" } } } } } }
    expect((await described(openapi({ openapi: "3.2.0", paths }))).validity.errorCount).toBeGreaterThan(0)
  })
})

describe("examples of OpenAPI 3.2", () => {
  const answering = (mediaType: string, media: JsonObject): JsonObject =>
    openapi({
      openapi: "3.2.0",
      paths: { "/orders": { get: { responses: { 200: { description: "Done", content: { [mediaType]: media } } } } } }
    })

  test("are data, or the JSON that is sent", async () => {
    const examples = {
      data: { dataValue: { amount: "5" } },
      sent: { serializedValue: '{"amount":"6"}' },
      both: { dataValue: { amount: 7 }, serializedValue: '{"amount":7}' }
    }
    expect(told(await examplesOf(answering("application/json", { schema: ORDER, examples })))).toEqual([
      '#/paths/~1orders/get/responses/200/content/application~1json/examples/data/dataValue/amount says "5" for amount; an integer',
      '#/paths/~1orders/get/responses/200/content/application~1json/examples/sent/serializedValue says "6" for amount; an integer'
    ])
  })

  test("are data whatever the media type, so that its text is not needed", async () => {
    const xml = answering("application/xml", { schema: ORDER, examples: { one: { dataValue: { amount: "5" } } } })
    expect(told(await examplesOf(xml))).toHaveLength(1)
  })

  test("of a stream are its items, and its text is not compared", async () => {
    const examples = {
      items: { dataValue: [{ amount: 5 }, { amount: "6" }] },
      text: { serializedValue: 'data: {"amount":"7"}\n\n' }
    }
    const found = await examplesOf(answering("text/event-stream", { itemSchema: ORDER, examples }))
    expect(told(found)).toEqual([
      '#/paths/~1orders/get/responses/200/content/text~1event-stream/examples/items/dataValue/1/amount says "6" for amount; an integer'
    ])
    expect([found.compared, found.false, found.notCompared]).toEqual([3, 1, 1])
  })
})

describe("$self", () => {
  const referring = (self: string | null): JsonObject =>
    openapi({
      openapi: "3.2.0",
      ...(self === null ? {} : { $self: self }),
      paths: {
        "/orders": { $ref: "./paths/orders.json" },
        "/own": { $ref: `${self ?? ""}#/components/pathItems/Own` }
      },
      components: { pathItems: { Own: { get: { responses: { 200: { description: "Done" } } } } } }
    })

  test("is what relative references are relative to, and names the document itself", async () => {
    const { missingFiles, operations } = await described(referring("https://api.orders.dev/v1/openapi.json"))
    expect(missingFiles).toEqual(["https://api.orders.dev/v1/paths/orders.json"])
    expect(operations.map(({ path }) => path)).toEqual(["/own"])
  })

  test("may be relative to the URL of the document, which holds where it is missing", async () => {
    expect((await described(referring("/v2/openapi.json"))).missingFiles).toEqual([
      "https://docs.example.com/v2/paths/orders.json"
    ])
    expect((await described(referring(null))).missingFiles).toEqual(["https://docs.example.com/paths/orders.json"])
  })
})
