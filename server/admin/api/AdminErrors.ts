import * as Schema from "effect/Schema"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { commonErrors, UnavailableResponse } from "../../api/Errors.ts"
import { documented } from "../../api/Documented.ts"

/*
 * What the admin API answers where it does not do as asked, in the shape of the public errors: `error` for people, and a
 * `code` for programs where there is one.
 */

const error = Schema.String.annotate({ description: "What is wrong, for a person to read. The wording may change." })

const code = <const Code extends string>(one: Code) => Schema.Literal(one).annotate({ description: "What is wrong, for a program to read." })

const UNAUTHORIZED = { error, code: code("unauthorized") }

/** There is no token, or none that is valid here. `challenge` is what `WWW-Authenticate` says. */
export class Unauthorized extends Schema.Error<Unauthorized>("AdminUnauthorized")({ ...UNAUTHORIZED, challenge: Schema.String }) {
  readonly _tag = "Unauthorized"
}

const wwwAuthenticate = documented({ type: "string", description: "`Bearer`, and why the token was not taken (RFC 6750)." }, "Bearer")

const UnauthorizedResponse = Unauthorized.pipe(HttpApiSchema.encodeToWithHeaders({
  body: Schema.Struct(UNAUTHORIZED).annotate({ identifier: "Unauthorized", httpApiStatus: 401 }),
  headers: { "www-authenticate": wwwAuthenticate }
}, {
  decode: ({ body, headers }) => new Unauthorized({ ...body, challenge: headers["www-authenticate"] }),
  encode: ({ challenge, code, error }) => ({ body: { error, code }, headers: { "www-authenticate": challenge } })
})).annotate({ description: "There is no bearer token, or none that is valid here." })

/** The token is valid, and not for this. */
export class NotAllowed extends Schema.Error<NotAllowed>("AdminNotAllowed")(
  Schema.Struct({ error, code: code("forbidden") }).annotate({ identifier: "NotAllowed" }),
  { httpApiStatus: 403, description: "The token has no role that may do this: `viewer` reads, `operator` also changes." }
) {
  readonly _tag = "NotAllowed"
}

/** There is no such thing. */
export class Missing extends Schema.Error<Missing>("AdminMissing")(
  Schema.Struct({ error, code: code("not_found") }).annotate({ identifier: "Missing" }),
  { httpApiStatus: 404, description: "There is no such thing." }
) {
  readonly _tag = "Missing"
}

/** It stands in the way of what is there already. */
export class Conflict extends Schema.Error<Conflict>("AdminConflict")(
  Schema.Struct({ error, code: Schema.Literals(["exists", "under_way"]) }).annotate({ identifier: "Conflict" }),
  { httpApiStatus: 409, description: "`exists`: there is one already. `under_way`: the run is not over." }
) {
  readonly _tag = "Conflict"
}

/** The body is not as documented, or a parameter is not. */
export class Malformed extends Schema.Error<Malformed>("AdminMalformed")(
  Schema.Struct({ error, code: Schema.optionalKey(Schema.String) }).annotate({ identifier: "Malformed" }),
  { httpApiStatus: 400, description: "The request is not as documented; `error` names the place." }
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

/** The body is not JSON. */
export class NotJson extends Schema.Error<NotJson>("AdminNotJson")(
  Schema.Struct({ error }).annotate({ identifier: "NotJson" }),
  { httpApiStatus: 415, description: "The body is not `application/json`." }
) {
  readonly _tag = "NotJson"
}

/** What any operation may answer, whoever asks. */
export const accessErrors = [UnauthorizedResponse, NotAllowed, BodyTooLarge, NotJson, UnavailableResponse] as const

/** What any operation may answer. */
export const adminErrors = [...commonErrors, UnavailableResponse] as const
