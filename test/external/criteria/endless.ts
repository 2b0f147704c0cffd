import * as Effect from "effect/Effect"
import { define, type Exchange } from "../../../engine/plugin/entry.ts"
import { COUNTING, counting } from "./counting.ts"

/* Plugins that go beyond every limit that they have. */

export const asksForever = counting("asks-forever", (site) => Effect.forever(site.get(site.base.url)))

export const asksForMuchAtOnce = counting("asks-for-much-at-once", (site) =>
  Effect.as(site.getAll(Array.from({ length: 5_000 }, (_, index) => `${site.base.url}?${index}`)), 1)
)

export const asksSlowly = counting("asks-slowly", (site) =>
  Effect.forever(Effect.andThen(site.get(site.base.url), Effect.sleep("200 millis")))
)

/** Longer without a request than its test lets it compute for. */
export const waits = counting("waits", () => Effect.as(Effect.sleep("2 seconds"), 1))

export const sleepsForEver = counting("sleeps-for-ever", () => Effect.never)

export const fillsItsHeap = counting("fills-its-heap", () =>
  Effect.sync(() => {
    const all: Array<ReadonlyArray<number>> = []
    for (;;) all.push(Array.from({ length: 1_000 }, (_, index) => index + 0.5))
  })
)

/** Memory outside the heap, which the limits of V8 do not count. It stops at a gigabyte, so that a failing test ends, too. */
export const fillsBuffers = counting("fills-buffers", () =>
  Effect.forever(
    Effect.suspend(() => {
      if (held.length < 100) held.push(new Uint8Array(10_000_000).fill(1))
      return Effect.sleep("2 millis")
    })
  )
)

const held: Array<Uint8Array> = []

/** A fact that is none at all: what the thread sends is not a measurement. */
export const sendsNoMessage = counting("sends-no-message", () =>
  Effect.sync((): number => JSON.parse('{ "call": "first" }'))
)

/** A measurement whose proof is not a whole exchange. */
export const citesHalfAnExchange = define({
  ...COUNTING,
  id: "cites-half-an-exchange",
  measure: ({ base: { url } }) =>
    Effect.sync(() => {
      const proof: Exchange = JSON.parse(JSON.stringify({ _tag: "Answer", url, asked: null }))
      return { facts: { found: 1 }, findings: [{ good: true, message: "Found.", proof }] as const }
    })
})
