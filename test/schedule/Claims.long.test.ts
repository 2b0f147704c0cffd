import { assert, describe, it } from "@effect/vitest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { AuditQueue } from "../../engine/schedule/AuditQueue.ts"
import { type Claim, guest, SCHEDULE, type Submitter } from "../../engine/schedule/queue/QueueStore.ts"
import { inTransaction } from "../../engine/store/database/SqlDatabase.ts"
import { type Database, layerDatabase } from "../../engine/store/Database.ts"
import { MOST_ATTEMPTS } from "../../engine/store/runs/Run.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import * as SqlRunStore from "../../engine/store/runs/SqlRunStore.ts"
import { dialectsOfSeveral, postgres } from "../store/Databases.ts"
import { wanted } from "./TestService.ts"

type Services = AuditQueue | RunStore | SqlClient

/** A process of its own. */
const queueOn = (address: Database): Layer.Layer<Services> =>
  AuditQueue.layerSql.pipe(
    Layer.provideMerge(SqlRunStore.layerSql),
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provideMerge(layerDatabase(address)),
    Layer.orDie,
    Layer.fresh
  )

/** The timeout of what must not wait for another transaction: longer than it takes on a slow machine. */
const TIMEOUT = "30 seconds"

const claim = AuditQueue.use((queue) => Effect.timeout(queue.claim(), TIMEOUT))

const accept = Effect.fnUntraced(function* (host: string, submitter: Submitter, limit: number | null = 1_000) {
  const [queue, store] = [yield* AuditQueue, yield* RunStore]
  const { waiting } = yield* queue.load(submitter, limit)
  const run = yield* store.accept(wanted(host))
  yield* queue.offer(run, submitter)
  return { id: run.id, waiting }
})

const acceptInTransaction = (host: string, submitter: Submitter, limit?: number) =>
  Effect.flatMap(SqlClient, (sql) => inTransaction(sql, accept(host, submitter, limit)))

/** Accepts a run in a transaction that ends when it is told to. */
const acceptSlowly = Effect.fnUntraced(function* (host: string, submitter: Submitter, limit?: number) {
  const sql = yield* SqlClient
  const [accepted, end] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
  const fiber = yield* Effect.forkChild(
    inTransaction(
      sql,
      accept(host, submitter, limit).pipe(
        Effect.tap(() => accepted.open),
        Effect.tap(() => end.await)
      )
    )
  )
  yield* accepted.await
  return Effect.andThen(end.open, Fiber.join(fiber))
})

const holds = (test: Effect.Effect<void, unknown, Services | Scope.Scope>) =>
  Effect.scoped(Effect.flatMap(postgres.fresh, (address) => Effect.provide(test, queueOn(address))))

const networks = ["a", "b", "c"].map((network) => guest(network))
const [a = SCHEDULE, b = SCHEDULE] = networks

describe.skipIf(!postgres.available)(
  "while a transaction that accepts a run is open, in PostgreSQL",
  { concurrent: true },
  () => {
    it.live("others accept runs, and runs are taken", () =>
      holds(
        Effect.gen(function* () {
          const end = yield* acceptSlowly("slow.dev", a)
          const { id } = yield* Effect.timeout(acceptInTransaction("quick.dev", b), TIMEOUT)
          assert.strictEqual((yield* claim).run.id, id)
          const slow = yield* end
          assert.strictEqual((yield* claim).run.id, slow.id)
        })
      )
    )

    it.live("scheduled audits are accepted, too, although all are of one submitter", () =>
      holds(
        Effect.gen(function* () {
          const end = yield* acceptSlowly("slow.dev", SCHEDULE)
          yield* Effect.timeout(acceptInTransaction("quick.dev", SCHEDULE), TIMEOUT)
          yield* end
        })
      )
    )

    it.live("others of the same client network wait, so that its limit of runs holds", () =>
      holds(
        Effect.gen(function* () {
          const end = yield* acceptSlowly("slow.dev", a)
          const other = yield* Effect.forkChild(acceptInTransaction("quick.dev", a))
          yield* Effect.sleep(300)
          assert.isUndefined(other.pollUnsafe())
          yield* end
          yield* Fiber.join(other)
        })
      )
    )

    it.live("others wait if the queue is nearly full, so that its limit holds", () =>
      holds(
        Effect.gen(function* () {
          const end = yield* acceptSlowly("slow.dev", a, 2)
          const other = yield* Effect.forkChild(acceptInTransaction("quick.dev", b, 2))
          yield* Effect.sleep(300)
          assert.isUndefined(other.pollUnsafe())
          yield* end
          assert.strictEqual((yield* Fiber.join(other)).waiting, 1)
        })
      )
    )
  }
)

