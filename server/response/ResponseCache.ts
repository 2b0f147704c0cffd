import * as Cache from "effect/Cache"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { httpDateMs } from "../../engine/text/HttpValues.ts"
import { type Coding, digestOf, EncodedBody, entityTagOf, isKnown, isMatched } from "./EncodedBody.ts"

/** Maximum size of all cached responses, in bytes. */
const MAX_BYTES = 48 * 1_024 * 1_024

/** In characters. Longer keys, such as those of long queries, are not cached. */
const MAX_KEY = 512

/** A cached value: a response, or what responses are built from. */
export interface Cacheable {
  /** Bytes of memory. */
  readonly cost: number
}

type Type<A extends Cacheable> = abstract new (...args: never) => A

/** The one cache of responses: finished runs, pages and images by key. Least recently used entries are evicted first. */
export class ResponseCache extends Context.Service<
  ResponseCache,
  {
    /**
     * The cached value, or what `make` returns. Concurrent calls with one key share one `make`. Only values of `type` are
     * cached, for `timeToLive` (unlimited unless given); failures and other values are not.
     */
    readonly get: <A extends Cacheable, B, E>(
      key: string,
      type: Type<A>,
      make: Effect.Effect<A | B, E>,
      timeToLive?: Duration.Input
    ) => Effect.Effect<A | B, E>
    /** The cached value, if there is one. */
    readonly peek: <A extends Cacheable>(key: string, type: Type<A>) => Effect.Effect<A | null>
    /** Drops everything; values in the making are not cached either, because they may be out of date. */
    readonly invalidateAll: Effect.Effect<void>
  }
>()("docgauge/server/ResponseCache") {
  static readonly layer: Layer.Layer<ResponseCache> = Layer.effect(
    ResponseCache,
    Effect.gen(function* () {
      const cache = yield* Cache.makeWith((_key: string) => Effect.flatMap(Lookup, (lookup) => lookup), {
        capacity: Number.POSITIVE_INFINITY,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? exit.value.timeToLive : Duration.zero),
        requireServicesAt: "lookup"
      })

      /** Size of what was cached since the entries were counted last, and of those: at least what is held, as some may have expired. */
      let bytes = 0

      const evictBeyondLimit = Effect.fnUntraced(function* (newest: string, added: number) {
        bytes += added
        if (bytes <= MAX_BYTES) return
        const entries = [...(yield* Cache.entries(cache))]
        bytes = entries.reduce((sum, [, { value }]) => sum + (value?.cost ?? 0), 0)
        for (const [key, { value }] of entries) {
          if (bytes <= MAX_BYTES || key === newest) return
          yield* Cache.invalidate(cache, key)
          bytes -= value?.cost ?? 0
        }
      })

      const get = <A extends Cacheable, B, E>(
        key: string,
        type: Type<A>,
        make: Effect.Effect<A | B, E>,
        timeToLive: Duration.Input = Duration.infinity
      ): Effect.Effect<A | B, E> => {
        if (key.length > MAX_KEY) return make
        return Effect.suspend(() => {
          let outcome: Exit.Exit<A | B, E> | null = null
          const lookup = Effect.map(Effect.exit(make), (exit): Entry => {
            outcome = exit
            return Exit.isSuccess(exit) && exit.value instanceof type ? { value: exit.value, timeToLive } : NOT_CACHED
          })
          return Effect.flatMap(Effect.provideService(Cache.get(cache, key), Lookup, lookup), ({ value }) => {
            if (outcome !== null)
              return value === null ? outcome : Effect.andThen(evictBeyondLimit(key, value.cost), outcome)
            // If the joined call returned a value that cannot be shared, this call makes its own.
            return value instanceof type ? Effect.succeed(value) : make
          })
        })
      }

      return {
        get,
        peek: (key, type) =>
          Effect.map(Cache.getOption(cache, key), (entry) =>
            Option.isSome(entry) && entry.value.value instanceof type ? entry.value.value : null
          ),
        invalidateAll: Cache.invalidateAll(cache)
      }
    })
  )
}

interface Entry {
  readonly value: Cacheable | null
  readonly timeToLive: Duration.Input
}

const NOT_CACHED: Entry = { value: null, timeToLive: Duration.zero }

/** How to make the entry of the current call; the cache calls it if the key is missing. */
class Lookup extends Context.Service<Lookup, Effect.Effect<Entry>>()("docgauge/server/ResponseCacheLookup") {}

type Response = HttpServerResponse.HttpServerResponse

interface ResponseOptions {
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

/** The validators of a representation. */
interface Validators {
  readonly digest: string
  /** The `Last-Modified` header that is sent with it, if one is. */
  readonly lastModified: string | undefined
}

/** Whether a GET or HEAD request gets the content, 304 or 412, by its preconditions in the order of RFC 9110 §13.2.2. */
export const evaluate = (
  headers: Readonly<Record<string, string | undefined>>,
  { digest, lastModified }: Validators
): "met" | "not_modified" | "failed" => {
  const modified = lastModified === undefined ? null : httpDateMs(lastModified)
  const isNewerThan = (name: string): boolean | null => {
    const since = httpDateMs(headers[name] ?? "")
    return modified === null || since === null ? null : modified > since
  }
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = headers
  if (ifMatch === undefined ? isNewerThan("if-unmodified-since") === true : !isMatched(ifMatch, digest)) return "failed"
  const isCurrent =
    ifNoneMatch === undefined ? isNewerThan("if-modified-since") === false : isKnown(ifNoneMatch, digest)
  return isCurrent ? "not_modified" : "met"
}
