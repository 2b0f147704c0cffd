import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { readInert } from "../../engine/text/UntrustedJson.ts"

const Shape = Schema.Struct({ name: Schema.String, more: Schema.Record(Schema.String, Schema.Array(Schema.String)) })

const read = (text: string) => Effect.runSync(Effect.result(readInert(text, Shape)))

describe("JSON from elsewhere", () => {
  it("is read as what it has to be, every text and name in it fit to be shown", () => {
    const hostile = { name: "a\u001b[31mb\u202ec\u{e0041}d", more: { "k\u0007": ["x\ny", "\ud800z"] } }
    expect(read(JSON.stringify(hostile))).toEqual(Result.succeed({ name: "a [31mb c d", more: { k: ["x y", "z"] } }))
  })

  it.each([
    ["not JSON", "{", /./],
    ["another shape", '{"name":1}', /./],
    ["too deep", `${"[".repeat(200_000)}${"]".repeat(200_000)}`, /deeper than 50 levels/],
    ["too deep and unfinished", '{"a":'.repeat(200_000), /deeper than 50 levels/]
  ])("is refused in a clause where it is %s", (_, text, message) => {
    const outcome = read(text)
    if (Result.isSuccess(outcome)) throw new Error("it was read")
    expect(outcome.failure.message).toMatch(message)
    expect(outcome.failure.message).not.toMatch(/[\r\n]/)
  })

  it("counts no brackets that stand in strings", () => {
    expect(Result.isSuccess(read(JSON.stringify({ name: `"${"[{".repeat(500)}\\`, more: {} })))).toBe(true)
  })
})
