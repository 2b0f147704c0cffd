import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { parseKeepRule, setting } from "../../config/Setting.ts"
import { DAY_MICROS, type Int } from "../database/ColumnValues.ts"
import { databaseMicros, greatest, least } from "../database/SqlDialect.ts"
import { type Run, runColumns, runOf, type RunRow } from "./Run.ts"

/** Some finished runs that exceed the rule. */
export interface ExpiredRuns {
  readonly runs: ReadonlyArray<Run>
  /** Where to go on once they are deleted; `null`: these were the last. */
  readonly next: number | null
}

/**
 * Up to `limit` finished runs that exceed the rule, from a place on that an earlier call returned; 0: from the beginning. Call it in the
 * transaction that deletes them.
 */
export const expiredRuns = Effect.fnUntraced(function* (
  sql: SqlClient,
  { days, keep }: RetentionRule,
  limit: number,
  from: number
): Effect.fn.Return<ExpiredRuns, SqlError> {
  const old = days === null ? [] : yield* olderThan(sql, days, limit)
  if (old.length > 0) return { runs: old, next: from }
  return keep === null ? { runs: [], next: null } : yield* beyondNewest(sql, keep, limit, from)
})

const olderThan = Effect.fnUntraced(function* (
  sql: SqlClient,
  days: number,
  limit: number
): Effect.fn.Return<ReadonlyArray<Run>, SqlError> {
  const now = yield* databaseMicros(sql)
  const rows = yield* sql<RunRow>`
    SELECT ${runColumns(sql)} FROM runs WHERE started_at < ${now} - ${days * DAY_MICROS} AND status IN ('done', 'error') ORDER BY started_at LIMIT ${limit}`
  return rows.map(runOf)
})

/** Runs per call whose sites are looked at. */
const BATCH = 500

/** A run that is accepted now may get an earlier time, by the clock of another process. */
const MARGIN = 60_000_000

/**
 * A site can only have too many finished runs if one of them ended since it was looked at: so the sites of new runs are looked at, in the
 * order in which those were accepted, and where all have ended is stored for all processes.
 */
const beyondNewest = Effect.fnUntraced(function* (
  sql: SqlClient,
  keep: number,
  limit: number,
  from: number
): Effect.fn.Return<ExpiredRuns, SqlError> {
  const start = from > 0 ? from : yield* lookedUntil(sql, keep)
  const [last] = yield* sql<{ readonly started_at: Int }>`
    SELECT started_at FROM runs WHERE started_at > ${start} ORDER BY started_at LIMIT 1 OFFSET ${BATCH - 1}`
  const end = last === undefined ? Number.MAX_SAFE_INTEGER : Number(last.started_at)
  const rows = yield* sql<RunRow>`
    SELECT ${runColumns(sql)} FROM runs WHERE serial IN (
      SELECT serial FROM (
        SELECT serial, ROW_NUMBER() OVER (PARTITION BY site ORDER BY started_at DESC) AS place FROM runs
        WHERE site IN (SELECT site FROM runs WHERE started_at > ${start} AND started_at <= ${end}) AND status IN ('done', 'error')
      ) placed WHERE place > ${keep} ORDER BY serial LIMIT ${limit + 1}
    )`
  if (rows.length > limit) return { runs: rows.slice(0, limit).map(runOf), next: start }
  yield* noteLooked(sql, keep, end)
  return { runs: rows.map(runOf), next: last === undefined ? null : end }
})

/** From the beginning if fewer runs are kept than before. */
const lookedUntil = Effect.fnUntraced(function* (sql: SqlClient, keep: number) {
  const [row] = yield* sql<{
    readonly looked_until: Int
  }>`SELECT looked_until FROM retention_progress WHERE keep <= ${keep}`
  return Number(row?.looked_until ?? 0)
})

const noteLooked = Effect.fnUntraced(function* (sql: SqlClient, keep: number, end: number) {
  const now = yield* databaseMicros(sql)
  const unfinished = sql`COALESCE((SELECT MIN(started_at) FROM runs WHERE status IN ('pending', 'running')), ${Number.MAX_SAFE_INTEGER})`
  const safe = least(sql, least(sql, sql`CAST(${end} AS bigint)`, sql`${unfinished} - 1`), sql`${now} - ${MARGIN}`)
  yield* sql`
    INSERT INTO retention_progress (one, keep, looked_until) VALUES (1, ${keep}, ${safe})
    ON CONFLICT (one) DO UPDATE SET keep = excluded.keep, looked_until =
      CASE WHEN retention_progress.keep <= excluded.keep THEN ${greatest(sql, sql`retention_progress.looked_until`, sql`excluded.looked_until`)} ELSE excluded.looked_until END`
})

/** Which finished runs are kept; a run that exceeds either limit is deleted. */
export interface RetentionRule {
  /** The number of newest runs of a site that are kept; `null`: all. */
  readonly keep: number | null
  /** Maximum age in days since the run was accepted; `null`: any age. */
  readonly days: number | null
}

/** `DOCGAUGE_RETENTION`; `null` if all runs are kept. An invalid value fails with one line that names the variable. */
export const retentionRule: Config.Config<RetentionRule | null> = setting("DOCGAUGE_RETENTION", "off", (text) =>
  parseRetentionRule(text)
)

/** Parses `off`, or `keep=N` and `days=N`, one of them or both, separated by a comma. */
export const parseRetentionRule = (text: string): Result.Result<RetentionRule | null, string> =>
  Result.flatMap(
    parseKeepRule(text, ["keep", "days"]),
    ({ days, keep, others }): Result.Result<RetentionRule | null, string> => {
      const bounds = keep !== null || days !== null
      const wrong = others.find((part) => part !== "off" || bounds)
      if (wrong !== undefined) return Result.fail(`${JSON.stringify(wrong)} is not off, keep=N or days=N`)
      return Result.succeed(bounds ? { keep, days } : null)
    }
  )
