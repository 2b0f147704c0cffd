import * as PgClient from "@effect/sql-pg/PgClient"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { createHash, randomBytes } from "node:crypto"
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { AuditQueue } from "../../engine/schedule/AuditQueue.ts"
import {
  type Database,
  type DatabaseError,
  layerDatabase,
  nodeSqlite,
  packageSqlite,
  postgresAt,
  sqliteAt
} from "../../engine/store/Database.ts"
import type { SqliteDriver } from "../../engine/store/sqlite/SqliteDriver.ts"
import type { DatabaseHealth, ReadClient } from "../../engine/store/database/SqlDatabase.ts"
import type { Corpus } from "../../engine/store/corpus/Corpus.ts"
import * as SqlCorpus from "../../engine/store/corpus/SqlCorpus.ts"
import { RunHistory } from "../../engine/store/runs/RunHistory.ts"
import type { RunStore } from "../../engine/store/runs/RunStore.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { isAvailable } from "../harness/Availability.ts"
import { layerSql } from "../../engine/store/runs/SqlRunStore.ts"

/** A kind of database that the tests of the store run on. */
export interface Backend {
  readonly name: string
  readonly kind: "SQLite" | "PostgreSQL"
  /** Whether there is one here. */
  readonly available: boolean
  /** How many cases a property of the store is tried on: all of them on one database, a third on those that need longer. */
  readonly cases: (all: number) => number
  /** A new database that no version has opened, gone with the scope: for tests of migrations. */
  readonly empty: Effect.Effect<Database, never, Scope.Scope>
  /** A new database without rows, gone with the scope. It may have its tables already, which is much cheaper on PostgreSQL. */
  readonly fresh: Effect.Effect<Database, never, Scope.Scope>
}

const fewOf = (all: number): number => Math.ceil(all / 3)

const sqliteBy = (name: SqliteDriver["name"], driver: Effect.Effect<SqliteDriver, SqlError>): Backend => {
  const empty = Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "docgauge-store-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ),
    (folder) => sqliteAt(join(folder, "runs.db"), driver)
  )
  return {
    name: `SQLite (${name})`,
    kind: "SQLite",
    available: true,
    cases: (all) => (name === "sqlite3" ? all : fewOf(all)),
    empty,
    fresh: empty
  }
}

/** A database of a server that needs no password: that of the test run, see `PostgresOfRun.ts`, or the machine's. */
const SERVER = new URL(process.env["DOCGAUGE_TEST_POSTGRES"] ?? "postgres://postgres@127.0.0.1:5432/test")

const addressOf = (database: string): string => new URL(`/${database}`, SERVER).href

/** Runs statements on the server, outside of any database of ours. */
export const onServer = <A>(effect: Effect.Effect<A, unknown, SqlClient>): Effect.Effect<A> =>
  Effect.orDie(Effect.provide(effect, PgClient.layer({ url: Redacted.make(SERVER.href), maxConnections: 1 })))

const statement = (text: string) => onServer(Effect.flatMap(SqlClient, (sql) => sql.unsafe(text)))

/** A database of the server, empty or a copy of another, gone with the scope. */
const ownDatabase = (options = ""): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tap(
      Effect.sync(() => `docgauge_test_${randomBytes(6).toString("hex")}`),
      (name) => statement(`CREATE DATABASE ${name} ${options}`)
    ),
    (name) => statement(`DROP DATABASE ${name} WITH (FORCE)`)
  )

const postgresNamed = (name: string): Database => postgresAt(addressOf(name))

/** How copies are made: by file takes two thirds of the processor time. Servers before version 15 copy so anyway, and know no word for it. */
const byFile = Effect.runSync(
  Effect.cached(
    onServer(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [row] = yield* sql<{ readonly version: string }>`SELECT current_setting('server_version_num') AS version`
        return Number(row?.version) >= 150_000 ? "STRATEGY file_copy" : ""
      })
    )
  )
)

/** A copy of a database of the server to which nothing is connected, gone with the scope. */
const copyOf = (name: string): Effect.Effect<Database, never, Scope.Scope> =>
  byFile.pipe(
    Effect.flatMap((strategy) => ownDatabase(`TEMPLATE ${name} ${strategy}`)),
    Effect.map(postgresNamed)
  )

/** The tables of the stores, and those of the queue with pg-boss's. */
const SCHEMA = ["engine/store/database", "engine/schedule/queue", "node_modules/pg-boss/package.json"].map((path) =>
  join(import.meta.dirname, "../..", path)
)

/** Named by what the tables are made by, so that another schema has another. */
const templateName = (): string => {
  const hash = createHash("sha256")
  for (const path of globSync(SCHEMA.flatMap((path) => [path, `${path}/**`])).toSorted())
    if (/\.(ts|json)$/.test(path)) hash.update(readFileSync(path))
  return `docgauge_template_${hash.digest("hex").slice(0, 12)}`
}

