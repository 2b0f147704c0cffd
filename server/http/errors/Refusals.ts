import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { QueueFull } from "../../../engine/schedule/Admission.ts"
import { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { TooManyRequests, Unavailable, UNAVAILABLE_SECONDS } from "../../api/Errors.ts"
import { queueFullMessage, refusalMessage } from "../../audits/RefusalMessages.ts"
import { withRequestId } from "../request/RequestIds.ts"
import { type LimitRefusal, rateLimitHeaders } from "../../../engine/limit/LimitDecision.ts"
import { JSON_TYPE } from "../../response/CommonHeaders.ts"
import { sharePath } from "../../audits/FinishedRuns.ts"

/** With the run to read instead, and how the site's owner can verify it, if there are. */
const bodyOf = (refusal: LimitRefusal) => ({
  error: refusalMessage(refusal),
  code: refusal.code,
  retry_after: refusal.retryAfter,
  ...(refusal.runId === null ? {} : { run_id: refusal.runId, share_url: sharePath(refusal.runId) }),
  ...(refusal.verification === undefined ? {} : { verification: refusal.verification })
})

/** A refusal as the error of the contract. */
export const tooManyRequests = (refusal: LimitRefusal): TooManyRequests => {
  const headers = rateLimitHeaders(refusal)
  return new TooManyRequests({
    ...bodyOf(refusal),
    rateLimit: headers["ratelimit"] ?? "",
    rateLimitPolicy: headers["ratelimit-policy"] ?? ""
  })
}

/** The same as a response, without encoding it by a schema: a flood of refused requests must cost little. */
export const rateLimitResponse = (refusal: LimitRefusal): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(JSON.stringify(bodyOf(refusal)), {
    status: 429,
    contentType: JSON_TYPE,
    headers: { ...rateLimitHeaders(refusal), "cache-control": "no-store" }
  })

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
