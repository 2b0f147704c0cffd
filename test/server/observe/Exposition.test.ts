import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { Exposition } from "../../../server/observe/Metrics.ts"

/** The text of `/metrics` after each of these looks at the queue, one after the other. */
const textsAfter = (looks: ReadonlyArray<RunStore["Service"]["waiting"]>): Promise<ReadonlyArray<string>> => {
  let taken = 0
  const store = Layer.mock(RunStore)({
    waiting: Effect.suspend(() => looks[taken++] ?? Effect.die(new Error("one look too many")))
  })
  const all = Exposition.use(({ text }) => Effect.forEach(looks, () => text))
  return Effect.runPromise(Effect.provide(all, Exposition.layer.pipe(Layer.provide(store))))
}

const WAITING = Effect.succeed({ count: 7, oldest: "2026-01-01T00:00:00Z" })

const UNKNOWN = [/^docgauge_queue_depth NaN$/mu, /^docgauge_queue_oldest_seconds NaN$/mu]

it("/metrics has the age of the oldest waiting audit in seconds, and 0 where none waits", async () => {
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
  const [one = "", none = ""] = await textsAfter([
    Effect.succeed({ count: 1, oldest: hourAgo }),
    Effect.succeed({ count: 0, oldest: null })
  ])
  const ageIn = (text: string): number => Number(/^docgauge_queue_oldest_seconds (\S+)$/mu.exec(text)?.[1])
  expect(ageIn(one)).toBeGreaterThanOrEqual(3_600)
  expect(ageIn(one)).toBeLessThan(10 * 3_600)
  expect(ageIn(none)).toBe(0)
})

it.each([
  ["never answers", Effect.never],
  ["never answers and cannot be interrupted", Effect.uninterruptible(Effect.never)]
])(
  "/metrics answers within seconds while the store %s, with the queue as unknown instead of as it was",
  async (_name, stalled) => {
    const before = performance.now()
    const [first = "", second = ""] = await textsAfter([WAITING, stalled])
    expect(performance.now() - before).toBeLessThan(10_000)
    expect(first).toMatch(/^docgauge_queue_depth 7$/mu)
    for (const series of UNKNOWN) expect(second).toMatch(series)
    expect(second).toMatch(/^docgauge_event_loop_delay_seconds\{percentile="99"\} /mu)
  }
)

it.each([
  ["fails", Effect.fail(new StoreUnavailable({ cause: "away" }))],
  ["has a bug", Effect.die(new Error("no such column"))]
])("/metrics answers while the store %s, and has the queue again when it is back", async (_name, failure) => {
  const [first = "", second = ""] = await textsAfter([failure, WAITING])
  for (const series of UNKNOWN) expect(first).toMatch(series)
  expect(second).toMatch(/^docgauge_queue_depth 7$/mu)
})
