import * as PgClient from "@effect/sql-pg/PgClient"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { type Database, type DatabaseError, layerDatabase } from "../../engine/store/Database.ts"
import { postgresAt } from "../../engine/store/postgres/PostgresDatabase.ts"
import { sqliteAt } from "../../engine/store/sqlite/SqliteDatabase.ts"
import type { SqliteDriver } from "../../engine/store/sqlite/SqliteDriver.ts"
import { nodeSqlite, packageSqlite } from "../../engine/store/sqlite/SqliteDrivers.ts"
import type { DatabaseHealth } from "../../engine/store/database/DatabaseHealth.ts"
import type { ReadClient } from "../../engine/store/database/ReadClient.ts"
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
  /** A new, empty database, gone with the scope. */
  readonly fresh: Effect.Effect<Database, never, Scope.Scope>
}

const fewOf = (all: number): number => Math.ceil(all / 3)

const sqliteBy = (name: SqliteDriver["name"], driver: Effect.Effect<SqliteDriver, SqlError>): Backend => ({
  name: `SQLite (${name})`,
  kind: "SQLite",
  available: true,
  cases: (all) => (name === "node:sqlite" ? all : fewOf(all)),
  fresh: Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "docgauge-store-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ),
    (folder) => sqliteAt(join(folder, "runs.db"), driver)
  )
})

/** A database of a server that needs no password: that of `CiPostgres.ts` in CI. */
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
  fresh: Effect.map(ownDatabase(), postgresNamed)
}

/** PostgreSQL whose new databases are copies of one that is filled once, here, and is gone with the scope. */
export const postgresFilledBy = Effect.fnUntraced(function* <E>(
  fill: Effect.Effect<unknown, E, SqlClient>
): Effect.fn.Return<Backend, E | DatabaseError | StoreUnavailable, Scope.Scope> {
  const template = yield* ownDatabase()
  yield* Effect.provide(fill, storeAt(postgresNamed(template)))
  return { ...postgres, fresh: Effect.map(ownDatabase(`TEMPLATE ${template}`), postgresNamed) }
})

/** SQLite with each of its drivers. */
export const sqliteBackends: ReadonlyArray<Backend> = [
  sqliteBy("sqlite3", packageSqlite),
  sqliteBy("node:sqlite", nodeSqlite)
]

export const backends: ReadonlyArray<Backend> = [...sqliteBackends, postgres]

/**
 * One backend for each dialect of SQL, for tests of what is built on the stores. What the drivers of SQLite have in common is their own
 * contract: `sqlite/Drivers.test.ts`, `runs/RunStore.test.ts`, `Outage.test.ts`.
 */
export const dialects: ReadonlyArray<Backend> = [...sqliteBackends.slice(-1), postgres]

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
