import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import { type HttpServerError, isHttpServerError } from "effect/http/HttpServerError"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Schema from "effect/Schema"
import { isWithinDepth, MOST_CLIENT_DEPTH } from "../../../engine/text/JsonText.ts"

/** Why a body could not be read. */
type BodyFault = "too_large" | "unreadable"

/** Reads a body of at most `mostBytes`. The rest of a larger one is not read; the server drops it with the connection. */
export const readRequestBody = (
  request: HttpServerRequest,
  mostBytes: number
): Effect.Effect<Uint8Array, BodyFault> => {
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) return Effect.fail("too_large")
  return request.headers["expect"] === undefined ? collected(request, mostBytes) : readStreamedBody(request, mostBytes)
}

/** The same by Effect's reader, which takes any kind of request and sends `100 Continue` to clients that wait for it. */
const readStreamedBody = (request: HttpServerRequest, mostBytes: number): Effect.Effect<Uint8Array, BodyFault> =>
  Number(request.headers["content-length"] ?? 0) > mostBytes
    ? Effect.fail("too_large")
    : request.arrayBuffer.pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(mostBytes)),
        Effect.map((buffer) => new Uint8Array(buffer)),
        Effect.mapError(faultOf)
      )

const faultOf = ({ reason }: HttpServerError): BodyFault =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge" ? "too_large" : "unreadable"

/** Whether Effect's reader failed with it because a body exceeds the limit. */
export const isTooLarge = (error: unknown): boolean => isHttpServerError(error) && faultOf(error) === "too_large"

/** Reads the other bodies directly: they are a few bytes, and streams would take longer than they do. */
const collected = (request: HttpServerRequest, mostBytes: number): Effect.Effect<Uint8Array, BodyFault> =>
  Effect.callback((resume) => {
    const source = NodeHttpServerRequest.toIncomingMessage(request)
    const chunks: Array<Uint8Array> = []
    let size = 0
    const onData = (chunk: Uint8Array): void => {
      size += chunk.length
      if (size > mostBytes) return end(Effect.fail("too_large"))
      chunks.push(chunk)
    }
    const onEnd = (): void =>
      end(Effect.succeed(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)))
    const onFault = (): void => end(Effect.fail("unreadable"))
    const forget = (): void => {
      source.off("data", onData).off("end", onEnd).off("error", onFault).off("close", onFault)
    }
    const end = (result: Effect.Effect<Uint8Array, BodyFault>): void => {
      forget()
      resume(result)
    }
    source.on("data", onData).on("end", onEnd).on("error", onFault).on("close", onFault)
    return Effect.sync(forget)
  })

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
