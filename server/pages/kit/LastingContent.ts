import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { toLast, VARY } from "../../http/Answers.ts"
import { CodedBody } from "../../http/CodedBody.ts"
import type { Coding } from "../../http/ContentCoding.ts"
import { digestOf, entityTagOf, isKnown } from "../../http/EntityTag.ts"

type Response = HttpServerResponse.HttpServerResponse

export interface ContentOptions {
  /** The `Content-Type`. */
  readonly type: string
  /** 200 unless given. */
  readonly status?: number
  /** Beside type, tag and `Vary`; a `Vary` of its own is added to ours. `cache-control: no-cache` unless given. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Compressed forms together take less than this share of the plain one. */
const COMPRESSED_SHARE = 0.5

/**
 * A content that is the same for everyone: text in all codings, or bytes such as an image as they are; each made once,
 * with a strong tag. Answers 304 to whoever has it.
 */
export class LastingContent {
  /** Bytes of memory that it takes, with what its compressed forms will take. */
  readonly cost: number
  private readonly body: CodedBody | Uint8Array
  private readonly digest: string
  private readonly status: number
  private readonly headers: Readonly<Record<string, string>>
  private readonly made = new Map<Coding, Response>()
  private unchanged: Response | null = null

  constructor(content: string | Uint8Array, { headers = {}, status = 200, type }: ContentOptions) {
    this.body = typeof content === "string" ? new CodedBody(content) : content
    this.cost = this.body instanceof CodedBody ? this.body.size * (1 + COMPRESSED_SHARE) : this.body.length
    this.digest = digestOf(content)
    this.status = status
    const { vary, ...others } = headers
    const coded = typeof content === "string" ? [VARY] : []
    const varies = [...(vary === undefined ? [] : [vary]), ...coded].join(", ")
    this.headers = { "cache-control": "no-cache", ...others, "content-type": type, ...(varies === "" ? {} : { vary: varies }) }
  }

  /** The answer to a request for it. */
  to(request: HttpServerRequest): Effect.Effect<Response> {
    if (this.status === 200 && isKnown(request.headers["if-none-match"], this.digest)) return Effect.sync(() => this.notModified())
    const coding = this.body instanceof CodedBody ? this.body.codingFor(request.headers["accept-encoding"]) : "identity"
    const made = this.made.get(coding)
    if (made !== undefined) return Effect.succeed(made)
    const bytes = this.body instanceof CodedBody ? this.body.bytes(coding) : Effect.succeed(this.body)
    return Effect.map(bytes, (coded) => this.keep(coding, coded))
  }

  private keep(coding: Coding, bytes: Uint8Array): Response {
    const response = toLast(HttpServerResponse.uint8Array(bytes, {
      status: this.status,
      headers: {
        ...this.headers,
        ...(this.status === 200 ? { etag: entityTagOf(this.digest, coding) } : {}),
        ...(coding === "identity" ? {} : { "content-encoding": coding })
      }
    }))
    this.made.set(coding, response)
    return response
  }

  private notModified(): Response {
    const { "content-type": _, ...headers } = this.headers
    this.unchanged ??= toLast(HttpServerResponse.empty({ status: 304, headers: { ...headers, etag: entityTagOf(this.digest, "identity") } }))
    return this.unchanged
  }
}
