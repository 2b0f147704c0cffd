import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { count, flag, share, word } from "../../../engine/plugin/Fact.ts"
import { compilerFor } from "../../../engine/rubric/condition/Condition.ts"

const fields = {
  links: count("Links."),
  alive: share("Links that answer."),
  open: flag("Whether it is open."),
  kind: word(["none", "good", "best"], "The kind.")
}

const compile = compilerFor(fields)
const compiled = (text: string) => Result.getOrThrowWith(compile(text), ({ message }) => new Error(message))
const refused = (text: string) => Result.match(compile(text), { onFailure: (fault) => fault, onSuccess: () => null })

const facts = { links: 3, alive: 0.9, open: true, kind: "best" }

describe("a condition", () => {
  it.each([
    ["facts.links == 3", true],
    ["facts.links >= 4", false],
    ["facts.links > 2.5", true],
    ["facts.alive >= 0.9", true],
    ["facts.alive >= 1", false],
    ["facts.open && !(facts.links < 3)", true],
    ['facts.kind in ["good", "best"]', true],
    ['facts.kind != "best"', false],
    ["[facts.open, facts.alive >= 0.95, facts.links == 3].filter(met, met).size() >= 2", true],
    ["(facts.open ? 2 : 0) + facts.links == 5", true],
    ["[facts.alive, 0.5].all(each, each > 0.5)", false]
  ])("judges facts: %s", (text, holds) => {
    assert.strictEqual(compiled(text).holds(facts), holds)
  })

  it("agrees with plain comparison for every count and share", () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (links, alive, few, much) => {
          const { holds } = compiled(`facts.links >= ${few} && facts.alive < ${much.toFixed(4)}`)
          assert.strictEqual(holds({ ...facts, links, alive }), links >= few && alive < Number(much.toFixed(4)))
        }
      )
    )
  })

  it.each([
    ["a fact that is missing", "facts.links >= 0", { open: true }],
    ["a division by nothing", "facts.links / (facts.links - 3) >= 0", facts],
    ["a number out of range", "facts.links * 9223372036854775807 >= 0", facts],
    ["a count that is no whole number", "facts.links >= 0", { ...facts, links: 0.5 }]
  ])("does not hold, and does not throw, for %s", (_, text, given) => {
    assert.isFalse(compiled(text).holds(given))
  })

  it("names the facts that it reads, each once", () => {
    assert.deepStrictEqual(compiled("facts.alive >= 0.5 && facts.links >= 1 && facts.alive <= 1.0").reads, [
      "alive",
      "links"
    ])
  })

  it.each([
    ["facts.link >= 1", 'the plugin has no fact "link"', 6],
    ["facts.links", "the condition gives a number, not true or false", 0],
    ["facts.kind", "the condition gives a word, not true or false", 0],
    ['facts.open == "yes"', "types do not match: bool == string", 0],
    ['facts.kind == "better"', 'the fact is never "better"', 14],
    ['facts.kind.matches("(a+)+$")', 'a condition cannot use the function "matches"', 11],
    ["timestamp(facts.kind) == timestamp(facts.kind)", 'a condition cannot use the function "timestamp"', 0],
    ["facts.links >=", "the condition does not read as CEL: unexpected token: end of condition", 13],
    ["", "the condition does not read as CEL: unexpected token: end of condition", 0],
    ["(".repeat(300), "the condition does not read as CEL: exceeded maxDepth (40)", 40],
    ["x".repeat(5000), "a condition may have 4000 characters", 0]
  ])("is refused with its place: %s", (text, message, start) => {
    const fault = refused(text)
    assert.strictEqual(fault?.message, message)
    assert.strictEqual(fault?.start, start)
  })

  it("of any text compiles or is refused, and never throws", () => {
    const pieces = fc.constantFrom(
      "facts",
      ".",
      "links",
      "alive",
      "kind",
      "(",
      ")",
      "[",
      "]",
      " && ",
      "!",
      "1",
      '"best"',
      " == ",
      "filter",
      "x,",
      "?",
      ":",
      "\\",
      "'"
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        const text = parts.join("")
        const result = compile(text)
        if (Result.isFailure(result)) {
          assert.isAtLeast(result.failure.start, 0)
          assert.isAbove(result.failure.end, result.failure.start - 1)
        } else {
          result.success.holds(facts)
        }
      })
    )
  })
})
