import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { errorText as error } from "./Parameters.ts"
import { auditRunId, rateLimit, rateLimitPolicy, retryAfter } from "./Headers.ts"
import { AsyncAccepted, POLL_SECONDS } from "./Runs.ts"

/*
 * The errors of the public API. Each class is the body of one status; `_tag` distinguishes them in code and is never sent.
 */

const code = <const Codes extends ReadonlyArray<string>>(codes: Codes) =>
  Schema.Literals(codes).annotate({ description: "What went wrong, for programs. Codes never change." })

const body = <Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields) =>
  Schema.Struct(fields).annotate({ identifier })

/** Why a path without the id of a run is refused, as the contract's own check says it. */
export const NO_RUN_ID = "The path parameter id has to be a UUID."

/** The request is malformed, or its URL cannot be audited. */
export class BadRequest extends Schema.Error<BadRequest>("BadRequestError")(
  body("BadRequest", {
    error,
    code: Schema.optionalKey(code(["invalid_base_url", "http_not_supported", "not_public_address"]))
  }),
  {
    httpApiStatus: 400,
    description:
      "The request is malformed (no `code`). When submitting, with a `code`: `base_url` cannot be audited. Permanent: change the request."
  }
) {
  readonly _tag = "BadRequest"
}

/** The dashboard exists, but is not public. */
export class Forbidden extends Schema.Error<Forbidden>("ForbiddenError")(body("Forbidden", { error }), {
  httpApiStatus: 403,
  description: "The dashboard is not public."
}) {
  readonly _tag = "Forbidden"
}

const ownerProof = Schema.Struct({
  owner_key: Schema.String.annotate({
    description:
      "The `owner_key` of the request, or a new one. Keep it to yourself: with it the request counts as the owner's, once its token is published."
  }),
  token: Schema.String.annotate({ description: "The token of this `owner_key` on the host of `base_url` or `url`." }),
  file: Schema.String.annotate({
    description: "Publish the token in a text file at this URL, on a line of its own…",
    format: "uri"
  }),
  meta: Schema.String.annotate({ description: "…or as this element in the `<head>` of the page at `base_url`." })
}).annotate({
  identifier: "OwnerProof",
  description:
    "With `not_owner`: what the owner of the site, or of a webhook's `url`, publishes, and sends, to be known as the owner."
})

/** How the owner of a site proves to be the one who asks. */
export type OwnerProof = typeof ownerProof.Type

/**
 * A browser sent the request for a page of another site; with a `code`, only the site's owner may ask for that. One schema, named for
 * the first of the two, because a contract of the same version may not split it.
 */
export class ForeignPage extends Schema.Error<ForeignPage>("ForeignPageError")(
  body("ForeignPage", {
    error,
    code: Schema.optionalKey(code(["not_owner"])),
    ownership: Schema.optionalKey(ownerProof),
    receiver: Schema.optionalKey(ownerProof)
  }),
  {
    httpApiStatus: 403,
    description:
      "A browser sent the request for a page of another site (no `code`). Programs can avoid this: leave out `Origin` and `Sec-Fetch-Site`. With `not_owner`: `as_agents` and webhooks are for the owner of the site alone, and `ownership` says how to prove that; of a webhook, `receiver` says the same of its `url`."
  }
) {
  readonly _tag = "ForeignPage"
}

/** The run, dashboard, archive, baseline or webhook does not exist. */
export class NotFound extends Schema.Error<NotFound>("NotFoundError")(
  body("NotFound", {
    error,
    code: Schema.optionalKey(code(["not_found"]))
  }),
  {
    httpApiStatus: 404,
    description:
      "There is no such run, archive, site or dashboard, or no webhook with that secret (`not_found`). In a comparison without `code`: the site has no earlier finished run. Of a new webhook without `code`: this service has none."
  }
) {
  readonly _tag = "NotFound"
}

/** There is no snapshot of the corpus yet. */
export class NoSnapshot extends Schema.Error<NoSnapshot>("NoSnapshotError")({
  error,
  /** Whole seconds for `Retry-After`; `null`: there will be none. */
  retryAfter: Schema.NullOr(Schema.Int)
}) {
  readonly _tag = "NoSnapshot"
}

