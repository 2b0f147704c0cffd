import * as Effect from "effect/Effect"
import type { NewRun, Run, RunResult } from "../../engine/store/Run.ts"
import { RunStore } from "../../engine/store/RunStore.ts"

/** A run of a documentation site at `host`. */
export const newRun = (host: string, over: Partial<NewRun> = {}): NewRun => ({
  url: `https://${host}`,
  site: host.replace(/^www\./, ""),
  domain: host.split(".").slice(-2).join("."),
  rubricDigest: "sha256:first",
  ...over
})

export const resultOf = (totalScore: number, over: Partial<RunResult> = {}): RunResult => ({
  encoded: `{"total_score":${totalScore},"note":"grün, ✓"}\n`,
  totalScore,
  facts: [{ criterion: "A1", plugin: "a1-llms-txt", revision: 2, params: { sample: 20 }, facts: { h1: 1, listed: true, kind: "index" } }],
  exchanges: [{ method: "GET", url: "https://docs.example.com/llms.txt", status: 200, sha256: "ab".repeat(32), size: 1_234 }],
  durationMs: 12_345,
  requests: 67,
  bytes: 8_900_000_000,
  ...over
})

/** Accepts a run and finishes it. */
export const audited = Effect.fnUntraced(function*(run: NewRun, score: number): Effect.fn.Return<Run, unknown, RunStore> {
  const store = yield* RunStore
  const { id } = yield* store.accept(run)
  yield* store.begin(id, "worker")
  yield* store.finish(id, resultOf(score))
  const done = yield* store.find(id)
  return done ?? (yield* Effect.die("a finished run is not found"))
})
