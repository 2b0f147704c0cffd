import * as Cache from "effect/Cache"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

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
