import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Schema from "effect/Schema"
import { isWithinDepth, MOST_CLIENT_DEPTH } from "../../engine/text/JsonText.ts"
import { readStreamedBody } from "../http/request/RequestBody.ts"

/** A body that is too large or has the wrong type. */
export class BadBody extends Schema.TaggedError<BadBody>()("BadBody", {
  status: Schema.Literals([400, 413, 415]),
  message: Schema.String
}) {}

const typeOf = ({ headers }: HttpServerRequest): string =>
  (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""

/** Reads a body of `type` as UTF-8, at most `mostBytes` long. */
export const readText = (
  request: HttpServerRequest,
  type: string,
  mostBytes: number
): Effect.Effect<string, BadBody> => {
  if (typeOf(request) !== type || (request.headers["content-encoding"] ?? "identity") !== "identity") {
    return Effect.fail(new BadBody({ status: 415, message: `the body must be uncompressed ${type}` }))
  }
  return readStreamedBody(request, mostBytes).pipe(
    Effect.map((bytes) => new TextDecoder().decode(bytes)),
    Effect.mapError((fault) =>
      fault === "too_large"
        ? new BadBody({ status: 413, message: `the body is larger than ${mostBytes} bytes` })
        : new BadBody({ status: 400, message: "the body cannot be read" })
    )
  )
}

/** Reads a JSON body of bounded size and depth. */
export const readJson = (request: HttpServerRequest, mostBytes: number): Effect.Effect<unknown, BadBody> =>
  Effect.flatMap(readText(request, "application/json", mostBytes), (text) => {
    const wrong = new BadBody({ status: 400, message: "the body is not JSON" })
    return isWithinDepth(text, MOST_CLIENT_DEPTH)
      ? Effect.try({ try: (): unknown => JSON.parse(text), catch: () => wrong })
      : Effect.fail(wrong)
  })
