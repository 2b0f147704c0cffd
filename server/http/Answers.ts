import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { CodedBody } from "./CodedBody.ts"
import type { Coding } from "./ContentCoding.ts"
import { digestOf, entityTagOf, isKnown } from "./EntityTag.ts"

export const JSON_TYPE = "application/json"

type Response = HttpServerResponse.HttpServerResponse
type HeaderRecord = Readonly<Record<string, string>>

/** Answers with a body that is kept in all its codings. Nothing is encoded that has been encoded before. */
export const codedAnswer = (request: HttpServerRequest, body: CodedBody, headers: HeaderRecord): Effect.Effect<Response> => {
  const coding = body.codingFor(request.headers["accept-encoding"])
  return Effect.map(body.bytes(coding), (bytes) => inCoding(bytes, coding, headers))
}

/** An answer that is the same for everyone but for its coding: made once for each, and sent as often as it is asked for. */
export class LastingAnswer {
  private readonly body: CodedBody
  private readonly headers: HeaderRecord
  private readonly made = new Map<Coding, Response>()

  constructor(body: CodedBody, headers: HeaderRecord) {
    this.body = body
    this.headers = headers
  }

  to(request: HttpServerRequest): Effect.Effect<Response> {
    const coding = this.body.codingFor(request.headers["accept-encoding"])
    const made = this.made.get(coding)
    return made === undefined
      ? Effect.map(this.body.bytes(coding), (bytes) => this.keep(coding, inCoding(bytes, coding, this.headers)))
      : Effect.succeed(made)
  }

  private keep(coding: Coding, response: Response): Response {
    this.made.set(coding, toLast(response))
    return response
  }
}

const lasting = new WeakSet<Response>()

/** Marks an answer that will be sent again as it is. */
export const toLast = (response: Response): Response => {
  lasting.add(response)
  return response
}

/** Whether the same answer will be sent again. */
export const isLasting = (response: Response): boolean => lasting.has(response)

const inCoding = (bytes: Uint8Array, coding: Coding, headers: HeaderRecord): Response =>
  HttpServerResponse.uint8Array(bytes, {
    headers: coding === "identity" ? { ...headers, vary: VARY } : { ...headers, vary: VARY, "content-encoding": coding }
  })

export const VARY = "Accept-Encoding"

/** A content that clients may keep and ask after: its bytes, and what they are known by. */
export interface TaggedContent {
  readonly body: CodedBody
  readonly digest: string
  readonly type: string
}

export const taggedContent = (text: string, type: string): TaggedContent => ({ body: new CodedBody(text), digest: digestOf(text), type })

/** Answers 304 where the client has the content, else with the content and its tag. */
export const taggedAnswer = (request: HttpServerRequest, { body, digest, type }: TaggedContent): Effect.Effect<Response> => {
  const headers = {
    "content-type": type,
    "cache-control": "no-cache",
    etag: entityTagOf(digest, body.codingFor(request.headers["accept-encoding"]))
  }
  return isKnown(request.headers["if-none-match"], digest)
    ? Effect.succeed(HttpServerResponse.empty({ status: 304, headers: { etag: headers.etag, "cache-control": "no-cache", vary: VARY } }))
    : codedAnswer(request, body, headers)
}
