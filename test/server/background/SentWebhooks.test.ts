import { describe, expect, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Clock from "effect/Clock"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { userAgents } from "../../../engine/evidence/UserAgents.ts"
import type { ChildMessage } from "../../../engine/process/AuditTask.ts"
import { carryOutPosts } from "../../../engine/process/PostWork.ts"
import { Transactions } from "../../../engine/store/database/SqlDatabase.ts"
import { SiteBlocks } from "../../../engine/store/operators/SiteBlocks.ts"
import { DeliveryStore, LEASE_MS } from "../../../engine/store/webhooks/DeliveryStore.ts"
import { WebhookStore } from "../../../engine/store/webhooks/WebhookStore.ts"
import { WAITS, webhookDeliveries, WebhookInterval } from "../../../server/background/WebhookDeliveries.ts"
import { ReleasedRubrics, RubricInForce } from "../../../server/config/RubricInForce.ts"
import { ownMetrics } from "../../../server/observe/Metrics.ts"
import { WebhookPosts } from "../../../server/webhooks/WebhookPosts.ts"
import type { ReadClient } from "../../../engine/store/database/SqlDatabase.ts"
import { type Backend, dialects, onFresh, postgres, sqliteBackends, type Stores } from "../../store/Databases.ts"
import { audited, newRun } from "../../store/SampleRuns.ts"
import { isSigned, type Receiver, receiver } from "../webhooks/Receiver.ts"

const NETWORK = { resolve: [], allowPrivate: true, allowHttp: true, userAgents: userAgents("1.2.3", null) }

type Post = WebhookPosts["Service"]["post"]

/** What the audit process does, in this one. */
const post: Post = (posts) =>
  Effect.suspend(() => {
    const told: Array<ChildMessage> = []
    return Effect.map(
      carryOutPosts({ kind: "post", posts, network: NETWORK }, { tell: (message) => void told.push(message) }),
      () => told.flatMap((message) => (message._tag === "Posted" ? message.answers : []))
    )
  })

/** The sending part of a process, as long as the scope is open. */
const sender = (posting: Post = post) =>
  Layer.build(
    webhookDeliveries.pipe(
      Layer.provide(Layer.succeed(WebhookPosts, { post: posting })),
      Layer.provide(ReleasedRubrics.layerOf()),
      Layer.provide(RubricInForce.layer),
      Layer.provide(SiteBlocks.layerSql),
      Layer.provide(ownMetrics),
      Layer.provide(NodeServices.layer),
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({ DOCGAUGE_BASE_URL: "https://gauge.dev" }))),
      Layer.fresh
    )
  )

const stores = Layer.mergeAll(WebhookStore.layerSql, DeliveryStore.layerSql, SiteBlocks.layerSql).pipe(
  Layer.provideMerge(Transactions.layerSql),
  Layer.orDie
)

type Services = WebhookStore | DeliveryStore | SiteBlocks | Transactions | Scope.Scope | Stores | SqlClient | ReadClient

/** On a database of its own, which is closed after everything that the effect has opened. */
const on = <A, E>(backend: Backend, effect: Effect.Effect<A, E, Services>) =>
  onFresh(backend, Effect.provide(Effect.scoped(effect), stores))

const created = Effect.fnUntraced(function* ({ port }: Receiver) {
  const webhook = yield* WebhookStore.use((store) =>
    store.create({
      site: "docs.a.dev",
      baseUrl: "https://docs.a.dev",
      url: `http://127.0.0.1:${port}/hook`,
      events: ["audit.finished", "score.fell", "criterion.lost"]
    })
  )
  return webhook ?? (yield* Effect.die("no webhook"))
})

const add = (webhook: string, type = "audit.finished") =>
  DeliveryStore.use((store) => store.add(webhook, { type, runId: null, body: JSON.stringify({ type }) }))

const newest = (webhook: string) => DeliveryStore.use((store) => store.newest(webhook, 20))

const listening = (answer?: Parameters<typeof receiver>[0]) =>
  Effect.acquireRelease(
    Effect.promise(() => receiver(answer)),
    (made) => Effect.promise(() => made.close())
  )

/** Looks until something holds, by the real clock: what is looked for happens over real connections. */
const until = <A, E, R>(look: Effect.Effect<A, E, R>, holds: (found: A) => boolean) =>
  Effect.gen(function* () {
    for (let tries = 0; tries < 500; tries++) {
      const found = yield* look
      if (holds(found)) return found
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
    }
    return yield* Effect.die(new Error("it did not come about"))
  })

const [sqlite] = sqliteBackends

