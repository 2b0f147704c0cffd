import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import type { HttpServerError } from "effect/http/HttpServerError"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"

/** Why there is no body. */
export type BodyFault = "too_large" | "unreadable"

/** Reads a body of at most so many bytes. What goes beyond is left unread; the server drops it with the connection. */
export const readBody = (request: HttpServerRequest, mostBytes: number): Effect.Effect<Uint8Array, BodyFault> => {
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) return Effect.fail("too_large")
  return request.headers["expect"] === undefined ? collected(request, mostBytes) : asked(request, mostBytes)
}

/** A client that waits for `100 Continue` is told to go on by the server's own reader. */
const asked = (request: HttpServerRequest, mostBytes: number): Effect.Effect<Uint8Array, BodyFault> =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(mostBytes)),
    Effect.map((buffer) => new Uint8Array(buffer)),
    Effect.mapError(faultOf)
  )

const faultOf = ({ reason }: HttpServerError): BodyFault =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge" ? "too_large" : "unreadable"

/** All others are read as they come: a body is a few bytes, and the machinery of streams takes longer than they do. */
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
    const onEnd = (): void => end(Effect.succeed(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)))
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
