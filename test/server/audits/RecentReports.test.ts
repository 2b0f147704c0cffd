import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { formatInstant } from "../../../engine/store/database/ColumnValues.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { makeRecentReports } from "../../../server/audits/Submissions.ts"

const HOUR_MS = 3_600_000
const URL = "https://docs.example.com"

const runOf = (finishedMs: number): Run => ({
  id: "run",
  status: "done",
  url: URL,
  site: "docs.example.com",
  domain: "example.com",
  rubricDigest: "sha256:rubric",
  asAgents: false,
  startedAt: formatInstant(0),
  finishedAt: formatInstant(finishedMs * 1_000),
  attempts: 1,
  progress: { done: 1, total: 1 },
  totalScore: 70,
  reliable: true,
  error: null
})

describe("recent reports", () => {
  it.effect(
    "answer for the window since the end of the audit, and not at all once the clock is set back to before it",
    () =>
      Effect.gen(function* () {
        const { find, generation, remember } = yield* makeRecentReports(600_000)
        yield* TestClock.setTime(5 * HOUR_MS)
        yield* remember(runOf(5 * HOUR_MS), generation())
        assert.strictEqual(yield* find(URL), "run")
        yield* TestClock.setTime(5 * HOUR_MS - 10_000)
        assert.strictEqual(yield* find(URL), "run")
        yield* TestClock.setTime(0)
        assert.isNull(yield* find(URL))
        yield* TestClock.setTime(5 * HOUR_MS + 600_000)
        assert.isNull(yield* find(URL))
      })
  )
})
