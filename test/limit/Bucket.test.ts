import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fullAfter, makeMemoryBuckets, secondsUntil, tokensIn } from "../../engine/limit/Buckets.ts"
import type { Rate } from "../../engine/limit/LimitSettings.ts"

const START = 1_750_000_000_000

const rates: fc.Arbitrary<Rate> = fc.record({
  amount: fc.integer({ min: 1, max: 50 }),
  windowMs: fc.integer({ min: 1_000, max: 3_600_000 })
})

/** Milliseconds from one asking to the next. */
const pauses = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 4_000_000 })),
  { maxLength: 120 }
)

/** The times at which one client was let through. */
const granted = (rate: Rate, gaps: ReadonlyArray<number>): ReadonlyArray<number> => {
  const buckets = makeMemoryBuckets(rate)
  let now = START
  return gaps.flatMap((gap) => {
    now += gap
    return buckets.take("client", 1, now).taken ? [now] : []
  })
}

describe("a bucket", () => {
  it("never permits more than it holds plus what was refilled meanwhile", () => {
    fc.assert(
      fc.property(rates, pauses, (rate, gaps) => {
        const times = granted(rate, gaps)
        times.forEach((from, first) => {
          times.slice(first).forEach((until, more) => {
            expect(more + 1).toBeLessThanOrEqual(rate.amount + ((until - from) * rate.amount) / rate.windowMs + 0.05)
          })
        })
      })
    )
  })

  it("permits a burst of its whole amount, and no more", () => {
    fc.assert(
      fc.property(rates, (rate) => {
        expect(
          granted(
            rate,
            Array.from({ length: rate.amount + 5 }, () => 0)
          )
        ).toHaveLength(rate.amount)
      })
    )
  })

  it("permits a request after the wait that it states, and none more than a second earlier", () => {
    fc.assert(
      fc.property(rates, pauses, (rate, gaps) => {
        const buckets = makeMemoryBuckets(rate)
        let now = START
        for (const gap of gaps) {
          now += gap
          const { fullAt, taken } = buckets.take("client", 1, now)
          if (taken) continue
          const wait = secondsUntil(fullAt, now, 1, rate)
          expect(wait).toBeGreaterThanOrEqual(1)
          expect(buckets.lacks("client", 1, now + wait * 1_000)).toBeNull()
          expect(wait === 1 || buckets.lacks("client", 1, now + (wait - 1) * 1_000 - 1) !== null).toBe(true)
        }
      })
    )
  })

  it("reports how many tokens can still be taken at once", () => {
    fc.assert(
      fc.property(rates, pauses, (rate, gaps) => {
        const buckets = makeMemoryBuckets(rate)
        let now = START
        let fullAt = START
        for (const gap of gaps) {
          now += gap
          fullAt = buckets.take("client", 1, now).fullAt
        }
        const left = tokensIn(fullAt, now, rate)
        for (let taken = 0; taken < left; taken += 1) expect(buckets.take("client", 1, now).taken).toBe(true)
        expect(buckets.take("client", 1, now).taken).toBe(false)
      })
    )
  })
})

it("a bucket that was full long ago is charged from now on, and holds no more for the time it was full", () => {
  expect(fullAfter(START - 3_600_000, START, 1, { amount: 2, windowMs: 60_000 })).toBe(START + 30_000)
})

describe("buckets in memory", () => {
  const rate: Rate = { amount: 2, windowMs: 60_000 }

  it("are separate by key", () => {
    const buckets = makeMemoryBuckets(rate)
    for (const key of ["a", "a", "b", "b"]) expect(buckets.take(key, 1, START).taken).toBe(true)
    expect(buckets.take("a", 1, START).taken).toBe(false)
  })

  it("never exceed their maximum number, and keep the most recently used", () => {
    const buckets = makeMemoryBuckets(rate, 100)
    for (let client = 0; client < 1_000; client += 1) buckets.take(`client ${client}`, 2, START)
    expect(buckets.size()).toBe(100)
    expect(buckets.take("client 999", 1, START).taken).toBe(false)
    expect(buckets.take("client 0", 1, START).taken).toBe(true)
  })

  it("are dropped once they are full again", () => {
    const buckets = makeMemoryBuckets(rate)
    for (let client = 0; client < 100; client += 1) buckets.take(`client ${client}`, 1, START)
    for (let turn = 0; turn < 100; turn += 1) buckets.take("another", 1, START + 60_000)
    expect(buckets.size()).toBe(1)
  })
})
