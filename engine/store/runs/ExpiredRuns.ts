import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { RetentionRule } from "./RetentionRule.ts"
import type { Run } from "./Run.ts"
import { runColumns, runOf, type RunRow } from "./RunRows.ts"
import type { Int } from "../database/ColumnValues.ts"

/** Up to `limit` finished runs that exceed the rule; empty only if none are left. */
export const expiredRuns = Effect.fnUntraced(function*(sql: SqlClient, { days, keep }: RetentionRule, limit: number) {
  const old = days === null ? [] : yield* olderThan(sql, days, limit)
  return old.length > 0 || keep === null ? old : yield* beyondNewest(sql, keep, limit)
})

const DAY = 24 * 60 * 60 * 1_000_000

const olderThan = Effect.fnUntraced(function*(sql: SqlClient, days: number, limit: number): Effect.fn.Return<ReadonlyArray<Run>, SqlError> {
  const since = (yield* Clock.currentTimeMillis) * 1_000 - days * DAY
  const rows = yield* sql<RunRow>`
    SELECT ${runColumns(sql)} FROM runs WHERE started_at < ${since} AND status IN ('done', 'error') ORDER BY started_at LIMIT ${limit}`
  return rows.map(runOf)
})

/** Sites per call. */
const SITES = 50

const beyondNewest = Effect.fnUntraced(function*(sql: SqlClient, keep: number, limit: number): Effect.fn.Return<ReadonlyArray<Run>, SqlError> {
  const sites = yield* sql<{ readonly site: Int }>`
    SELECT site FROM runs WHERE status IN ('done', 'error') GROUP BY site HAVING COUNT(*) > ${keep} LIMIT ${SITES}`
  const expired: Array<Run> = []
  for (const { site } of sites) {
    if (expired.length >= limit) break
    const rows = yield* sql<RunRow>`
      SELECT ${runColumns(sql)} FROM runs WHERE site = ${Number(site)} AND status IN ('done', 'error') AND started_at < (
        SELECT MIN(started_at) FROM (
          SELECT started_at FROM runs WHERE site = ${Number(site)} AND status IN ('done', 'error') ORDER BY started_at DESC LIMIT ${keep}
        ) newest
      )
      ORDER BY started_at LIMIT ${limit - expired.length}`
    expired.push(...rows.map(runOf))
  }
  return expired
})
