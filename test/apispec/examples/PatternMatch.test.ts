import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { patternMatcher } from "../../../engine/apispec/examples/PatternMatch.ts"

const atom = fc.constantFrom("a", "b", "-", ".", "\\.", "\\d", "\\w", "[a-b]", "[^a]", "[\\w-]", "\\-", "^", "$")
const quantifier = fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,2}", "{2,}", "*?")
const quantified = fc.tuple(atom, quantifier).map(([one, many]) => (one === "^" || one === "$" ? one : one + many))
const joined = (parts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(fc.array(parts, { maxLength: 3 }), { minLength: 1, maxLength: 2 })
    .map((branches) => branches.map((branch) => branch.join("")).join("|"))
const grouped = (parts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    parts,
    fc.tuple(joined(parts), quantifier).map(([inner, many]) => `(?:${inner})${many}`)
  )
const pattern = joined(grouped(grouped(quantified)))

describe("a foreign pattern", () => {
  test("matches what the engine's regular expression matches", () => {
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom("a", "b", "-", ".", "1"), maxLength: 8 }),
        (source, text) => {
          expect(patternMatcher(source)?.matches(text)).toBe(new RegExp(source).test(text))
        }
      ),
      { numRuns: 2_000 }
    )
  })

  test.each([
    "(?=a)b",
    "(?<!a)b",
    "(a)\\1",
    "\\bword",
    "a{1000}{2}",
    "(?i)a",
    "[[:alpha:]]+",
    "\\A\\d+\\Z",
    "(a",
    "a)",
    "a**",
    "[b-a]"
  ])("says nothing by %s, which is not in the subset", (source) => expect(patternMatcher(source)).toBeNull())

  test("says nothing by one that would be written out too large", () => {
    expect(patternMatcher("((a{100}){100}){100}")).toBeNull()
  })

  test("takes no time to fail where an engine that goes back takes longer than the universe exists", () => {
    expect(patternMatcher("^(a+)+$")?.matches(`${"a".repeat(900)}!`)).toBe(false)
    expect(patternMatcher("^(a|a)*$")?.matches(`${"a".repeat(900)}!`)).toBe(false)
  })

  test("says nothing of long texts and of characters beyond the first plane", () => {
    expect(patternMatcher("^a$")?.matches("a".repeat(1_001))).toBeNull()
    expect(patternMatcher("^.$")?.matches("😀")).toBeNull()
  })
})
