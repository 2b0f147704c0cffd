import type { Json, JsonObject } from "../../engine/apispec/text/Json.ts"
import { openapi } from "./ReadFixture.ts"

export const ORDER: JsonObject = {
  type: "object",
  description: "An order of a customer.",
  required: ["amount"],
  properties: { amount: { type: "integer", description: "What it costs, in cents.", examples: [1250] } }
}
const PROBLEM: JsonObject = {
  type: "object",
  description: "What went wrong, and what to do.",
  properties: { detail: { type: "string", description: "One sentence." } }
}
const TOKENS = "https://login.orders.dev/token"

/** One API as versions 3.1 and 3.2 say it: `newest` uses whatever 3.2 added. */
export const descriptionIn = (newest: boolean): JsonObject => {
  const media = (schema: Json, value: Json): JsonObject => ({
    schema,
    examples: { one: newest ? { dataValue: value } : { value } }
  })
  const json = (schema: string, value: Json): JsonObject => ({
    "application/json": media({ $ref: `#/components/schemas/${schema}` }, value)
  })
  const answers = (): JsonObject => ({
    200: newest
      ? { summary: "Orders that match", content: json("Order", { amount: 5 }) }
      : { description: "Orders that match", content: json("Order", { amount: 5 }) },
    400: {
      description: "The filter is not valid.",
      content: newest
        ? { "application/problem+json": { $ref: "#/components/mediaTypes/Problem" } }
        : { "application/problem+json": media({ $ref: "#/components/schemas/Problem" }, { detail: "No." }) }
    }
  })
  const operation = (id: string, about: string): JsonObject => ({
    operationId: id,
    summary: about,
    description: `${about}, the newest first, at most fifty of them.`,
    tags: ["orders"],
    requestBody: { description: "What to look for.", content: json("Order", { amount: 7 }) },
    responses: answers()
  })
  const flow = { tokenUrl: TOKENS, scopes: { read: "Read orders" } }
  return openapi({
    openapi: newest ? "3.2.0" : "3.1.0",
    ...(newest ? { $self: "https://docs.example.com/openapi.json" } : {}),
    servers: [{ url: "https://api.orders.dev", ...(newest ? { name: "production" } : {}) }],
    tags: newest
      ? [
          { name: "trade", summary: "Trade", kind: "nav" },
          { name: "orders", parent: "trade", kind: "nav", description: "What customers order." }
        ]
      : [{ name: "trade" }, { name: "orders", description: "What customers order." }],
    security: [{ login: ["read"] }],
    paths: newest
      ? {
          "/orders": { query: operation("find", "Find orders") },
          "/orders/copies": { additionalOperations: { COPY: operation("copy", "Copy orders") } }
        }
      : {
          "/orders": { post: operation("find", "Find orders") },
          "/orders/copies": { put: operation("copy", "Copy orders") }
        },
    components: {
      schemas: { Order: ORDER, Problem: PROBLEM },
      ...(newest
        ? { mediaTypes: { Problem: media({ $ref: "#/components/schemas/Problem" }, { detail: "No." }) } }
        : {}),
      securitySchemes: {
        login: {
          type: "oauth2",
          description: "A token of the login.",
          flows: newest
            ? { deviceAuthorization: { deviceAuthorizationUrl: "https://login.orders.dev/device", ...flow } }
            : { clientCredentials: flow }
        },
        old: {
          type: "apiKey",
          in: "header",
          name: "X-Key",
          description: "The key of the first version.",
          ...(newest ? { deprecated: true } : {})
        }
      }
    }
  })
}
