import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { count, flag, share } from "../../../engine/plugin/Fact.ts"
import { compilerFor, parseCondition } from "../../../engine/rubric/condition/Condition.ts"
import { conditionChange } from "../../../engine/rubric/diff/RubricChange.ts"

const fields = {
  n: count("A count."),
  m: count("Another."),
  s: share("A share."),
  t: share("Another."),
  f: flag("A flag.")
}
const compile = compilerFor(fields)
const compiled = (text: string) =>
  Result.getOrThrowWith(compile(text), ({ message }) => new Error(`${text}: ${message}`))
const parsed = (text: string) =>
  Result.getOrThrowWith(parseCondition(text), ({ message }) => new Error(`${text}: ${message}`))
const changed = (before: string, after: string) => conditionChange(parsed(before), parsed(after))._tag

const LIST = "[facts.s >= 0.8, facts.t >= 0.8, facts.f].filter(met, met)"

describe("a condition that changes", () => {
  it.each([
    ["a number to reach that falls", "facts.s >= 0.9", "facts.s >= 0.8"],
    ["a number to exceed that falls", "facts.n > 3", "facts.n > 2"],
    ["a number to keep to that rises", "facts.n <= 3", "facts.n <= 4"],
    ["a number to stay below that rises", "facts.s < 0.1", "facts.s < 0.2"],
    ["the number written first", "3 <= facts.n", "2 <= facts.n"],
    ["a whole number that becomes a fraction", "facts.n >= 3", "facts.n >= 2.5"],
    ["a number below nought", "facts.n >= -1", "facts.n >= -2"],
    ["one part of an and", "facts.f && facts.s >= 0.9", "facts.f && facts.s >= 0.5"],
    [
      "one part of an or within an and",
      "facts.f && (facts.n >= 9 || facts.s > 0.5)",
      "facts.f && (facts.n >= 8 || facts.s > 0.5)"
    ],
    ["one element of a list that is counted", `${LIST}.size() >= 2`, `${LIST.replace("0.8", "0.7")}.size() >= 2`],
    ["how many of a list must hold", `${LIST}.size() >= 3`, `${LIST}.size() >= 2`],
    ["size as a function", `size(${LIST}) > 1`, `size(${LIST}) > 0`],
    [
      "an element of a sum",
      `${LIST}.size() + [facts.f].filter(met, met).size() >= 2`,
      `${LIST.replace("0.8", "0.1")}.size() + [facts.f].filter(met, met).size() >= 2`
    ],
    [
      "the test of a list's elements",
      "[facts.s, facts.t].all(each, each >= 0.9)",
      "[facts.s, facts.t].all(each, each >= 0.8)"
    ],
    ["a calculated number that has less to reach", "facts.n * 2 + facts.m >= 9", "facts.n * 2 + facts.m >= 8"],
    ["how many may hold at most", `${LIST}.size() <= 1`, `${LIST}.size() <= 2`]
  ])("loosens provably: %s", (_, before, after) => {
    assert.strictEqual(changed(before, after), "Loosened")
    assert.strictEqual(changed(after, before), "Other", "and not the other way round")
  })

  it.each([
    ["behind a negation", "!(facts.s >= 0.9)", "!(facts.s >= 0.8)"],
    ["in a choice", "facts.f ? facts.s >= 0.9 : facts.n >= 1", "facts.f ? facts.s >= 0.8 : facts.n >= 1"],
    ["in what is chosen by", "(facts.s >= 0.9 ? 1 : 0) + facts.n >= 2", "(facts.s >= 0.8 ? 1 : 0) + facts.n >= 2"],
    ["an equality", "facts.n == 3", "facts.n == 2"],
    [
      "an element of a list whose size must be just so",
      `${LIST}.size() == 2`,
      `${LIST.replace("0.8", "0.7")}.size() == 2`
    ],
    ["an element of a list of which few may hold", `${LIST}.size() <= 1`, `${LIST.replace("0.8", "0.7")}.size() <= 1`],
    ["what is taken away", `3 - ${LIST}.size() >= 1`, `3 - ${LIST.replace("0.8", "0.7")}.size() >= 1`],
    [
      "an element of a list that is filtered by its opposite",
      "[facts.s >= 0.9].filter(met, !met).size() >= 1",
      "[facts.s >= 0.8].filter(met, !met).size() >= 1"
    ],
    [
      "exactly one of a list",
      "[facts.s >= 0.9, facts.f].exists_one(met, met)",
      "[facts.s >= 0.8, facts.f].exists_one(met, met)"
    ],
    ["a factor", "facts.n * 2 >= 9", "facts.n * 3 >= 9"],
    ["two thresholds at once", "facts.s >= 0.9 && facts.n >= 3", "facts.s >= 0.8 && facts.n >= 2"],
    ["another operator", "facts.s > 0.9", "facts.s >= 0.9"],
    ["another fact", "facts.s >= 0.9", "facts.t >= 0.8"],
    ["a part that is left out", "facts.s >= 0.9 && facts.f", "facts.s >= 0.9"]
  ])("proves nothing: %s", (_, before, after) => {
    assert.strictEqual(changed(before, after), "Other")
    assert.strictEqual(changed(after, before), "Other")
  })

  it.each([
    ["facts.s >= 0.9 && facts.f", "facts.s>=0.9\n  &&   (facts.f)"],
    ["facts.s >= 1", "facts.s >= 1.0"]
  ])("is the same when only its writing changes: %s", (before, after) => {
    assert.strictEqual(changed(before, after), "Same")
  })

  const facts = fc.record({
    n: fc.nat({ max: 6 }),
    m: fc.nat({ max: 6 }),
    f: fc.boolean(),
    s: fc.nat({ max: 12 }).map((halves) => halves / 2),
    t: fc.nat({ max: 12 }).map((halves) => halves / 2)
  })

  it("and is called loosened holds wherever it held, whatever the facts", () => {
    const loosened = { times: 0 }
    fc.assert(
      fc.property(
        conditions(),
        fc.nat(),
        fc.integer({ min: -1, max: 6 }),
        fc.array(facts, { minLength: 20, maxLength: 20 }),
        (template, place, number, many) => {
          const before = written(template)
          const after = written(template, place, number)
          const change = changed(before, after)
          if (change === "Loosened") loosened.times += 1
          const [old, next] = [compiled(before), compiled(after)]
          for (const each of many) {
            if (change === "Loosened" && old.holds(each))
              assert.isTrue(next.holds(each), `${before} → ${after} ${JSON.stringify(each)}`)
            if (change === "Same") assert.strictEqual(next.holds(each), old.holds(each))
          }
        }
      ),
      { numRuns: 3000 }
    )
    assert.isAbove(loosened.times, 100)
  })
})

