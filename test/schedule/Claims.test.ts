import { assert, describe, it } from "@effect/vitest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { AuditQueue } from "../../engine/schedule/AuditQueue.ts"
import { Leases } from "../../engine/schedule/Leases.ts"
import { guest, SCHEDULE, type Submitter } from "../../engine/schedule/turns/Submitter.ts"
import { inTransaction } from "../../engine/store/database/Availability.ts"
import { type Database, layerDatabase } from "../../engine/store/Database.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import * as SqlRunStore from "../../engine/store/runs/SqlRunStore.ts"
import { dialectsOfSeveral, postgres } from "../store/Databases.ts"
import { wanted } from "./TestService.ts"

type Services = AuditQueue | Leases | RunStore | SqlClient

/** A process of its own. */
const queueOn = (address: Database, leaseMs = 60_000): Layer.Layer<Services> =>
  AuditQueue.layerSql.pipe(
    Layer.provideMerge(Layer.mergeAll(SqlRunStore.layerSql, Leases.layerSql(leaseMs))),
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provideMerge(layerDatabase(address)),
    Layer.orDie,
    Layer.fresh
  )

/** The timeout of what must not wait for another transaction: longer than it takes on a slow machine. */
const TIMEOUT = "30 seconds"

const claim = AuditQueue.use((queue) => Effect.timeout(queue.claim(new Set()), TIMEOUT))

const accept = Effect.fnUntraced(function* (host: string, submitter: Submitter, limit: number | null = 1_000) {
  const [queue, store] = [yield* AuditQueue, yield* RunStore]
  const { waiting } = yield* queue.load(submitter, limit)
  const run = yield* store.accept(wanted(host))
  yield* queue.offer(run.id, submitter)
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
          // The first run of a submitter makes its turn, for which another first one waits.
          yield* acceptInTransaction("first.dev", SCHEDULE)
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

    it.live("its submitter keeps its place, though all its other runs are over", () =>
      holds(
        Effect.gen(function* () {
          const [store, leases] = [yield* RunStore, yield* Leases]
          yield* acceptInTransaction("first.dev", a)
          const { run } = yield* claim
          yield* store.begin(run.id, leases.worker)
          yield* store.fail({ id: run.id, worker: leases.worker, attempt: 1 }, { code: null, message: "over" })
          const end = yield* acceptSlowly("slow.dev", a)
          yield* acceptInTransaction("quick.dev", b)
          assert.strictEqual((yield* claim).run.domain, "quick.dev")
          yield* end
          assert.strictEqual((yield* claim).run.domain, "slow.dev")
        })
      )
    )
  }
)

/** Puts `count` runs of one busy domain in the queue, each of a submitter of its own. */
const offerBusy = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient
  const idOf = sql.onDialectOrElse({ pg: () => sql`gen_random_uuid()`, orElse: () => sql`'run' || n` })
  const numbers = sql`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`
  yield* sql`INSERT INTO sites (key, site, domain, last_started_at) VALUES ('busy', 'docs.busy.dev', 'busy.dev', 1)`
  yield* sql`
    INSERT INTO runs (id, site, domain, url, rubric_digest, target, status, started_at, submitter)
    ${numbers} SELECT ${idOf}, 1, 'busy.dev', 'https://docs.busy.dev', 'r', n, 'pending', n, 'busy' || n FROM numbers`
  yield* sql`INSERT INTO queue_turns (submitter, class, turn) ${numbers} SELECT 'busy' || n, 0, n FROM numbers`
  yield* sql.onDialectOrElse({
    pg: () => sql`SELECT setval('queue_turn_numbers', ${count}::int)`,
    orElse: () => sql`UPDATE queue_state SET turn = ${count}`
  })
})

