import * as Effect from "effect/Effect"
import { orUnavailable } from "../database/Availability.ts"
import { StoreUnavailable } from "../database/StoreUnavailable.ts"
import { openSqlite } from "./SqliteConnection.ts"
import type { SqliteDriver } from "./SqliteDriver.ts"

/** Files up to this size are checked completely, in bytes: that takes about 20 ms. */
const MOST_CHECKED_BYTES = 10 * 1_024 * 1_024

/**
 * Reads an SQLite file over a new connection, because open ones answer from their caches even if the file is damaged. It reads
 * the schema and the first and last runs, and all of a small file.
 */
export const probeSqlite = (path: string, driver: SqliteDriver): Effect.Effect<void, StoreUnavailable> =>
  Effect.gen(function* () {
    const connection = yield* openSqlite(driver, path, "read")
    const read = (sql: string) => Effect.map(connection.executeValuesUnprepared(sql, []), ([row]) => row?.[0])
    yield* read("SELECT count(*) FROM sqlite_schema")
    yield* read("SELECT * FROM runs ORDER BY rowid ASC LIMIT 1")
    yield* read("SELECT * FROM runs ORDER BY rowid DESC LIMIT 1")
    const bytes = yield* read("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    if (Number(bytes) > MOST_CHECKED_BYTES) return
    const verdict = yield* read("PRAGMA quick_check(1)")
    if (verdict !== "ok")
      return yield* new StoreUnavailable({ cause: new Error(`the database is damaged: ${String(verdict)}`) })
  }).pipe(orUnavailable, Effect.scoped)
