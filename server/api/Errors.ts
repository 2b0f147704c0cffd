import * as Schema from "effect/Schema"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { rateLimit, rateLimitPolicy, retryAfter } from "./Headers.ts"

/*
 * What the service answers where it does not do as asked. Each class is the body of one status; `_tag` tells them apart
 * in code and never leaves the process.
 */

const error = Schema.String.annotate({ description: "What is wrong, for a person to read. The wording may change." })

const code = <const Codes extends ReadonlyArray<string>>(codes: Codes) =>
  Schema.Literals(codes).annotate({ description: "What is wrong, for a program to read. Codes never change." })

const body = <Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields) =>
  Schema.Struct(fields).annotate({ identifier })

/** The request is malformed, or names an address that is not audited. */
export class BadRequest extends Schema.Error<BadRequest>("BadRequestError")(body("BadRequest", {
  error,
  code: Schema.optionalKey(code(["invalid_base_url", "http_not_supported", "not_public_address"]))
}), {
  httpApiStatus: 400,
  description: "The request is malformed (no `code`), or `base_url` cannot be audited. Permanent: change the request."
}) {
  readonly _tag = "BadRequest"
}

/** The dashboard is there, but not for everyone. */
export class Forbidden extends Schema.Error<Forbidden>("ForbiddenError")(body("Forbidden", { error }), {
  httpApiStatus: 403,
  description: "The dashboard is not public."
}) {
  readonly _tag = "Forbidden"
}

/** A page of another site had a browser send the request. */
export class ForeignPage extends Schema.Error<ForeignPage>("ForeignPageError")(body("ForeignPage", { error }), {
  httpApiStatus: 403,
  description: "A page of another site had the browser send the request. Programs are not concerned: leave out `Origin` and `Sec-Fetch-Site`."
}) {
  readonly _tag = "ForeignPage"
}

/** There is no such thing. */
export class NotFound extends Schema.Error<NotFound>("NotFoundError")(body("NotFound", {
  error,
  code: Schema.optionalKey(code(["not_found"]))
}), {
  httpApiStatus: 404,
  description: "There is no such thing. Without `code`: the site has no earlier finished run to compare with."
}) {
  readonly _tag = "NotFound"
}

/** The path exists, but not with this method. Goes with `Allow`. */
export class MethodNotAllowed extends Schema.Error<MethodNotAllowed>("MethodNotAllowedError")(body("MethodNotAllowed", {
  error,
  code: code(["method_not_allowed"])
}), {
  httpApiStatus: 405,
  description: "The path exists, but not with this method; `Allow` lists those that it has."
}) {
  readonly _tag = "MethodNotAllowed"
}

/** The body is larger than 16 KB. */
export class ContentTooLarge extends Schema.Error<ContentTooLarge>("ContentTooLargeError")(body("ContentTooLarge", { error }), {
  httpApiStatus: 413,
  description: "The body is larger than 16 KB."
}) {
  readonly _tag = "ContentTooLarge"
}

/** The body is neither JSON nor a form, or it is compressed. */
export class UnsupportedMediaType extends Schema.Error<UnsupportedMediaType>("UnsupportedMediaTypeError")(body("UnsupportedMediaType", { error }), {
  httpApiStatus: 415,
  description: "The body is neither `application/json` nor `application/x-www-form-urlencoded`, or it is compressed."
}) {
  readonly _tag = "UnsupportedMediaType"
}

/** The client was too slow in sending its request. */
export class RequestTimedOut extends Schema.Error<RequestTimedOut>("RequestTimedOutError")(body("RequestTimedOut", { error }), {
  httpApiStatus: 408,
  description: "The request took too long to arrive."
}) {
  readonly _tag = "RequestTimedOut"
}

/** The header fields of the request are too large. */
export class HeadersTooLarge extends Schema.Error<HeadersTooLarge>("HeadersTooLargeError")(body("HeadersTooLarge", { error }), {
  httpApiStatus: 431,
  description: "The header fields of the request are larger than 16 KB, or too many."
}) {
  readonly _tag = "HeadersTooLarge"
}