/** The 404 as it is sent: body and headers. */
export const NoSnapshotResponse = NoSnapshot.pipe(
  HttpApiSchema.encodeToWithHeaders(
    {
      body: body("NoSnapshot", { error, code: code(["not_found"]) }).annotate({ httpApiStatus: 404 }),
      headers: { "retry-after": Schema.optionalKey(retryAfter) }
    },
    {
      decode: ({ body, headers }) =>
        new NoSnapshot({
          error: body.error,
          retryAfter: headers["retry-after"] === undefined ? null : Number(headers["retry-after"])
        }),
      encode: ({ error, retryAfter }) => ({
        body: { error, code: "not_found" as const },
        headers: retryAfter === null ? {} : { "retry-after": String(retryAfter) }
      })
    }
  )
).annotate({
  description: "There is no snapshot yet, or it is being made again: ask again after `Retry-After` seconds."
})

/** The body is larger than 16 KB. */
export class ContentTooLarge extends Schema.Error<ContentTooLarge>("ContentTooLargeError")(
  body("ContentTooLarge", { error }),
  {
    httpApiStatus: 413,
    description: "The body is larger than 16 KB."
  }
) {
  readonly _tag = "ContentTooLarge"
}

/** The body is neither JSON nor a form, or it is compressed. */
export class UnsupportedMediaType extends Schema.Error<UnsupportedMediaType>("UnsupportedMediaTypeError")(
  body("UnsupportedMediaType", { error }),
  {
    httpApiStatus: 415,
    description: "The body is neither `application/json` nor `application/x-www-form-urlencoded`, or it is compressed."
  }
) {
  readonly _tag = "UnsupportedMediaType"
}

/** The client sent its request too slowly. */
export class RequestTimedOut extends Schema.Error<RequestTimedOut>("RequestTimedOutError")(
  body("RequestTimedOut", { error }),
  {
    httpApiStatus: 408,
    description: "The request took too long to arrive."
  }
) {
  readonly _tag = "RequestTimedOut"
}

/** The header fields of the request are too large. */
export class HeadersTooLarge extends Schema.Error<HeadersTooLarge>("HeadersTooLargeError")(
  body("HeadersTooLarge", { error }),
  {
    httpApiStatus: 431,
    description: "The request has too many header fields, or more than 16 KB of them."
  }
) {
  readonly _tag = "HeadersTooLarge"
}

/** The request is valid, but cannot be processed. */
export class Unprocessable extends Schema.Error<Unprocessable>("UnprocessableError")(
  body("Unprocessable", {
    error,
    code: Schema.optionalKey(code(["not_done", "audit_failed"]))
  }),
  {
    httpApiStatus: 422,
    description:
      "When submitting: the site could not be audited (`audit_failed`), or it cannot be reached (no `code`). In a comparison: the run is not finished (`not_done`), or the baseline is not another finished run of the same site (no `code`). Of a webhook: its site has five already, or it is disabled (no `code`)."
  }
) {
  readonly _tag = "Unprocessable"
}

const limited = {
  error,
  code: code(["rate_limited", "site_quota"]),
  retry_after: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({
    description: "Seconds to wait; the same as `Retry-After`."
  }),
  run_id: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "The run to read instead: with `site_quota`, and where audits sent the site as many requests as allowed.",
      format: "uuid"
    })
  ),
  share_url: Schema.optionalKey(
    Schema.String.annotate({ description: "The page of that run.", format: "uri-reference" })
  ),
  verification: Schema.optionalKey(
    Schema.Struct({
      token: Schema.String.annotate({ description: "The token of the host of `base_url`; it never changes." }),
      file: Schema.String.annotate({
        description: "Publish the token in a text file at this URL, on a line of its own…",
        format: "uri"
      }),
      meta: Schema.String.annotate({ description: "…or as this element in the `<head>` of the page at `base_url`." }),
      then: Schema.String.annotate({
        description: "How often the site can then be audited, such as `once every 10 minutes`."
      })
    }).annotate({
      identifier: "OwnerVerification",
      description:
        "With `site_quota`: how the site's owner can have it audited more often; missing if the site is verified."
    })
  )
}

export class TooManyRequests extends Schema.Error<TooManyRequests>("TooManyRequestsError")({
  ...limited,
  /** The two `RateLimit` headers. */
  rateLimit: Schema.String,
  rateLimitPolicy: Schema.String
}) {
  readonly _tag = "TooManyRequests"
}

