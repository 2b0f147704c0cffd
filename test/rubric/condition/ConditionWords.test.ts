import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { count, flag, share, word } from "../../../engine/plugin/Fact.ts"
import { parseCondition } from "../../../engine/rubric/condition/Condition.ts"
import { conditionWords, inOneLine, outline } from "../../../engine/rubric/condition/ConditionWords.ts"

const fields = {
  pages: count("pages of the sample; one that is no HTML has no head"),
  titled: share("of those, pages with a title"),
  exampled: share("of those, with an example"),
  dated: share("of all locations, those with a date"),
  moved: share("of all locations, those that moved"),
  mean: share("weighted mean of the three; an empty group drops out"),
  errors: count("errors that are named"),
  explained: count("Of those, with a meaning beside them"),
  asked: count("pages that answered `Accept: text/markdown`: the first five"),
  bytes: count("length of the file in bytes"),
  open: flag("A page is open to everyone"),
  kind: word(["none", "good", "best"], "the best kind found: by name or by look")
}

const tree = (text: string) => Result.getOrThrowWith(parseCondition(text), ({ message }) => new Error(message))
const words = (text: string) => inOneLine(conditionWords(tree(text), fields))

describe("a condition in words", () => {
  it.each([
    ["facts.titled >= 0.9", "at least 90% of the pages of the sample have a title"],
    ["facts.titled > 0.0", "some of the pages of the sample have a title"],
    ["facts.titled >= 1.0", "all of the pages of the sample have a title"],
    ["facts.titled == 0.0", "none of the pages of the sample have a title"],
    ["facts.titled < 0.05", "less than 5% of the pages of the sample have a title"],
    ["facts.exampled >= 0.875", "at least 87.5% of the pages of the sample have an example"],
    ["facts.dated <= 0.1", "at most 10% of all locations have a date"],
    ["facts.moved > 0.1", "more than 10% of all locations moved"],
    ["facts.mean >= 0.5", "weighted mean of the three: at least 50%"],
    ["facts.bytes <= 50000", "length of the file in bytes: at most 50,000"],
    ["3 <= facts.errors", "errors that are named: at least 3"],
    ["facts.asked >= 3", "pages that answered `Accept: text/markdown`: at least 3"],
    ["facts.errors < 3", "errors that are named: fewer than 3"],
    ["facts.errors == 0", "errors that are named: none"],
    ["facts.errors > 0", "errors that are named: at least 1"],
    ["facts.explained >= 5", "errors that are named with a meaning beside them: at least 5"],
    ["facts.open", "a page is open to everyone"],
    ["!facts.open", "not: a page is open to everyone"],
    ['facts.kind == "best"', "the best kind found: “best”"],
    ['facts.kind != "none"', "the best kind found: not “none”"],
    ['facts.kind in ["good", "best"]', "the best kind found: “good” or “best”"],
    [
      "facts.open && facts.errors == 0 && facts.bytes <= 9",
      "a page is open to everyone; and errors that are named: none; and length of the file in bytes: at most 9"
    ],
    [
      "facts.open && (facts.errors == 0 || facts.bytes <= 9)",
      "a page is open to everyone; and (errors that are named: none; or length of the file in bytes: at most 9)"
    ],
    ["!(facts.open || facts.errors == 0)", "not any of: a page is open to everyone; errors that are named: none"],
    [
      "[facts.open, facts.errors == 0, facts.mean > 0.5].filter(met, met).size() >= 2",
      "at least 2 of: a page is open to everyone; errors that are named: none; weighted mean of the three: more than 50%"
    ],
    [
      "[facts.open, facts.errors == 0].filter(met, met).size() == 2",
      "a page is open to everyone; and errors that are named: none"
    ],
    [
      "[facts.open, facts.errors == 0].filter(met, met).size() >= 1",
      "a page is open to everyone; or errors that are named: none"
    ],
    [
      "[facts.open].filter(met, met).size() + (facts.errors > 0 ? 2 : 0) <= 1",
      "the sum of these is at most 1: 1 if a page is open to everyone; 2 if errors that are named: at least 1"
    ],
    ["facts.errors * 2 > facts.bytes", "`facts.errors * 2 > facts.bytes`"],
    ["facts.open ? facts.errors > 1 : facts.bytes > 1", "`facts.open ? facts.errors > 1 : facts.bytes > 1`"]
  ])("says %s", (text, said) => {
    assert.strictEqual(words(text), said)
  })

  it("is told as a nested list", () => {
    assert.deepStrictEqual(
      outline(
        conditionWords(
          tree("facts.errors >= 1 && [facts.open, facts.mean > 0.5, facts.bytes > 9].filter(met, met).size() >= 2"),
          fields
        )
      ),
      [
        { depth: 0, text: "errors that are named: at least 1" },
        { depth: 0, text: "at least 2 of these hold:" },
        { depth: 1, text: "a page is open to everyone" },
        { depth: 1, text: "weighted mean of the three: more than 50%" },
        { depth: 1, text: "length of the file in bytes: more than 9" }
      ]
    )
  })
})