for (const { available, fresh, name } of dialectsOfSeveral) {
  describe.skipIf(!available)(`where the domain of the first 1,200 submitters is being audited, in ${name}`, () => {
    it.live("the next run is that of the first submitter after them", () =>
      Effect.scoped(
        Effect.flatMap(fresh, (address) =>
          Effect.provide(
            Effect.gen(function* () {
              const [leases, queue] = [yield* Leases, yield* AuditQueue]
              yield* offerBusy(1_200)
              // Metrics and limits count them all.
              assert.strictEqual((yield* RunStore.use((store) => store.waiting)).count, 1_200)
              assert.strictEqual((yield* queue.load(a, 10_000)).waiting, 1_200)
              yield* leases.take("busy.dev", "another")
              // The second run of `a` is older than that of `b`, whose turn comes before it.
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
                yield* Effect.timeoutOrElse(queue.claim(new Set()), {
                  duration: "1 second",
                  orElse: () => Effect.undefined
                })
              )
              yield* leases.free("busy.dev", "another")
              assert.strictEqual((yield* claim).run.domain, "busy.dev")
            }),
            queueOn(address)
          )
        )
      )
    )
  })
}

/** For tests that wait until a lease has expired, in milliseconds. */
const LEASE_MS = 400

for (const { available, fresh, name } of dialectsOfSeveral) {
  describe.skipIf(!available)(`a worker whose lease was lost meanwhile, in ${name}`, () => {
    /** A worker that has taken the lease of a run that waits, and another process. */
    const leased = Effect.fnUntraced(function* (leaseMs?: number) {
      const address = yield* fresh
      const [one, other] = [yield* Layer.build(queueOn(address, leaseMs)), yield* Layer.build(queueOn(address))]
      const { id } = yield* Effect.provide(acceptInTransaction("docs.dev", a), one)
      const takes = (leases: Leases["Service"]) => leases.take("docs.dev", id)
      assert.isTrue(yield* Effect.provide(Leases.use(takes), one))
      const inOne = RunStore.use((store) => Leases.use(({ worker }) => store.begin(id, worker, { leased: true }))).pipe(
        Effect.provide(one)
      )
      const inOther = RunStore.use((store) =>
        Leases.use(({ worker }) => store.begin(id, worker, { leased: true }))
      ).pipe(Effect.provide(other))
      const givenUp = RunStore.use((store) =>
        Leases.use(({ worker }) => store.giveUp(id, { code: null, message: "blocked" }, worker))
      ).pipe(Effect.provide(one))
      const run = RunStore.use((store) => store.find(id)).pipe(Effect.provide(one))
      return { id, givenUp, inOne, inOther, run, takenByOther: Effect.provide(Leases.use(takes), other), one }
    })

    it.live("does not begin a run once the lease has expired, nor once another process has it", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { givenUp, inOne, inOther, run, takenByOther } = yield* leased(LEASE_MS)
          yield* Effect.sleep(LEASE_MS + 50)
          assert.isNull(yield* inOne)
          assert.isTrue(yield* takenByOther)
          assert.isNull(yield* inOne)
          assert.isFalse(yield* givenUp)
          assert.deepInclude(yield* run, { status: "pending", attempts: 0 })
          assert.deepInclude(yield* inOther, { status: "running", attempts: 1 })
        })
      )
    )

    it.live("does not begin a run whose lease an operator revoked, or another run of its domain", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { id, inOne, one, run } = yield* leased(LEASE_MS)
          yield* Effect.provide(
            Leases.use((leases) => leases.revoke(id)),
            one
          )
          assert.isNull(yield* inOne)
          yield* Effect.sleep(LEASE_MS + 50)
          assert.isTrue(
            yield* Effect.provide(
              Leases.use((leases) => leases.take("docs.dev", "another run")),
              one
            )
          )
          assert.isNull(yield* inOne)
          assert.deepInclude(yield* run, { status: "pending", attempts: 0 })
        })
      )
    )

    it.live("begins it as long as the lease lasts, and gives it up", () =>
      Effect.scoped(
        Effect.gen(function* () {
          assert.deepInclude(yield* (yield* leased()).inOne, { status: "running", attempts: 1 })
          assert.isTrue(yield* (yield* leased()).givenUp)
        })
      )
    )
  })
}

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
