import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import { makePrivate } from "./PrivateFile.ts"
import type { SqliteDriver } from "./SqliteDriver.ts"

/** Ends the name of a file that is empty, beside the database. */
const LOCK_FILE = "-lock"

/**
 * Fails with `LockTimeoutError` while another process holds the database at `path`; holds it else, until the scope closes. It is a lock of
 * SQLite's on a file beside it, which the system frees when the process dies, and which commands and backups do not meet.
 */
export const holdAlone = Effect.fnUntraced(function* (
  path: string,
  driver: Effect.Effect<SqliteDriver, SqlError>
): Effect.fn.Return<void, SqlError, Scope.Scope> {
  const { open } = yield* driver
  yield* makePrivate(path + LOCK_FILE)
  const lock = yield* open(path + LOCK_FILE, "write")
  yield* lock.all("BEGIN EXCLUSIVE", [], false)
})
