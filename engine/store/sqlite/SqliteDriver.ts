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

/** The message begins with SQLite's name of the error, such as `SQLITE_FULL`, with each driver. */
export const sqlErrorOf = (cause: unknown, operation: string): SqlError =>
  new SqlError({
    reason: classifySqliteError(cause, {
      message: `SQLite: ${cause instanceof Error ? cause.message : String(cause)}`,
      operation
    })
  })

/** What a thread of `node:sqlite` is told first (`workerData`): which file to open. */
export interface OpenFile {
  readonly path: string
  readonly readOnly: boolean
}

/** A value of SQLite, as `node:sqlite` takes and gives it. */
export type SqliteValue = string | number | bigint | null | Uint8Array<ArrayBuffer>

/** One statement to run; `null` closes the file and ends the thread. */
export type StatementMessage = {
  readonly sql: string
  readonly params: ReadonlyArray<SqliteValue>
  /** Whether it stays prepared. */
  readonly reusable: boolean
} | null

/** The thread replies to the opening and to each message, in their order. */
export type ThreadReply =
  | { readonly _tag: "Rows"; readonly rows: ReadonlyArray<Readonly<Record<string, SqliteValue>>> }
  /** `message` and `code` as those of the package `sqlite3`: `SQLITE_FULL: database or disk is full`. */
  | { readonly _tag: "Failed"; readonly message: string; readonly code: string; readonly errno: number | undefined }
