import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { RESERVED_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { makeMemoryBuckets, secondsUntil } from "../../engine/limit/Buckets.ts"
import { clientOf } from "../../engine/limit/ClientAddress.ts"
import type { LimitDecision } from "../../engine/limit/LimitDecision.ts"
import type { LimitSettings } from "../../engine/limit/LimitSettings.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import { layerMemory, layerSql } from "../../engine/limit/LimitStore.ts"
import { layerDatabase } from "../../engine/store/Database.ts"
import { movableClock } from "../harness/MovableClock.ts"
import { LIMITLESS } from "../schedule/TestService.ts"
import { backends } from "../store/Databases.ts"

const HOUR_MS = 3_600_000
const [HOST, SITE, NETWORK] = ["example.com", "docs.example.com", "192.0.2.0/24"]
const CLIENT = clientOf({ peer: "192.0.2.1", forwardedFor: null }, 0)

const SETTINGS: LimitSettings = {
  ...LIMITLESS,
  submit: { amount: 2, windowMs: 60_000 },
  siteQuota: { amount: 2, windowMs: 24 * HOUR_MS },
  poll: { amount: 2, windowMs: 60_000 },
  hostBudget: { amount: 3 * RESERVED_REQUESTS, windowMs: HOUR_MS }
}

/** The wait that a refusal states; 0 if it is allowed. */
const waitOf = (decision: LimitDecision): number => (decision._tag === "Refusal" ? decision.retryAfter : 0)

/** A test takes less than a minute. */
const isAround = (actual: number, seconds: number): void => {
  assert.isAtMost(actual, seconds)
  assert.isAbove(actual, seconds - 60)
}

const stores = [
  { name: "memory", open: Effect.succeed({ store: layerMemory, moveDatabase: () => Effect.void }) },
  ...backends
    .filter(({ available }) => available)
    .map(({ fresh, kind, name }) => ({
      name,
      open: Effect.map(fresh, (address) => ({
        store: layerSql.pipe(Layer.provide(layerDatabase(address)), Layer.orDie),
        // The clock of a PostgreSQL server is its own: setting it back is the same as having written everything so much later.
        moveDatabase: (ms: number) =>
          kind === "SQLite"
            ? Effect.void
            : Effect.gen(function* () {
                const sql = yield* SqlClient
                yield* sql`UPDATE limit_buckets SET full_at = full_at - ${ms}::double precision`
                yield* sql`UPDATE quota_holds SET taken_at = taken_at - ${ms}::double precision`
              }).pipe(Effect.provide(layerDatabase(address)), Effect.orDie)
      }))
    }))
]

describe.each(stores)("after the clock was set back by five hours, in $name", ({ open }) => {
  const holds = (
    settings: Partial<LimitSettings>,
    test: (move: (ms: number) => Effect.Effect<void>) => Effect.Effect<void, unknown, Limits>
  ) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { clock, move } = yield* movableClock
        const { moveDatabase, store } = yield* open
        const both = (ms: number) => Effect.andThen(move(ms), moveDatabase(ms))
        yield* Effect.provide(test(both), Limits.layerOf({ ...SETTINGS, ...settings }).pipe(Layer.provide(store))).pipe(
          Effect.provideService(Clock.Clock, clock)
        )
      })
    )

  it.live(
    "a client waits for its next submission no longer than the window, and for a full burst no longer either",
    () =>
      holds(
        {},
        Effect.fnUntraced(function* (move) {
          const { submit, submitBucket } = yield* Limits
          yield* submit(CLIENT)
          yield* submit(CLIENT)
          yield* move(-5 * HOUR_MS)
          isAround((yield* submitBucket.look(CLIENT))?.resetSeconds ?? 0, 60)
          isAround(waitOf(yield* submit(CLIENT)), 60)
          yield* move(60_000)
          assert.deepStrictEqual([waitOf(yield* submit(CLIENT)), waitOf(yield* submit(CLIENT))], [0, 0])
        })
      )
  )

  it.live("a domain's budget is full again after its window", () =>
    holds(
      {},
      Effect.fnUntraced(function* (move) {
        const { hostBudget } = yield* Limits
        for (let audit = 0; audit < 3; audit++) yield* hostBudget.reserve(HOST)
        yield* move(-5 * HOUR_MS)
        isAround((yield* hostBudget.look(HOST))?.resetSeconds ?? 0, 3_600)
        isAround(waitOf(yield* hostBudget.reserve(HOST)), 1_200)
        yield* move(HOUR_MS)
        assert.deepStrictEqual(
          [
            waitOf(yield* hostBudget.reserve(HOST)),
            waitOf(yield* hostBudget.reserve(HOST)),
            waitOf(yield* hostBudget.reserve(HOST))
          ],
          [0, 0, 0]
        )
      })
    )
  )

  it.live("a domain's budget gets back at once what an audit that began before did not send", () =>
    holds(
      {},
      Effect.fnUntraced(function* (move) {
        const { hostBudget } = yield* Limits
        for (let audit = 0; audit < 3; audit++) yield* hostBudget.reserve(HOST)
        yield* hostBudget.assign(HOST, "one")
        yield* move(-5 * HOUR_MS)
        yield* hostBudget.settle("one", 0)
        assert.deepStrictEqual(waitOf(yield* hostBudget.reserve(HOST)), 0)
        isAround(waitOf(yield* hostBudget.reserve(HOST)), 1_200)
      })
    )
  )

  it.live("a network can audit a site again after the window of its quota", () =>
    holds(
      {},
      Effect.fnUntraced(function* (move) {
        const { siteQuota } = yield* Limits
        yield* siteQuota.take(NETWORK, SITE, "one")
        yield* siteQuota.take(NETWORK, SITE, "two")
        yield* move(-5 * HOUR_MS)
        isAround(waitOf(yield* siteQuota.check(NETWORK, SITE)), 24 * 3_600)
        yield* move(24 * HOUR_MS)
        assert.strictEqual(waitOf(yield* siteQuota.check(NETWORK, SITE)), 0)
      })
    )
  )

  it.live(
    "an audit that sent more than a small budget holds is still paid for, which takes longer than its window",
    () =>
      holds(
        { hostBudget: { amount: 100, windowMs: HOUR_MS } },
        Effect.fnUntraced(function* (move) {
          const { hostBudget } = yield* Limits
          yield* hostBudget.reserve(HOST)
          yield* hostBudget.assign(HOST, "one")
          yield* hostBudget.settle("one", 200)
          isAround(waitOf(yield* hostBudget.reserve(HOST)), 2 * 3_600)
          yield* move(-5 * HOUR_MS)
          // What one audit may cost at most, whatever the clock said before.
          isAround(waitOf(yield* hostBudget.reserve(HOST)), (RESERVED_REQUESTS / 100) * 3_600)
          yield* move((RESERVED_REQUESTS / 100) * HOUR_MS)
          assert.strictEqual(waitOf(yield* hostBudget.reserve(HOST)), 0)
        })
      )
  )
})

