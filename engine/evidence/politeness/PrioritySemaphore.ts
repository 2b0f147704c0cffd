import * as Effect from "effect/Effect"

/** A bounded number at once; of those that wait, the lowest rank goes first, and among equals the one that came first. */
export interface PrioritySemaphore {
  readonly inTurn: <A>(rank: number, work: Effect.Effect<A>) => Effect.Effect<A>
  /** Sets the number of permits; running work is not interrupted. */
  readonly resize: (width: number) => Effect.Effect<void>
}

interface Waiter {
  readonly rank: number
  readonly enter: () => void
}

export const makePrioritySemaphore = (most: number): PrioritySemaphore => {
  const waiting: Array<Waiter> = []
  let width = most
  let taken = 0

  const letIn = (): void => {
    while (taken < width) {
      const first = waiting.shift()
      if (first === undefined) return
      taken += 1
      first.enter()
    }
  }
  // Later, not at once: of many that are given up together, none is to be let in.
  const leave = Effect.withFiber<void>(({ currentDispatcher }) => {
    taken -= 1
    currentDispatcher.scheduleTask(letIn, 0)
    return Effect.void
  })
  const enter = (rank: number): Effect.Effect<void> =>
    Effect.callback((resume) => {
      const waiter: Waiter = { rank, enter: () => resume(Effect.void) }
      const behind = waiting.findIndex((other) => other.rank > rank)
      waiting.splice(behind === -1 ? waiting.length : behind, 0, waiter)
      letIn()
      // Interrupted: it is in line still, or was let in and has not noticed yet.
      return Effect.suspend(() => {
        const at = waiting.indexOf(waiter)
        if (at === -1) return leave
        waiting.splice(at, 1)
        return Effect.void
      })
    })

  return {
    inTurn: (rank, work) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(enter(rank)), () => Effect.ensuring(restore(work), leave))
      ),
    resize: (to) =>
      Effect.sync(() => {
        width = to
        letIn()
      })
  }
}
