import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * Runs an effect with these services and no others. What handles requests is made so: each of them copies the services
 * around its handler, which has what it needs already, and copying all of a service's parts takes longer than most answers.
 */
export const isolated = <A, E, R>(effect: Effect.Effect<A, E, R>, services: Context.Context<R>): Effect.Effect<A, E> => {
  const replaced: (around: Context.Context<never>) => Context.Context<R> = () => services
  return Effect.updateContext(effect, replaced)
}