describe("the limits of a process", () => {
  it.effect("let a client read again after the window, if the clock was set back", () =>
    Effect.gen(function* () {
      const { poll } = yield* Limits
      yield* TestClock.setTime(5 * HOUR_MS)
      yield* poll(CLIENT)
      yield* poll(CLIENT)
      yield* TestClock.setTime(0)
      isAround(waitOf(yield* poll(CLIENT)), 60)
      yield* TestClock.setTime(60_000)
      assert.deepStrictEqual([waitOf(yield* poll(CLIENT)), waitOf(yield* poll(CLIENT))], [0, 0])
    }).pipe(Effect.provide(Limits.layerOf(SETTINGS).pipe(Layer.provide(layerMemory))))
  )
})

describe("a bucket", () => {
  it("states no wait longer than its window, and keeps to it, however the clock was set before", () => {
    const rates = fc.record({
      amount: fc.integer({ min: 1, max: 20 }),
      windowMs: fc.integer({ min: 1_000, max: HOUR_MS })
    })
    const steps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: -10 * HOUR_MS, max: 10 * HOUR_MS })), {
      maxLength: 60
    })
    fc.assert(
      fc.property(rates, steps, (rate, moves) => {
        const buckets = makeMemoryBuckets(rate)
        let now = 1_750_000_000_000
        for (const move of moves) {
          now += move
          const { fullAt, taken } = buckets.take("client", 1, now)
          if (taken) continue
          const wait = secondsUntil(fullAt, now, 1, rate)
          assert.isAtMost(wait, Math.ceil(rate.windowMs / 1_000))
          assert.isNull(buckets.lacks("client", 1, now + wait * 1_000))
        }
      })
    )
  })
})
