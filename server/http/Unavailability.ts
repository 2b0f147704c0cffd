import * as Effect from "effect/Effect"
import { QueueFull } from "../../engine/schedule/Admission.ts"
import { StoreUnavailable } from "../../engine/store/RunStore.ts"
import { Unavailable, UNAVAILABLE_SECONDS } from "../api/Errors.ts"
import { withRequestId } from "./RequestIds.ts"

type Temporary = StoreUnavailable | QueueFull

/** Where the store says no, or the queue is full, the client gets a 503, and the log the reason. */
export const orUnavailable = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, Temporary> | Unavailable, R> =>
  Effect.catch(effect, (error): Effect.Effect<never, Exclude<E, Temporary> | Unavailable> => {
    if (isOther(error)) return Effect.fail(error)
    return error instanceof QueueFull ? full(error) : unavailable(error)
  })

const isOther = <E>(error: E): error is Exclude<E, Temporary> => !(error instanceof StoreUnavailable || error instanceof QueueFull)

/** What is said where the queue is full. */
export const queueFullMessage = ({ message, retryAfter }: QueueFull): string => `The queue is full: ${message}. Try again in ${retryAfter} seconds.`

const full = (reason: QueueFull) =>
  Effect.andThen(
    withRequestId(Effect.logWarning(`the queue is full: ${reason.message}`)),
    Effect.fail(new Unavailable({ error: queueFullMessage(reason), retryAfter: reason.retryAfter }))
  )

const unavailable = (reason: unknown) =>
  Effect.andThen(
    withRequestId(Effect.logWarning(`the store cannot be used: ${reason instanceof Error ? reason.message : String(reason)}`)),
    Effect.fail(new Unavailable({ error: "The store cannot be used at the moment. Try again soon.", retryAfter: UNAVAILABLE_SECONDS }))
  )
