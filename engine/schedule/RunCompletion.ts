import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { StoreUnavailable } from "../store/database/StoreUnavailable.ts"
import { isOver, type Run } from "../store/runs/Run.ts"
import type { RunStore } from "../store/runs/RunStore.ts"

export interface RunCompletion {
  /** The run once it is over; `null` if it does not exist. An interrupted caller does not affect the others. */
  readonly awaitOver: (runId: string) => Effect.Effect<Run | null, StoreUnavailable>
  /** Wakes the callers that wait for the run. Call it when the run is over. */
  readonly notify: (runId: string) => Effect.Effect<void>
}

/** The callers that wait for one run. */
interface Waiter {
  readonly latch: Latch.Latch
  callers: number
}

/** Another process may finish the run, so the store is polled, too. */
const POLL_INTERVAL = "1 second"

export const makeRunCompletion = (store: RunStore["Service"]): RunCompletion => {
  const waiters = new Map<string, Waiter>()

  const join = (runId: string) =>
    Effect.sync((): Waiter => {
      const waiter = waiters.get(runId) ?? { latch: Latch.makeUnsafe(), callers: 0 }
      waiter.callers += 1
      waiters.set(runId, waiter)
      return waiter
    })

  const leave = (runId: string, waiter: Waiter) =>
    Effect.sync(() => {
      waiter.callers -= 1
      if (waiter.callers === 0) waiters.delete(runId)
    })

  const poll = Effect.fnUntraced(function* (runId: string, { latch }: Waiter) {
    while (true) {
      const run = yield* store.find(runId)
      if (run === null || isOver(run)) return run
      yield* Effect.raceFirst(latch.await, Effect.sleep(POLL_INTERVAL))
    }
  })

  return {
    awaitOver: (runId) =>
      Effect.acquireUseRelease(
        join(runId),
        (waiter) => poll(runId, waiter),
        (waiter) => leave(runId, waiter)
      ),
    notify: (runId) =>
      Effect.sync(() => {
        waiters.get(runId)?.latch.openUnsafe()
      })
  }
}