/** The same while the time that is set goes on, because a process looks for what is due again and again. */
const passingUntil = <A, E, R>(look: Effect.Effect<A, E, R>, holds: (found: A) => boolean) =>
  until(Effect.andThen(TestClock.adjust("2 seconds"), look), holds)

/** Waits until it is written that an attempt failed: then the next one is due after `wait`, and not at the end of the lease. */
const failing = (webhook: string, attempt: number, wait: number) =>
  passingUntil(
    Effect.all([newest(webhook), Clock.currentTimeMillis]),
    ([[first], now]) =>
      first?.attempts === attempt && Math.abs(Date.parse(first.nextAt ?? "") - now - wait) < 50_000 + 0.02 * wait
  )

describe("a delivery, by a clock that is set", () => {
  if (sqlite === undefined) throw new Error("there is no SQLite")

  it.effect("tells nothing of a run that finished more than a day ago, while the service was down", () =>
    on(
      sqlite,
      Effect.gen(function* () {
        const { id } = yield* created(yield* listening())
        yield* audited(newRun("docs.a.dev"), 80)
        yield* TestClock.adjust("25 hours")
        yield* audited(newRun("docs.a.dev"), 70)
        yield* sender()
        yield* passingUntil(
          SqlClient.use((sql) => sql`SELECT run_id FROM webhook_runs`),
          (rows) => rows.length === 0
        )
        const told = yield* newest(id)
        expect(told.map(({ type }) => type).toSorted()).toEqual(["audit.finished", "score.fell"])
      })
    )
  )

  it.effect("is sent at once, and a minute after a failure again: under the same id, with a new signature", () =>
    on(
      sqlite,
      Effect.gen(function* () {
        const to = yield* listening((_message, response) => {
          response.writeHead(to.received.length === 1 ? 500 : 200).end()
        })
        const { id, secret } = yield* created(to)
        yield* add(id)
        yield* sender()
        yield* passingUntil(newest(id), ([first]) => first?.lastStatus === 500)
        yield* TestClock.adjust("50 seconds")
        expect(to.received).toHaveLength(1)
        yield* TestClock.adjust("15 seconds")
        expect(yield* passingUntil(newest(id), ([first]) => first?.state === "delivered")).toMatchObject([
          { attempts: 2, lastStatus: 200, lastProblem: null }
        ])
        const [first, second] = to.received
        expect(second?.id).toBe(first?.id)
        expect(second?.body).toBe(first?.body)
        expect(second?.headers["webhook-timestamp"]).not.toBe(first?.headers["webhook-timestamp"])
        expect(to.received.map((message) => isSigned(message, secret))).toEqual([true, true])
        expect(to.received.map((message) => isSigned(message, "whsec_AAAA"))).toEqual([false, false])
      })
    )
  )

  it.effect("fails for good after eight attempts within 24 hours", () =>
    on(
      sqlite,
      Effect.gen(function* () {
        const to = yield* listening((_message, response) => void response.writeHead(503).end())
        const { id } = yield* created(to)
        yield* add(id)
        yield* sender()
        for (const [index, wait] of WAITS.entries()) {
          yield* failing(id, index + 1, wait)
          yield* TestClock.adjust(wait)
        }
        expect(yield* passingUntil(newest(id), ([first]) => first?.state === "failed")).toMatchObject([
          { attempts: 8, lastProblem: "The receiver answered 503.", nextAt: null }
        ])
        expect(yield* Clock.currentTimeMillis).toBeLessThan(24 * 3_600_000)
        yield* TestClock.adjust("2 days")
        expect(to.received).toHaveLength(8)
      })
    )
  )

  it.effect("is sent again under the same id if its process dies after it was sent and before that was written", () =>
    on(
      sqlite,
      Effect.gen(function* () {
        const to = yield* listening()
        const { id } = yield* created(to)
        const delivery = yield* add(id)
        const dying = yield* Scope.make()
        yield* Scope.provide(
          sender((posts) => Effect.andThen(post(posts), Effect.never)),
          dying
        )
        yield* passingUntil(
          Effect.sync(() => to.received.length),
          (count) => count === 1
        )
        yield* Scope.close(dying, Exit.void)
        expect(yield* newest(id)).toMatchObject([{ state: "waiting", attempts: 1 }])
        yield* sender()
        yield* TestClock.adjust("30 seconds")
        expect(to.received).toHaveLength(1)
        yield* TestClock.adjust(LEASE_MS)
        expect(yield* passingUntil(newest(id), ([first]) => first?.state === "delivered")).toMatchObject([
          { attempts: 2 }
        ])
        expect(to.received.map((message) => message.id)).toEqual([delivery, delivery])
      })
    )
  )

  it.effect("ends its webhook if the receiver answers 410, and says so", () =>
    on(
      sqlite,
      Effect.gen(function* () {
        const to = yield* listening((_message, response) => void response.writeHead(410).end())
        const { id } = yield* created(to)
        yield* add(id)
        yield* sender()
        const ended = yield* passingUntil(
          WebhookStore.use((store) => store.find(id)),
          (webhook) => webhook?.problem !== null
        )
        expect(ended?.problem).toBe("The receiver answered 410: it is gone.")
      })
    )
  )
})

