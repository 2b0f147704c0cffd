import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import {
  between,
  count,
  EITHER,
  flag,
  share,
  shareBetween,
  type UncertainRecord,
  word
} from "../../../engine/plugin/Fact.ts"
import { compilerFor, type Condition } from "../../../engine/rubric/condition/Condition.ts"
import { possibleLevels } from "../../../engine/rubric/rules/Thresholds.ts"

const fields = {
  n: count("A count."),
  s: share("A share."),
  t: share("Another share."),
  f: flag("A flag."),
  g: flag("Another flag."),
  w: word(["x", "y", "z"], "A word.")
}

const compile = compilerFor(fields)
const compiled = (text: string): Condition => Result.getOrThrowWith(compile(text), ({ message }) => new Error(message))

const facts = { n: 0, s: 0, t: 0, f: false, g: false, w: "x" }

/** The levels that may be reached, in order; the unconditional last one is added to the conditions. */
const possible = (
  conditions: ReadonlyArray<string>,
  uncertain: UncertainRecord,
  known: Readonly<Partial<typeof facts>> = {}
) => {
  const levels = possibleLevels([...conditions.map(compiled), null], { ...facts, ...known }, uncertain, fields)
  return levels === null ? null : [...levels].sort((one, other) => one - other)
}

const shares = ["facts.s >= 0.9", "facts.s >= 0.5", "facts.s > 0.0"]

describe("the levels that uncertain facts may reach", () => {
  it.each([
    ["no uncertain fact", shares, {}, { s: 0.6 }, [1]],
    ["a share that stays on one side of every threshold", shares, { s: between(0.5, 0.89) }, {}, [1]],
    ["17 of 19 with 1 missing, which lie between 17 and 18 of 20", shares, { s: shareBetween(17, 19, 1) }, {}, [0, 1]],
    ["a threshold that is the lower bound", shares, { s: between(0.9, 1) }, {}, [0]],
    ["a share that crosses several thresholds", shares, { s: between(0, 1) }, {}, [0, 1, 2, 3]],
    ["a count without an upper bound", ["facts.n >= 10", "facts.n >= 3"], { n: between(4, null) }, {}, [0, 1]],
    ["a count whose excess changes nothing", ["facts.n >= 3"], { n: between(3, null) }, {}, [0]],
    ["a level between the two ends alone", ["facts.n > 3 && facts.n < 5"], { n: between(1, 9) }, {}, [0, 1]],
    ["a flag beside one that settles it", ["facts.f || facts.g"], { f: EITHER }, { g: true }, [0]],
    ["a flag that the level turns on", ["facts.f && facts.g"], { f: EITHER }, { g: true }, [0, 1]],
    [
      "two flags, one of which must hold",
      ["[facts.f, facts.g].filter(m, m).size() >= 1"],
      { f: EITHER, g: EITHER },
      {},
      [0, 1]
    ],
    ["a word that may be some of its words", ['facts.w == "x"'], { w: { one_of: ["y", "z"] } }, {}, [1]],
    [
      "points that are added up",
      ["(facts.f ? 2 : 0) + (facts.s > 0.1 ? 1 : 0) == 0", "(facts.f ? 2 : 0) + (facts.s > 0.1 ? 1 : 0) <= 1"],
      { s: between(0, 0.5) },
      {},
      [0, 1]
    ],
    ["an uncertain fact that no condition reads", ["facts.f"], { s: between(0, 1), t: between(0, 1) }, {}, [1]]
  ] as const)("are told for %s", (_, conditions, uncertain, known, levels) => {
    assert.deepStrictEqual(possible(conditions, uncertain, known), [...levels])
  })

  it("are unknown if a condition calculates with an uncertain fact", () => {
    assert.isNull(possible(["facts.n * 2 > 8"], { n: between(0, 9) }))
    assert.deepStrictEqual(possible(["facts.n * 2 > 8"], { s: between(0, 1) }, { n: 5 }), [0])
  })

  it("hold the level of any facts within the bounds, and no level that none of them reaches", () => {
    const whole = fc.nat(12)
    const part = fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10)
    const conditions = [
      "[facts.n >= 5, facts.s >= 0.8, facts.f].filter(m, m).size() == 3",
      "facts.n >= 2 && facts.s > 0.2",
      "facts.f || facts.n < 1"
    ]
    const levels = [...conditions.map(compiled), null]
    const levelOf = (n: number, s: number, f: boolean) =>
      levels.findIndex((condition) => condition === null || condition.holds({ ...facts, n, s, f }))
    fc.assert(
      fc.property(whole, whole, part, part, fc.boolean(), (n, more, s, t, f) => {
        const [low, high] = [Math.min(s, t), Math.max(s, t)]
        const reached = new Set<number>()
        for (let count = n; count <= n + more; count++) {
          for (let tenths = Math.round(low * 10); tenths <= Math.round(high * 10); tenths++) {
            for (const value of f ? [true] : [false, true]) reached.add(levelOf(count, tenths / 10, value))
          }
        }
        const told = possible(
          conditions,
          { n: between(n, n + more), s: between(low, high), ...(f ? {} : { f: EITHER }) },
          { f }
        )
        assert.deepStrictEqual(
          told,
          [...reached].sort((one, other) => one - other)
        )
      })
    )
  })
})
