import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Schema from "effect/Schema"
import { isWithinDepth } from "../mcp/JsonDepth.ts"

/** A body that is too large, or not what was announced. */
export class BadBody extends Schema.TaggedError<BadBody>()("BadBody", {
  status: Schema.Literals([400, 413, 415]),
  message: Schema.String
}) {}

const typeOf = ({ headers }: HttpServerRequest): string => (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""

/** Reads a body of `type` with so many bytes at most; a larger one is given up on, not read to its end. */
export const readText = (request: HttpServerRequest, type: string, mostBytes: number): Effect.Effect<string, BadBody> => {
  if (typeOf(request) !== type || (request.headers["content-encoding"] ?? "identity") !== "identity") {
    return Effect.fail(new BadBody({ status: 415, message: `the body has to be ${type}, not compressed` }))
  }
  const tooLarge = new BadBody({ status: 413, message: `the body has more than ${mostBytes} bytes` })
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) return Effect.fail(tooLarge)
  return request.text.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(mostBytes)),
    Effect.mapError(({ reason }) =>
      reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge" ? tooLarge : new BadBody({ status: 400, message: "the body cannot be read" }))
  )
}

/** Reads a JSON body of bounded size and depth. */
export const readJson = (request: HttpServerRequest, mostBytes: number): Effect.Effect<unknown, BadBody> =>
  Effect.flatMap(readText(request, "application/json", mostBytes), (text) => {
    const wrong = new BadBody({ status: 400, message: "the body is not JSON" })
    return isWithinDepth(text) ? Effect.try({ try: (): unknown => JSON.parse(text), catch: () => wrong }) : Effect.fail(wrong)
  })
