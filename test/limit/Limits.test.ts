import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { clientOf } from "../../engine/limit/ClientAddress.ts"
import { RESERVED_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import { type LimitSettings, limitSettings } from "../../engine/limit/LimitSettings.ts"
import { layerMemory, layerSql, LimitStore } from "../../engine/limit/LimitStore.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import type { LimitDecision } from "../../engine/limit/LimitDecision.ts"
import { layerDatabase } from "../../engine/store/Database.ts"
import { backends } from "../store/Databases.ts"

const client = (address: string) => clientOf({ peer: address, forwardedFor: null }, 0)
const ANN = client("192.0.2.1")
const BOB = client("198.51.100.1")

const SETTINGS: LimitSettings = {
  submit: { amount: 2, windowMs: 60_000 },
  targetWindowMs: 600_000,
  siteQuota: { amount: 1, windowMs: 86_400_000 },
  verifiedQuota: { amount: 1, windowMs: 600_000 },
  poll: { amount: 30, windowMs: 30_000 },
  browse: { amount: 20, windowMs: 4_000 },
  fix: { amount: 5, windowMs: 60_000 },
  hostBudget: { amount: 3 * RESERVED_REQUESTS, windowMs: 3_600_000 },
  clientRuns: 2,
  networkRuns: 100,
  queueLimit: 1_000
}

const OFF: LimitSettings = {
  submit: null,
  targetWindowMs: null,
  siteQuota: null,
  verifiedQuota: null,
  poll: null,
  browse: null,
  fix: null,
  hostBudget: null,
  clientRuns: null,
  networkRuns: null,
  queueLimit: null
}

const tag = ({ _tag }: LimitDecision) => _tag
const inMemory = (settings: LimitSettings) => Limits.layerOf(settings).pipe(Layer.provide(layerMemory))

describe("rates", () => {
  it.effect("permit a burst, then one at a time as tokens are refilled", () =>
    Effect.gen(function* () {
      const { submit } = yield* Limits
      assert.deepStrictEqual(
        [tag(yield* submit(ANN)), tag(yield* submit(ANN)), tag(yield* submit(ANN))],
        ["Allowed", "Allowed", "Refusal"]
      )
      yield* TestClock.adjust("29 seconds")
      assert.strictEqual(tag(yield* submit(ANN)), "Refusal")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(tag(yield* submit(ANN)), "Allowed")
      assert.strictEqual(tag(yield* submit(ANN)), "Refusal")
    }).pipe(Effect.provide(inMemory(SETTINGS)))
  )

  it.effect("return the fields of a refusal", () =>
    Effect.gen(function* () {
      const { submit } = yield* Limits
      yield* submit(ANN)
      yield* TestClock.adjust("10 seconds")
      yield* submit(ANN)
      assert.deepStrictEqual(yield* submit(ANN), {
        _tag: "Refusal",
        code: "rate_limited",
        standing: { policy: "submit", limit: 2, windowSeconds: 60, remaining: 0, resetSeconds: 20 },
        retryAfter: 20,
        runId: null
      })
    }).pipe(Effect.provide(inMemory(SETTINGS)))
  )

  it.effect("are separate by client and by kind of request", () =>
    Effect.gen(function* () {
      const { browse, poll } = yield* Limits
      for (let turn = 0; turn < 30; turn += 1) assert.strictEqual(tag(yield* poll(ANN)), "Allowed")
      assert.strictEqual(tag(yield* poll(ANN)), "Refusal")
      assert.strictEqual(tag(yield* poll(BOB)), "Allowed")
      for (let turn = 0; turn < 20; turn += 1) assert.strictEqual(tag(yield* browse(ANN)), "Allowed")
      assert.strictEqual(tag(yield* browse(ANN)), "Refusal")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(tag(yield* poll(ANN)), "Allowed")
      assert.strictEqual(tag(yield* poll(ANN)), "Refusal")
    }).pipe(Effect.provide(inMemory(SETTINGS)))
  )

  it.effect("count nothing if they are off", () =>
    Effect.gen(function* () {
      const { browse, hostBudget, poll, siteQuota, submit } = yield* Limits
      yield* siteQuota.take("192.0.2.0/24", "docs.example.com", "run")
      for (let turn = 0; turn < 100; turn += 1) {
        const verdicts = [
          yield* submit(ANN),
          yield* poll(ANN),
          yield* browse(ANN),
          yield* hostBudget.reserve("example.com"),
          yield* siteQuota.check("192.0.2.0/24", "docs.example.com")
        ]
        assert.deepStrictEqual(verdicts.map(tag), ["Allowed", "Allowed", "Allowed", "Allowed", "Allowed"])
      }
    }).pipe(Effect.provide(inMemory(OFF)))
  )

  it.effect("refuse a client with an empty bucket without reading the store", () =>
    Effect.gen(function* () {
      let asked = 0
      const counted = Layer.effect(
        LimitStore,
        LimitStore.use((store) =>
          Effect.succeed({
            ...store,
            take: (...args) =>
              Effect.suspend(() => {
                asked += 1
                return store.take(...args)
              })
          })
        )
      )
      const layer = Limits.layerOf(SETTINGS).pipe(Layer.provide(counted), Layer.provide(layerMemory))
      yield* Effect.gen(function* () {
        const { submit } = yield* Limits
        for (let turn = 0; turn < 50; turn += 1) yield* submit(ANN)
        assert.strictEqual(asked, 2)
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(tag(yield* submit(ANN)), "Allowed")
      }).pipe(Effect.provide(layer))
    })
  )
})

describe("limits of verified sites", () => {
  it.effect("keep a share of a domain's budget for 30 days after the last time that a site of it was verified", () =>
    Effect.gen(function* () {
      const { hostBudget } = yield* Limits
      yield* hostBudget.keepShare("example.com")
      yield* TestClock.adjust("29 days")
      yield* hostBudget.keepShare("example.com")
      yield* TestClock.adjust("29 days")
      assert.isTrue(yield* hostBudget.keepsShare("example.com"))
      yield* TestClock.adjust("2 days")
      assert.isFalse(yield* hostBudget.keepsShare("example.com"))
    }).pipe(Effect.provide(inMemory(SETTINGS)))
  )

  it.effect("count audits as long as their own window, also where that of other sites is shorter", () =>
    Effect.gen(function* () {
      const { siteQuota } = yield* Limits
      yield* siteQuota.take("192.0.2.0/24", "docs.example.com", "run-1")
      yield* TestClock.adjust("2 hours")
      yield* siteQuota.take("192.0.2.0/24", "docs.example.com", "run-2")
      assert.strictEqual(tag(yield* siteQuota.check("192.0.2.0/24", "docs.example.com", true)), "Refusal")
    }).pipe(
      Effect.provide(
        inMemory({
          ...SETTINGS,
          siteQuota: { amount: 1, windowMs: 3_600_000 },
          verifiedQuota: { amount: 2, windowMs: 86_400_000 }
        })
      )
    )
  )
})

describe("DOCGAUGE_CLIENT_RUNS, DOCGAUGE_NETWORK_RUNS and DOCGAUGE_QUEUE_LIMIT", () => {
  const from = (env: Record<string, string>) => limitSettings.parse(ConfigProvider.fromUnknown(env))

  it.effect(
    "are a tenth of the queue for a wider network unless that is set, but no less than for one network, and no limit where networks have none",
    () =>
      Effect.gen(function* () {
        const networkRuns = (env: Record<string, string>) => Effect.map(from(env), (limits) => limits.networkRuns)
        assert.strictEqual(yield* networkRuns({}), 100)
        assert.strictEqual(yield* networkRuns({ DOCGAUGE_QUEUE_LIMIT: "55" }), 5)
        assert.strictEqual(yield* networkRuns({ DOCGAUGE_QUEUE_LIMIT: "off" }), 100)
        assert.strictEqual(yield* networkRuns({ DOCGAUGE_QUEUE_LIMIT: "9", DOCGAUGE_CLIENT_RUNS: "4" }), 4)
        assert.strictEqual(yield* networkRuns({ DOCGAUGE_CLIENT_RUNS: "off" }), null)
        assert.strictEqual(yield* networkRuns({ DOCGAUGE_CLIENT_RUNS: "off", DOCGAUGE_NETWORK_RUNS: "7" }), 7)
        assert.strictEqual(yield* networkRuns({ DOCGAUGE_NETWORK_RUNS: "off" }), null)
        assert.strictEqual(yield* networkRuns({ DOCGAUGE_NETWORK_RUNS: "1" }), 2)
      })
  )

  it.effect("are 2 and 1,000 by default, and can be off", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* from({}), { clientRuns: 2, queueLimit: 1_000 })
      assert.deepInclude(yield* from({ DOCGAUGE_CLIENT_RUNS: " 5", DOCGAUGE_QUEUE_LIMIT: "off" }), {
        clientRuns: 5,
        queueLimit: null
      })
    })
  )

  it.effect.each(["0", "-1", "two", "1.5", "1000001", "1e3", "2/60s"])(
    "that are wrong fail with one line: %j",
    (text) =>
      Effect.gen(function* () {
        for (const name of ["DOCGAUGE_CLIENT_RUNS", "DOCGAUGE_NETWORK_RUNS", "DOCGAUGE_QUEUE_LIMIT"]) {
          const { message } = yield* Effect.flip(from({ [name]: text }))
          assert.match(message, new RegExp(`${name}: give a whole number from 1 to 1000000, or off$`))
        }
      })
  )
})

