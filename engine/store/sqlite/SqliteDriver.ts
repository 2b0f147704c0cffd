import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"

/** A connection as a driver gives it. */
export interface DriverConnection {
  /**
   * Runs one statement and returns its rows. A `reusable` statement stays prepared. Uninterruptible: an interrupted statement would
   * keep the connection busy, and the next caller would wait forever.
   */
  readonly all: (
    sql: string,
    params: ReadonlyArray<unknown>,
    reusable: boolean
  ) => Effect.Effect<ReadonlyArray<object>, SqlError>
}

/** Code that runs SQLite away from the main thread. */
export interface SqliteDriver {
  readonly name: "sqlite3" | "node:sqlite"
  /** Opens a file, which is closed with the scope. */
  readonly open: (path: string, access: "read" | "write") => Effect.Effect<DriverConnection, SqlError, Scope.Scope>
}

/** Prepared statements per connection. */
export const PREPARED = 200

/** The message begins with SQLite's name of the error, such as `SQLITE_FULL`, with each driver. */
export const sqlErrorOf = (cause: unknown, operation: string): SqlError =>
  new SqlError({
    reason: classifySqliteError(cause, {
      message: `SQLite: ${cause instanceof Error ? cause.message : String(cause)}`,
      operation
    })
  })
