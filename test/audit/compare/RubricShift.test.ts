import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { differInRubric, inOrderOfTime, rubricShift } from "../../../engine/audit/compare/RubricShift.ts"
import { judge } from "../../../engine/audit/Score.ts"
import type { StoredReport } from "../../../engine/audit/StoredRun.ts"
import type { FactRecord } from "../../../engine/plugin/Fact.ts"
import { revisionParts } from "../../../engine/plugin/Registry.ts"
import { type LoadedRubric, loadRubric } from "../../../engine/rubric/RubricFile.ts"
import { edited, smallPlugins, smallRubric, withOutgoing } from "../../rubric/smallRubric.ts"

const load = (text: string, plugins = smallPlugins): LoadedRubric<unknown> =>
  Effect.runSync(loadRubric(new TextEncoder().encode(text), "small", plugins))

const older = load(smallRubric)
const newer = load(edited("facts.alive >= 0.9", "facts.alive >= 0.8"))

type Facts = Readonly<Record<"A1" | "B1", FactRecord | null>>

const reportBy = (
  { criteria, digest, rubric }: LoadedRubric<unknown>,
  facts: Facts,
  date = "2026-01-01"
): StoredReport => {
  const results = criteria.map(({ definition: { id, params, plugin, points, revision, title }, levels }) => {
    const own = id === "A1" ? facts.A1 : facts.B1
    const { earns, status } = judge(levels, own)
    return {
      id,
      title,
      status,
      score: earns,
      max: points,
      measured: { plugin, revision: revisionParts(revision).major, params, facts: own }
    }
  })
  return {
    base_url: "https://docs.example.com",
    audit_date: date,
    verdict: "",
    total_score: results.reduce((sum, { score }) => sum + score, 0),
    rubric: { id: rubric.id, version: rubric.version, digest },
    criteria: results,
    experimental: []
  }
}

const firstOf = ({ criteria: [first] }: StoredReport) => {
  if (first === undefined) throw new Error("the report has no criteria")
  return first
}

const before: Facts = { A1: { links: 5, alive: 0.85 }, B1: { kind: "none", open: true } }
const after: Facts = { A1: { links: 5, alive: 0.85 }, B1: { kind: "best", open: true } }

const inShort = (older: StoredReport, newerReport: StoredReport, rubric = newer) =>
  rubricShift(older, newerReport, rubric)?.criteria.map(({ bySite, byRubric, id, reason }) => [
    id,
    byRubric,
    bySite,
    reason
  ])

