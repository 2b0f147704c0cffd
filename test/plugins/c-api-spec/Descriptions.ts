import type { FakeSite } from "../../../engine/testing/FakeSite.ts"
import type { JsonObject } from "../../../engine/site/spec/Json.ts"

const TEXT = "What there is to say about orders, in a sentence of some length, and then in another one, so that it is a page."

export const page = (title: string, more = ""): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${TEXT}</p>${more}</main></body></html>`

export const operation: JsonObject = { summary: "Lists all orders", responses: { 200: { description: "Done" } } }

/** OpenAPI 3.1 with one operation, and these members. */
export const openapi = (members: JsonObject = {}): string =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "Orders", version: "1.0" }, paths: { "/orders": { get: operation } }, ...members })

/** A site whose base page links to this description. */
export const linked = (description: string): FakeSite => ({
  "/": page("Orders", "<p><a href=\"/openapi.json\">OpenAPI description</a></p>"),
  "/openapi.json": description
})

/** A schema that everything is said about, and one that nothing is. */
export const DESCRIBED: JsonObject = { type: "string", description: "What it is", enum: ["a", "b"], example: "a" }

/** `count` operations, the first `part` of them as `good` and the others as `bad`. */
export const paths = (count: number, part: number, good: JsonObject, bad: JsonObject): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`/p${index}`, { get: index < part ? good : bad }]))
