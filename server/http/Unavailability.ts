import * as Effect from "effect/Effect"
import { StoreUnavailable } from "../../engine/store/RunStore.ts"
import { Unavailable } from "../api/Errors.ts"
import { withRequestId } from "./RequestIds.ts"

/** Where the store says no, the client gets a 503, and the log the reason. */
export const orUnavailable = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, StoreUnavailable> | Unavailable, R> =>
  Effect.catch(effect, (error): Effect.Effect<never, Exclude<E, StoreUnavailable> | Unavailable> =>
    isOther(error) ? Effect.fail(error) : unavailable(error))

const isOther = <E>(error: E): error is Exclude<E, StoreUnavailable> => !(error instanceof StoreUnavailable)

const unavailable = (reason: unknown) =>
  Effect.andThen(
    withRequestId(Effect.logWarning(`the store cannot be used: ${reason instanceof Error ? reason.message : String(reason)}`)),
    Effect.fail(new Unavailable({ error: "The store cannot be used at the moment. Try again soon." }))
  )
