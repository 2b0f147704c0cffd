import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { isBuiltin } from "node:module"
import { peerProblem } from "../../config/PeerPackage.ts"
import { type SqliteDriver, sqlErrorOf } from "./SqliteDriver.ts"

/** What an error says where there is no SQLite at all. */
export const NO_SQLITE = "this Node.js was built without SQLite"

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
