import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import { isBuiltin } from "node:module"
import type { DatabaseKind, SqlDatabase } from "../database/SqlDatabase.ts"
import { databaseFile } from "./DatabaseFile.ts"
import { makePrivate } from "./PrivateFile.ts"
import { type SqliteDriver, sqlErrorOf } from "./SqliteDriver.ts"
import { peerProblem } from "../../config/PeerPackage.ts"

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

/** What an error says where there is no SQLite at all. */
const NO_SQLITE = "this Node.js was built without SQLite"

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

/**
 * The package `sqlite3` where it is installed with its native part, else Node's own SQLite. They are imported when a database is
 * opened, because few commands need one.
 */
export const sqliteDriver: Effect.Effect<SqliteDriver, SqlError> = Effect.suspend(() =>
  Effect.catch(packageSqlite, () => nodeSqlite)
)

/** The sentence for operators where the package `sqlite3` is too old to be used; `null` where it is not. */
export const sqlite3Problem = (): string | null =>
  peerProblem({ user: "docgauge", name: "sqlite3", oldest: "6.0" }, import.meta.url)

/** The package `sqlite3`; fails where it or its native part is missing, and where it is too old. */
export const packageSqlite: Effect.Effect<SqliteDriver, SqlError> = Effect.tryPromise({
  try: async () => {
    const problem = sqlite3Problem()
    if (problem !== null) throw new Error(problem)
    const [{ default: sqlite3 }, { packageDriver }] = await Promise.all([
      import("sqlite3"),
      import("./PackageDriver.ts")
    ])
    return packageDriver(sqlite3)
  },
  catch: (cause) => sqlErrorOf(cause, "load")
})

/** Node's own SQLite; fails where Node was built without it. */
export const nodeSqlite: Effect.Effect<SqliteDriver, SqlError> = Effect.suspend(() =>
  // Importing `node:sqlite` here would print Node's warning that it is experimental.
  isBuiltin("node:sqlite")
    ? Effect.map(
        Effect.promise(() => import("./NodeDriver.ts")),
        ({ nodeDriver }) => nodeDriver
      )
    : Effect.fail(sqlErrorOf(new Error(NO_SQLITE), "load"))
)
