/** `docgauge/client`: the contract's operations as functions, derived from the definitions that are served. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpClient from "effect/http/HttpClient"
import { DecodeError, HttpClientError } from "effect/http/HttpClientError"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { AuditReport } from "../engine/audit/Report.ts"
import { failureOf as hopFailureOf, isUntrusted, TRUST_ISSUER } from "../engine/evidence/http/HopFailure.ts"
import { api } from "./api/Api.ts"
import type { TooManyRequests } from "./api/Errors.ts"
import type { RunBody } from "./api/Runs.ts"

/** Each operation by its `operationId`; errors are the contract's, told apart by `_tag`. */
export type DocgaugeClient = HttpApiClient.ForApi<typeof api>

/** A client of the service at `baseUrl`. It reads at most 16 MB of an answer; an archive is a stream, which its reader bounds. */
export const makeClient = (baseUrl: string): Effect.Effect<DocgaugeClient, never, HttpClient.HttpClient> =>
  HttpApiClient.make(api, { baseUrl, transformClient: HttpClient.transformResponse(Effect.map(limitedAnswer)) })

/** There is no report, and a retry would not help. */
export class RemoteAuditFailed extends Schema.TaggedError<RemoteAuditFailed>()("RemoteAuditFailed", {
  /** `refused`: the service does not audit that. `failed`: the audit ended without a report. `unreachable`: the server does not answer like a docgauge service. */
  reason: Schema.Literals(["refused", "failed", "unreachable"]),
  /** In one plain sentence. */
  message: Schema.String
}) {}

/** A run on its way. */
export type RunUnderWay = Extract<RunBody, { readonly status: "pending" | "running" }>

export interface RemoteAuditOptions {
  /** The site to audit. */
  readonly baseUrl: string
  /** Told after each poll that finds the run under way. */
  readonly onProgress?: (run: RunUnderWay) => void
}

/** The contract advises two to three seconds. */
const POLL_MS = 2_000

/** How often in a row the service may fail to answer. */
const MOST_FAILURES = 5

/** The longest that a client waits because it was told to; longer waits are the caller's to decide on. */
const LONGEST_WAIT_S = 120

/**
 * Has a site audited by a remote service: submits, polls every two seconds, waits where it is told to. Where the site
 * was audited for this network already, that run is read instead.
 */
export const auditRemotely = Effect.fn("auditRemotely")(function* (
  client: DocgaugeClient,
  { baseUrl, onProgress = () => {} }: RemoteAuditOptions
): Effect.fn.Return<AuditReport, RemoteAuditFailed> {
  const runId = yield* persistently(
    Effect.catchIf(submit(client, baseUrl), namesRun, ({ run_id }) => Effect.succeed(run_id))
  )
  while (true) {
    const run = yield* persistently(Effect.map(client.getRun({ params: { id: runId } }), ({ body }) => body))
    if (run.status === "done") return run.report
    if (run.status === "error") return yield* new RemoteAuditFailed({ reason: "failed", message: run.error })
    onProgress(run)
    yield* Effect.sleep(POLL_MS)
  }
})

/** The id of the accepted or existing run. */
const submit = (client: DocgaugeClient, baseUrl: string) =>
  Effect.map(
    client.submitAudit({ query: { async: true }, payload: { base_url: baseUrl } }),
    ({ headers }) => headers["x-audit-run-id"]
  )

const namesRun = (error: { readonly _tag: string }): error is TooManyRequests & { readonly run_id: string } =>
  error._tag === "TooManyRequests" && "run_id" in error && error.run_id !== undefined

/** Errors of an operation: the contract's, and those of the way there. */
interface OperationError {
  readonly _tag: string
  readonly error?: string
  readonly retry_after?: number
  readonly message?: string
  readonly reason?: unknown
}

/** Waits and tries again where that can help. */
const persistently = <A>(operation: Effect.Effect<A, OperationError>): Effect.Effect<A, RemoteAuditFailed> => {
  const attempt = (failures: number): Effect.Effect<A, RemoteAuditFailed> =>
    Effect.catch(operation, (error) => {
      const wait = waitAfter(error)
      if (wait === null || wait > LONGEST_WAIT_S * 1_000) return Effect.fail(failureOf(error))
      const counted = error._tag === "TooManyRequests" ? failures : failures + 1
      return counted > MOST_FAILURES
        ? Effect.fail(failureOf(error))
        : Effect.delay(
            Effect.suspend(() => attempt(counted)),
            wait
          )
    })
  return attempt(0)
}

const UNAVAILABLE_MS = 5_000