for (const backend of dialects) {
  describe.skipIf(!backend.available)(`webhooks of finished runs on ${backend.name}`, () => {
    it.live("are told of each event that they ask for and that happened, by a message of its own", () =>
      on(
        backend,
        Effect.gen(function* () {
          const to = yield* listening()
          const { id, secret } = yield* created(to)
          yield* sender()
          const typesOf = (count: number) =>
            Effect.map(
              until(newest(id), (all) => all.length === count && all.every(({ state }) => state === "delivered")),
              (all) => all.map(({ type }) => type).toSorted()
            )
          const first = yield* audited(newRun("docs.a.dev"), 80)
          expect(yield* typesOf(1)).toEqual(["audit.finished"])
          // Less, and A1 is lost at 50.
          const second = yield* audited(newRun("docs.a.dev"), 40)
          expect(yield* typesOf(4)).toEqual(["audit.finished", "audit.finished", "criterion.lost", "score.fell"])
          // What is not reliable has not fallen.
          yield* audited(newRun("docs.a.dev"), 37, false)
          expect((yield* typesOf(5)).filter((type) => type === "score.fell")).toHaveLength(1)
          expect(to.received.every((message) => isSigned(message, secret))).toBe(true)
          const fell = to.received.find(({ type }) => type === "score.fell")
          expect(JSON.parse(fell?.body ?? "{}")).toMatchObject({
            type: "score.fell",
            data: {
              base_url: "https://docs.a.dev",
              run_id: second.id,
              share_url: `https://gauge.dev/r/${second.id}`,
              total_score: 40,
              previous: { run_id: first.id, total_score: 80 },
              delta: -40,
              lost: expect.arrayContaining([expect.objectContaining({ id: "A1", from: 2, to: 0, max: 2 })])
            }
          })
          expect(new Set(to.received.map((message) => message.id)).size).toBe(to.received.length)
        }).pipe(Effect.provideService(WebhookInterval, "20 millis"))
      )
    )

    it.live("are told nothing of a hidden run or of a blocked site, also if that comes later", () =>
      on(
        backend,
        Effect.gen(function* () {
          const [sql, blocks] = [yield* SqlClient, yield* SiteBlocks]
          const to = yield* listening()
          const { id } = yield* created(to)
          const { id: run } = yield* audited(newRun("docs.a.dev"), 80)
          yield* DeliveryStore.use((store) => store.add(id, { type: "score.fell", runId: run, body: "{}" }))
          yield* sql`UPDATE runs SET hidden = TRUE`
          const open = yield* Scope.make()
          yield* Scope.provide(sender(), open)
          expect(yield* until(newest(id), ([one]) => one?.state !== "waiting")).toMatchObject([{ state: "dropped" }])
          yield* until(sql`SELECT run_id FROM webhook_runs`, (rows) => rows.length === 0)
          yield* Scope.close(open, Exit.void)
          yield* blocks.put("docs.a.dev", "asked by mail")
          yield* audited(newRun("docs.a.dev"), 90)
          yield* add(id)
          yield* sender()
          expect(yield* until(newest(id), ([one]) => one?.state !== "waiting")).toMatchObject([
            { state: "dropped", lastProblem: "An operator of this service has blocked the site." },
            { state: "dropped" }
          ])
          yield* until(sql`SELECT run_id FROM webhook_runs`, (rows) => rows.length === 0)
          expect([to.received, (yield* newest(id)).length]).toEqual([[], 2])
        }).pipe(Effect.provideService(WebhookInterval, "20 millis"))
      )
    )
  })
}

it.live.skipIf(!postgres.available)("two processes on PostgreSQL send each delivery once", () =>
  on(
    postgres,
    Effect.gen(function* () {
      const to = yield* listening()
      const { id } = yield* created(to)
      const ids = yield* Effect.forEach(Array.from({ length: 40 }), () => add(id))
      yield* sender()
      yield* sender()
      yield* until(
        SqlClient.use((sql) => sql`SELECT serial FROM webhook_deliveries WHERE state <> 'delivered'`),
        (rows) => rows.length === 0
      )
      expect(to.received.map((message) => message.id).toSorted()).toEqual(ids.toSorted())
    }).pipe(Effect.provideService(WebhookInterval, "10 millis"))
  )
)
