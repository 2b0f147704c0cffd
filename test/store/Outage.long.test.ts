import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { inTransaction, ReadClient } from "../../engine/store/database/SqlDatabase.ts"
import { Corpus } from "../../engine/store/corpus/Corpus.ts"
import { RunHistory } from "../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { backends, onFresh, onServer, postgres, sqliteBackends, storeAt, type Stores } from "./Databases.ts"
import { holdOf, newRun, resultOf } from "./SampleRuns.ts"

const big = resultOf(50, { encoded: Array.from({ length: 40_000 }, (_, index) => Math.sin(index)).join() })

/** Everything that writes is refused as unavailable, and everything that reads answers. */
const expectReadOnly = Effect.fnUntraced(function* (pending: string, running: string) {
  const store = yield* RunStore
  for (const write of [
    store.accept(newRun("b.example.com")),
    store.begin(pending, "w"),
    store.progress(holdOf(running, "w"), { done: 1, total: 2 }),
    store.finish(holdOf(running, "w"), big),
    store.fail(holdOf(running, "w"), { code: null, message: "unreachable" }),
    store.release(holdOf(running, "w")),
    store.giveUp(pending, { code: null, message: "blocked" })
  ])
    expect(yield* Effect.flip<unknown, StoreUnavailable, never>(write)).toBeInstanceOf(StoreUnavailable)
  expect((yield* store.find(pending))?.status).toBe("pending")
  expect((yield* store.find(running))?.status).toBe("running")
  yield* store.ping
})

const pendingAndRunning = Effect.gen(function* () {
  const store = yield* RunStore
  const [pending, running] = [
    yield* store.accept(newRun("a.example.com")),
    yield* store.accept(newRun("a.example.com"))
  ]
  yield* store.begin(running.id, "w")
  return [pending.id, running.id] as const
})

const expectRecovered = Effect.fnUntraced(function* (pending: string, running: string) {
  const [store, corpus] = [yield* RunStore, yield* Corpus]
  yield* store.finish(holdOf(running, "w"), big)
  expect((yield* store.begin(pending, "w"))?.attempts).toBe(1)
  yield* store.accept(newRun("b.example.com"))
  yield* corpus.fold
  expect(yield* corpus.summary).toMatchObject({ sites: 1, runs: 1, averageScore: 50 })
  expect((yield* store.report(running))?.encoded).toBe(big.encoded)
})