describe("settings", () => {
  const from = (env: Record<string, string>) =>
    Limits.use(({ targetWindowMs }) => Effect.succeed(targetWindowMs)).pipe(
      Effect.provide(Limits.layer.pipe(Layer.provide(layerMemory))),
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env)))
    )

  it.effect("are those of the contract by default", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* from({}), 600_000)
    })
  )

  it.effect("can be off", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* from({ DOCGAUGE_TARGET_WINDOW: "off" }), null)
    })
  )

  it.effect.each(["SUBMIT_RATE", "TARGET_WINDOW", "SITE_QUOTA", "POLL_RATE", "BROWSE_RATE", "HOST_BUDGET"])(
    "that are wrong fail with one line that names DOCGAUGE_%s",
    (name) =>
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(from({ [`DOCGAUGE_${name}`]: "often" }))
        assert.match(message, new RegExp(`DOCGAUGE_${name}: "often" is not .*; give a (rate|span) such as .*, or off$`))
        assert.notMatch(message, /\n/)
      })
  )
})

/** Seconds that were left at some time of a test, which takes less than a minute. */
const isAround = (actual: number, seconds: number): void => {
  assert.isAtMost(actual, seconds)
  assert.isAbove(actual, seconds - 60)
}

/** Time stands still under a test clock, but not that of a PostgreSQL server: nothing here depends on it. */
describe.each([
  { name: "memory", open: Effect.succeed({ once: layerMemory, again: null }) },
  ...backends
    .filter(({ available }) => available)
    .map(({ fresh, name }) => ({
      name,
      open: Effect.map(fresh, (address) => {
        const open = () => layerSql.pipe(Layer.provide(layerDatabase(address)), Layer.orDie)
        return { once: open(), again: open() }
      })
    }))
])("limits that last, in $name", ({ name, open }) => {
  const NETWORK = "192.0.2.0/24"

  it.live("give exactly the available amount to many concurrent callers", () =>
    Effect.gen(function* () {
      const { once } = yield* open
      const verdicts = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => Limits.use(({ submit }) => submit(ANN)),
        { concurrency: "unbounded" }
      ).pipe(Effect.provide(Limits.layerOf(SETTINGS).pipe(Layer.provide(once))))
      assert.strictEqual(verdicts.filter((verdict) => verdict._tag === "Allowed").length, 2)
    }).pipe(Effect.scoped)
  )

  it.live("get the token of a submission back, and never more than they hold", () =>
    Effect.gen(function* () {
      const { once } = yield* open
      yield* Effect.gen(function* () {
        const { submit, submitBucket } = yield* Limits
        const left = Effect.map(submitBucket.known(ANN), (standing) => standing?.remaining)
        assert.strictEqual(yield* left, 2)
        assert.deepStrictEqual([tag(yield* submit(ANN)), tag(yield* submit(ANN))], ["Allowed", "Allowed"])
        assert.strictEqual(yield* left, 0)
        yield* submitBucket.giveBack(ANN)
        assert.strictEqual(yield* left, 1)
        assert.deepStrictEqual([tag(yield* submit(ANN)), tag(yield* submit(ANN))], ["Allowed", "Refusal"])
        for (let time = 0; time < 5; time++) yield* submitBucket.giveBack(ANN)
        assert.strictEqual(yield* left, 2)
        const verdicts = [yield* submit(ANN), yield* submit(ANN), yield* submit(ANN)].map(tag)
        assert.deepStrictEqual(verdicts, ["Allowed", "Allowed", "Refusal"])
      }).pipe(Effect.provide(Limits.layerOf(SETTINGS).pipe(Layer.provide(once))))
    }).pipe(Effect.scoped)
  )

  it.live("reserve 270 requests for an audit, and return what it did not need", () =>
    Effect.gen(function* () {
      const { once } = yield* open
      yield* Effect.gen(function* () {
        const { hostBudget } = yield* Limits
        const reserve = Effect.map(hostBudget.reserve("example.com"), tag)
        assert.deepStrictEqual(
          [yield* reserve, yield* reserve, yield* reserve, yield* reserve],
          ["Allowed", "Allowed", "Allowed", "Refusal"]
        )
        yield* hostBudget.assign("example.com", "one")
        yield* hostBudget.assign("example.com", "two")
        yield* hostBudget.settle("one", 120)
        assert.strictEqual(yield* reserve, "Refusal")
        yield* hostBudget.settle("two", 70)
        // 150 and 200 are back: enough for one more.
        assert.deepStrictEqual([yield* reserve, yield* reserve], ["Allowed", "Refusal"])
        yield* hostBudget.settle("two", 0)
        assert.strictEqual(yield* reserve, "Refusal")
        assert.strictEqual(tag(yield* hostBudget.reserve("example.org")), "Allowed")
      }).pipe(Effect.provide(Limits.layerOf(SETTINGS).pipe(Layer.provide(once))))
    }).pipe(Effect.scoped)
  )

  it.live("charge an audit that sent more than was reserved", () =>
    Effect.gen(function* () {
      const { once } = yield* open
      yield* Effect.gen(function* () {
        const { hostBudget } = yield* Limits
        const reserve = Effect.map(hostBudget.reserve("example.com"), tag)
        yield* reserve
        yield* hostBudget.assign("example.com", "one")
        yield* hostBudget.settle("one", 3 * RESERVED_REQUESTS)
        const refusal = yield* hostBudget.reserve("example.com")
        isAround(refusal._tag === "Refusal" ? refusal.retryAfter : 0, 1_200)
      }).pipe(Effect.provide(Limits.layerOf(SETTINGS).pipe(Layer.provide(once))))
    }).pipe(Effect.scoped)
  )

  it.live("let a network audit a site once, name the run to read instead, and return the quota", () =>
    Effect.gen(function* () {
      const { once } = yield* open
      yield* Effect.gen(function* () {
        const { siteQuota } = yield* Limits
        assert.strictEqual(tag(yield* siteQuota.check(NETWORK, "docs.example.com")), "Allowed")
        yield* siteQuota.take(NETWORK, "docs.example.com", "run-1")
        const refusal = yield* siteQuota.check(NETWORK, "docs.example.com")
        if (refusal._tag !== "Refusal") return assert.fail("it is allowed")
        const { auditedAgo = Number.NaN, retryAfter } = refusal
        assert.deepStrictEqual(refusal, {
          _tag: "Refusal",
          code: "site_quota",
          standing: { policy: "site", limit: 1, windowSeconds: 86_400, remaining: 0, resetSeconds: retryAfter },
          retryAfter,
          runId: "run-1",
          auditedAgo
        })
        isAround(retryAfter, 86_400)
        isAround(86_400 - auditedAgo, 86_400)
        assert.strictEqual(tag(yield* siteQuota.check("198.51.100.0/24", "docs.example.com")), "Allowed")
        assert.strictEqual(tag(yield* siteQuota.check(NETWORK, "docs.example.org")), "Allowed")
        yield* siteQuota.giveBack("run-1")
        assert.strictEqual(tag(yield* siteQuota.check(NETWORK, "docs.example.com")), "Allowed")
      }).pipe(Effect.provide(Limits.layerOf(SETTINGS).pipe(Layer.provide(once))))
    }).pipe(Effect.scoped)
  )

  it.live("let a verified site be audited more often, and never less often than others", () =>
    Effect.gen(function* () {
      const { once } = yield* open
      const check = (settings: Partial<LimitSettings>) =>
        Effect.gen(function* () {
          const { siteQuota } = yield* Limits
          const site = `${Object.keys(settings).join()}.example.com`
          yield* siteQuota.take(NETWORK, site, `run of ${site}`)
          yield* Effect.sleep(60)
          return [tag(yield* siteQuota.check(NETWORK, site)), tag(yield* siteQuota.check(NETWORK, site, true))]
        }).pipe(Effect.provide(Limits.layerOf({ ...SETTINGS, ...settings }).pipe(Layer.provide(once))))
      assert.deepStrictEqual(yield* check({ verifiedQuota: { amount: 1, windowMs: 50 } }), ["Refusal", "Allowed"])
      assert.deepStrictEqual(yield* check({ siteQuota: { amount: 1, windowMs: 50 } }), ["Allowed", "Allowed"])
    }).pipe(Effect.scoped)
  )

  it.live("keep the last audit of a domain's budget for its verified sites once there is one", () =>
    Effect.gen(function* () {
      const { once } = yield* open
      yield* Effect.gen(function* () {
        const { hostBudget } = yield* Limits
        yield* hostBudget.keepShare("example.com")
        yield* hostBudget.keepShare("example.com")
        const verdicts = [
          yield* hostBudget.reserve("example.com"),
          yield* hostBudget.reserve("example.com"),
          yield* hostBudget.reserve("example.com"),
          yield* hostBudget.reserve("example.com", true),
          yield* hostBudget.reserve("example.com", true)
        ]
        assert.deepStrictEqual(verdicts.map(tag), ["Allowed", "Allowed", "Refusal", "Allowed", "Refusal"])
        for (const verdict of verdicts) if (verdict._tag === "Refusal") isAround(verdict.retryAfter, 1_200)
      }).pipe(Effect.provide(Limits.layerOf(SETTINGS).pipe(Layer.provide(once))))
    }).pipe(Effect.scoped)
  )

  it.live("know whose budget has such a share", () =>
    Effect.gen(function* () {
      const { once } = yield* open
      yield* Effect.gen(function* () {
        const { hostBudget } = yield* Limits
        assert.isFalse(yield* hostBudget.keepsShare("example.com"))
        yield* hostBudget.keepShare("example.com")
        assert.isTrue(yield* hostBudget.keepsShare("example.com"))
        assert.isFalse(yield* hostBudget.keepsShare("example.org"))
      }).pipe(Effect.provide(Limits.layerOf(SETTINGS).pipe(Layer.provide(once))))
    }).pipe(Effect.scoped)
  )

  it.live("keep everything that still counts when they are swept", () =>
    Effect.gen(function* () {
      const { once } = yield* open
      yield* Effect.gen(function* () {
        const store = yield* LimitStore
        const rate = { amount: 2, windowMs: 60_000 }
        yield* store.take("busy", 2, rate)
        yield* store.hold("holder", "run")
        yield* store.sweep(60_000, 0)
        assert.isFalse((yield* store.take("busy", 1, rate)).taken)
        assert.strictEqual((yield* store.holds("holder", 60_000, 5)).holds.length, 1)
        yield* Effect.sleep(20)
        yield* store.sweep(1, 0)
        assert.strictEqual((yield* store.holds("holder", 60_000, 5)).holds.length, 0)
      }).pipe(Effect.provide(once))
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(name === "memory")("are swept by one of two processes in an interval", () =>
    Effect.gen(function* () {
      const { again, once } = yield* open
      const swept = Effect.gen(function* () {
        const store = yield* LimitStore
        yield* store.hold("holder", "run")
        yield* Effect.sleep(20)
        yield* store.sweep(1, 3_600_000)
        const { holds } = yield* store.holds("holder", 60_000, 5)
        yield* store.letGo("run")
        return holds.length === 0
      })
      assert.isTrue(yield* Effect.provide(swept, once))
      assert.isFalse(yield* Effect.provide(swept, again ?? once))
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(name === "memory")("last over a restart", () =>
    Effect.gen(function* () {
      const { again, once } = yield* open
      yield* Effect.gen(function* () {
        const { hostBudget, siteQuota, submit } = yield* Limits
        yield* submit(ANN)
        yield* submit(ANN)
        yield* siteQuota.take(NETWORK, "docs.example.com", "run-1")
        for (let audit = 0; audit < 3; audit += 1) yield* hostBudget.reserve("example.com")
      }).pipe(Effect.provide(Limits.layerOf(SETTINGS).pipe(Layer.provide(once))))
      yield* Effect.gen(function* () {
        const { hostBudget, siteQuota, submit } = yield* Limits
        assert.strictEqual(tag(yield* submit(ANN)), "Refusal")
        assert.strictEqual(tag(yield* submit(BOB)), "Allowed")
        assert.strictEqual(tag(yield* siteQuota.check(NETWORK, "docs.example.com")), "Refusal")
        assert.strictEqual(tag(yield* hostBudget.reserve("example.com")), "Refusal")
      }).pipe(Effect.provide(Limits.layerOf(SETTINGS).pipe(Layer.provide(again ?? once))))
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(name === "memory")("hold over several processes", () =>
    Effect.gen(function* () {
      const { again, once } = yield* open
      // Two services with a memory each, over one database.
      const process = (store: typeof once) =>
        Effect.forEach(Array.from({ length: 10 }), () => Limits.use(({ submit }) => submit(ANN))).pipe(
          Effect.provide(Limits.layerOf(SETTINGS).pipe(Layer.provide(store)))
        )
      const fibers = [yield* Effect.forkChild(process(once)), yield* Effect.forkChild(process(again ?? once))]
      const verdicts = (yield* Fiber.joinAll(fibers)).flat()
      assert.strictEqual(verdicts.filter((verdict) => verdict._tag === "Allowed").length, 2)
    }).pipe(Effect.scoped)
  )
})
