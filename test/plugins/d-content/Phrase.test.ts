import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { phrase } from "../../../plugins/d-content/Sentence.ts"

const ALTERNATIVES = ["errors?", "error[- ]codes?", "limits? of [\\p{L} ]{0,30}calls", "what['’]s new"]

/** What the documentation of `phrase` says, in one pattern. */
const WHOLE_WORDS = new RegExp(
  `(?<![\\p{L}\\p{N}_$@#:./-])(?:${ALTERNATIVES.join("|")})(?![\\p{L}\\p{N}_(]|[-.:/][\\p{L}\\p{N}]|::)`,
  "iu"
)

const seenBy = (pattern: Pick<RegExp, "exec">, text: string) => {
  const found = pattern.exec(text)
  return found === null ? null : [found[0], found.index]
}

describe("a phrase", () => {
  test.each([
    ["Error codes", ["Error", 0]],
    ["Error-codes", ["Error-codes", 0]],
    ["All errors – and why", ["errors", 4]],
    ["Fehler: errors", ["errors", 8]],
    ["limits of größere calls", ["limits of größere calls", 0]],
    ["What’s new", ["What’s new", 0]],
    ["errorsä", null],
    ["äerrors", null],
    ["errors-ä", null],
    ["Octokit::Errors", null],
    ["Error codes一覧", ["Error", 0]],
    ["ＡPIのerrors", ["errors", 4]],
    ["mirrors", null]
  ])("%s", (text, found) => expect(seenBy(phrase(...ALTERNATIVES), text)).toEqual(found))

  test("is found as one pattern of whole words would be", () => {
    const word = fc.constantFrom(
      "Errors",
      "error",
      "codes",
      "limit",
      "limits",
      "of",
      "calls",
      "what",
      "'s",
      "’s",
      "new",
      "ä",
      "Größe",
      "9",
      "x"
    )
    const sign = fc.constantFrom(" ", "-", ".", ":", "::", "_", "(", "/", "$", "–", "")
    const heading = fc.array(fc.tuple(word, sign), { maxLength: 6 }).map((parts) => parts.flat().join(""))
    const called = phrase(...ALTERNATIVES)
    fc.assert(
      fc.property(heading, (text) => {
        expect(seenBy(called, text)).toEqual(seenBy(WHOLE_WORDS, text))
      }),
      { numRuns: 3_000 }
    )
  })
})
