import { describe, expect, it } from "vitest"
import { lostPoints } from "../../../cli/gate/Baseline.ts"
import { changeNote, gateFailure, judgeGoals, type Goals, NO_GOALS, type Waiver } from "../../../cli/gate/Gates.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { someCriterion, someReport } from "../../audit/SomeReport.ts"

/** 4 of 9 points; B2, with three points, could not be checked. */
const report = someReport({
  total_score: 4,
  categories: {
    A_discovery: { score: 4, max: 6, title: "Discovery" },
    B_page_artifacts: { score: 0, max: 6, title: "Page artifacts" }
  }
})

/** The same site where B2 was checked and has these points. */
const checked = (score: number): AuditReport =>
  someReport({
    ...report,
    total_score: 4 + score,
    criteria: [
      ...report.criteria.filter(({ id }) => id !== "B2"),
      someCriterion({ id: "B2", status: score === 0 ? "absent" : score === 3 ? "present" : "partial", score })
    ]
  })

const judged = (
  goals: Partial<Goals>,
  options: {
    readonly report?: AuditReport
    readonly baseline?: AuditReport
    readonly waivers?: ReadonlyArray<Waiver>
  } = {}
) =>
  gateFailure(
    judgeGoals(options.report ?? report, options.baseline ?? null, { ...NO_GOALS, ...goals }, options.waivers)
  )

const WAIVED: ReadonlyArray<Waiver> = [{ criterion: "B2", reason: "Only the server can", until: null }]
const EXPIRED: ReadonlyArray<Waiver> = [{ criterion: "A2", reason: "Later", until: "2020-01-01" }]
const unreliable: AuditReport = { ...report, reliability: { ...report.reliability, reliable: false } }

describe("a goal for the score that is higher than the points that apply", () => {
  const other = someReport({ ...checked(3), applicable_score: { score: 7, max: 8 } })

  it("says that no fix reaches it, and which goal can be reached", () => {
    expect(judged({ score: 9 }, { report: other })).toEqual({
      code: 1,
      messages: [
        "the score is 7, below the goal of 9. Only 8 points apply to this site, so no fix reaches it: set a goal of at most 8, or waive what does not apply."
      ]
    })
    expect(judged({ score: 8 }, { report: other })).toEqual({
      code: 1,
      messages: ["the score is 7, below the goal of 8."]
    })
  })
})

describe("a goal whose points a limit of ours left open", () => {
  const open = someReport({
    ...report,
    criteria: report.criteria.map((criterion) =>
      criterion.id === "B2" ? someCriterion({ ...criterion, reason: "our_limit" }) : criterion
    )
  })

  it.each([
    ["of the criterion", { criteria: { B2: "present" } }],
    ["of the score", { score: 7 }],
    ["of its category", { categories: { B: 3 } }],
    ["of the drop", { maxDrop: 0 }]
  ] as const)("is met as far as these points reach: %s", (_, goals) => {
    expect(judged(goals, { report: open, baseline: checked(3) })).toBeNull()
  })

  it("is missed if the score misses it with them, which the message says", () => {
    expect(judged({ score: 8, categories: { B: 4 } }, { report: open })).toEqual({
      code: 1,
      messages: [
        "the score is 4 (at most 3 more with what limits of ours left open), below the goal of 8.",
        "category B Page artifacts has 0 of 6 points (at most 3 more with what limits of ours left open), below the goal of 4."
      ]
    })
  })
})

