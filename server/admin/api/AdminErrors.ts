import * as Schema from "effect/Schema"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import { commonErrors, UnavailableResponse } from "../../api/Errors.ts"
import { documented, errorText as error } from "../../api/Parameters.ts"

/*
 * The errors of the admin API, in the form of the public errors: `error` for people and, in most cases, a `code` for
 * programs.
 */

const code = <const Code extends string>(one: Code) =>
  Schema.Literal(one).annotate({ description: "What went wrong, for programs." })

const UNAUTHORIZED = { error, code: code("unauthorized") }

/** The token is missing or invalid. `challenge` is the value of `WWW-Authenticate`. */
export class Unauthorized extends Schema.Error<Unauthorized>("AdminUnauthorized")({
  ...UNAUTHORIZED,
  challenge: Schema.String
}) {
  readonly _tag = "Unauthorized"
}

const wwwAuthenticate = documented(
  { type: "string", description: "`Bearer`, and why the token was rejected (RFC 6750)." },
  "Bearer"
)

const UnauthorizedResponse = Unauthorized.pipe(
  HttpApiSchema.encodeToWithHeaders(
    {
      body: Schema.Struct(UNAUTHORIZED).annotate({ identifier: "Unauthorized", httpApiStatus: 401 }),
      headers: { "www-authenticate": wwwAuthenticate }
    },
    {
      decode: ({ body, headers }) => new Unauthorized({ ...body, challenge: headers["www-authenticate"] }),
      encode: ({ challenge, code, error }) => ({ body: { error, code }, headers: { "www-authenticate": challenge } })
    }
  )
).annotate({ description: "The bearer token is missing or invalid." })

/** The token is valid, but its role does not permit the request. */
export class NotAllowed extends Schema.Error<NotAllowed>("AdminNotAllowed")(
  Schema.Struct({ error, code: code("forbidden") }).annotate({ identifier: "NotAllowed" }),
  {
    httpApiStatus: 403,
    description: "The role of the token does not permit this: `viewer` may read, `operator` may also make changes."
  }
) {
  readonly _tag = "NotAllowed"
}

/** The resource does not exist. */
export class Missing extends Schema.Error<Missing>("AdminMissing")(
  Schema.Struct({ error, code: code("not_found") }).annotate({ identifier: "Missing" }),
  { httpApiStatus: 404, description: "Not found." }
) {
  readonly _tag = "Missing"
}

/** The request conflicts with the current state. */
export class Conflict extends Schema.Error<Conflict>("AdminConflict")(
  Schema.Struct({ error, code: Schema.Literals(["exists", "under_way"]) }).annotate({ identifier: "Conflict" }),
  { httpApiStatus: 409, description: "`exists`: it already exists. `under_way`: the run has not finished." }
) {
  readonly _tag = "Conflict"
}

/** The body or a parameter is invalid. */
export class Malformed extends Schema.Error<Malformed>("AdminMalformed")(
  Schema.Struct({ error, code: Schema.optionalKey(Schema.String) }).annotate({ identifier: "Malformed" }),
  { httpApiStatus: 400, description: "The request is invalid; `error` names the place." }
) {
  readonly _tag = "Malformed"
}

/** The body is larger than 64 KB. */
export class BodyTooLarge extends Schema.Error<BodyTooLarge>("AdminBodyTooLarge")(
  Schema.Struct({ error }).annotate({ identifier: "BodyTooLarge" }),
  { httpApiStatus: 413, description: "The body is larger than 64 KB." }
) {
  readonly _tag = "BodyTooLarge"
}

export class NotJson extends Schema.Error<NotJson>("AdminNotJson")(
  Schema.Struct({ error }).annotate({ identifier: "NotJson" }),
  { httpApiStatus: 415, description: "The body is not `application/json`." }
) {
  readonly _tag = "NotJson"
}

/** Errors of any operation before its handler runs. */
const accessErrors = [UnauthorizedResponse, NotAllowed, BodyTooLarge, NotJson, UnavailableResponse] as const

/** Errors of any operation. */
export const adminErrors = [...commonErrors, UnavailableResponse] as const

/** Requires a token with a role for the method: viewers may `GET`, operators may do everything. */
export class AdminAccess extends HttpApiMiddleware.Service<AdminAccess, { provides: Operator }>()(
  "docgauge/server/admin/AdminAccess",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: accessErrors
  }
) {}

/** Reports which part of a request is invalid. */
export class AdminInputCheck extends HttpApiMiddleware.Service<AdminInputCheck>()(
  "docgauge/server/admin/AdminInputCheck",
  { error: Malformed }
) {}

/** `viewer` reads; `operator` reads and changes. */
export type Role = "viewer" | "operator"

/** The holder of a valid token. */
export interface OperatorIdentity {
  /** `sub` of the token. */
  readonly name: string
  readonly role: Role
}

/** The sender of the request. */
export class Operator extends Context.Service<Operator, OperatorIdentity>()("docgauge/server/admin/Operator") {}
