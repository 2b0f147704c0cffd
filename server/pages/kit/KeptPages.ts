import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { LastingContent } from "./LastingContent.ts"

/** All kept contents take this many bytes at most. */
const MOST_BYTES = 32 * 1_024 * 1_024

/** Finished pages, images and twins, by a key that names all they depend on: the hot ones are sent from memory. */
export class KeptPages extends Context.Service<KeptPages, {
  readonly peek: (key: string) => LastingContent | undefined
  /**
   * The content of that key, made where it is not there, and put there; those that were asked for longest ago make room.
   * What is no lasting content is handed on, and what was made while something was dropped is not kept: it may have been
   * made of what no longer holds.
   */
  readonly through: <A, E, R>(key: string, make: Effect.Effect<LastingContent | A, E, R>) => Effect.Effect<LastingContent | A, E, R>
  /** Drops what no longer holds: all keys that begin so. */
  readonly drop: (prefix: string) => void
}>()("docgauge/server/pages/KeptPages") {
  static readonly layer: Layer.Layer<KeptPages> = Layer.sync(KeptPages, () => makeShelf(MOST_BYTES))
}

/** A Map keeps the order in which things were put there: the first is the one that was asked for longest ago. */
const makeShelf = (mostBytes: number): KeptPages["Service"] => {
  const places = new Map<string, LastingContent>()
  let bytes = 0
  let drops = 0

  const remove = (key: string): void => {
    bytes -= places.get(key)?.cost ?? 0
    places.delete(key)
  }

  const peek = (key: string): LastingContent | undefined => {
    const content = places.get(key)
    if (content === undefined) return undefined
    places.delete(key)
    places.set(key, content)
    return content
  }

  const keep = (key: string, content: LastingContent): void => {
    remove(key)
    places.set(key, content)
    bytes += content.cost
    for (const oldest of places.keys()) {
      if (bytes <= mostBytes || oldest === key) break
      remove(oldest)
    }
  }

  return {
    peek,
    through: (key, make) =>
      Effect.suspend(() => {
        const kept = peek(key)
        if (kept !== undefined) return Effect.succeed(kept)
        const before = drops
        return Effect.tap(make, (made) =>
          Effect.sync(() => { if (made instanceof LastingContent && before === drops) keep(key, made) }))
      }),
    drop: (prefix) => {
      drops += 1
      for (const key of places.keys()) if (key.startsWith(prefix)) remove(key)
    }
  }
}
