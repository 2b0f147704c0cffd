import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { QueueFull } from "../../../engine/schedule/Admission.ts"
import { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { TooManyRequests, Unavailable, UNAVAILABLE_SECONDS, BadRequest, InputCheck } from "../../api/Errors.ts"
import { queueFullMessage, refusalMessage } from "../../audits/RefusalMessages.ts"
import { withRequestId } from "../request/RequestIds.ts"
import { type LimitRefusal, rateLimitHeaders } from "../../../engine/limit/LimitDecision.ts"
import { JSON_TYPE } from "../../response/CommonHeaders.ts"
import { sharePath } from "../../audits/FinishedRuns.ts"
import type * as Layer from "effect/Layer"
import * as SchemaIssue from "effect/SchemaIssue"
import type { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** The first thing that is wrong with a request: the keys that lead to it, and what. */
export const firstIssue = (
  issue: SchemaIssue.Issue
): { readonly path: ReadonlyArray<string>; readonly message: string } => {
  const { message, path = [] } = issuesOf(issue).issues[0] ?? { message: "invalid" }
  return { path: path.map((segment) => String(typeof segment === "object" ? segment.key : segment)), message }
}

const PLACES: Readonly<Record<string, string>> = {
  Params: "path parameter",
  Query: "query parameter",
  Headers: "header"
}

/** What each parameter of the contract has to be. */
const EXPECTED: Readonly<Record<string, string>> = {
  id: "a UUID",
  baseline: "a UUID",
  cursor: "an RFC 3339 timestamp, such as 2026-11-20T08:15:30Z (write + as %2B)",
  async: "true or false",
  window: "7d, 30d or all",
  order: "best or worst",
  bucket: "30d, 90d or 12m",
  base_url: "a URL of at most 2,048 characters, given once",
  sites: "a list of sites separated by commas, given once",
  slug: "the name of a dashboard"
}

/** Names the wrong parameter, and repeats nothing that the client sent. */
const messageOf = ({ cause, kind }: HttpApiSchemaError): string => {
  const [name = ""] = firstIssue(cause.issue).path
  return `The ${PLACES[kind] ?? "value"} ${name} has to be ${EXPECTED[name] ?? "given once, in the form that the contract defines"}.`
}

/** Invalid requests get a 400; invalid responses stay a fault of ours. */
export const layerInputCheck: Layer.Layer<InputCheck> = HttpApiMiddleware.layerSchemaErrorTransform(
  InputCheck,
  (error) =>
    error.kind === "Body" || error.kind === "ResponseHeaders"
      ? Effect.die(error)
      : Effect.fail(new BadRequest({ error: messageOf(error) }))
)

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
