import { describe, expect, it } from "vitest"
import { hasPlaceholder, isPlaceholder } from "../../../engine/drift/ShownCall.ts"

describe("a text that stands for what the reader puts in", () => {
  it.each([
    "{id}",
    "{{id}}",
    "${id}",
    "#{id}",
    "$ID",
    "$order_id",
    "<id>",
    "<your order id>",
    ":id",
    ":order_id",
    "[id]",
    "%s",
    "%d",
    "%ID%",
    "%(id)s",
    "YOUR_ID",
    "your-api-key",
    "yourToken",
    "your.api.key.here",
    "ORDER_ID",
    "API_KEY",
    "ID",
    "…",
    "...",
    "xxx",
    "XXXX",
    "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",
    "***",
    "asc|desc",
    "[asc | desc]",
    "YYYY-MM-DD",
    "integer",
    "string",
    "changeme"
  ])("is a placeholder: %s", (text) => expect(isPlaceholder(text)).toBe(true))

  it.each([
    "orders",
    "o_1",
    "42",
    "USD",
    "BUY",
    "LIMIT_ORDER",
    "BTC_USDT",
    "MIN_15",
    "max",
    "exxon",
    "v1",
    "a.b",
    "id",
    "key",
    "2024-01-01",
    "",
    "user:42",
    "100%",
    "a<b",
    "yearly"
  ])("is none: %s", (text) => expect(isPlaceholder(text)).toBe(false))

  it.each([
    "Bearer <token>",
    "eyJhbGciOi...",
    "eyJ…",
    "Bearer $TOKEN",
    "order-{id}",
    "Bearer YOUR_API_KEY",
    "sk_xxxxxx",
    "{{host}}/a"
  ])("is held by a longer text: %s", (text) => {
    expect(isPlaceholder(text)).toBe(false)
    expect(hasPlaceholder(text)).toBe(true)
  })

  it.each(["costs $5", "a < b", "{}", "Hello, world", "1..2"])("is not held by: %s", (text) =>
    expect(hasPlaceholder(text)).toBe(text === "{}")
  )
})
