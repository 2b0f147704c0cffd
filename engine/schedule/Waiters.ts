import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { Run } from "../store/Run.ts"
import type { RunStore, StoreUnavailable } from "../store/RunStore.ts"

/** Those who wait in this process for runs to be over. */
export interface Waiters {
  /** The run once it is over; `null` where there is no such run. Whoever gives up takes nothing from the others. */
  readonly awaitOver: (runId: string) => Effect.Effect<Run | null, StoreUnavailable>
  /** The run is over. */
  readonly ring: (runId: string) => Effect.Effect<void>
}

interface Bell {
  readonly latch: Latch.Latch
  waiting: number
}

/** How often the store is asked: a run may be audited by another process, which rings no bell here. */
const LOOK_AGAIN = "1 second"

export const isOver = ({ status }: Run): boolean => status === "done" || status === "error"

export const makeWaiters = (store: RunStore["Service"]): Waiters => {
  const bells = new Map<string, Bell>()

  const listen = (runId: string) =>
    Effect.sync((): Bell => {
      const bell = bells.get(runId) ?? { latch: Latch.makeUnsafe(), waiting: 0 }
      bell.waiting += 1
      bells.set(runId, bell)
      return bell
    })

  const leave = (runId: string, bell: Bell) =>
    Effect.sync(() => {
      bell.waiting -= 1
      if (bell.waiting === 0) bells.delete(runId)
    })

  const watch = Effect.fnUntraced(function*(runId: string, { latch }: Bell) {
    while (true) {
      const run = yield* store.find(runId)
      if (run === null || isOver(run)) return run
      yield* Effect.raceFirst(latch.await, Effect.sleep(LOOK_AGAIN))
    }
  })

  return {
    awaitOver: (runId) => Effect.acquireUseRelease(listen(runId), (bell) => watch(runId, bell), (bell) => leave(runId, bell)),
    ring: (runId) => Effect.sync(() => { bells.get(runId)?.latch.openUnsafe() })
  }
}