/** A condition whose thresholds are `#`, and the numbers that stand there. */
interface Template {
  readonly text: string
  readonly numbers: ReadonlyArray<number>
}

/** The condition, with another number at one place. */
const written = ({ numbers, text }: Template, place = -1, number = 0): string => {
  const at = place === -1 || numbers.length === 0 ? -1 : place % numbers.length
  const parts = text.split("#")
  return parts
    .map((part, index) => `${part}${index === parts.length - 1 ? "" : String(index === at ? number : numbers[index])}`)
    .join("")
}

const join = (templates: ReadonlyArray<Template>, build: (texts: ReadonlyArray<string>) => string): Template => ({
  text: build(templates.map(({ text }) => text)),
  numbers: templates.flatMap(({ numbers }) => numbers)
})

const conditions = (): fc.Arbitrary<Template> =>
  fc.letrec<{ condition: Template; comparison: Template }>((tie) => ({
    comparison: fc
      .record({
        fact: fc.constantFrom("n", "m", "s", "t"),
        operator: fc.constantFrom("<", "<=", ">", ">=", "==", "!="),
        number: fc.integer({ min: 0, max: 5 }),
        first: fc.boolean()
      })
      .filter(({ fact, operator }) => !(["s", "t"].includes(fact) && ["==", "!="].includes(operator)))
      .map(({ fact, first, number, operator }) => ({
        text: first ? `# ${operator} facts.${fact}` : `facts.${fact} ${operator} #`,
        numbers: [number]
      })),
    condition: fc.oneof(
      { maxDepth: 3, depthSize: "medium" },
      tie("comparison"),
      fc.constant({ text: "facts.f", numbers: [] }),
      fc
        .tuple(tie("condition"), tie("condition"), fc.constantFrom("&&", "||"))
        .map(([one, other, operator]) => join([one, other], ([left, right]) => `(${left} ${operator} ${right})`)),
      tie("condition").map((inner) => join([inner], ([text]) => `!(${text})`)),
      fc
        .tuple(tie("condition"), tie("condition"), tie("condition"))
        .map((parts) => join(parts, ([test, then, otherwise]) => `(${test} ? ${then} : ${otherwise})`)),
      fc
        .tuple(
          fc.array(tie("condition"), { minLength: 1, maxLength: 3 }),
          fc.constantFrom("met", "!met"),
          fc.constantFrom("<", "<=", ">", ">=", "=="),
          fc.integer({ min: 0, max: 3 })
        )
        .map(([parts, test, operator, number]) =>
          join(
            [...parts, { text: "#", numbers: [number] }],
            (texts) => `[${texts.slice(0, -1).join(", ")}].filter(met, ${test}).size() ${operator} ${texts.at(-1)}`
          )
        ),
      fc
        .tuple(
          fc.array(tie("condition"), { minLength: 1, maxLength: 2 }),
          tie("condition"),
          fc.constantFrom("+", "-"),
          fc.constantFrom("<=", ">=")
        )
        .map(([parts, test, sign, operator]) =>
          join(
            [...parts, test],
            (texts) =>
              `[${texts.slice(0, -1).join(", ")}].filter(met, met).size() ${sign} (${texts.at(-1)} ? 2 : 0) ${operator} 1`
          )
        )
    )
  })).condition
