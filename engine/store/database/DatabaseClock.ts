import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
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
