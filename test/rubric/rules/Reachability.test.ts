import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { count, flag, share, word } from "../../../engine/plugin/Fact.ts"
import { compilerFor, type Condition } from "../../../engine/rubric/condition/Condition.ts"
import { unreachableLevels } from "../../../engine/rubric/rules/PluginRules.ts"

const fields = {
  n: count("A count."),
  s: share("A share."),
  t: share("Another share."),
  f: flag("A flag."),
  w: word(["x", "y"], "A word.")
}

const compile = compilerFor(fields)
const compiled = (text: string): Condition => Result.getOrThrowWith(compile(text), ({ message }) => new Error(message))

/** The unreachable levels of conditions, to which the unconditional last one is added. */
const unreachable = (...conditions: ReadonlyArray<string>) =>
  unreachableLevels([...conditions.map(compiled), null], fields).map(({ level, reason }) => [level, reason])

describe("levels that no facts reach", () => {
  it.each([
    ["thresholds that fall", ["facts.s >= 0.9", "facts.s >= 0.5", "facts.s > 0.0"]],
    [
      "thresholds within a list",
      [
        "[facts.s >= 0.8, facts.t >= 0.8, facts.f].filter(m, m).size() >= 3",
        "[facts.s >= 0.8, facts.t >= 0.8, facts.f].filter(m, m).size() >= 1"
      ]
    ],
    [
      "a test on the elements of a list",
      ["[facts.s, facts.t].all(e, e >= 0.7)", "[facts.s, facts.t].exists(e, e >= 0.7)"]
    ],
    ["words and flags", ['facts.w == "x" && facts.f', 'facts.w == "x"']],
    [
      "points that are added up",
      [
        "(facts.f ? 2 : 0) + (facts.n > 3 ? 1 : 0) == 3",
        "(facts.f ? 2 : 0) + (facts.n > 3 ? 1 : 0) >= 2",
        "facts.n > 3"
      ]
    ],
    ["a fact beyond thresholds, which is left alone", ["facts.n * 2 > 8", "facts.n > 4"]],
    ["facts compared with each other, which are left alone", ["facts.s > facts.t", "facts.s > facts.t && facts.f"]]
  ])("are none with %s", (_, conditions) => {
    assert.deepStrictEqual(unreachable(...conditions), [])
  })

  it.each([
    ["a share above 1", ["facts.s > 1.0", "facts.f"], [[0, "never_holds"]]],
    ["a count below 0", ["facts.f", "facts.n < 0"], [[1, "never_holds"]]],
    ["a contradiction", ["facts.n >= 3 && facts.n < 3", "facts.f"], [[0, "never_holds"]]],
    ["a whole number between neighbours", ["facts.n > 3 && facts.n < 4", "facts.f"], [[0, "never_holds"]]],
    [
      "a number of conditions that there are not",
      ["[facts.f, facts.s > 0.5].filter(m, m).size() == 3", "facts.f"],
      [[0, "never_holds"]]
    ],
    ["thresholds that rise", ["facts.s >= 0.5", "facts.s >= 0.9"], [[1, "taken_before"]]],
    [
      "a level that is part of an earlier one",
      ["facts.f || facts.n > 1", 'facts.f && facts.w == "x"'],
      [[1, "taken_before"]]
    ],
    ["two that leave nothing", ["facts.f", "!facts.f"], [[2, "taken_before"]]],
    ["the same once more, written otherwise", ["facts.n  >= 2", "facts.n >= 2"], [[1, "same_condition"]]],
    ["the same once more, beyond thresholds", ["facts.s > facts.t", "facts.s > facts.t"], [[1, "same_condition"]]]
  ])("are found: %s", (_, conditions, found) => {
    assert.deepStrictEqual(unreachable(...conditions), found)
  })

  it("are exactly those that trying every value finds", () => {
    const comparison = fc
      .record({
        fact: fc.constantFrom("n", "m"),
        operator: fc.constantFrom("<", "<=", "==", "!=", ">=", ">"),
        number: fc.integer({ min: -1, max: 5 })
      })
      .map(({ fact, number, operator }) => `facts.${fact} ${operator} ${number}`)
    const condition = fc.tuple(comparison, fc.constantFrom("&&", "||"), comparison).map((parts) => parts.join(" "))
    const counts = { n: count("A count."), m: count("Another count.") }
    const compileCounts = compilerFor(counts)
    fc.assert(
      fc.property(fc.array(condition, { minLength: 1, maxLength: 4 }), (texts) => {
        const conditions = [...texts.map((text) => Result.getOrThrow(compileCounts(text))), null]
        const reached = new Set<number>()
        for (let n = 0; n <= 7; n += 1) {
          for (let m = 0; m <= 7; m += 1)
            reached.add(conditions.findIndex((each) => each === null || each.holds({ n, m })))
        }
        const expected = [...conditions.keys()].filter((level) => !reached.has(level))
        assert.deepStrictEqual(
          unreachableLevels(conditions, counts).map(({ level }) => level),
          expected
        )
      }),
      { numRuns: 300 }
    )
  })
})