describe("two reports under different rubrics", () => {
  it("are told apart: what the rubric changed, and what the site changed", () => {
    const shift = rubricShift(reportBy(older, before), reportBy(newer, after), newer)
    assert.deepStrictEqual(shift?.total, { before: 20, rejudged: 60, after: 100, byRubric: 40, bySite: 40 })
    assert.deepStrictEqual(inShort(reportBy(older, before), reportBy(newer, after)), [
      ["A1", 40, 0, null],
      ["B1", 0, 40, null]
    ])
  })

  it("judge uncertain facts by all values that they may have, under either rubric", () => {
    const report = reportBy(older, before)
    const uncertain = { alive: { at_least: 0.82, at_most: 0.95 } }
    const criteria = report.criteria.map((result) =>
      result.id === "A1"
        ? { ...result, status: "inconclusive" as const, score: 0, measured: { ...result.measured, uncertain } }
        : result
    )
    // From 0.82 on the newer rubric gives all points; the older one would have to know.
    assert.deepStrictEqual(inShort({ ...report, criteria }, reportBy(newer, after))?.[0], ["A1", 60, 0, null])
    const stricter = load(edited("facts.alive >= 0.9", "facts.alive >= 0.93"))
    assert.deepStrictEqual(inShort({ ...report, criteria }, reportBy(stricter, after), stricter)?.[0]?.slice(0, 2), [
      "A1",
      0
    ])
  })

  it("of one rubric leave all changes to the site", () => {
    const shift = rubricShift(reportBy(newer, before), reportBy(newer, after), newer)
    assert.deepStrictEqual(shift?.total, { before: 60, rejudged: 60, after: 100, byRubric: 0, bySite: 40 })
  })

  it("say of what was measured otherwise that it is not known, and of the total too", () => {
    const other = load(edited("{ sample: 5 }", "{ sample: 9 }"))
    const shift = rubricShift(reportBy(older, before), reportBy(other, after), other)
    assert.deepStrictEqual(inShort(reportBy(older, before), reportBy(other, after), other), [
      ["A1", null, null, "was measured with other params"],
      ["B1", 0, 40, null]
    ])
    assert.deepStrictEqual(shift?.total, { before: 20, rejudged: null, after: 60, byRubric: null, bySite: null })
  })

  describe("of which the newer one is of a plugin that has got more facts", () => {
    const pinned = edited("facts.alive >= 0.9", "facts.alive >= 0.8", edited("revision: 2", 'revision: "2.1"'))
    const [unread, read] = [pinned, edited("facts.links >= 1", "facts.outgoing >= 1", pinned)].map((text) =>
      load(text, withOutgoing("2.1"))
    )

    it("are told apart where no level reads a fact that the older one lacks", () => {
      assert.isDefined(unread)
      assert.deepStrictEqual(inShort(reportBy(older, before), reportBy(unread, after), unread)?.[0], [
        "A1",
        40,
        0,
        null
      ])
    })

    it("leave it open where a level reads one", () => {
      assert.isDefined(read)
      assert.deepStrictEqual(inShort(reportBy(older, before), reportBy(read, after), read)?.[0], [
        "A1",
        null,
        null,
        "was measured by an earlier revision, which lacks a fact that is judged now"
      ])
    })

    it("are told apart again where the older one could not be measured at all", () => {
      assert.isDefined(read)
      assert.deepStrictEqual(
        inShort(reportBy(older, { ...before, A1: null }), reportBy(read, { ...after, A1: null }), read)?.[0],
        ["A1", 0, 0, null]
      )
    })
  })

  it("charge a criterion that is gone to the rubric", () => {
    const report = reportBy(older, before)
    const gone = {
      ...report,
      total_score: report.total_score + 7,
      criteria: [...report.criteria, { ...firstOf(report), id: "C1", score: 7 }]
    }
    assert.deepStrictEqual(inShort(gone, reportBy(newer, after))?.at(-1), ["C1", -7, 0, null])
    assert.strictEqual(rubricShift(gone, reportBy(newer, after), newer)?.total.byRubric, 33)
  })

  it("are told apart by the newer rubric alone", () => {
    assert.isNull(rubricShift(reportBy(older, before), reportBy(newer, after), older))
  })

  it("come in order of time, then of versions, then as given", () => {
    const [one, other] = [reportBy(older, before, "2026-02-01"), reportBy(newer, before, "2026-01-01")]
    assert.deepStrictEqual(inOrderOfTime(one, other), [other, one])
    const released = { ...one, rubric: { ...one.rubric, version: "2.0.0" } }
    assert.deepStrictEqual(inOrderOfTime(released, { ...other, audit_date: one.audit_date }), [
      { ...other, audit_date: one.audit_date },
      released
    ])
    assert.deepStrictEqual(inOrderOfTime(one, one), [one, one])
    assert.isTrue(differInRubric(one, other))
  })

  it("always add up: rubric and site together make the change, in each criterion and in the total", () => {
    const facts = fc.record({
      A1: fc.option(fc.record({ links: fc.nat({ max: 5 }), alive: fc.nat({ max: 10 }).map((tenths) => tenths / 10) }), {
        nil: null
      }),
      B1: fc.option(fc.record({ kind: fc.constantFrom("none", "good", "best"), open: fc.boolean() }), { nil: null })
    })
    fc.assert(
      fc.property(facts, facts, fc.constantFrom(older, newer), (one, other, by) => {
        const [first, last] = [reportBy(by, one), reportBy(newer, other)]
        const shift = rubricShift(first, last, newer)
        assert.strictEqual(
          (shift?.total.byRubric ?? 0) + (shift?.total.bySite ?? 0),
          last.total_score - first.total_score
        )
        for (const { after, before, bySite, byRubric } of shift?.criteria ?? [])
          assert.strictEqual((byRubric ?? 0) + (bySite ?? 0), after - before)
      })
    )
  })
})
