import * as PgClient from "@effect/sql-pg/PgClient"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type DatabaseError, layerDatabase } from "../../engine/store/Database.ts"
import type { SqlAddress } from "../../engine/store/DatabaseAddress.ts"
import type { ReadClient } from "../../engine/store/ReadClient.ts"
import type { RunStore, StoreUnavailable } from "../../engine/store/RunStore.ts"
import { layerSql } from "../../engine/store/SqlRunStore.ts"

/** A kind of database that the tests of the store run on. */
export interface Backend {
  readonly name: "SQLite" | "PostgreSQL"
  /** Whether there is one here. */
  readonly available: boolean
  /** A new, empty database, gone with the scope. */
  readonly fresh: Effect.Effect<SqlAddress, never, Scope.Scope>
}

const sqlite: Backend = {
  name: "SQLite",
  available: true,
  fresh: Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "docgauge-store-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    ),
    (folder): SqlAddress => ({ _tag: "Sqlite", path: join(folder, "runs.db") })
  )
}

/** A server that lets us in without a password. */
const SERVER = { host: "127.0.0.1", port: 5432, user: "postgres" }

const addressOf = (database: string): string => `postgres://${SERVER.user}@${SERVER.host}:${SERVER.port}/${database}`

/** Runs statements on the server, outside of any database of ours. */
export const onServer = <A>(effect: Effect.Effect<A, unknown, SqlClient>): Effect.Effect<A> =>
  Effect.orDie(Effect.provide(effect, PgClient.layer({ url: Redacted.make(addressOf("test")), maxConnections: 1 })))

const statement = (text: string) => onServer(Effect.flatMap(SqlClient, (sql) => sql.unsafe(text)))

const postgres: Backend = {
  name: "PostgreSQL",
  available: await new Promise((resolve) => {
    const socket = connect(SERVER.port, SERVER.host, () => resolve(true))
    socket.on("error", () => resolve(false)).unref()
    socket.on("connect", () => socket.destroy())
  }),
  fresh: Effect.map(
    Effect.acquireRelease(
      Effect.tap(
        Effect.sync(() => `docgauge_test_${randomBytes(6).toString("hex")}`),
        (name) => statement(`CREATE DATABASE ${name}`)
      ),
      (name) => statement(`DROP DATABASE ${name} WITH (FORCE)`)
    ),
    (name): SqlAddress => ({ _tag: "Postgres", url: Redacted.make(addressOf(name)) })
  )
}

export const backends: ReadonlyArray<Backend> = [sqlite, postgres]

/** The store on a database, with its clients, as the service has them. */
export const storeAt = (address: SqlAddress): Layer.Layer<RunStore | SqlClient | ReadClient | SecureRandom.SecureRandom, DatabaseError | StoreUnavailable> =>
  layerSql.pipe(Layer.provideMerge(layerDatabase(address)), Layer.provideMerge(SecureRandom.layerWebCrypto))

/** Runs an effect on a store of its own. */
export const onFresh = <A, E>(
  backend: Backend,
  effect: Effect.Effect<A, E, RunStore | SqlClient | ReadClient | Scope.Scope>
): Effect.Effect<A, E | DatabaseError | StoreUnavailable> =>
  Effect.scoped(Effect.flatMap(backend.fresh, (address) => Effect.provide(effect, storeAt(address))))
