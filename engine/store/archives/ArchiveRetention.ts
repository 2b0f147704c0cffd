import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type * as Config from "effect/Config"
import * as Result from "effect/Result"
import { type ArchivedSite, dropBlobs } from "../blobs/BlobRows.ts"
import type { Int } from "../database/ColumnValues.ts"
import { inTransaction } from "../database/SqlDatabase.ts"
import { parseKeepRule, setting } from "../../config/Setting.ts"

/** Where archives are stored, and which are kept. */
export interface ArchiveRule {
  readonly folder: string
  /** Maximum number per site; `null`: no limit. */
  readonly keep: number | null
  /** Maximum age in days; `null`: no limit. */
  readonly days: number | null
  /** Maximum total size in bytes; the oldest are deleted first. */
  readonly totalBytes: number
}

const DEFAULT_FOLDER = "data/archives"
const DEFAULT_TOTAL = 5 * 1024 ** 3

/**
 * Parses `off`, or any of a folder, `keep=N`, `days=N` and `total=SIZE`, separated by commas. Defaults: the folder
 * `data/archives`, the two newest archives of a site unless `keep` or `days` is given, and 5 GB in total.
 */
export const parseArchiveRule = (text: string): Result.Result<ArchiveRule | null, string> => {
  if (text.trim() === "off") return Result.succeed(null)
  return Result.flatMap(
    parseKeepRule(text, ["keep", "days", "total"]),
    ({ days, keep, others, total }): Result.Result<ArchiveRule, string> => {
      const wrong = others.find((part) => part === "off" || part.includes("=") || part.includes("\0"))
      if (wrong !== undefined)
        return Result.fail(`${JSON.stringify(wrong)} is not off, a folder, keep=N, days=N or total=SIZE`)
      if (others.length > 1) return Result.fail("more than one folder")
      return Result.succeed({
        folder: others[0] ?? DEFAULT_FOLDER,
        keep: keep ?? (days === null ? 2 : null),
        days,
        totalBytes: total ?? DEFAULT_TOTAL
      })
    }
  )
}

/** `DOCGAUGE_ARCHIVES`; `null` if no archives are kept. An invalid value fails with one line that names the variable. */
export const archiveRule: Config.Config<ArchiveRule | null> = setting("DOCGAUGE_ARCHIVES", "", parseArchiveRule)

/** Maximum number per registrable domain, so that many sites below one name cannot fill the store. */
export const MOST_OF_DOMAIN = 20

const DAY = 24 * 60 * 60 * 1_000

const archives = (sql: SqlClient): Fragment => sql`state = 'kept' AND kind <> 'document'`

/** Runs with lower ids are too old: an id begins with the milliseconds since the epoch (UUIDv7). */
const oldestId = ({ days }: ArchiveRule) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const time = (days === null ? 0 : Math.max(0, now - days * DAY)).toString(16).padStart(12, "0")
    return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
  })

/** Drops what exceeds the rule among the archives of a site and of its domain: of failures and of reports those beyond the newest. */
export const dropBeyondRule = Effect.fnUntraced(function* (
  sql: SqlClient,
  rule: ArchiveRule,
  { domain, site }: ArchivedSite
): Effect.fn.Return<void, SqlError> {
  yield* dropBlobs(
    sql,
    sql`key IN (
      SELECT key FROM (
        SELECT key, run_id, ROW_NUMBER() OVER (PARTITION BY kind ORDER BY run_id DESC) AS place FROM objects
        WHERE site = ${Number(site)} AND ${archives(sql)}
      ) placed WHERE place > ${rule.keep ?? Number.MAX_SAFE_INTEGER} OR run_id < ${yield* oldestId(rule)}
    )`
  )
  yield* dropBlobs(
    sql,
    sql`key IN (
      SELECT key FROM (
        SELECT key, ROW_NUMBER() OVER (ORDER BY CASE kind WHEN 'report' THEN 0 ELSE 1 END, run_id DESC) AS place FROM objects
        WHERE domain = ${domain} AND ${archives(sql)}
      ) placed WHERE place > ${MOST_OF_DOMAIN}
    )`
  )
})

export const archiveBytes = (sql: SqlClient): Effect.Effect<number, SqlError> =>
  Effect.map(
    sql<{ readonly total: Int | null }>`SELECT SUM(bytes) AS total FROM objects WHERE ${archives(sql)}`,
    ([row]) => Number(row?.total ?? 0)
  )

/** Archives looked at together. */
const BATCH = 500

/** Extra room to free at once, as a share of the limit, so that not each new archive drops one. */
const SPARE_SHARE = 0.02

/**
 * Drops the oldest archives: those that are too old, and those beyond the total size. Returns their keys, and the size of the others. Processes
 * do so one at a time: two that saw the same excess would drop it twice.
 */
export const dropOldest = Effect.fnUntraced(
  function* (sql: SqlClient, rule: ArchiveRule) {
    yield* sql.onDialectOrElse({
      pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(hashtextextended('docgauge archives', 0))`),
      orElse: () => Effect.void
    })
    const dropped = new Set<string>()
    const drop = Effect.fnUntraced(function* (condition: Fragment) {
      const rows = yield* dropBlobs(sql, condition)
      for (const { key } of rows) dropped.add(key)
      return rows.reduce((sum, row) => sum + Number(row.bytes), 0)
    })
    if (rule.days !== null) yield* drop(sql`${archives(sql)} AND run_id < ${yield* oldestId(rule)}`)
    let bytes = yield* archiveBytes(sql)
    if (bytes > rule.totalBytes) {
      const enough = rule.totalBytes * (1 - SPARE_SHARE)
      for (let freed = 1; bytes > enough && freed > 0; bytes -= freed) {
        freed = yield* drop(sql`key IN (
        SELECT key FROM (
          SELECT key, SUM(bytes) OVER (ORDER BY run_id, key) - bytes AS older FROM (
            SELECT key, run_id, bytes FROM objects WHERE ${archives(sql)} ORDER BY run_id LIMIT ${BATCH}
          ) oldest
        ) sums WHERE older < ${Math.ceil(bytes - enough)}
      )`)
      }
    }
    return { bytes, dropped }
  },
  (effect, sql) => inTransaction(sql, effect)
)