/** Milliseconds; `null` where the answer will not change. */
const waitAfter = ({ _tag, reason, retry_after }: OperationError): number | null => {
  if (_tag === "TooManyRequests") return (retry_after ?? 1) * 1_000
  if (_tag === "Unavailable") return UNAVAILABLE_MS
  return CONTRACT_ERRORS.has(_tag) ||
    isForeign(reason) ||
    tooLong(reason) !== null ||
    !HTTP.test(requestedUrl(reason) ?? "https:")
    ? null
    : POLL_MS
}

const HTTP = /^https?:/i

/** The URL of a request without an answer; `null` where there was one, or the reason is another. */
const requestedUrl = (reason: unknown): string | null => {
  if (!Predicate.hasProperty(reason, "request") || Predicate.hasProperty(reason, "response")) return null
  return Predicate.hasProperty(reason.request, "url") && typeof reason.request.url === "string"
    ? reason.request.url
    : null
}

/** A response outside the contract that is not a temporary failure: the server is not docgauge. */
const isForeign = (reason: unknown): boolean => {
  const response = Predicate.hasProperty(reason, "response") ? reason.response : undefined
  return Predicate.hasProperty(response, "status") && typeof response.status === "number" && response.status < 500
}

/** That an answer is longer than what is read of one; `null` if the reason is another. */
const tooLong = (reason: unknown): AnswerTooLong | null =>
  Predicate.hasProperty(reason, "cause") && reason.cause instanceof AnswerTooLong ? reason.cause : null

const CONTRACT_ERRORS = new Set([
  "BadRequest",
  "ForeignPage",
  "NotFound",
  "ContentTooLarge",
  "UnsupportedMediaType",
  "Unprocessable",
  "HeadersTooLarge",
  "AuditTimedOut"
])

const failureOf = ({ _tag, error, message, reason }: OperationError): RemoteAuditFailed => {
  if (CONTRACT_ERRORS.has(_tag) || _tag === "TooManyRequests")
    return new RemoteAuditFailed({ reason: "refused", message: error ?? "The service refused." })
  const url = requestedUrl(reason)
  const unanswered =
    url === null
      ? `The server does not answer like a docgauge service (${message ?? _tag}). Check its URL, and that the service is running.`
      : HTTP.test(url)
        ? (untrusted(url, reason) ??
          `There is no answer from ${url}. Check the URL of the service, and that it is running.`)
        : `${url} is not an http:// or https:// URL. Pass the service's URL with its scheme, such as https://docgauge.example.com.`
  return new RemoteAuditFailed({ reason: "unreachable", message: error ?? tooLong(reason)?.message ?? unanswered })
}

/** That the certificate of the service is not trusted; `null` if the reason is another. */
const untrusted = (url: string, reason: unknown): string | null => {
  const { message } = hopFailureOf(innermost(reason))
  return isUntrusted(message) ? `${url} could not be reached: ${message}. ${TRUST_ISSUER}` : null
}

/** What made a request fail: `fetch` wraps it once or twice. */
const innermost = (reason: unknown): unknown =>
  Predicate.hasProperty(reason, "cause") && reason.cause instanceof Error ? innermost(reason.cause) : reason

const MEGABYTE = 1024 * 1024

/** Megabytes of one answer, decompressed: reports have some 200 KB, with thousands of URLs a few megabytes. */
const ANSWER_MEGABYTES = 16

/** The cause of a failure to read an answer: it is longer than the limit. */
export class AnswerTooLong extends Data.TaggedError("AnswerTooLong")<{ readonly url: string }> {
  override get message(): string {
    return `The answer of ${this.url} is longer than ${ANSWER_MEGABYTES} MB, so the rest was not read. Check that this is the URL of a docgauge service.`
  }
}

/**
 * The answer, of which at most 16 MB are read where it is read as a whole: the server may send without an end. What is read as a
 * stream, such as an archive, is not limited.
 */
const limitedAnswer = (response: HttpClientResponse): HttpClientResponse =>
  new Proxy(response, {
    get: (target, key, receiver): unknown =>
      key === "arrayBuffer" ? beginning(target) : Reflect.get(target, key, receiver)
  })

const beginning = Effect.fnUntraced(function* (
  response: HttpClientResponse
): Effect.fn.Return<ArrayBuffer, HttpClientError> {
  const { request } = response
  const parts: Array<Uint8Array> = []
  let bytes = 0
  yield* Stream.runForEach(response.stream, (part) => {
    bytes += part.byteLength
    parts.push(part)
    return bytes <= ANSWER_MEGABYTES * MEGABYTE
      ? Effect.void
      : Effect.fail(
          new HttpClientError({
            reason: new DecodeError({ request, response, cause: new AnswerTooLong({ url: request.url }) })
          })
        )
  }).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "EmptyBodyError",
      () => Effect.void
    )
  )
  return new Uint8Array(Buffer.concat(parts, bytes)).buffer
})
