import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import { writeFileSync } from "node:fs"
import { AuditQueue } from "../../engine/schedule/AuditQueue.ts"
import { Leases } from "../../engine/schedule/Leases.ts"
import { DatabaseError, layerDatabase } from "../../engine/store/Database.ts"
import type { SqlAddress } from "../../engine/store/DatabaseAddress.ts"
import { migrate, migrations } from "../../engine/store/migrations/Migrations.ts"
import { RunStore } from "../../engine/store/RunStore.ts"
import { searchSites } from "../../engine/store/SiteSearch.ts"
import { backends, storeAt } from "./Databases.ts"
import { audited, newRun } from "./SampleRuns.ts"

const applied = Effect.gen(function*() {
  const sql = yield* SqlClient
  return yield* sql<{ readonly migration_id: number; readonly name: string }>`SELECT migration_id, name FROM docgauge_migrations ORDER BY migration_id`
})

/** The id of a run. */
const idOf = (serial: number): string => `01934f7a-1c2d-7e3f-8a4b-00000000000${serial}`

/** The bare client, with nothing migrated. */
const clientAt = (address: SqlAddress) =>
  Effect.promise(async () =>
    address._tag === "Sqlite"
      ? (await import("../../engine/store/SqliteClient.ts")).layer(address.path)
      : (await import("../../engine/store/PostgresClient.ts")).layer(address.url))

/** The first migrations only, as an older version has them. */
const upTo = (last: number) =>
  Migrator.make({})({
    loader: Migrator.fromRecord(Object.fromEntries(Object.entries(migrations).filter(([name]) => Number(name.slice(0, 4)) <= last))),
    table: "docgauge_migrations"
  })

/** 40 sites, four of which at a time were audited in the same microsecond. */
const someSites = Effect.gen(function*() {
  const sql = yield* SqlClient
  for (let site = 1; site <= 40; site++) {
    const haystack = `https://site-${site}.example.com/${site === 5 ? "é" : "x".repeat(site * 20)}`
    yield* sql`INSERT INTO sites (serial, key, site, domain, last_started_at) VALUES (${site}, ${`key ${site}`}, '', '', 0)`
    yield* sql`
      INSERT INTO site_figures (site, url, haystack, run_count, score_sum, best_score, worst_score, latest_score, first_run_at, latest_run_at)
      VALUES (${site}, '', ${haystack}, 1, 50, 50, 50, 50, 0, ${1_795_302_699_568_000 + Math.floor((site - 1) / 4)})`
  }
})

