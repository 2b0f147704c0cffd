import * as Effect from "effect/Effect"
import { QueueFull } from "../../../engine/schedule/Admission.ts"
import { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { Unavailable, UNAVAILABLE_SECONDS } from "../../api/Errors.ts"
import { queueFullMessage } from "../../audits/RefusalMessages.ts"
import { withRequestId } from "../request/RequestIds.ts"

type Temporary = StoreUnavailable | QueueFull

/** Turns a failing store or a full queue into a 503, and logs the reason. */
export const orUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, Temporary> | Unavailable, R> =>
  Effect.catch(effect, (error): Effect.Effect<never, Exclude<E, Temporary> | Unavailable> => {
    if (isOther(error)) return Effect.fail(error)
    return error instanceof QueueFull ? full(error) : unavailable(error)
  })

const isOther = <E>(error: E): error is Exclude<E, Temporary> =>
  !(error instanceof StoreUnavailable || error instanceof QueueFull)

const full = (reason: QueueFull) =>
  Effect.andThen(
    withRequestId(Effect.logWarning(`the queue is full: ${reason.message}`)),
    Effect.fail(new Unavailable({ error: queueFullMessage(reason), retryAfter: reason.retryAfter }))
  )

const unavailable = (reason: unknown) =>
  Effect.andThen(
    withRequestId(
      Effect.logWarning(`the store is unavailable: ${reason instanceof Error ? reason.message : String(reason)}`)
    ),
    Effect.fail(
      new Unavailable({ error: "The database is unavailable. Try again soon.", retryAfter: UNAVAILABLE_SECONDS })
    )
  )
