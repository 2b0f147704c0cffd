import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { InputCheck } from "../api/InputCheck.ts"
import { isolated } from "./Isolated.ts"

/** A group of the contract, isolated from the service but for the check that the contract itself asks for. */
export const lightGroup = <Group, E, Failure, R>(
  group: Effect.Effect<Layer.Layer<Group, Failure, InputCheck>, E, R>
): Layer.Layer<Group, E | Failure, Exclude<R, Scope.Scope> | InputCheck> =>
  Layer.effectContext(Effect.gen(function*() {
    const layer = yield* group
    const services = Context.make(InputCheck, yield* InputCheck).pipe(Context.add(Scope.Scope, yield* Effect.scope))
    return yield* isolated(Layer.build(layer), services)
  }))