for (const { available, fresh, name } of dialectsOfSeveral) {
  describe.skipIf(!available)(`where the domain of the first 300 runs is being audited, in ${name}`, () => {
    it.live("the next run is the first of another domain", () =>
      Effect.scoped(
        Effect.flatMap(fresh, (address) =>
          Effect.provide(
            Effect.gen(function* () {
              const queue = yield* AuditQueue
              yield* Effect.forEach(
                Array.from({ length: 300 }, (_, index) => `docs-${index}.busy.dev`),
                (host, index) => acceptInTransaction(host, guest(`busy ${index}`))
              )
              const busy = yield* claim
              // Metrics and limits count them all.
              assert.strictEqual((yield* RunStore.use((store) => store.waiting)).count, 300)
              assert.strictEqual((yield* queue.load(a, 10_000)).waiting, 300)
              for (const [host, submitter] of [
                ["a1.dev", a],
                ["a2.dev", a],
                ["b.dev", b]
              ] as const)
                yield* acceptInTransaction(host, submitter)
              const taken = [yield* claim, yield* claim, yield* claim]
              assert.deepStrictEqual(
                taken.map(({ run }) => run.domain),
                ["a1.dev", "b.dev", "a2.dev"]
              )
              assert.isUndefined(
                yield* Effect.timeoutOrElse(queue.claim(), {
                  duration: "1 second",
                  orElse: () => Effect.undefined
                })
              )
              yield* queue.giveBack(busy)
              assert.strictEqual((yield* claim).run.id, busy.run.id)
            }),
            queueOn(address)
          )
        )
      )
    )
  })
}

/** As if no worker of any job had sent a heartbeat for an hour. */
const silence = SqlClient.use(
  (sql) => sql`UPDATE docgauge_jobs.job SET heartbeat_on = heartbeat_on - interval '1 hour' WHERE state = 'active'`
)

describe.skipIf(!postgres.available)("a claim, in PostgreSQL", () => {
  /** A process that has taken a run, and another one. */
  const taken = Effect.gen(function* () {
    const address = yield* postgres.fresh
    const [one, other] = [yield* Layer.build(queueOn(address)), yield* Layer.build(queueOn(address))]
    yield* Effect.provide(acceptInTransaction("docs.dev", a), one)
    const its = yield* Effect.provide(claim, one)
    const lose = Effect.provide(
      Effect.andThen(
        silence,
        AuditQueue.use(({ recover }) => recover)
      ),
      one
    )
    return { its, lose, one, other }
  })
  const kept = (its: Claim) => AuditQueue.use(({ keep }) => keep(its))

  it.live("is over once its process sent no heartbeat for a while, and another process takes the run", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { its, lose, one, other } = yield* taken
        assert.isTrue(yield* Effect.provide(kept(its), one))
        yield* lose
        assert.isFalse(yield* Effect.provide(kept(its), one))
        const again = yield* Effect.provide(claim, other)
        assert.strictEqual(again.run.id, its.run.id)
        assert.isFalse(yield* Effect.provide(kept(its), one))
        // It cannot give back what it no longer has.
        yield* Effect.provide(
          AuditQueue.use(({ giveBack }) => giveBack(its)),
          one
        )
        assert.isTrue(yield* Effect.provide(kept(again), other))
      })
    )
  )

  it.live("is part of the transaction that ends it", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { its, one } = yield* taken
        const ended = Effect.gen(function* () {
          const [sql, queue] = [yield* SqlClient, yield* AuditQueue]
          yield* Effect.flip(inTransaction(sql, Effect.andThen(queue.complete(its), Effect.fail("no"))))
          assert.isTrue(yield* queue.keep(its))
          yield* inTransaction(sql, queue.complete(its))
          assert.isFalse(yield* queue.keep(its))
        })
        yield* Effect.provide(ended, one)
      })
    )
  )
})

