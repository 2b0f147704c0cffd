import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { Transactions } from "../../../engine/store/database/SqlDatabase.ts"
import {
  type DeliveryOutcome,
  DeliveryStore,
  LEASE_MS,
  TEST_EVENT
} from "../../../engine/store/webhooks/DeliveryStore.ts"
import { type NewWebhook, WebhookStore } from "../../../engine/store/webhooks/WebhookStore.ts"
import { type Backend, dialects, onFresh, type Stores } from "../Databases.ts"
import { audited, newRun } from "../SampleRuns.ts"

const HOUR = 3_600_000

const hookOf = (site: string, over: Partial<NewWebhook> = {}): NewWebhook => ({
  site,
  baseUrl: `https://${site}`,
  url: "https://hooks.dev/docgauge",
  events: ["audit.finished"],
  ...over
})

const FAILED: DeliveryOutcome = { _tag: "Failed", status: 500, problem: "The receiver answered 500.", ends: null }

const layers = Layer.mergeAll(WebhookStore.layerSql, DeliveryStore.layerSql).pipe(
  Layer.provideMerge(Transactions.layerSql),
  Layer.orDie
)

const on = <A, E>(
  backend: Backend,
  effect: Effect.Effect<A, E, Stores | SqlClient | WebhookStore | DeliveryStore | Transactions>
) => onFresh(backend, Effect.provide(effect, layers))

/** A webhook of a site, and a delivery of it that is due. */
const due = Effect.fnUntraced(function* (type = "audit.finished", runId: string | null = null) {
  const webhook = yield* WebhookStore.use((store) => store.create(hookOf("docs.a.dev")))
  const id = webhook?.id ?? ""
  const delivery = yield* DeliveryStore.use((store) => store.add(id, { type, runId, body: '{"a":1}' }))
  return { webhook: id, delivery }
})

/** The one delivery that is due. */
const claimOne = Effect.gen(function* () {
  const [claimed, ...others] = yield* DeliveryStore.use((store) => store.claimDue(10))
  expect(others).toEqual([])
  return claimed ?? (yield* Effect.die("nothing is due"))
})

const nowDue = Effect.flatMap(
  SqlClient,
  (sql) => sql`UPDATE webhook_deliveries SET next_at = 0 WHERE state = 'waiting'`
)