/**
 * A database with all tables and no rows, of which new ones are copies: that costs a third of making the tables. The first process of a
 * test run makes it; it stays on the server for the next run.
 */
const template = Effect.runSync(
  Effect.cached(
    Effect.suspend(() => {
      const name = templateName()
      const unfinished = `${name}_unfinished`
      return Effect.as(
        onServer(
          Effect.gen(function* () {
            const sql = yield* SqlClient
            // Held until the connection ends; other processes wait for it.
            yield* sql`SELECT pg_advisory_lock(hashtextextended(${name}, 0))`
            if ((yield* sql`SELECT 1 FROM pg_database WHERE datname = ${name}`).length > 0) return
            yield* sql.unsafe(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`)
            yield* sql.unsafe(`CREATE DATABASE ${unfinished}`)
            yield* Effect.provide(
              Effect.void,
              Layer.fresh(Layer.provide(AuditQueue.layerSql, layerDatabase(postgresNamed(unfinished))))
            )
            yield* sql.unsafe(`ALTER DATABASE ${unfinished} RENAME TO ${name}`)
          })
        ),
        name
      )
    })
  )
)

export const postgres: Backend = {
  name: "PostgreSQL",
  kind: "PostgreSQL",
  cases: fewOf,
  available: isAvailable(
    `PostgreSQL at ${SERVER.host}`,
    await new Promise((resolve) => {
      const socket = connect(Number(SERVER.port), SERVER.hostname, () => resolve(true))
      socket.on("error", () => resolve(false)).unref()
      socket.on("connect", () => socket.destroy())
    })
  ),
  empty: Effect.map(ownDatabase(), postgresNamed),
  fresh: Effect.flatMap(template, copyOf)
}

/** A database for the services of a test, by its URL, until it is removed. */
export const ownPostgres = async (): Promise<{ readonly url: string; readonly remove: () => Promise<void> }> => {
  const scope = Effect.runSync(Scope.make())
  const address = await Effect.runPromise(Scope.provide(postgres.fresh, scope))
  return {
    url: address._tag === "Postgres" ? Redacted.value(address.url) : "",
    remove: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** PostgreSQL whose new databases are copies of one that is filled once, here, and is gone with the scope. */
export const postgresFilledBy = Effect.fnUntraced(function* <E>(
  fill: Effect.Effect<unknown, E, SqlClient>
): Effect.fn.Return<Backend, E | DatabaseError | StoreUnavailable, Scope.Scope> {
  const filled = yield* ownDatabase()
  yield* Effect.provide(fill, storeAt(postgresNamed(filled)))
  return { ...postgres, fresh: copyOf(filled) }
})

/** SQLite with each of its drivers. */
export const sqliteBackends: ReadonlyArray<Backend> = [
  sqliteBy("sqlite3", packageSqlite),
  sqliteBy("node:sqlite", nodeSqlite)
]

export const backends: ReadonlyArray<Backend> = [...sqliteBackends, postgres]

/**
 * One backend for each dialect of SQL, for tests of what is built on the stores. What the drivers of SQLite have in common is their own
 * contract: `sqlite/Drivers.long.test.ts`, `runs/RunStore.test.ts`, `Outage.long.test.ts`. `node:sqlite` is not the one here, because it starts
 * four threads for each database: a quarter of a second of processor time, six times that of `sqlite3`.
 */
export const dialects: ReadonlyArray<Backend> = [...sqliteBackends.slice(0, 1), postgres]

/**
 * The same for tests in which several processes, played by one, use a database. Those that wait for a lock of SQLite would take all threads
 * on which `sqlite3` works in a process, so that the one that holds the lock could not give it back.
 */
export const dialectsOfSeveral: ReadonlyArray<Backend> = [...sqliteBackends.slice(-1), postgres]

/** The services that read and write runs. */
export type Stores = RunStore | RunHistory | Corpus

/** The services on a database, with its clients. */
export const storeAt = (
  address: Database
): Layer.Layer<
  Stores | SqlClient | ReadClient | DatabaseHealth | SecureRandom.SecureRandom,
  DatabaseError | StoreUnavailable
> =>
  Layer.mergeAll(layerSql, RunHistory.layerSql, SqlCorpus.layerSql).pipe(
    Layer.provideMerge(layerDatabase(address)),
    Layer.provideMerge(SecureRandom.layerWebCrypto)
  )

/** Runs an effect on a database of its own. */
export const onFresh = <A, E>(
  backend: Backend,
  effect: Effect.Effect<A, E, Stores | SqlClient | ReadClient | DatabaseHealth | Scope.Scope>
): Effect.Effect<A, E | DatabaseError | StoreUnavailable> =>
  Effect.scoped(Effect.flatMap(backend.fresh, (address) => Effect.provide(effect, storeAt(address))))
