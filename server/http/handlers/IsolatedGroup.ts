import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { InputCheck } from "../../api/Errors.ts"

/**
 * Runs an effect with only these services. Effect copies the surrounding services for every request, and copying all
 * services of the server takes longer than most responses; handlers have captured what they need already.
 */
export const withOnlyServices = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  services: Context.Context<R>
): Effect.Effect<A, E> => {
  const replaced: (around: Context.Context<never>) => Context.Context<R> = () => services
  return Effect.updateContext(effect, replaced)
}

/** A group of the contract that runs with only the input check, which the contract itself requires. */
export const isolatedGroup = <Group, E, Failure, R>(
  group: Effect.Effect<Layer.Layer<Group, Failure, InputCheck>, E, R>
): Layer.Layer<Group, E | Failure, Exclude<R, Scope.Scope> | InputCheck> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const layer = yield* group
      const services = Context.make(InputCheck, yield* InputCheck).pipe(Context.add(Scope.Scope, yield* Effect.scope))
      return yield* withOnlyServices(Layer.build(layer), services)
    })
  )