describe.skipIf(!postgres.available)("a run without a job, in PostgreSQL", () => {
  it.live("gets one when a process starts, and so does one that an earlier version accepts meanwhile", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* postgres.fresh
        const one = yield* Layer.build(queueOn(address))
        const { id: lost } = yield* Effect.provide(acceptInTransaction("lost.dev", a), one)
        yield* Effect.provide(
          SqlClient.use((sql) => sql`DELETE FROM docgauge_jobs.job`),
          one
        )
        const other = yield* Layer.build(queueOn(address))
        assert.strictEqual((yield* Effect.provide(claim, other)).run.id, lost)
        const old = yield* Effect.provide(
          Effect.gen(function* () {
            const sql = yield* SqlClient
            const { id } = yield* RunStore.use((store) => store.accept(wanted("old.dev")))
            yield* sql`UPDATE runs SET submitter = ${a.key}, queued_at = 1 WHERE id = ${id}`
            return id
          }),
          one
        )
        yield* Effect.provide(
          AuditQueue.use(({ recover }) => recover),
          one
        )
        assert.strictEqual((yield* Effect.provide(claim, other)).run.id, old)
      })
    )
  )

  it.live("is left to a process of an earlier version whose lease holds, and so is its domain", () =>
    holds(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const queue = yield* AuditQueue
        const { id } = yield* RunStore.use((store) => store.accept(wanted("docs.old.dev")))
        yield* sql`UPDATE runs SET submitter = ${a.key}, queued_at = 1 WHERE id = ${id}`
        yield* sql`INSERT INTO audit_leases (domain, run_id, worker, expires_at) VALUES ('old.dev', ${id}, 'old', ${Date.now() + 3_600_000})`
        yield* queue.recover
        yield* acceptInTransaction("api.old.dev", b)
        yield* acceptInTransaction("another.dev", b)
        assert.strictEqual((yield* claim).run.site, "another.dev")
        yield* sql`DELETE FROM audit_leases`
        assert.strictEqual((yield* claim).run.site, "api.old.dev")
      })
    )
  )

  it.live("that an operator ended or deleted is not taken, and leaves the queue", () =>
    holds(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const ended = yield* acceptInTransaction("ended.dev", a)
        const deleted = yield* acceptInTransaction("deleted.dev", a)
        const { id } = yield* acceptInTransaction("next.dev", a)
        yield* RunStore.use((store) => store.giveUp(ended.id, { code: null, message: "blocked" }))
        yield* sql`DELETE FROM runs WHERE id = ${deleted.id}`
        assert.strictEqual((yield* claim).run.id, id)
        const waiting = sql`SELECT id FROM docgauge_jobs.job WHERE state < 'active'`
        assert.lengthOf(yield* waiting, 0)
      })
    )
  )

  it.live("that came back too often is taken once more, to be ended", () =>
    holds(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const queue = yield* AuditQueue
        const { id } = yield* acceptInTransaction("docs.dev", a)
        yield* sql`UPDATE docgauge_jobs.job SET retry_limit = 0`
        yield* queue.giveBack(yield* claim)
        yield* queue.recover
        assert.deepInclude((yield* claim).run, { id, attempts: MOST_ATTEMPTS })
      })
    )
  )
})

describe.skipIf(!postgres.available)("several processes on one PostgreSQL", () => {
  it.live("take each run once, and none waits long for another", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* postgres.fresh
        const processes = yield* Effect.forEach([1, 2, 3, 4], () => Layer.build(queueOn(address)))
        const [first] = processes
        if (first === undefined) return assert.fail("no process")
        const hosts = Array.from({ length: 80 }, (_, index) => `site${index}.dev`)
        yield* Effect.forEach(hosts, (host, index) =>
          Effect.provide(acceptInTransaction(host, networks[index % networks.length] ?? a), first)
        )
        const taken = yield* Effect.forEach(
          processes,
          (context) =>
            Effect.provide(
              Effect.forEach(Array.from({ length: 20 }), () => claim),
              context
            ),
          { concurrency: 4 }
        )
        assert.deepStrictEqual(
          taken
            .flat()
            .map(({ run }) => run.domain)
            .toSorted(),
          hosts.toSorted()
        )
      })
    )
  )
})
