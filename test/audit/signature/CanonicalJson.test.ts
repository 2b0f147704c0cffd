import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalJson } from "../../../engine/audit/signature/ReportSignature.ts"

/** A number by its 64 bits, as RFC 8785 gives them. */
const numberOf = (bits: string): number => Buffer.from(bits, "hex").readDoubleBE(0)

describe("canonical JSON", () => {
  it("is that of the example of RFC 8785, section 3.2.4, byte for byte", () => {
    const text = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`
    const bytes = `
      7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72 75 65 2c 66 61 6c 73 65 5d 2c 22 6e 75 6d 62 65 72 73 22 3a
      5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31 65 2b 33 30 2c 34 2e 35 2c 30 2e 30 30 32 2c 31 65 2d 32 37
      5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24 5c 75 30 30 30 66 5c 6e 41 27 42 5c 22 5c 5c 5c 5c 5c 22 2f 22 7d`
    expect(Buffer.from(canonicalJson(JSON.parse(text)) ?? "").toString("hex")).toBe(bytes.replaceAll(/\s/g, ""))
  })

  it("sorts names by UTF-16 code units, as in section 3.2.3", () => {
    const value = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis"
    }
    expect([...(canonicalJson(value) ?? "").matchAll(/:"([^"]+)"/g)].map(([, name]) => name)).toEqual([
      "Carriage Return",
      "One",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh"
    ])
  })

  it.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["7fffffffffffffff", null],
    ["7ff0000000000000", null],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["41b3de4355555556", "333333333.3333334"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"]
  ])("writes the number %s of appendix B as %s", (bits, text) => {
    expect(canonicalJson(numberOf(bits))).toBe(text)
  })

  it("does not depend on the order of members or on white space, and means the same", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const canonical = canonicalJson(JSON.parse(JSON.stringify(value)))
        if (canonical === null) return
        expect(JSON.parse(canonical)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(JSON.parse(JSON.stringify(reversed(value), null, 2)))).toBe(canonical)
      })
    )
  })

  it("does not exist for half of a character, in a text or a name", () => {
    expect(canonicalJson(["\ud83d"])).toBeNull()
    expect(canonicalJson({ "\ude00": 1 })).toBeNull()
    expect(canonicalJson("\ud83d\ude00")).toBe('"\ud83d\ude00"')
  })

  it("does not exist for what is nested deeper than 64 levels, however deep that is", () => {
    const nested = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`)
    expect(canonicalJson(nested(64))).toBe(`${"[".repeat(64)}${"]".repeat(64)}`)
    expect(canonicalJson(nested(65))).toBeNull()
    expect(canonicalJson(nested(10_000))).toBeNull()
  })

  it("keeps a member named __proto__", () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).toBe('{"__proto__":{"a":2},"b":1}')
  })
})

/** The same value, the members of its objects in reverse order. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)])
  )
}
