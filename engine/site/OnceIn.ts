import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Work that is done once. */
export interface Once<A> {
  /** Begins it, where nobody has, and does not wait for it. */
  readonly begin: Effect.Effect<void>
  /** What came of it; begins it, too. */
  readonly result: Effect.Effect<A>
  /** Whether there is a result: nobody waits for it any more. */
  readonly isDone: () => boolean
}

/** Work in a scope, not in the fiber of whoever asks first, so that that one may give up. */
export const onceIn = <A>(scope: Scope.Scope, work: Effect.Effect<A>): Once<A> => {
  const result = Deferred.makeUnsafe<A>()
  let begun = false
  const begin = Effect.suspend(() => {
    if (begun) return Effect.void
    begun = true
    return Effect.asVoid(Effect.forkIn(Deferred.into(work, result), scope, { startImmediately: true }))
  })
  return { begin, result: Effect.andThen(begin, Deferred.await(result)), isDone: () => Deferred.isDoneUnsafe(result) }
}
