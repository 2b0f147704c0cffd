import * as Effect from "effect/Effect"
import type { Run } from "../store/runs/Run.ts"
import { RunStore } from "../store/runs/RunStore.ts"
import type { Claim, QueueStore } from "./QueueStore.ts"
import { Leases } from "./Leases.ts"
import { monotonicMillis } from "../process/MonotonicClock.ts"
import type { Submitter, SubmitterClass } from "./turns/Submitter.ts"
import { classesAfter } from "./turns/TurnOrder.ts"

/** The queue of a process without a database, in the same order as `SqlQueue`. */
export const makeMemoryQueue: Effect.Effect<QueueStore, never, RunStore | Leases> = Effect.gen(function* () {
  const store = yield* RunStore
  const leases = yield* Leases
  // By run, in the order of acceptance: a Map keeps the order of insertion.
  const submitters = new Map<string, Submitter>()
  // In the order of turns: a submitter is inserted again after its turn.
  const turns = new Map<string, SubmitterClass>()
  let lastClass: SubmitterClass = "operator"

  const unfinished = Effect.map(store.unfinished(Number.MAX_SAFE_INTEGER), (runs) => runs.map(({ run }) => run))
  const keyOf = (run: Run): string => submitters.get(run.id)?.key ?? ""

  /** Drops finished runs, and submitters without runs. */
  const prune = (runs: ReadonlyArray<Run>): void => {
    const ids = new Set(runs.map(({ id }) => id))
    for (const id of submitters.keys()) if (!ids.has(id)) submitters.delete(id)
    const keys = new Set(runs.map(keyOf))
    for (const key of turns.keys()) if (!keys.has(key)) turns.delete(key)
  }

  /** The waiting runs, next one first. */
  const inOrder = (runs: ReadonlyArray<Run>): ReadonlyArray<Run> => {
    const pending = new Map(runs.filter(({ status }) => status === "pending").map((run) => [run.id, run]))
    const waiting = Map.groupBy(
      [...submitters.keys()].flatMap((id) => pending.get(id) ?? []),
      keyOf
    )
    return classesAfter(lastClass).flatMap((wanted) =>
      [...turns].filter(([, its]) => its === wanted).flatMap(([key]) => waiting.get(key) ?? [])
    )
  }

  const claim = Effect.fnUntraced(function* (held: ReadonlySet<string>) {
    const askedAt = yield* monotonicMillis
    const runs = yield* unfinished
    prune(runs)
    for (const run of inOrder(runs)) {
      if (held.has(run.id) || !(yield* leases.take(run.domain, run.id))) continue
      const { class: its, key } = submitters.get(run.id) ?? { class: "guest" as const, key: "" }
      turns.delete(key)
      turns.set(key, its)
      lastClass = its
      const claimed: Claim = { run, endsAt: askedAt + leases.validMs }
      return claimed
    }
    return null
  })

  return {
    offer: (runId, submitter) =>
      Effect.sync(() => {
        submitters.set(runId, submitter)
        if (!turns.has(submitter.key)) turns.set(submitter.key, submitter.class)
      }),
    load: ({ key, within }) =>
      Effect.map(unfinished, (runs) => ({
        waiting: runs.filter(({ status }) => status === "pending").length,
        ofSubmitter: runs.filter((run) => keyOf(run) === key).length,
        ofNetworks: within.map((prefix) => runs.filter((run) => keyOf(run).startsWith(prefix)).length)
      })),
    claim,
    // There is no other process, whose rubric could differ.
    announce: () => Effect.void,
    // No other process could have died.
    recover: () => Effect.succeed(0),
    afterCommit: (effect) => effect
  }
})