for (const backend of dialects) {
  describe.skipIf(!backend.available)(`webhooks and deliveries on ${backend.name}`, () => {
    it.live("notes a finished run of a site with a webhook once, and none of other sites", () =>
      on(
        backend,
        Effect.gen(function* () {
          const store = yield* DeliveryStore
          yield* audited(newRun("docs.a.dev"), 50)
          expect(yield* store.takeRun).toBe(null)
          yield* WebhookStore.use((webhooks) => webhooks.create(hookOf("docs.a.dev")))
          const { id } = yield* audited(newRun("docs.a.dev"), 50)
          yield* audited(newRun("docs.a.dev/v2"), 50)
          yield* audited(newRun("docs.b.dev"), 50)
          expect([yield* store.takeRun, yield* store.takeRun]).toEqual([id, null])
        })
      )
    )

    it.live("leaves a run to the next process where the one that took it fails before its deliveries are written", () =>
      on(
        backend,
        Effect.gen(function* () {
          const store = yield* DeliveryStore
          const { atomic } = yield* Transactions
          yield* WebhookStore.use((webhooks) => webhooks.create(hookOf("docs.a.dev")))
          const { id } = yield* audited(newRun("docs.a.dev"), 50)
          const died = yield* Effect.exit(atomic(Effect.andThen(store.takeRun, Effect.die("killed"))))
          expect(died._tag).toBe("Failure")
          expect(yield* store.takeRun).toBe(id)
        })
      )
    )

    it.live(
      "gives a site five webhooks at most, each with a secret of its own, also if they are asked for at once",
      () =>
        on(
          backend,
          Effect.gen(function* () {
            const store = yield* WebhookStore
            const made = yield* Effect.all(
              Array.from({ length: 8 }, (_, index) =>
                store.create(hookOf("docs.a.dev", { url: `https://hooks.dev/${index}` }))
              ),
              { concurrency: "unbounded" }
            )
            const hooks = made.filter((webhook) => webhook !== null)
            expect(hooks).toHaveLength(5)
            expect(new Set(hooks.map(({ secret }) => secret)).size).toBe(5)
            for (const { secret } of hooks) expect(Buffer.from(secret.replace("whsec_", ""), "base64")).toHaveLength(32)
            expect(yield* store.create(hookOf("docs.a.dev/v2"))).not.toBe(null)
            expect(yield* store.active("docs.a.dev")).toEqual(
              yield* Effect.forEach(
                (yield* store.active("docs.a.dev")).map(({ id }) => id),
                store.find
              )
            )
          })
        )
    )

    it.live("removes the webhooks of a site and of all below it with their deliveries, and no others", () =>
      on(
        backend,
        Effect.gen(function* () {
          const [store, sql] = [yield* WebhookStore, yield* SqlClient]
          for (const site of ["docs.a.dev", "docs.a.dev/v2", "docs.a.device", "docs.b.dev"])
            yield* DeliveryStore.use((deliveries) =>
              Effect.flatMap(store.create(hookOf(site)), (webhook) =>
                deliveries.add(webhook?.id ?? "", { type: "audit.finished", runId: null, body: "{}" })
              )
            )
          expect(yield* store.removeBelow("docs.a.dev")).toBe(2)
          expect(yield* sql`SELECT site FROM webhooks ORDER BY site`).toEqual([
            { site: "docs.a.device" },
            { site: "docs.b.dev" }
          ])
          expect(yield* sql`SELECT id FROM webhook_deliveries`).toHaveLength(2)
        })
      )
    )

    it.live(
      "gives each due delivery to one of several processes, and again with the same id once its lease is over",
      () =>
        on(
          backend,
          Effect.gen(function* () {
            const [store, sql] = [yield* DeliveryStore, yield* SqlClient]
            const { webhook } = yield* due()
            for (let index = 0; index < 7; index++)
              yield* store.add(webhook, { type: "audit.finished", runId: null, body: "{}" })
            const claims = yield* Effect.all([store.claimDue(5), store.claimDue(5)], { concurrency: 2 })
            const ids = claims.flat().map(({ id }) => id)
            expect([ids.length, new Set(ids).size]).toEqual([8, 8])
            expect(yield* store.claimDue(10)).toEqual([])
            yield* sql`UPDATE webhook_deliveries SET next_at = next_at - ${LEASE_MS}`
            const again = yield* store.claimDue(10)
            expect(new Set(again.map(({ id }) => id))).toEqual(new Set(ids))
            expect(new Set(again.map(({ attempt }) => attempt))).toEqual(new Set([2]))
            // The process whose lease was over comes back.
            const [late] = claims.flat()
            expect(late === undefined ? null : yield* store.settle(late, { _tag: "Delivered", status: 200 })).toBe(
              false
            )
          })
        )
    )

    it.live("shows what came of each attempt, and when the next is due", () =>
      on(
        backend,
        Effect.gen(function* () {
          const store = yield* DeliveryStore
          const { delivery, webhook } = yield* due()
          const before = Date.now()
          const claimed = yield* claimOne
          expect(claimed).toMatchObject({
            id: delivery,
            attempt: 1,
            body: '{"a":1}',
            url: "https://hooks.dev/docgauge"
          })
          expect(yield* store.settle(claimed, { _tag: "Later", status: 503, problem: "busy", afterMs: 5 * HOUR })).toBe(
            true
          )
          const [shown] = yield* store.newest(webhook, 20)
          expect(shown).toMatchObject({
            id: delivery,
            state: "waiting",
            attempts: 1,
            lastStatus: 503,
            lastProblem: "busy"
          })
          expect(Math.abs(Date.parse(shown?.nextAt ?? "") - before - 5 * HOUR)).toBeLessThan(60_000)
          expect(yield* store.claimDue(10)).toEqual([])
          yield* nowDue
          yield* store.settle(yield* claimOne, { _tag: "Unsent", afterMs: 0 })
          yield* store.settle(yield* claimOne, { _tag: "Delivered", status: 204 })
          expect(yield* store.newest(webhook, 20)).toMatchObject([
            { state: "delivered", attempts: 2, lastStatus: 204, lastProblem: null, nextAt: null }
          ])
        })
      )
    )

    it.live("gives the webhook at a URL a new secret, and sends to it again, if it is created once more", () =>
      on(
        backend,
        Effect.gen(function* () {
          const [store, webhooks] = [yield* DeliveryStore, yield* WebhookStore]
          const { webhook: id } = yield* due()
          const before = yield* webhooks.find(id)
          yield* store.settle(yield* claimOne, { ...FAILED, ends: "The receiver is gone (410)." })
          expect((yield* webhooks.find(id))?.problem).not.toBe(null)
          const events = ["score.fell"] as const
          const again = yield* webhooks.create(hookOf("docs.a.dev", { events }))
          expect(again).toEqual({ ...before, events, secret: expect.stringMatching(/^whsec_/), problem: null })
          expect(again?.secret).not.toBe(before?.secret)
          expect(yield* webhooks.active("docs.a.dev")).toEqual([again])
          // Failures of before are forgotten, and what is sent is signed with the new secret.
          yield* store.add(id, { type: "score.fell", runId: null, body: "{}" })
          const claimed = yield* claimOne
          expect(claimed.secret).toBe(again?.secret)
          yield* store.settle(claimed, FAILED)
          expect((yield* webhooks.find(id))?.problem).toBe(null)
          // The same URL may be told of another site.
          expect((yield* webhooks.create(hookOf("docs.b.dev")))?.id).not.toBe(id)
        })
      )
    )

    it.live("ends a webhook after five failed deliveries in a row, and drops what waits for it", () =>
      on(
        backend,
        Effect.gen(function* () {
          const [store, webhooks] = [yield* DeliveryStore, yield* WebhookStore]
          const { webhook } = yield* due()
          const add = (type = "audit.finished") => store.add(webhook, { type, runId: null, body: "{}" })
          for (let index = 0; index < 4; index++) {
            yield* store.settle(yield* claimOne, FAILED)
            yield* add()
          }
          // One that arrives begins the count again, and a failed test counts for nothing.
          yield* store.settle(yield* claimOne, { _tag: "Delivered", status: 200 })
          for (let index = 0; index < 4; index++) {
            yield* add(index === 0 ? TEST_EVENT : "audit.finished")
            yield* store.settle(yield* claimOne, FAILED)
          }
          expect((yield* webhooks.find(webhook))?.problem).toBe(null)
          yield* add()
          yield* store.settle(yield* claimOne, FAILED)
          yield* add()
          const claimed = yield* claimOne
          yield* add()
          yield* store.settle(claimed, FAILED)
          expect((yield* webhooks.find(webhook))?.problem).toBe("5 deliveries in a row failed.")
          expect((yield* store.newest(webhook, 1))[0]).toMatchObject({ state: "dropped", attempts: 0 })
          expect([yield* store.claimDue(10), yield* webhooks.active("docs.a.dev")]).toEqual([[], []])
          yield* audited(newRun("docs.a.dev"), 50)
          expect(yield* store.takeRun).toBe(null)
        })
      )
    )

    it.live("ends a webhook whose receiver is gone at once", () =>
      on(
        backend,
        Effect.gen(function* () {
          const { webhook } = yield* due()
          yield* DeliveryStore.use((store) =>
            Effect.flatMap(claimOne, (claimed) => store.settle(claimed, { ...FAILED, status: 410, ends: "gone" }))
          )
          expect((yield* WebhookStore.use((store) => store.find(webhook)))?.problem).toBe("gone")
        })
      )
    )

    it.live("says of a delivery that its run was hidden or deleted", () =>
      on(
        backend,
        Effect.gen(function* () {
          const [store, sql] = [yield* DeliveryStore, yield* SqlClient]
          const { id } = yield* audited(newRun("docs.a.dev"), 50)
          yield* due("audit.finished", id)
          expect((yield* claimOne).isWithdrawn).toBe(false)
          yield* sql`UPDATE runs SET hidden = TRUE`
          yield* nowDue
          expect((yield* claimOne).isWithdrawn).toBe(true)
          yield* sql`UPDATE webhook_deliveries SET run_id = '01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b'`
          yield* nowDue
          expect((yield* claimOne).isWithdrawn).toBe(true)
          expect(yield* store.claimDue(1)).toEqual([])
        })
      )
    )

    it.live("deletes deliveries of more than 30 days ago", () =>
      on(
        backend,
        Effect.gen(function* () {
          const [store, sql] = [yield* DeliveryStore, yield* SqlClient]
          const { webhook } = yield* due()
          yield* sql`UPDATE webhook_deliveries SET created_at = created_at - ${30 * 24 * HOUR + HOUR}`
          const newer = yield* store.add(webhook, { type: "audit.finished", runId: null, body: "{}" })
          yield* store.sweep
          expect((yield* store.newest(webhook, 20)).map(({ id }) => id)).toEqual([newer])
        })
      )
    )
  })
}
