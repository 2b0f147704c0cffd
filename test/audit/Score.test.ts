import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { Fault, FaultKind } from "../../engine/evidence/Exchange.ts"
import {
  categoryScores,
  coverageOf,
  judge,
  type Judgement,
  pointsLostInTransport,
  verdictOf
} from "../../engine/audit/Score.ts"
import { between, type FactRecord } from "../../engine/plugin/Fact.ts"
import { type LoadedRubric, loadRubric } from "../../engine/rubric/RubricFile.ts"
import { smallPlugins, smallRubric } from "../rubric/smallRubric.ts"

const rubric: LoadedRubric<unknown> = Effect.runSync(
  loadRubric(new TextEncoder().encode(smallRubric), "small", smallPlugins)
)

const [links, kind] = rubric.criteria
const levelsOf = (criterion: typeof links) => criterion?.levels ?? []

const share = fc.double({ min: 0, max: 1, noNaN: true })
const linkFacts = fc.record({ links: fc.nat(), alive: share })
const kindFacts = fc.record({ kind: fc.constantFrom("none", "good", "best"), open: fc.boolean() })
const orNothing = <A>(facts: fc.Arbitrary<A>) => fc.option(facts, { nil: null })

const scored = (facts: ReadonlyMap<string, FactRecord | null>) => {
  const judgements = new Map(
    rubric.criteria.map(({ definition, levels }) => [definition.id, judge(levels, facts.get(definition.id) ?? null)])
  )
  return { judgements, categories: categoryScores(rubric.criteria, judgements) }
}

describe("a judgement", () => {
  it.each([
    [{ links: 3, alive: 0.9 }, "present", 60],
    [{ links: 3, alive: 0.89 }, "partial", 20],
    [{ links: 1, alive: 0 }, "partial", 20],
    [{ links: 0, alive: 1 }, "absent", 0],
    [null, "inconclusive", 0]
  ])("of %o is %s", (facts, status, earns) => {
    assert.deepStrictEqual(judge(levelsOf(links), facts), { status, earns })
  })

  it("of uncertain facts is the level that they reach at both ends, and inconclusive if the ends differ", () => {
    const judged = (alive: readonly [number, number]) =>
      judge(levelsOf(links), { links: 3, alive: alive[0] }, { alive: between(...alive) }).status
    assert.deepStrictEqual(
      [judged([0.9, 1]), judged([0.85, 0.9]), judged([0.2, 0.5])],
      ["present", "inconclusive", "partial"]
    )
  })

  it("never leaves 0 to the criterion's points", () => {
    fc.assert(
      fc.property(orNothing(linkFacts), (facts) => {
        const { earns, status } = judge(levelsOf(links), facts)
        assert.isAtLeast(earns, 0)
        assert.isAtMost(earns, 60)
        assert.strictEqual(status === "present", earns === 60)
      })
    )
  })

  it("never falls when a fact that earns points gets better", () => {
    fc.assert(
      fc.property(linkFacts, fc.nat(), share, (facts, more, better) => {
        const improved = { links: facts.links + more, alive: Math.max(facts.alive, better) }
        assert.isAtLeast(judge(levelsOf(links), improved).earns, judge(levelsOf(links), facts).earns)
      })
    )
  })

  it("earns more where its level earns more, and the same level holds", () => {
    fc.assert(
      fc.property(linkFacts, fc.nat({ max: 40 }), (facts, extra) => {
        const raised = levelsOf(links).map((level) => ({ ...level, earns: level.earns + extra }))
        const before = judge(levelsOf(links), facts)
        assert.deepStrictEqual(judge(raised, facts), { ...before, earns: before.earns + extra })
      })
    )
  })

  it("is the same for the same facts, in whatever order they come", () => {
    assert.deepStrictEqual(
      judge(levelsOf(kind), { kind: "best", open: true }),
      judge(levelsOf(kind), { open: true, kind: "best" })
    )
  })
})

describe("sums", () => {
  it("of categories are those of their criteria, and never above their maximum", () => {
    fc.assert(
      fc.property(orNothing(linkFacts), orNothing(kindFacts), (a1, b1) => {
        const { categories, judgements } = scored(
          new Map<string, FactRecord | null>([
            ["A1", a1],
            ["B1", b1]
          ])
        )
        assert.deepStrictEqual(
          categories.map(({ category, max }) => [category, max]),
          [
            ["A", 60],
            ["B", 40]
          ]
        )
        assert.deepStrictEqual(
          categories.map(({ score }) => score),
          [judgements.get("A1")?.earns, judgements.get("B1")?.earns]
        )
      })
    )
  })

  it("of what could be judged, or was left open by limits of ours alone, make the coverage", () => {
    const had: Judgement = { status: "absent", earns: 0 }
    const none: Judgement = { status: "inconclusive", earns: 0 }
    const judged = new Map([
      ["A1", had],
      ["B1", none]
    ])
    const fault = (kind: FaultKind): Fault => ({
      _tag: "Fault",
      asked: { method: "GET", url: "https://docs.example.com/", accept: "*/*", agent: "docgauge" },
      url: "https://docs.example.com/",
      kind,
      message: "no answer",
      redirects: []
    })
    const missing = (...kinds: ReadonlyArray<FaultKind>) => new Map([["B1", { unanswered: kinds.map(fault) }]])
    assert.strictEqual(coverageOf(rubric.criteria, judged, new Map()), 0.6)
    assert.strictEqual(coverageOf(rubric.criteria, judged, missing("budget", "deadline")), 1)
    assert.strictEqual(coverageOf(rubric.criteria, judged, missing("budget", "stalled")), 0.6)
    assert.strictEqual(pointsLostInTransport(rubric.criteria, missing("too_many_bytes"), judged), 0)
    assert.strictEqual(pointsLostInTransport(rubric.criteria, missing("stalled"), judged), 40)
    assert.strictEqual(coverageOf(rubric.criteria, new Map([["B1", had]]), new Map()), 0.4)
    assert.strictEqual(coverageOf(rubric.criteria, new Map(), new Map()), 0)
    assert.strictEqual(coverageOf([], new Map(), new Map()), 0)
  })

  it("have a word for every total", () => {
    const { verdicts } = rubric.rubric
    assert.deepStrictEqual(
      [0, 49, 50, 100].map((total) => verdictOf(verdicts, total)),
      ["Poor", "Poor", "Good", "Good"]
    )
  })
})