for (const backend of backends) {
  describe.skipIf(!backend.available)(`an interrupted caller on ${backend.name}`, () => {
    const slow =
      backend.kind === "SQLite"
        ? "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000) SELECT COUNT(*) AS c FROM n"
        : "SELECT pg_sleep(0.5) AS c"

    it.live("leaves every connection usable, in the middle of a statement or of a transaction", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const [sql, read, store, history] = [yield* SqlClient, yield* ReadClient, yield* RunStore, yield* RunHistory]
          for (let round = 0; round < 12; round++) {
            // The transaction never commits, however late its interruption is.
            const transaction = sql.withTransaction(
              Effect.andThen(store.accept(newRun("gone.example.com")), Effect.andThen(sql.unsafe(slow), Effect.never))
            )
            const statement = round % 3 === 0 ? read.unsafe(slow) : round % 3 === 1 ? sql.unsafe(slow) : transaction
            const fiber = yield* Effect.forkChild(statement)
            yield* Effect.sleep(5 + round)
            yield* Fiber.interrupt(fiber)
          }
          const [pending, running] = yield* pendingAndRunning
          yield* expectRecovered(pending, running)
          expect((yield* history.page("gone.example.com", null, 10)).runs).toEqual([])
        })
      )
    )

    it.live("keeps a waiting transaction from ever beginning", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const [sql, store, history] = [yield* SqlClient, yield* RunStore, yield* RunHistory]
          const [accepted, end] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
          const holding = yield* Effect.forkChild(
            sql.withTransaction(
              store.accept(newRun("a.example.com")).pipe(Effect.andThen(accepted.open), Effect.andThen(end.await))
            )
          )
          yield* accepted.await
          const waiting = yield* Effect.forkChild(store.accept(newRun("a.example.com")))
          yield* Effect.sleep(20)
          yield* Fiber.interrupt(waiting)
          yield* end.open
          yield* Fiber.join(holding)
          yield* store.accept(newRun("a.example.com"))
          expect((yield* history.page("a.example.com", null, 10)).runs).toHaveLength(2)
        })
      )
    )
  })

  describe.skipIf(!backend.available)(`reading on ${backend.name}`, () => {
    it.live("sees the uncommitted writes of its own transaction, and only committed ones of others", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const [sql, store] = [yield* SqlClient, yield* RunStore]
          const rolledBack = yield* Effect.exit(
            sql.withTransaction(
              Effect.gen(function* () {
                const run = yield* store.accept(newRun("a.example.com"))
                expect(yield* store.find(run.id)).toEqual(run)
                expect(yield* store.latest(run.url, run.rubricDigest, null)).toEqual(run)
                return yield* Effect.fail("changed my mind")
              })
            )
          )
          expect(rolledBack).toEqual(Exit.fail("changed my mind"))
          expect(yield* store.unfinished(5)).toEqual([])
        })
      )
    )

    it.live("reports an invalid statement as a defect, not as an unavailable store", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const history = yield* RunHistory
          const exit = yield* Effect.exit(history.page("a.example.com", "yesterday", 5))
          expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
        })
      )
    )
  })
}

describe.each(sqliteBackends)("$name", (sqlite) => {
  it.live("reports a full disk as an unavailable store, keeps reading, and recovers when there is room again", () =>
    onFresh(
      sqlite,
      Effect.gen(function* () {
        const [sql, store, corpus] = [yield* SqlClient, yield* RunStore, yield* Corpus]
        const [pending, running] = yield* pendingAndRunning
        const [pages] = yield* sql<{ readonly page_count: number }>`PRAGMA page_count`
        yield* sql.unsafe(`PRAGMA max_page_count = ${(pages?.page_count ?? 0) + 2}`)
        expect(yield* Effect.flip(store.finish(holdOf(running, "w"), big))).toBeInstanceOf(StoreUnavailable)
        expect(yield* Effect.flip(store.finish(holdOf(running, "w"), big))).toBeInstanceOf(StoreUnavailable)
        expect((yield* store.find(running))?.status).toBe("running")
        expect((yield* corpus.summary).runs).toBe(0)
        yield* sql.unsafe("PRAGMA max_page_count = 1073741823")
        yield* expectRecovered(pending, running)
      })
    )
  )

  it.live("says that a read-only database is unavailable, keeps reading, and recovers", () =>
    onFresh(
      sqlite,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [pending, running] = yield* pendingAndRunning
        yield* sql`PRAGMA query_only = ON`
        yield* expectReadOnly(pending, running)
        yield* sql`PRAGMA query_only = OFF`
        yield* expectRecovered(pending, running)
      })
    )
  )

  it.live("completes a statement that has begun even if its caller was interrupted", () =>
    onFresh(
      sqlite,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`CREATE TABLE scratch (i integer)`
        const fill = (rows: number) => sql`
        INSERT INTO scratch WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT i FROM n`
        // Prepared once, so that the next one begins at once.
        yield* fill(1)
        const fiber = yield* Effect.forkChild(fill(300_000), { startImmediately: true })
        yield* Effect.sleep(20)
        yield* Fiber.interrupt(fiber)
        const [row] = yield* (yield* ReadClient)<{ readonly rows: number }>`SELECT COUNT(*) AS rows FROM scratch`
        expect(row?.rows).toBe(300_001)
      })
    )
  )

  it.live("waits for another process's lock", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* sqlite.fresh
        const other = yield* Effect.forkScoped(
          Effect.provide(
            Effect.gen(function* () {
              const sql = yield* SqlClient
              yield* sql.withTransaction(Effect.andThen(sql`UPDATE corpus SET runs = runs`, Effect.sleep(300)))
            }),
            storeAt(address)
          )
        )
        yield* Effect.sleep(150)
        const { status } = yield* Effect.provide(
          Effect.flatMap(RunStore, (store) => store.accept(newRun("a.example.com"))),
          storeAt(address)
        )
        expect(status).toBe("pending")
        yield* Fiber.join(other)
      })
    )
  )
})

