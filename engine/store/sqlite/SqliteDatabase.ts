import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlError } from "effect/sql/SqlError"
import { isBuiltin } from "node:module"
import type { DatabaseKind, SqlDatabase } from "../database/SqlDatabase.ts"
import { databaseFile } from "./DatabaseFile.ts"
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
  alone: () => Layer.unwrap(Effect.promise(async () => (await import("./SqliteClient.ts")).layerAlone(path, driver))),
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
    const [{ default: sqlite3 }, { packageDriver }] = await Promise.all([import("sqlite3"), import("./Drivers.ts")])
    return packageDriver(sqlite3)
  },
  catch: (cause) => sqlErrorOf(cause, "load")
})

/** Node's own SQLite; fails where Node was built without it. */
export const nodeSqlite: Effect.Effect<SqliteDriver, SqlError> = Effect.suspend(() =>
  // Importing `node:sqlite` here would print Node's warning that it is experimental.
  isBuiltin("node:sqlite")
    ? Effect.map(
        Effect.promise(() => import("./Drivers.ts")),
        ({ nodeDriver }) => nodeDriver
      )
    : Effect.fail(sqlErrorOf(new Error(NO_SQLITE), "load"))
)
