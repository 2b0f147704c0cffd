import * as Effect from "effect/Effect"
import { RunStore } from "../../store/runs/RunStore.ts"
import type { Run } from "../../store/runs/Run.ts"
import { OPERATORS_FROM } from "./FairTag.ts"
import { makeLocalClaims } from "./LocalClaims.ts"
import type { QueueStore } from "./QueueStore.ts"
import { classesAfter, type Submitter, type SubmitterClass } from "./Submitter.ts"

/** The place of a run in the queue. */
interface Place {
  readonly submitter: Submitter
  readonly tag: number
}

/** The queue of a process without a database, in the same order as the others. */
export const makeMemoryQueue: Effect.Effect<QueueStore, never, RunStore> = Effect.gen(function* () {
  const store = yield* RunStore
  const claims = makeLocalClaims()
  // By run, in the order of acceptance: a Map keeps the order of insertion.
  const places = new Map<string, Place>()
  let lastClass: SubmitterClass = "operator"

  /** Drops the places of runs that are over. */
  const unfinished = Effect.map(store.unfinished(Number.MAX_SAFE_INTEGER), (found) => {
    const runs = new Map(found.map(({ run }) => [run.id, run]))
    for (const id of places.keys()) if (!runs.has(id)) places.delete(id)
    return [...places].flatMap(([id, place]) => {
      const run = runs.get(id)
      return run === undefined ? [] : [{ run, ...place }]
    })
  })

  const offer = Effect.fnUntraced(function* ({ id }: Run, submitter: Submitter) {
    const all = yield* unfinished
    const ofClass = all.filter((one) => one.submitter.class === submitter.class)
    const tags = (of: typeof all): ReadonlyArray<number> => of.map(({ tag }) => tag)
    const waiting = tags(ofClass.filter(({ run }) => run.status === "pending"))
    const last = Math.max(
      submitter.class === "guest" ? 0 : OPERATORS_FROM,
      ...tags(all.filter((one) => one.submitter.key === submitter.key)),
      ...tags(ofClass.filter(({ run }) => run.status === "running")),
      waiting.length === 0 ? 0 : Math.min(...waiting) - 1
    )
    places.set(id, { submitter, tag: last + 1 })
  })

  const claim = Effect.fnUntraced(function* () {
    const busy = new Set(claims.domains())
    const free = (yield* unfinished).filter(({ run }) => run.status === "pending" && !busy.has(run.domain))
    for (const its of classesAfter(lastClass)) {
      const ofClass = free.filter(({ submitter }) => submitter.class === its)
      const lowest = Math.min(...ofClass.map(({ tag }) => tag))
      const next = ofClass.find(({ tag }) => tag === lowest)
      if (next === undefined) continue
      lastClass = its
      return yield* claims.add(next.run)
    }
    return null
  })

  return {
    ...claims,
    offer,
    load: ({ key, within }) =>
      Effect.map(unfinished, (all) => ({
        waiting: all.filter(({ run }) => run.status === "pending").length,
        ofSubmitter: all.filter(({ submitter }) => submitter.key === key).length,
        ofNetworks: within.map((prefix) => all.filter(({ submitter }) => submitter.key.startsWith(prefix)).length)
      })),
    claim,
    // No other process could have died.
    recover: Effect.succeed(0),
    afterCommit: (effect) => effect
  }
})
