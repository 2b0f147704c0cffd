import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { plainText } from "../../engine/text/PlainText.ts"
import { cpuMs } from "../harness/CpuTime.ts"

describe("plainText", () => {
  it.each([
    ["escape sequences", "a\u001b[2J\u001b]0;title\u0007b", "a [2J ]0;title b"],
    ["C1 controls", "a\u009b31mb", "a 31mb"],
    ["line breaks of all kinds", "a\r\nb\u2028c\u2029d\u0085e\vf", "a b c d e f"],
    ["direction overrides and isolates", "a\u202eb\u2066c\u2069d\u200fe", "a b c d e"],
    ["what has no width", "a\u200bb\u2060c\ufeffd\u00ade", "a b c d e"],
    ["text hidden in tags", "a\u{e0049}\u{e0067}\u{e006e}b", "a b"],
    ["halves of characters", "a\ud83db\ude00c", "a b c"]
  ])("takes out %s", (_, text, expected) => {
    expect(plainText(text)).toBe(expected)
  })

  it("leaves what people write as it is", () => {
    const text = "Größe: 5 €, 日本語, العربية, 😀 — “fine” & <b>"
    expect(plainText(text)).toBe(text)
  })

  it("is one line without anything unseen, no longer than it may be, and the same when done twice", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.integer({ min: 1, max: 60 }), (text, longest) => {
        const plain = plainText(text, longest)
        expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
        expect(plain).toBe(plain.trim())
        expect(Array.from(plain).length).toBeLessThanOrEqual(longest)
        expect(plainText(plain, longest)).toBe(plain)
      })
    )
  })

  it("takes time by what is shown, not by what was written", () => {
    const started = cpuMs()
    plainText("\u202e ".repeat(5_000_000))
    expect(cpuMs() - started).toBeLessThan(1_000)
  })
})
