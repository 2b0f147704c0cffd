import * as Effect from "effect/Effect"
import type { CriterionOutcome } from "../../engine/store/corpus/OutcomeCounts.ts"
import type { FencingToken, NewRun, Run, RunError } from "../../engine/store/runs/Run.ts"
import { type RunResult, RunStore } from "../../engine/store/runs/RunStore.ts"

/** A run of a documentation site at `host`. */
export const newRun = (host: string, over: Partial<NewRun> = {}): NewRun => ({
  url: `https://${host}`,
  site: host.replace(/^www\./, ""),
  domain: host.split(".").slice(-2).join("."),
  rubricDigest: "sha256:first",
  ...over
})

/** Outcomes that follow from a score, so that the corpus can be computed again from scores alone. */
export const outcomesOf = (score: number): ReadonlyArray<CriterionOutcome> => [
  score >= 50 ? { id: "A1", state: "present", score: 2, max: 2 } : { id: "A1", state: "absent", score: 0, max: 2 },
  { id: "A2", state: score % 7 === 0 ? "inconclusive" : "partial", score: score % 3, max: 3 },
  ...(score % 2 === 0 ? [{ id: "C10", state: "not_applicable" as const, score: 0, max: 4 }] : [])
]

export const resultOf = (totalScore: number, over: Partial<RunResult> = {}): RunResult => ({
  encoded: `{"total_score":${totalScore},"note":"grün, ✓"}\n`,
  totalScore,
  reliable: true,
  outcomes: outcomesOf(totalScore),
  generator: null,
  facts: [
    {
      criterion: "A1",
      plugin: "a1-llms-txt",
      revision: 2,
      params: { sample: 20 },
      facts: { h1: 1, listed: true, kind: "index" }
    }
  ],
  exchanges: [
    { method: "GET", url: "https://docs.example.com/llms.txt", status: 200, sha256: "ab".repeat(32), size: 1_234 }
  ],
  durationMs: 12_345,
  requests: 67,
  bytes: 8_900_000_000,
  ...over
})

/** The attempt at a run that `worker` was the only one to begin. */
export const holdOf = (id: string, worker = "worker", attempt = 1): FencingToken => ({ id, worker, attempt })

/** Begins a run and finishes it; false where it cannot be begun. */
export const finish = (id: string, result: RunResult) =>
  RunStore.use((store) =>
    Effect.flatMap(store.begin(id, "worker"), (begun) =>
      begun === null ? Effect.succeed(false) : store.finish(begun.hold, result)
    )
  )

/** Begins a run and ends it in an error; false where it cannot be begun. */
export const fail = (id: string, error: RunError) =>
  RunStore.use((store) =>
    Effect.flatMap(store.begin(id, "worker"), (begun) =>
      begun === null ? Effect.succeed(false) : store.fail(begun.hold, error)
    )
  )

/** Accepts a run and finishes it. */
export const audited = Effect.fnUntraced(function* (
  run: NewRun,
  score: number,
  reliable = true
): Effect.fn.Return<Run, unknown, RunStore> {
  const store = yield* RunStore
  const { id } = yield* store.accept(run)
  yield* finish(id, resultOf(score, { reliable }))
  const done = yield* store.find(id)
  return done ?? (yield* Effect.die("a finished run is not found"))
})
