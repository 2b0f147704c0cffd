import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseKind, SqlDatabase } from "../database/SqlDatabase.ts"
import { databaseFile } from "./DatabaseFile.ts"
import { makePrivate } from "./PrivateFile.ts"
import type { SqliteDriver } from "./SqliteDriver.ts"
import { NO_SQLITE, sqliteDriver } from "./SqliteDrivers.ts"

/** A database in a file. */
export interface SqliteDatabase extends SqlDatabase {
  readonly _tag: "Sqlite"
  readonly path: string
}

/** The database in the file at `path`, opened by the best driver that is installed or by the given one. */
export const sqliteAt = (
  path: string,
  driver: Effect.Effect<SqliteDriver, SqlError> = sqliteDriver
): SqliteDatabase => ({
  _tag: "Sqlite",
  path,
  name: `The database ${path}`,
  clients: () => Layer.unwrap(Effect.promise(async () => (await import("./SqliteClient.ts")).layer(path, driver))),
  migrator: null,
  alone: () => Layer.effectDiscard(holdAlone(path, driver)),
  adviceOn: (message) => (message.includes(NO_SQLITE) ? ADD_SQLITE3 : null)
})

/** `file:PATH` and `file:///PATH`. */
export const sqlite: DatabaseKind<SqliteDatabase> = {
  form: "file:PATH",
  parse: (url) => {
    const path = databaseFile(url)
    return path === null ? null : sqliteAt(path)
  }
}

const ADD_SQLITE3 = `${NO_SQLITE}: run "npm install sqlite3" beside docgauge, or set DOCGAUGE_DATABASE_URL to postgres://… or memory:`

/** Ends the name of a file that is empty, beside the database. */
const LOCK_FILE = "-lock"

/**
 * Fails with `LockTimeoutError` while another process holds the database at `path`; holds it else, until the scope closes. It is a lock of
 * SQLite's on a file beside it, which the system frees when the process dies, and which commands and backups do not meet.
 */
const holdAlone = Effect.fnUntraced(function* (
  path: string,
  driver: Effect.Effect<SqliteDriver, SqlError>
): Effect.fn.Return<void, SqlError, Scope.Scope> {
  const { open } = yield* driver
  yield* makePrivate(path + LOCK_FILE)
  const lock = yield* open(path + LOCK_FILE, "write")
  yield* lock.all("BEGIN EXCLUSIVE", [], false)
})
