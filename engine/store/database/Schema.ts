import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { MIGRATIONS } from "./Migrations.ts"
import { inTransaction } from "./SqlDatabase.ts"

/** The migrations of this version; tests add others. */
export const Migrations = Context.Reference<Readonly<Record<string, (typeof MIGRATIONS)[keyof typeof MIGRATIONS]>>>(
  "docgauge/store/Migrations",
  { defaultValue: () => MIGRATIONS }
)

/**
 * Creates the tables of a new database, or adds to those of an older version, all or nothing. Processes that start at the same time
 * wait for each other: PostgreSQL by an advisory lock, SQLite because its transactions are immediate. A migration only adds within a minor
 * version, because processes of the version before go on meanwhile on PostgreSQL; `addFairTags` says what they do then. On PostgreSQL it needs a connection without a time limit, because other
 * processes and large tables may keep it waiting for minutes.
 */
export const migrate: Effect.Effect<void, Migrator.MigrationError | SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* refuseEarly
  const migrations = yield* Migrations
  const run = Effect.asVoid(Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: "docgauge_versions" }))
  yield* sql.onDialectOrElse({
    pg: () =>
      inTransaction(sql, Effect.andThen(waitForOthers(sql), run)).pipe(
        Effect.tapError((error) =>
          isLocked(error)
            ? Effect.logInfo("A table that the new version changes is in use: trying again.")
            : Effect.void
        ),
        Effect.retry({
          while: isLocked,
          schedule: Schedule.spaced(LOCK_PAUSE).pipe(Schedule.upTo({ duration: LONGEST_LOCKED }))
        })
      ),
    orElse: () => run
  })
  yield* refuseNewer(Object.keys(migrations).length)
})

/**
 * How long a migration waits for a lock of a table. All that others ask of the table waits behind it meanwhile, so it gives up soon,
 * lets them go on, and tries again.
 */
const LOCK_TIMEOUT = "2s"
const LOCK_PAUSE = "3 seconds"
const LONGEST_LOCKED = "10 minutes"

const waitForOthers = Effect.fnUntraced(function* (sql: SqlClient) {
  // A migration of a large database takes longer than any other statement may, and so may one of another process.
  yield* sql`SELECT set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`
  yield* sql`SELECT pg_advisory_xact_lock(hashtextextended('docgauge schema', 0))`
  yield* sql`SELECT set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`
})

/** Also a deadlock with a transaction that holds another of the tables. */
const isLocked = (error: unknown): boolean => {
  const cause = error instanceof Migrator.MigrationError ? error.cause : error
  return isSqlError(cause) && (cause.reason._tag === "LockTimeoutError" || cause.reason._tag === "DeadlockError")
}

/** Another version may have read or written in a way that this one does not know. */
const refuseNewer = Effect.fnUntraced(function* (known: number) {
  const sql = yield* SqlClient
  const [newest] = yield* sql<{ readonly migration_id: number; readonly name: string }>`
    SELECT migration_id, name FROM docgauge_versions ORDER BY migration_id DESC LIMIT 1`
  if (newest === undefined || newest.migration_id <= known) return
  return yield* new Migrator.MigrationError({
    kind: "BadState",
    message: `a newer version of docgauge has changed it: its schema is ${newest.migration_id} (${newest.name}), and this version knows ${known}. Start a version that knows schema ${newest.migration_id}`
  })
})

/** Development versions until 26 November 2026 had one of these tables of migrations, and other tables and columns. */
const EARLY = ["docgauge_migrations", "docgauge_schema"]

const refuseEarly = Effect.gen(function* () {
  const sql = yield* SqlClient
  const found = yield* sql.onDialectOrElse({
    pg: () => sql`SELECT 1 FROM pg_class WHERE oid IN (${sql.csv(EARLY.map((table) => sql`to_regclass(${table})`))})`,
    orElse: () => sql`SELECT 1 FROM sqlite_schema WHERE ${sql.in("name", EARLY)}`
  })
  if (found.length === 0) return
  return yield* new Migrator.MigrationError({
    kind: "BadState",
    message:
      "a development version of 26 November 2026 or before created it, and its tables are not converted. Set DOCGAUGE_DATABASE_URL to a new database, or delete this one"
  })
})
