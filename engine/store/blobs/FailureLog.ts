import * as Effect from "effect/Effect"

/** For an effect that is repeated: logs its first failure with the cause, and the first success after it. */
export const makeFailureLog = (failed: string, recovered: string) => {
  let isFailing = false
  const change = (to: boolean, log: Effect.Effect<void>): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (isFailing === to) return Effect.void
      isFailing = to
      return log
    })
  return <A, E extends { readonly message: string }, R>(
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<void, never, R> =>
    Effect.matchEffect(effect, {
      onFailure: ({ message }) => change(true, Effect.logWarning(`${failed} ${message}`)),
      onSuccess: () => change(false, Effect.logInfo(recovered))
    })
}
