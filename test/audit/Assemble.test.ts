import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { assembleReport, type ReportParts } from "../../engine/audit/Assemble.ts"
import type { MeasuredCriterion } from "../../engine/audit/Measure.ts"
import type { CriterionResult, ReliabilityFlag } from "../../engine/audit/Report.ts"
import type { Finding } from "../../engine/plugin/Criterion.ts"
import type { FactRecord } from "../../engine/plugin/Fact.ts"
import type { Fault } from "../../engine/evidence/Exchange.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { edited, smallPlugins } from "../rubric/smallRubric.ts"

/** The small rubric in format 2: A1 has two steps and a recipe, B1 needs A1 and an HTTP API. */
const text = [
  ["format: 1", "format: 2"],
  [
    "[Add links.]",
    `[{ do: Add links., unless: "facts.links >= 3" }, { do: Repair links., unless: "facts.alive >= 0.9" }], recipes: { sphinx: { do: Use it., url: "https://www.sphinx-doc.org/" } }`
  ],
  ["        params: {}", "        needs: [A1]\n        applies: site.http_api\n        params: {}"]
].reduce<string | undefined>((rubric, [from = "", to = ""]) => edited(from, to, rubric), undefined)

const rubric = Effect.runSync(loadRubric(new TextEncoder().encode(text), "small", smallPlugins))

const at = (url: string): Fault => ({
  _tag: "Fault",
  asked: { method: "GET", url, accept: "*/*", agent: "docgauge" },
  url,
  kind: "dns",
  message: "no such host",
  redirects: []
})

const finding = (url: string, message = "Something.", good = false): Finding => ({ good, message, proof: at(url) })

const measured = (
  facts: FactRecord | null,
  findings: MeasuredCriterion["findings"] = [finding("https://docs.example.com/")]
): MeasuredCriterion => ({ facts, uncertain: {}, unanswered: [], findings, pluginFailed: false })

interface Given {
  readonly a1?: MeasuredCriterion
  readonly b1?: MeasuredCriterion
  readonly flags?: ReadonlyArray<ReliabilityFlag>
  readonly generator?: ReportParts["generator"]
}

const NOTHING = measured({ kind: "none", open: false })

const reportOf = ({ a1 = measured({ links: 3, alive: 0.5 }), b1 = NOTHING, flags = [], generator = null }: Given) =>
  assembleReport({
    url: "https://docs.example.com",
    date: "2026-11-21",
    rubric,
    signals: [],
    generator,
    routes: null,
    outcomes: new Map([
      ["A1", a1],
      ["B1", b1],
      ["B2", NOTHING]
    ]),
    reliability: { reliable: true, coverage: 1, flags, skipped: [] },
    pages: ["/", "/guide"].map((path) => ({
      url: `https://docs.example.com${path}`,
      status: 200,
      title: "",
      bytes: 8,
      boilerplate: 0.5,
      content: 0.4,
      tokens: { html: 2, markdown: null }
    })),
    drift: { compared: 0, agreeing: 0, false: 0, not_compared: 0, findings: [] },
    requests: { count: 2, bytes: 16 }
  })

const criterion = (given: Given, id: string): CriterionResult | undefined =>
  reportOf(given).criteria.find((each) => each.id === id)

describe("a criterion in the report", () => {
  it("advises the steps that the facts show to be left, and lists the others as done", () => {
    expect(criterion({}, "A1")?.remedy).toMatchObject({ steps: ["Repair links."], steps_done: ["Add links."] })
  })

  it("has no remedy at full points", () => {
    expect(criterion({ a1: measured({ links: 3, alive: 1 }) }, "A1")?.remedy).toBeNull()
  })

  it("advises nothing if it is inconclusive", () => {
    expect(criterion({ a1: measured(null) }, "A1")).toMatchObject({
      status: "inconclusive",
      remedy: { steps: [], steps_done: [] }
    })
  })

  it("has the recipe of the site's generator, and none for another", () => {
    expect(criterion({ generator: "sphinx" }, "A1")?.remedy?.recipe).toEqual({
      generator: "sphinx",
      do: "Use it.",
      url: "https://www.sphinx-doc.org/"
    })
    expect(criterion({ generator: "mkdocs" }, "A1")?.remedy?.recipe).toBeUndefined()
  })

  it("is blocked while it and what it needs earn nothing", () => {
    expect(criterion({ a1: measured({ links: 0, alive: 0 }) }, "B1")?.blocked_by).toEqual(["A1"])
    expect(criterion({}, "B1")?.blocked_by).toEqual([])
    expect(
      criterion({ a1: measured({ links: 0, alive: 0 }), b1: measured({ kind: "best", open: true }) }, "B1")?.blocked_by
    ).toEqual([])
  })

  it("does not apply if it is absent on a site without an HTTP API; its status and the total stay", () => {
    const report = reportOf({ flags: ["no_http_api"] })
    expect(report.criteria.map(({ applicable, status }) => [status, applicable])).toEqual([
      ["partial", true],
      ["absent", false]
    ])
    expect([report.total_score, report.max_score, report.applicable_score]).toEqual([20, 100, { score: 20, max: 60 }])
    expect(report.fix_first?.map(({ id }) => id)).toEqual(["A1"])
    expect(criterion({ flags: ["no_http_api"], b1: measured(null) }, "B1")).toMatchObject({
      status: "inconclusive",
      applicable: true
    })
  })

  it("keeps at most 200 findings, and says how many it leaves out", () => {
    const many = Array.from({ length: 250 }, (_, index) => finding(`https://docs.example.com/${index}`))
    const result = criterion(
      { a1: measured({ links: 3, alive: 0.5 }, [finding("https://docs.example.com/"), ...many]) },
      "A1"
    )
    expect([result?.findings?.length, result?.findings_left_out, result?.evidence.length]).toEqual([200, 51, 5])
  })

  it("keeps findings with endless URLs within 60,000 characters", () => {
    const long = Array.from({ length: 50 }, (_, index) =>
      finding(`https://docs.example.com/${"x".repeat(4_000)}${index}`)
    )
    const result = criterion(
      { a1: measured({ links: 3, alive: 0.5 }, [finding("https://docs.example.com/"), ...long]) },
      "A1"
    )
    expect(JSON.stringify(result?.findings).length).toBeLessThan(64_000)
    expect((result?.findings?.length ?? 0) + (result?.findings_left_out ?? 0)).toBe(51)
  })
})

describe("the report", () => {
  it("names the criteria that each page fails, by findings after the summary", () => {
    const a1 = measured({ links: 3, alive: 0.5 }, [
      finding("https://docs.example.com/"),
      finding("https://docs.example.com/guide"),
      finding("https://docs.example.com/", "Good.", true)
    ])
    expect(reportOf({ a1 }).pages?.map(({ failed }) => failed)).toEqual([[], ["A1"]])
  })

  it("lists what to fix, with what has to wait for it, and the points that all of it gains", () => {
    expect(reportOf({ a1: measured({ links: 0, alive: 0 }) }).fix_first).toEqual([
      { id: "A1", gain: 100, own: 60, effort: "low", includes: ["B1"] }
    ])
    expect(reportOf({}).fix_first).toEqual([
      { id: "A1", gain: 40, own: 40, effort: "low", includes: [] },
      { id: "B1", gain: 40, own: 40, effort: "high", includes: [] }
    ])
  })
})
