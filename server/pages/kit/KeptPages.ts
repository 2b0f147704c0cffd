import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { LastingContent } from "./LastingContent.ts"

/** All kept contents take this many bytes at most. */
const MOST_BYTES = 32 * 1_024 * 1_024

/** Finished pages, images and twins, by a key that names all they depend on: the hot ones are sent from memory. */
export class KeptPages extends Context.Service<KeptPages, {
  readonly peek: (key: string) => LastingContent | undefined
  /** Puts it there; those that were asked for longest ago make room. */
  readonly keep: (key: string, content: LastingContent) => LastingContent
  /** The content of that key, made where it is not there. */
  readonly through: <E, R>(key: string, make: Effect.Effect<LastingContent, E, R>) => Effect.Effect<LastingContent, E, R>
  /** Drops what no longer holds: all keys that begin so. */
  readonly drop: (prefix: string) => void
}>()("docgauge/server/pages/KeptPages") {
  static readonly layer: Layer.Layer<KeptPages> = Layer.sync(KeptPages, () => makeShelf(MOST_BYTES))
}

/** A Map keeps the order in which things were put there: the first is the one that was asked for longest ago. */
const makeShelf = (mostBytes: number): KeptPages["Service"] => {
  const places = new Map<string, LastingContent>()
  let bytes = 0

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

  const keep = (key: string, content: LastingContent): LastingContent => {
    remove(key)
    places.set(key, content)
    bytes += content.cost
    for (const oldest of places.keys()) {
      if (bytes <= mostBytes || oldest === key) break
      remove(oldest)
    }
    return content
  }

  return {
    peek,
    keep,
    through: (key, make) =>
      Effect.suspend(() => {
        const kept = peek(key)
        return kept === undefined ? Effect.map(make, (content) => keep(key, content)) : Effect.succeed(kept)
      }),
    drop: (prefix) => { for (const key of places.keys()) if (key.startsWith(prefix)) remove(key) }
  }
}