describe("a goal that hangs on a criterion that could not be checked", () => {
  it.each([
    [
      "of the criterion",
      { criteria: { B2: "partial" } },
      "B2 could not be checked, and the goal is partial. What was seen of B2. If it cannot be checked here, waive B2."
    ],
    [
      "of the score",
      { score: 7 },
      "the score is 4, and 3 more points could not be checked (B2), so it is not known whether it reaches the goal of 7."
    ],
    [
      "of its category",
      { categories: { B: 1 } },
      "category B Page artifacts has 0 of 6 points, and 3 more could not be checked (B2), so it is not known whether it reaches the goal of 1."
    ]
  ] as const)("is neither met nor missed, exit code 4: %s", (_, goals, message) => {
    expect(judged(goals)).toEqual({ code: 4, messages: [expect.stringContaining(message)] })
  })

  it("is met where it is met without those points", () => {
    expect(judged({ score: 4, categories: { A: 4 } })).toBeNull()
  })

  it("is missed where all of those points would not be enough", () => {
    expect(judged({ score: 8 })).toEqual({ code: 1, messages: ["the score is 4, below the goal of 8."] })
    expect(judged({ categories: { B: 4 } })).toMatchObject({ code: 1 })
  })

  it("is met where the criterion is waived", () => {
    expect(judged({ score: 7, criteria: { B2: "present" }, categories: { B: 3 } }, { waivers: WAIVED })).toBeNull()
  })

  it("does not hide another goal that is missed", () => {
    expect(judged({ score: 8, criteria: { B2: "partial" } })).toMatchObject({
      code: 1,
      messages: [expect.stringContaining("below the goal of 8"), expect.stringContaining("could not be checked")]
    })
  })
})

describe("a drop since the baseline", () => {
  it("is neither too large nor allowed where it hangs on what could not be checked", () => {
    expect(judged({ maxDrop: 0 }, { baseline: checked(2) })).toEqual({
      code: 4,
      messages: [
        expect.stringContaining(
          "the score was 6 in the baseline and is 4 now, and B2 could be checked in only one of them, so it is not known whether it dropped by more than 0."
        )
      ]
    })
    expect(judged({ maxDrop: 0 }, { report: checked(1), baseline: report })).toMatchObject({ code: 4 })
  })

  it("is allowed where it is small enough without those points, and too large where it is not with all of them", () => {
    expect(judged({ maxDrop: 2 }, { baseline: checked(2) })).toBeNull()
    expect(judged({ maxDrop: 0 }, { report: checked(3), baseline: report })).toBeNull()
    const better = { ...checked(3), total_score: 12 }
    expect(judged({ maxDrop: 0 }, { baseline: better })).toEqual({
      code: 1,
      messages: ["the score dropped by 8, from 12 to 4; the goal allows a drop of 0."]
    })
  })

  it("is judged without a criterion that neither report could check", () => {
    expect(judged({ maxDrop: 0 }, { baseline: report })).toBeNull()
  })

  it("does not count what could not be checked as lost", () => {
    expect(lostPoints(report, checked(3))).toEqual([])
    expect(lostPoints(checked(1), checked(3))).toMatchObject([{ id: "B2", before: 3, after: 1 }])
  })
})

describe("a baseline that another rubric judged", () => {
  const other = { ...checked(3), rubric: { ...report.rubric, version: "1.9.0", digest: "sha256:other" } }
  const RUBRICS = `The baseline was judged by ${report.rubric.id} 1.9.0, this report by ${report.rubric.id} ${report.rubric.version}; docgauge compare tells their changes from the site's.`
  const resultOf = (goals: Partial<Goals>) => judgeGoals(checked(1), other, { ...NO_GOALS, ...goals })

  it("is named by the message of a drop, which then is no news of its own", () => {
    expect(gateFailure(resultOf({ maxDrop: 0 }))).toEqual({
      code: 1,
      messages: [
        `the score dropped by 2, from 7 to 5; the goal allows a drop of 0.\n${RUBRICS}\nLost points: B2 Criterion B2 (3 → 1).`
      ]
    })
    expect(changeNote(resultOf({ maxDrop: 0 }))).toBeNull()
  })

  it.each([
    ["where the goals are met", { maxDrop: 2 }],
    ["where another goal is missed", { maxDrop: 2, score: 9 }]
  ])("is named beside the goals %s", (_, goals) => {
    expect(changeNote(resultOf(goals))).toBe(
      `the score was 7 in the baseline and is 5 now. Lost points: B2 Criterion B2 (3 → 1). ${RUBRICS}`
    )
  })

  it("is not compared if the report is not reliable, and no news if nothing changed", () => {
    expect(changeNote(judgeGoals(unreliable, other, { ...NO_GOALS, score: 1 }))).toBeNull()
    expect(changeNote(judgeGoals(report, report, NO_GOALS))).toBeNull()
  })
})

