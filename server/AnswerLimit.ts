import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { DecodeError, HttpClientError } from "effect/http/HttpClientError"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"

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
export const limitedAnswer = (response: HttpClientResponse): HttpClientResponse =>
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
