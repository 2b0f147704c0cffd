import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { compareReports, ForeignReport } from "../../../engine/audit/compare/Compare.ts"
import { BASE, someReport } from "../SomeReport.ts"

const theirs = (criteria: ForeignReport["criteria"]): ForeignReport => ({ base_url: BASE, total_score: 7, criteria })

describe("another auditor's report", () => {
  it("is read for the fields that the specification fixes; what else it has is passed over", () => {
    const read = Schema.decodeUnknownSync(ForeignReport)
    const least = { base_url: BASE, total_score: 7, criteria: [{ id: "A1", status: "present", score: 3 }] }
    expect(read({ ...least, model: "some-model", criteria: [{ ...least.criteria[0], reasoning: "long" }] })).toEqual(
      least
    )
  })

  it.each([
    ["no criteria", { base_url: BASE, total_score: 7 }],
    ["a score in words", { base_url: BASE, total_score: "seven", criteria: [] }],
    ["a score that is no number", { base_url: BASE, total_score: Number.NaN, criteria: [] }],
    ["a criterion without an id", { base_url: BASE, total_score: 7, criteria: [{ status: "present", score: 3 }] }],
    ["a list", []]
  ])("is refused with %s", (_, report) => {
    expect(Schema.is(ForeignReport)(report)).toBe(false)
  })
})

describe("two audits side by side", () => {
  const comparison = compareReports(
    someReport(),
    theirs([
      { id: "A1", status: "full", score: 3 },
      { id: "A2", status: "full", score: 3, summary: "All there.", evidence_url: `${BASE}/llms-full.txt` },
      { id: "Z9", status: "absent", score: 0 }
    ])
  )

  it("agree where both give the same points, whatever they call it", () => {
    expect(comparison.criteria.map(({ agrees, id }) => [id, agrees])).toEqual([
      ["A1", true],
      ["A2", false],
      ["B1", false],
      ["B2", false]
    ])
    expect([comparison.agreements, comparison.shared]).toEqual([1, 2])
  })

  it("keep what each says where they differ", () => {
    expect(comparison.criteria[1]).toMatchObject({
      ours: { status: "partial", score: 1 },
      theirs: { status: "full", score: 3, summary: "All there.", evidenceUrl: `${BASE}/llms-full.txt` },
      summary: "What was seen of A2."
    })
  })

  it("name what only one has", () => {
    expect(comparison.criteria.filter(({ theirs }) => theirs === null).map(({ id }) => id)).toEqual(["B1", "B2"])
    expect(comparison.unknown).toEqual(["Z9"])
  })

  it("have their totals as they were given", () => {
    expect([comparison.ours, comparison.theirs]).toEqual([6, 7])
  })
})
