import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { plainForm } from "../../engine/evidence/Address.ts"

/** Paths and queries of what trimming looks at. */
const anyUrl = fc
  .array(fc.constantFrom("/", "?", "a", "=", "%2f", "&"), { maxLength: 12 })
  .map((parts) => `https://docs.example.com/${parts.join("")}`)

describe("the plain form of a URL", () => {
  it("is its own plain form", () => {
    fc.assert(
      fc.property(anyUrl, (url) => {
        expect(plainForm(plainForm(url))).toBe(plainForm(url))
      }),
      { numRuns: 2_000 }
    )
  })

  it.each([
    ["https://docs.example.com/guide//", "https://docs.example.com/guide"],
    // Found by fuzzing: the trimmed slash left an empty query, which is no part of the plain form.
    ["https://docs.example.com/guide/?/", "https://docs.example.com/guide/?/"],
    // A server may tell these apart.
    ["https://docs.example.com/guide?next=/a/", "https://docs.example.com/guide?next=/a/"]
  ])("of %s is %s", (url, plain) => expect(plainForm(url)).toBe(plain))
})