/** The 429 as it is sent: body and headers. */
const TooManyRequestsResponse = TooManyRequests.pipe(
  HttpApiSchema.encodeToWithHeaders(
    {
      body: body("TooManyRequests", limited).annotate({ httpApiStatus: 429 }),
      headers: { "retry-after": retryAfter, ratelimit: rateLimit, "ratelimit-policy": rateLimitPolicy }
    },
    {
      decode: ({ body, headers }) =>
        new TooManyRequests({ ...body, rateLimit: headers.ratelimit, rateLimitPolicy: headers["ratelimit-policy"] }),
      encode: ({ rateLimit, rateLimitPolicy, ...body }) => ({
        body,
        headers: { "retry-after": String(body.retry_after), ratelimit: rateLimit, "ratelimit-policy": rateLimitPolicy }
      })
    }
  )
).annotate({
  description:
    "Too many requests: wait `Retry-After` seconds. With `site_quota`, read the run in `run_id` instead of submitting again."
})

/** An internal error. The log has the details under the same id. */
export class InternalError extends Schema.Error<InternalError>("InternalFailure")(
  body("InternalError", {
    error,
    code: code(["internal"]),
    request_id: Schema.String.annotate({ description: "Include this when you report the error." })
  }),
  {
    httpApiStatus: 500,
    description: "An internal error."
  }
) {
  readonly _tag = "InternalError"
}

/** Seconds to wait before a retry while the store is unavailable. */
export const UNAVAILABLE_SECONDS = 5

/** The store cannot be read or written now, or the queue is full. */
export class Unavailable extends Schema.Error<Unavailable>("UnavailableError")({
  error,
  /** Whole seconds for `Retry-After`. */
  retryAfter: Schema.Int
}) {
  readonly _tag = "Unavailable"
}

/** The 503 as it is sent: body and headers. */
export const UnavailableResponse = Unavailable.pipe(
  HttpApiSchema.encodeToWithHeaders(
    {
      body: body("Unavailable", { error }).annotate({ httpApiStatus: 503 }),
      headers: { "retry-after": retryAfter }
    },
    {
      decode: ({ body, headers }) => new Unavailable({ ...body, retryAfter: Number(headers["retry-after"]) }),
      encode: ({ error, retryAfter }) => ({ body: { error }, headers: { "retry-after": String(retryAfter) } })
    }
  )
).annotate({ description: "The service is unavailable at the moment: retry after `Retry-After` seconds." })

const { poll_url: pollUrl, run_id: runId, share_url: shareUrl, status } = AsyncAccepted.fields

/** Optional, because services of the same contract may not send them yet. */
const timedOut = {
  error,
  run_id: Schema.optionalKey(runId),
  status: Schema.optionalKey(status),
  poll_url: Schema.optionalKey(pollUrl),
  share_url: Schema.optionalKey(shareUrl)
}

/** The audit took longer than a synchronous request may wait: with the run to poll. */
export class AuditTimedOut extends Schema.Error<AuditTimedOut>("AuditTimedOutError")(timedOut) {
  readonly _tag = "AuditTimedOut"
}

/** The 504 as it is sent: body and headers. */
export const AuditTimedOutResponse = AuditTimedOut.pipe(
  HttpApiSchema.encodeToWithHeaders(
    {
      body: body("AuditTimedOut", timedOut).annotate({ httpApiStatus: 504 }),
      headers: { "retry-after": Schema.optionalKey(retryAfter), "x-audit-run-id": Schema.optionalKey(auditRunId) }
    },
    {
      decode: ({ body }) => new AuditTimedOut(body),
      encode: (failure) => {
        const { _tag: _, ...body } = failure
        return {
          body,
          headers: {
            "retry-after": String(POLL_SECONDS),
            ...(body.run_id === undefined ? {} : { "x-audit-run-id": body.run_id })
          }
        }
      }
    }
  )
).annotate({
  description: "The audit takes longer than 120 s and continues: poll the run at `poll_url`. Do not submit again."
})

export const commonErrors = [RequestTimedOut, HeadersTooLarge, InternalError] as const

/** Errors of any operation that has a rate limit and reads the store. */
export const storeErrors = [...commonErrors, TooManyRequestsResponse, UnavailableResponse] as const

/** For all operations: an invalid path, query or header parameter gets a 400. */
export class InputCheck extends HttpApiMiddleware.Service<InputCheck>()("docgauge/server/InputCheck", {
  error: BadRequest
}) {}
