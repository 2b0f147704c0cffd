import type { CriterionOutcome, OutcomeState } from "../../../engine/store/corpus/OutcomeCounts.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import type { JudgedRun } from "../../../engine/store/runs/RunHistory.ts"

/** A finished run of docs.example.com, of the day of November 2026 with that number. */
export const runOf = (number: number, totalScore: number, over: Partial<Run> = {}): Run => ({
  id: `00000000-0000-7000-8000-00000000000${number}`,
  status: "done",
  url: "https://docs.example.com",
  site: "docs.example.com",
  domain: "example.com",
  rubricDigest: "one",
  asAgents: false,
  startedAt: `2026-11-0${number}T10:00:00.000000Z`,
  finishedAt: `2026-11-0${number}T10:00:09.000000Z`,
  attempts: 1,
  progress: { done: 32, total: 32 },
  totalScore,
  reliable: true,
  error: null,
  ...over
})

/** Of at most four points. */
export const outcome = (id: string, score: number, state: OutcomeState = "partial"): CriterionOutcome => ({
  id,
  score,
  max: 4,
  state
})

export const judged = (run: Run, ...outcomes: ReadonlyArray<CriterionOutcome>): JudgedRun => ({ run, outcomes })