/** Understood, but it cannot be done. */
export class Unprocessable extends Schema.Error<Unprocessable>("UnprocessableError")(body("Unprocessable", {
  error,
  code: Schema.optionalKey(code(["not_done", "audit_failed"]))
}), {
  httpApiStatus: 422,
  description: "`not_done`: the run is not finished. `audit_failed`: the site answered, but could not be audited. Without `code`: the site cannot be reached, or the baseline does not fit the run."
}) {
  readonly _tag = "Unprocessable"
}

const limited = {
  error,
  code: code(["rate_limited", "site_quota"]),
  retry_after: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({ description: "Seconds to wait; the same as `Retry-After`." }),
  run_id: Schema.optionalKey(Schema.String.annotate({ description: "With `site_quota`: the run to read instead.", format: "uuid" })),
  share_url: Schema.optionalKey(Schema.String.annotate({ description: "With `site_quota`: the page of that run.", format: "uri-reference" }))
}

/** A limit is reached. */
export class TooManyRequests extends Schema.Error<TooManyRequests>("TooManyRequestsError")({
  ...limited,
  /** The two `RateLimit` headers. */
  rateLimit: Schema.String,
  rateLimitPolicy: Schema.String
}) {
  readonly _tag = "TooManyRequests"
}

/** The 429 as it is sent: body and headers. */
export const TooManyRequestsResponse = TooManyRequests.pipe(HttpApiSchema.encodeToWithHeaders({
  body: body("TooManyRequests", limited).annotate({ httpApiStatus: 429 }),
  headers: { "retry-after": retryAfter, ratelimit: rateLimit, "ratelimit-policy": rateLimitPolicy }
}, {
  decode: ({ body, headers }) => new TooManyRequests({ ...body, rateLimit: headers.ratelimit, rateLimitPolicy: headers["ratelimit-policy"] }),
  encode: ({ rateLimit, rateLimitPolicy, ...body }) => ({
    body,
    headers: { "retry-after": String(body.retry_after), ratelimit: rateLimit, "ratelimit-policy": rateLimitPolicy }
  })
})).annotate({
  description: "A limit is reached: wait `Retry-After` seconds. With `site_quota` read the run that there is, and do not submit again."
})

/** A fault of ours. The log has more under the same id. */
export class InternalError extends Schema.Error<InternalError>("InternalFailure")(body("InternalError", {
  error,
  code: code(["internal"]),
  request_id: Schema.String.annotate({ description: "What to name when reporting the fault." })
}), {
  httpApiStatus: 500,
  description: "A fault of the service."
}) {
  readonly _tag = "InternalError"
}

/** Seconds after which it makes sense to ask again where the store is unavailable. */
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
export const UnavailableResponse = Unavailable.pipe(HttpApiSchema.encodeToWithHeaders({
  body: body("Unavailable", { error }).annotate({ httpApiStatus: 503 }),
  headers: { "retry-after": retryAfter }
}, {
  decode: ({ body, headers }) => new Unavailable({ ...body, retryAfter: Number(headers["retry-after"]) }),
  encode: ({ error, retryAfter }) => ({ body: { error }, headers: { "retry-after": String(retryAfter) } })
})).annotate({ description: "The service cannot do it now: wait `Retry-After` seconds and ask again." })

/** The audit took longer than a synchronous request waits. */
export class AuditTimedOut extends Schema.Error<AuditTimedOut>("AuditTimedOutError")(body("AuditTimedOut", { error }), {
  httpApiStatus: 504,
  description: "The audit took longer than 120 s. It goes on: submit again with `?async=true` and poll."
}) {
  readonly _tag = "AuditTimedOut"
}

/** What any operation may answer. */
export const commonErrors = [RequestTimedOut, HeadersTooLarge, InternalError] as const

/** What any operation that is limited and reads the store may answer. */
export const storeErrors = [...commonErrors, TooManyRequestsResponse, UnavailableResponse] as const
