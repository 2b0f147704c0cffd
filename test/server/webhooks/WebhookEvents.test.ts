import { describe, expect, it } from "vitest"
import type { JudgedRun } from "../../../engine/store/runs/RunHistory.ts"
import { judged, outcome, runOf } from "../audits/MadeRuns.ts"
import { changesSince } from "../../../server/audits/RunChanges.ts"
import { LARGEST_MESSAGE, runMessage } from "../../../server/webhooks/WebhookEvents.ts"

const BASE = "https://gauge.dev"

const TITLES = new Map([["C4", "Give complete examples"]])

const told = (now: JudgedRun, before?: JudgedRun, titles: ReadonlyMap<string, string> = TITLES) => {
  const changes = changesSince(now, before, (one, other) => one.rubricDigest === other.rubricDigest)
  return runMessage("score.fell", { base: BASE, now, changes, titles })
}

describe("the message of an event", () => {
  it("says what fell, what was lost and what was gained since the audit before", () => {
    const message = told(
      judged(runOf(2, 68), outcome("C4", 1), outcome("A1", 2), outcome("A2", 0, "inconclusive")),
      judged(runOf(1, 70), outcome("C4", 4), outcome("A1", 1), outcome("A2", 4))
    )
    expect(JSON.parse(message)).toEqual({
      type: "score.fell",
      timestamp: "2026-11-02T10:00:09.000000Z",
      data: {
        base_url: "https://docs.example.com",
        run_id: "00000000-0000-7000-8000-000000000002",
        share_url: "https://gauge.dev/r/00000000-0000-7000-8000-000000000002",
        report_url: "https://gauge.dev/api/public/audit/00000000-0000-7000-8000-000000000002",
        total_score: 68,
        reliable: true,
        previous: { run_id: "00000000-0000-7000-8000-000000000001", total_score: 70 },
        delta: -2,
        lost: [{ id: "C4", title: "Give complete examples", from: 4, to: 1, max: 4 }],
        gained: [{ id: "A1", title: "A1", from: 1, to: 2, max: 4 }]
      }
    })
  })

  it("has no delta where a score cannot be relied on, and no previous audit where there is none that compares", () => {
    const before = judged(runOf(1, 70), outcome("C4", 4))
    const nothing = { previous: null, delta: null, lost: [], gained: [] }
    expect(JSON.parse(told(judged(runOf(2, 41, { reliable: false }), outcome("C4", 1)), before)).data).toMatchObject({
      reliable: false,
      delta: null,
      previous: { total_score: 70 },
      lost: [{ id: "C4" }]
    })
    expect(
      JSON.parse(told(judged(runOf(2, 41, { rubricDigest: "two" }), outcome("C4", 1)), before)).data
    ).toMatchObject(nothing)
    expect(JSON.parse(told(before)).data).toMatchObject(nothing)
  })

  it("stays within 20 KB whatever a rubric has, and says that it names not all", () => {
    const ids = Array.from({ length: 600 }, (_, index) => `X${index}`)
    const titles = new Map(ids.map((id) => [id, "ü\u202e".repeat(5_000)]))
    const message = told(
      judged(runOf(2, 1), ...ids.map((id) => outcome(id, 0))),
      judged(runOf(1, 99), ...ids.map((id) => outcome(id, 4))),
      titles
    )
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(LARGEST_MESSAGE)
    const { data } = JSON.parse(message)
    expect(data.cut).toBe(true)
    expect(data.lost.length).toBeGreaterThan(10)
    expect(message).not.toContain("\u202e")
  })
})
