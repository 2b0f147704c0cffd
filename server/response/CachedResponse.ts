import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Coding } from "./Compression.ts"
import { EncodedBody } from "./EncodedBody.ts"
import { digestOf, entityTagOf } from "./EntityTag.ts"
import { evaluate } from "./Preconditions.ts"

type Response = HttpServerResponse.HttpServerResponse

export interface ResponseOptions {
  /** The `Content-Type`. */
  readonly type: string
  /** 200 by default. */
  readonly status?: number
  /** Added to type, tag and `Vary`; its own `Vary` is merged with ours. `cache-control: no-cache` by default. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether it has a strong entity tag, so that clients can revalidate it; true by default. */
  readonly tagged?: boolean
}

/**
 * A response that is the same for all clients, built once per content coding. Clients that already have it get a 304, and a
 * failed `If-Match` gets a 412.
 */
export class CachedResponse {
  private readonly body: EncodedBody | Uint8Array
  private readonly digest: string | null
  private readonly status: number
  private readonly headers: Readonly<Record<string, string>>
  private readonly built = new Map<Coding, Response>()
  private readonly withoutBody = new Map<string, Response>()

  constructor(
    content: string | Uint8Array | EncodedBody,
    { headers = {}, status = 200, tagged = true, type }: ResponseOptions
  ) {
    this.body = typeof content === "string" ? new EncodedBody(content) : content
    this.digest =
      tagged && status === 200 ? digestOf(this.body instanceof EncodedBody ? this.body.identity : this.body) : null
    this.status = status
    const { vary, ...others } = headers
    const coded = this.body instanceof EncodedBody ? [VARY] : []
    const varies = [...(vary === undefined ? [] : [vary]), ...coded].join(", ")
    this.headers = {
      "cache-control": "no-cache",
      ...others,
      "content-type": type,
      ...(varies === "" ? {} : { vary: varies })
    }
  }

  /** Bytes of memory, including the compressed forms it may get. */
  get cost(): number {
    return this.body instanceof EncodedBody ? this.body.cost : this.body.length
  }

  /** The response to a request for it. */
  to(request: HttpServerRequest): Effect.Effect<Response> {
    const coding =
      this.body instanceof EncodedBody ? this.body.codingFor(request.headers["accept-encoding"]) : "identity"
    if (this.digest !== null && (request.method === "GET" || request.method === "HEAD")) {
      const outcome = evaluate(request.headers, { digest: this.digest, lastModified: this.headers["last-modified"] })
      if (outcome !== "met") return Effect.succeed(this.bodiless(outcome === "failed" ? 412 : 304, coding, this.digest))
    }
    const built = this.built.get(coding)
    if (built !== undefined) return Effect.succeed(built)
    const bytes = this.body instanceof EncodedBody ? this.body.bytes(coding) : Effect.succeed(this.body)
    return Effect.map(bytes, (coded) => this.build(coding, coded))
  }

  private build(coding: Coding, bytes: Uint8Array): Response {
    const response = reusable(
      HttpServerResponse.uint8Array(bytes, {
        status: this.status,
        headers: {
          ...this.headers,
          ...(this.digest === null ? {} : { etag: entityTagOf(this.digest, coding) }),
          ...(coding === "identity" ? {} : { "content-encoding": coding })
        }
      })
    )
    this.built.set(coding, response)
    return response
  }

  private bodiless(status: 304 | 412, coding: Coding, digest: string): Response {
    const key = `${status} ${coding}`
    const known = this.withoutBody.get(key)
    if (known !== undefined) return known
    const { "content-type": _, ...headers } = this.headers
    const response = reusable(
      HttpServerResponse.empty({ status, headers: { ...headers, etag: entityTagOf(digest, coding) } })
    )
    this.withoutBody.set(key, response)
    return response
  }
}

export const VARY = "Accept-Encoding"

const reusableResponses = new WeakSet<Response>()

/** Marks a response object that will be sent again, so that middleware finishes it only once. */
const reusable = (response: Response): Response => {
  reusableResponses.add(response)
  return response
}

/** Whether the response object will be sent again. */
export const isReusable = (response: Response): boolean => reusableResponses.has(response)
