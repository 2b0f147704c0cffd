import type { FakeSite } from "../../../engine/testing/FakeSite.ts"
import type { JsonObject } from "../../../engine/apispec/text/Json.ts"

const TEXT =
  "What there is to say about orders, in a sentence of some length, and then in another one, so that it is a page."

export const page = (title: string, more = ""): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${TEXT}</p>${more}</main></body></html>`

export const operation: JsonObject = { summary: "Lists all orders", responses: { 200: { description: "Done" } } }

/** OpenAPI 3.1 with one operation, and these members. */
export const openapi = (members: JsonObject = {}): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Orders", version: "1.0" },
    paths: { "/orders": { get: operation } },
    ...members
  })

/** A site whose base page links to this description. */
export const linked = (description: string): FakeSite => ({
  "/": page("Orders", '<p><a href="/openapi.json">OpenAPI description</a></p>'),
  "/openapi.json": description
})

/** A schema that everything is said about, and one that nothing is. */
export const DESCRIBED: JsonObject = { type: "string", description: "What it is", enum: ["a", "b"], example: "a" }

/** `count` operations, the first `part` of them as `good` and the others as `bad`. */
export const paths = (count: number, part: number, good: JsonObject, bad: JsonObject): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`/p${index}`, { get: index < part ? good : bad }]))

/** A site whose only description is a Postman collection, with everything in it that a collection can say. */
export const collected: FakeSite = {
  "/": page("Orders", '<p><a href="/orders.postman_collection.json">Postman</a></p>'),
  "/orders.postman_collection.json": JSON.stringify({
    info: {
      name: "Orders",
      version: "1.0",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
    },
    auth: { type: "bearer" },
    item: [
      {
        name: "List",
        request: { url: "https://api.orders.dev/orders", description: "Lists all orders there are" },
        response: [{ code: 200, body: "[]" }]
      }
    ]
  })
}

/** A case of a criterion that earns nothing for a collection. */
export const COLLECTED = {
  name: "a Postman collection",
  site: collected,
  earns: 0,
  findings: [
    {
      says: "The Postman 2.1.0 description at /orders.postman_collection.json lists requests and has no schemas, so we do not judge it.",
      good: false
    }
  ]
} as const

/** Addresses beside the documentation, in a document that says so. */
export const STUB: JsonObject = {
  info: {
    title: "Orders Docs API",
    version: "1.0",
    description: "Routes to our documentation. This API does not place orders or run Orders."
  },
  paths: { "/api/health": { get: operation }, "/mcp": { post: operation } }
}