describe("a baseline of another major version of the rubric", () => {
  const other = { ...checked(3), rubric: { ...report.rubric, version: "0.9.0", digest: "sha256:other" } }
  const result = judgeGoals(checked(1), other, { ...NO_GOALS, maxDrop: 0 })
  const told = `the score was 7 under ${report.rubric.id} 0.9.0 and is 5 under ${report.rubric.id} ${report.rubric.version}, which measures and weighs criteria differently. Record a new baseline to compare with.`

  it("does not fail the gate for the rubric's reason, and says what the score was and that a new baseline is needed", () => {
    expect(gateFailure(result)).toBeNull()
    expect(result.checks).toEqual([
      { goal: "score dropped by at most 0", outcome: "skipped", message: `the drop was not judged: ${told}` }
    ])
    expect(changeNote(result)).toBe(told)
  })

  it("leaves the other goals to be judged", () => {
    expect(gateFailure(judgeGoals(checked(1), other, { ...NO_GOALS, maxDrop: 0, score: 9 }))).toMatchObject({
      code: 1,
      messages: ["the score is 5, below the goal of 9."]
    })
  })
})

describe("a goal for drift", () => {
  const drift = {
    compared: 1_312,
    agreeing: 1_310,
    false: 2,
    not_compared: 41,
    findings: [
      {
        kind: "call",
        reason: "unknown_parameter",
        message: "/crates, line 4, sends shelve.",
        page: null,
        description: null,
        found: "shelve",
        expected: "shelf"
      }
    ]
  } as const
  const drifting: AuditReport = { ...report, drift }

  it("is met if no more is false, and else names the first finding and the command that lists all", () => {
    expect(judged({ drift: 2 }, { report: drifting })).toBeNull()
    expect(judged({ drift: 1 }, { report: drifting })).toEqual({
      code: 1,
      messages: [
        "2 of 1,312 compared examples, calls, table rows and figures are false, and the goal is at most 1. /crates, line 4, sends shelve. To list all, run docgauge drift https://docs.example.com"
      ]
    })
    expect(judged({}, { report: drifting })).toBeNull()
  })

  it("is not known to be met by a report that says nothing of drift", () => {
    expect(judged({ drift: 0 })).toMatchObject({ code: 4 })
  })

  it("is not judged on a report that is not reliable", () => {
    expect(judged({ drift: 0 }, { report: { ...unreliable, drift } })).toMatchObject({ code: 4 })
    expect(judged({ drift: 0, requireReliable: false }, { report: { ...unreliable, drift } })).toMatchObject({
      code: 1
    })
  })
})

describe("a report that is not reliable", () => {
  it("ends any goal with 4, also one that is missed, unless require_reliable is false", () => {
    expect(judged({ score: 8 }, { report: unreliable })).toMatchObject({ code: 4 })
    expect(judged({ score: 8, requireReliable: false }, { report: unreliable })).toMatchObject({ code: 1 })
    expect(judged({ score: 4, requireReliable: false }, { report: unreliable })).toBeNull()
    expect(judged({ score: 5, requireReliable: false }, { report: unreliable })).toMatchObject({ code: 4 })
  })

  it("does not hide the reason of an expired waiver, which fails with 1 where no goal is set", () => {
    expect(judged({}, { report: unreliable, waivers: EXPIRED })).toMatchObject({
      code: 1,
      messages: [expect.stringContaining("expired on 2020-01-01: Later.")]
    })
    expect(judged({ score: 1 }, { report: unreliable, waivers: EXPIRED })).toMatchObject({
      code: 4,
      messages: [expect.stringContaining("not reliable"), expect.stringContaining("expired on 2020-01-01: Later.")]
    })
  })
})
