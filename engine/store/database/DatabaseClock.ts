import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"

/**
 * The current time as an SQL expression, in milliseconds since the epoch: PostgreSQL's clock, so that the clocks of processes
 * need not agree; this process's clock for SQLite, which is on the same machine.
 */
export const databaseNow = (sql: SqlClient): Effect.Effect<Fragment> =>
  sql.onDialectOrElse({
    pg: () => Effect.succeed(sql`(EXTRACT(EPOCH FROM statement_timestamp()) * 1000)::double precision`),
    orElse: () => Effect.map(Clock.currentTimeMillis, (now) => sql`${now}`)
  })

/** The same in microseconds, as runs have their times. */
export const databaseMicros = (sql: SqlClient): Effect.Effect<Fragment> =>
  Effect.map(databaseNow(sql), (now) => sql`CAST(${now} * 1000 AS bigint)`)

/** The smaller of two expressions. */
export const least = (sql: SqlClient, one: Fragment, other: Fragment): Fragment =>
  sql.onDialectOrElse({
    pg: () => sql`LEAST(${one}, ${other})`,
    orElse: () => sql`MIN(${one}, ${other})`
  })

/** The larger of two expressions. */
export const greatest = (sql: SqlClient, one: Fragment, other: Fragment): Fragment =>
  sql.onDialectOrElse({
    pg: () => sql`GREATEST(${one}, ${other})`,
    orElse: () => sql`MAX(${one}, ${other})`
  })

/** Whether work is due that the processes of a service do once in `intervalMs` milliseconds, together. Only one of them is told so. */
export const isDue = Effect.fnUntraced(function* (
  sql: SqlClient,
  name: string,
  intervalMs: number
): Effect.fn.Return<boolean, SqlError> {
  const now = yield* databaseNow(sql)
  const rows = yield* sql`
    INSERT INTO background_work (name, begun_at) VALUES (${name}, ${now})
    ON CONFLICT (name) DO UPDATE SET begun_at = excluded.begun_at WHERE background_work.begun_at <= excluded.begun_at - ${intervalMs}
    RETURNING name`
  return rows.length > 0
})

/** Lets the next process begin at once the work that this one has ended. */
export const ended = (sql: SqlClient, name: string): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`DELETE FROM background_work WHERE name = ${name}`)

/** Keeps other processes from work that was due while this one still does it, however long that takes. For a race with the work: it never ends. */
export const renewing = (sql: SqlClient, name: string, intervalMs: number): Effect.Effect<never> =>
  Effect.flatMap(
    databaseNow(sql),
    (now) => sql`UPDATE background_work SET begun_at = ${now} WHERE name = ${name}`
  ).pipe(Effect.ignore, Effect.delay(intervalMs / 3), Effect.forever)