describe.skipIf(!postgres.available)("PostgreSQL", () => {
  const statement = (text: string) => onServer(Effect.flatMap(SqlClient, (sql) => sql.unsafe(text)))
  /** Ends all sessions of a database, and waits up to 10 s until each has ended. */
  const disconnect = (database: string) =>
    statement(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${database}'`)

  /** A pool may notice only by its first statement that its connections were ended. */
  const reconnected = Effect.gen(function* () {
    for (const sql of [yield* SqlClient, yield* ReadClient]) yield* Effect.retry(sql`SELECT 1`, { times: 5 })
  })

  const withDatabase = <A, E>(use: (database: string) => Effect.Effect<A, E, Stores | SqlClient | ReadClient>) =>
    Effect.scoped(
      Effect.flatMap(postgres.fresh, (address) => {
        const database = address._tag === "Postgres" ? new URL(Redacted.value(address.url)).pathname.slice(1) : ""
        return Effect.provide(use(database), storeAt(address))
      })
    )

  it.live("says that a read-only database is unavailable, keeps reading, and recovers", () =>
    withDatabase((database) =>
      Effect.gen(function* () {
        const [pending, running] = yield* pendingAndRunning
        yield* statement(`ALTER DATABASE ${database} SET default_transaction_read_only = on`)
        yield* disconnect(database)
        yield* reconnected
        yield* expectReadOnly(pending, running)
        yield* statement(`ALTER DATABASE ${database} RESET default_transaction_read_only`)
        yield* disconnect(database)
        yield* reconnected
        yield* expectRecovered(pending, running)
      })
    )
  )

  it.live("is unavailable to a caller whose connection is lost, and available to the next", () =>
    withDatabase((database) =>
      Effect.gen(function* () {
        const [sql, store] = [yield* SqlClient, yield* RunStore]
        const run = yield* store.accept(newRun("a.example.com"))
        const [begun, end] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
        const cut = yield* Effect.forkChild(
          Effect.flip(
            sql.withTransaction(
              Effect.gen(function* () {
                yield* store.begin(run.id, "w")
                yield* begun.open
                yield* end.await
                yield* store.progress(holdOf(run.id, "w"), { done: 1, total: 2 })
              })
            )
          )
        )
        yield* begun.await
        yield* disconnect(database)
        yield* end.open
        yield* Fiber.await(cut)
        // The pool for reads may notice only by its first statement that its connections were ended, too.
        expect((yield* Effect.retry(store.find(run.id), { times: 5 }))?.status).toBe("pending")
        expect((yield* store.begin(run.id, "w"))?.attempts).toBe(1)
      })
    )
  )

  it.live("fails a transaction whose connection is lost, without a defect", () =>
    withDatabase((database) =>
      Effect.gen(function* () {
        const [sql, store, history] = [yield* SqlClient, yield* RunStore, yield* RunHistory]
        const lost = Effect.andThen(store.accept(newRun("a.example.com")), disconnect(database))
        const exit = yield* Effect.exit(inTransaction(sql, Effect.andThen(lost, store.accept(newRun("a.example.com")))))
        expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(false)
        expect(Exit.isFailure(exit)).toBe(true)
        // The pool for reads may notice only by its first statement that its connections were ended, too.
        expect((yield* Effect.retry(history.page("a.example.com", null, 10), { times: 5 })).runs).toEqual([])
      })
    )
  )
})