describe("migrations", () => {
  it("have numbers of their own, in rising order", () => {
    const numbers = Object.keys(migrations).map((name) => name.slice(0, 4))
    expect(numbers).toEqual([...new Set(numbers)].sort())
    expect(numbers.every((number) => /^\d{4}$/.test(number))).toBe(true)
  })

  for (const backend of backends) {
    describe.skipIf(!backend.available)(`on ${backend.name}`, () => {
      it.live("run once, however many start at the same time", () =>
        Effect.scoped(Effect.gen(function*() {
          const address = yield* backend.fresh
          yield* Effect.forEach([1, 2, 3, 4], () => Effect.provide(Effect.void, layerDatabase(address)), { concurrency: 4 })
          const rows = yield* Effect.provide(applied, layerDatabase(address))
          expect(rows.map(({ migration_id, name }) => `${String(migration_id).padStart(4, "0")}_${name}`)).toEqual(Object.keys(migrations))
        })))

      it.live("leave a database alone that is up to date", () =>
        Effect.scoped(Effect.gen(function*() {
          const address = yield* backend.fresh
          const run = yield* Effect.provide(audited(newRun("a.example.com"), 70), storeAt(address))
          yield* Effect.provide(Effect.gen(function*() {
            yield* migrate
            const store = yield* RunStore
            expect(yield* store.find(run.id)).toEqual(run)
            expect(yield* store.summary).toMatchObject({ sites: 1, runs: 1, averageScore: 70 })
          }), storeAt(address))
        })))

      it.live("that fail leave nothing behind", () =>
        Effect.scoped(Effect.gen(function*() {
          const address = yield* backend.fresh
          // In the way of the third migration or the second, where the first has made its tables already.
          const exists = (table: string) => Effect.flatMap(SqlClient, (sql) => Effect.match(sql`SELECT 1 FROM ${sql(table)}`, { onFailure: () => false, onSuccess: () => true }))
          yield* Effect.provide(Effect.gen(function*() {
            const sql = yield* SqlClient
            yield* sql`CREATE TABLE tlds (mine text)`
            expect(yield* Effect.flip(migrate)).toMatchObject({ _tag: "MigrationError" })
            expect([yield* exists("tlds"), yield* exists("runs"), yield* exists("corpus")]).toEqual([true, false, false])
            yield* sql`DROP TABLE tlds`
            yield* migrate
            expect([yield* exists("runs"), yield* exists("corpus")]).toEqual([true, true])
          }), yield* clientAt(address))
        })))

      it.live("make a database of version 7 searchable, as if its sites had been audited since", () =>
        Effect.scoped(Effect.gen(function*() {
          const [old, fresh] = [yield* backend.fresh, yield* backend.fresh]
          const searched = Effect.gen(function*() {
            const sql = yield* SqlClient
            const found = yield* Effect.forEach(["e", "ex", "-1", "example", "site-3", "x".repeat(9), "é"], (needle) =>
              Effect.map(searchSites(sql, needle, 9, true), (rows) => rows.map(({ site }) => Number(site))))
            const trigrams = backend.name === "SQLite" ? yield* sql`SELECT gram, sites FROM search_trigrams ORDER BY gram` : []
            return { found, trigrams }
          })
          const before = yield* Effect.provide(Effect.andThen(upTo(7), Effect.andThen(someSites, Effect.andThen(migrate, searched))), yield* clientAt(old))
          const after = yield* Effect.provide(Effect.andThen(migrate, Effect.andThen(someSites, searched)), yield* clientAt(fresh))
          expect(before).toEqual(after)
          expect(before.found[0]).toEqual([40, 39, 38, 37, 36, 35, 34, 33, 32])
          expect(before.found.at(-1)).toEqual([5])
        })))

      it.live("put the unfinished runs of version 8 in the queue, and what a process of that version accepts and never begins later", () =>
        Effect.scoped(Effect.gen(function*() {
          const address = yield* backend.fresh
          const accept = (serial: number, status: string, startedAt: number) => Effect.flatMap(SqlClient, (sql) => sql`
            INSERT INTO runs ${sql.insert({ serial, id: idOf(serial), site: 1, url: "https://a.dev", rubric_digest: "r", target: `${serial}`, status, started_at: startedAt, attempts: status === "pending" ? 0 : 1, worker: status === "running" ? "gone" : null })}`)
          const aSite = Effect.flatMap(SqlClient, (sql) => sql`INSERT INTO sites (serial, key, site, domain, last_started_at) VALUES (1, 'k', 'a.dev', 'a.dev', 1)`)
          const old = Effect.andThen(aSite, Effect.forEach(["done", "running", "pending"], (status, index) => accept(index + 1, status, index)))
          yield* Effect.provide(Effect.andThen(upTo(8), old), yield* clientAt(address))
          yield* Effect.provide(Effect.gen(function*() {
            const [queue, leases, store] = [yield* AuditQueue, yield* Leases, yield* RunStore]
            expect(yield* queue.recover(new Set())).toBe(1)
            yield* accept(4, "pending", 4)
            yield* accept(5, "pending", Date.now() * 1_000)
            expect(yield* queue.recover(new Set())).toBe(1)
            const order: Array<string> = []
            while (order.length < 3) {
              const { run } = yield* queue.claim(new Set())
              order.push(`${run.id} ${run.attempts}`)
              yield* store.begin(run.id, leases.worker)
              yield* leases.free(run.domain, run.id)
            }
            expect(order).toEqual([`${idOf(2)} 1`, `${idOf(3)} 0`, `${idOf(4)} 0`])
            expect((yield* store.find(idOf(5)))?.status).toBe("pending")
          }), AuditQueue.layerSql.pipe(Layer.provideMerge(Leases.layerSql(1_000)), Layer.provideMerge(storeAt(address))))
        })))
    })
  }
})

describe("a database that cannot be used", () => {
  const failure = (address: Parameters<typeof layerDatabase>[0]) => Effect.flip(Effect.provide(Effect.void, layerDatabase(address)))

  it.live("is told in one line: a file that is none", () =>
    Effect.scoped(Effect.gen(function*() {
      const address = yield* backends[0]?.fresh ?? Effect.die("no SQLite")
      const path = address._tag === "Sqlite" ? address.path : ""
      writeFileSync(path, "this is no database, and long enough to be taken for the head of one, which has a hundred bytes or more".repeat(9))
      const error = yield* failure(address)
      expect(error).toBeInstanceOf(DatabaseError)
      expect(error.message).toBe(`The database ${path} cannot be used: SQLITE_NOTADB: file is not a database`)
    })))

  it.live("is told in one line: a folder in its place", () =>
    Effect.map(failure({ _tag: "Sqlite", path: "/" }), ({ message }) => expect(message).toBe("The database / cannot be used: SQLITE_CANTOPEN: unable to open database file")))

  it.live("is told in one line, without the password: a server that is not there", () =>
    Effect.map(failure({ _tag: "Postgres", url: Redacted.make("postgres://u:hush@127.0.0.1:1/x") }), ({ message }) => {
      expect(message).toMatch(/^The PostgreSQL database cannot be used: .*ECONNREFUSED.*$/)
      expect(message).not.toContain("hush")
    }))
})
