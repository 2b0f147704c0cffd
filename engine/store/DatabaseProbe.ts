import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { orUnavailable } from "./Availability.ts"
import { StoreUnavailable } from "./RunStore.ts"
import { openSqlite } from "./SqliteConnection.ts"

/** Looks whether the database can still be read; `null` where asking it anything tells. A driver may bring its own. */
export const DatabaseProbe = Context.Reference<Effect.Effect<void, StoreUnavailable> | null>("docgauge/store/DatabaseProbe", {
  defaultValue: () => null
})

/** Files up to this size are checked as a whole, in bytes: that takes some 20 ms. */
const MOST_CHECKED_BYTES = 10 * 1_024 * 1_024

/**
 * Reads an SQLite file over a connection of its own: those that are open answer from their caches, whatever has become of the
 * file. Its schema and the first and last runs are read, and all of a file that is small.
 */
export const probeSqlite = (path: string): Effect.Effect<void, StoreUnavailable> =>
  Effect.gen(function*() {
    const connection = yield* openSqlite(path, "read")
    const read = (sql: string) => Effect.map(connection.executeValuesUnprepared(sql, []), ([row]) => row?.[0])
    yield* read("SELECT count(*) FROM sqlite_schema")
    yield* read("SELECT * FROM runs ORDER BY rowid ASC LIMIT 1")
    yield* read("SELECT * FROM runs ORDER BY rowid DESC LIMIT 1")
    const bytes = yield* read("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    if (Number(bytes) > MOST_CHECKED_BYTES) return
    const verdict = yield* read("PRAGMA quick_check(1)")
    if (verdict !== "ok") return yield* new StoreUnavailable({ cause: new Error(`the database is damaged: ${String(verdict)}`) })
  }).pipe(orUnavailable, Effect.scoped)
