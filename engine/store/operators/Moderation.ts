import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { inTransaction, orUnavailable, ReadClient } from "../database/SqlDatabase.ts"
import { dropBlobsOf } from "../blobs/BlobRows.ts"
import { recountSite } from "../corpus/CorpusFigures.ts"
import { type ExpiredRuns, expiredRuns, type RetentionRule } from "../runs/RunRetention.ts"
import { currentMicros, digestKey, formatInstant, type Int } from "../database/ColumnValues.ts"
import { type Run, runColumns, type RunError, runOf, type RunRow, type RunStatus, storedId } from "../runs/Run.ts"
import type { Stored } from "../database/StoreUnavailable.ts"

/** A run with the fields that only operators see. */
export interface ManagedRun {
  readonly run: Run
  /** Increases in the order in which runs are accepted. */
  readonly serial: number
  readonly hidden: boolean
  /** The process that audits it; `null` unless `running`. */
  readonly worker: string | null
  /** Start of the newest attempt, RFC 3339; `null` without one. */
  readonly begunAt: string | null
}

/** Filters of a list of runs; `null`: any. */
export interface RunFilter {
  /** A site and everything below it. */
  readonly site: string | null
  readonly status: RunStatus | null
  readonly hidden: boolean | null
}

/** Unfinished runs. */
interface UnderWay {
  readonly pending: number
  readonly running: number
  /** Oldest first. */
  readonly runs: ReadonlyArray<ManagedRun>
}

/**
 * Operators' actions on runs. Removing a run from the corpus corrects the figures in the same transaction; callers handle
 * archives, quotas and budgets.
 */
export class Moderation extends Context.Service<
  Moderation,
  {
    readonly find: (id: string) => Stored<ManagedRun | null>
    /** Newest first, only those before the serial number `before`; `null`: from the newest on. */
    readonly list: (filter: RunFilter, before: number | null, limit: number) => Stored<ReadonlyArray<ManagedRun>>
    /** The number of unfinished runs, and the oldest of them. */
    readonly underWay: (limit: number) => Stored<UnderWay>
    /** Removes a run from the corpus, or adds it again. It stays readable by its id. */
    readonly setHidden: (id: string, hidden: boolean) => Stored<void>
    /** Deletes runs of any status with all their data in the database. Ids that no longer exist are ignored. */
    readonly drop: (ids: ReadonlyArray<string>) => Stored<void>
    /** Ends all unfinished runs of the site and of sites below it; returns them as they were before. */
    readonly end: (site: string, error: RunError) => Stored<ReadonlyArray<Run>>
    /** The oldest runs of the site and of sites below it. */
    readonly below: (site: string, limit: number) => Stored<ReadonlyArray<Run>>
    /** See `expiredRuns`. */
    readonly expired: (rule: RetentionRule, limit: number, from: number) => Stored<ExpiredRuns>
  }
>()("docgauge/store/Moderation") {
  /** For a service without a database, which has no operators. */
  static readonly layerNone: Layer.Layer<Moderation> = Layer.succeed(Moderation, {
    find: () => Effect.succeed(null),
    list: () => Effect.succeed([]),
    underWay: () => Effect.succeed({ pending: 0, running: 0, runs: [] }),
    setHidden: () => Effect.void,
    drop: () => Effect.void,
    end: () => Effect.succeed([]),
    below: () => Effect.succeed([]),
    expired: () => Effect.succeed({ runs: [], next: null })
  })

  static readonly layerSql: Layer.Layer<Moderation, never, SqlClient | ReadClient> = Layer.effect(
    Moderation,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const read = yield* ReadClient
      const byId = <A>(id: string, otherwise: A, effect: (id: string) => Effect.Effect<A, SqlError>): Stored<A> => {
        const stored = storedId(id)
        return stored === null ? Effect.succeed(otherwise) : orUnavailable(effect(stored))
      }
      return {
        find: (id) =>
          byId<ManagedRun | null>(id, null, (id) =>
            Effect.map(
              read<ManagedRow>`SELECT ${managedColumns(read)} FROM runs WHERE id = ${id}`,
              (rows) => rows.map(managedOf)[0] ?? null
            )
          ),
        list: (filter, before, limit) =>
          orUnavailable(
            Effect.map(
              read<ManagedRow>`
              SELECT ${managedColumns(read)} FROM runs WHERE ${read.and(conditions(read, filter, before))} ORDER BY serial DESC LIMIT ${limit}`,
              (rows) => rows.map(managedOf)
            )
          ),
        underWay: (limit) => orUnavailable(underWay(read, limit)),
        setHidden: (id, hidden) => byId(id, undefined, (id) => inTransaction(sql, setHidden(sql, id, hidden))),
        drop: (ids) =>
          orUnavailable(
            inTransaction(
              sql,
              dropRuns(
                sql,
                ids.flatMap((id) => storedId(id) ?? [])
              )
            )
          ),
        end: (site, error) => orUnavailable(inTransaction(sql, endRuns(sql, site, error))),
        below: (site, limit) =>
          orUnavailable(
            Effect.map(
              read<RunRow>`SELECT ${runColumns(read)} FROM runs WHERE ${isBelow(read, site)} ORDER BY serial LIMIT ${limit}`,
              (rows) => rows.map(runOf)
            )
          ),
        expired: (rule, limit, from) => orUnavailable(expiredRuns(sql, rule, limit, from))
      }
    })
  )
}

interface ManagedRow extends RunRow {
  readonly hidden: boolean | number
  readonly begun_at: Int | null
}

const managedColumns = (sql: SqlClient): Fragment => sql`${runColumns(sql)}, runs.hidden, runs.begun_at`

const managedOf = (row: ManagedRow): ManagedRun => ({
  run: runOf(row),
  serial: Number(row.serial),
  hidden: Boolean(row.hidden),
  worker: row.status === "running" ? row.worker : null,
  begunAt: row.begun_at === null ? null : formatInstant(Number(row.begun_at))
})

const underWay = Effect.fnUntraced(function* (sql: SqlClient, limit: number): Effect.fn.Return<UnderWay, SqlError> {
  const counts = yield* sql<{ readonly status: RunStatus; readonly runs: Int }>`
    SELECT status, COUNT(*) AS runs FROM runs WHERE status IN ('pending', 'running') GROUP BY status`
  const rows = yield* sql<ManagedRow>`
    SELECT ${managedColumns(sql)} FROM runs WHERE status IN ('pending', 'running') ORDER BY serial LIMIT ${limit}`
  const countOf = (wanted: RunStatus): number => Number(counts.find(({ status }) => status === wanted)?.runs ?? 0)
  return { pending: countOf("pending"), running: countOf("running"), runs: rows.map(managedOf) }
})

const conditions = (
  sql: SqlClient,
  { hidden, site, status }: RunFilter,
  before: number | null
): ReadonlyArray<Fragment> => [
  sql`serial < ${before ?? Number.MAX_SAFE_INTEGER}`,
  ...(site === null ? [] : [isBelow(sql, site)]),
  // Not a parameter, because indexes of some statuses alone would not be used for a plan that is kept for any.
  ...(status === null ? [] : [sql.literal(`status = '${status}'`)]),
  ...(hidden === null ? [] : [hidden ? sql`hidden` : sql`NOT hidden`])
]

/** Characters by which sites are found: a longer one would not fit an index entry of PostgreSQL. The index has the same number. */
const INDEXED = 1_000

/** Runs of the site and of sites below it. Sites are host names and encoded paths: ASCII. */
const isBelow = (sql: SqlClient, site: string): Fragment => {
  const folder = `${site}/`
  const from = folder.slice(0, INDEXED)
  // The first text that does not begin so.
  const to = from.slice(0, -1) + String.fromCharCode(from.charCodeAt(from.length - 1) + 1)
  return sql`runs.site IN (
    SELECT serial FROM sites WHERE key = ${digestKey(site)}
    UNION ALL
    SELECT serial FROM sites
    WHERE substr(site, 1, 1000) >= ${from} AND substr(site, 1, 1000) < ${to} AND substr(site, 1, ${folder.length}) = ${folder}
  )`
}

const setHidden = Effect.fnUntraced(function* (sql: SqlClient, id: string, hidden: boolean) {
  const [row] = yield* sql<{ readonly site: Int }>`
    UPDATE runs SET hidden = ${hidden} WHERE id = ${id} AND hidden <> ${hidden} RETURNING site`
  if (row !== undefined) yield* recountSite(sql, Number(row.site))
})

const dropRuns = Effect.fnUntraced(function* (sql: SqlClient, ids: ReadonlyArray<string>) {
  if (ids.length === 0) return
  // The runs first: this waits for a transaction that finishes one of them, so that the statements below see its rows. SQLite has one writer.
  const lock = sql.onDialectOrElse({ pg: () => sql`FOR UPDATE`, orElse: () => sql`` })
  const rows = yield* sql<{ readonly serial: Int; readonly site: Int }>`
    SELECT serial, site FROM runs WHERE ${sql.in("id", ids)} ORDER BY serial ${lock}`
  const runs = rows.map(({ serial }) => Number(serial))
  if (runs.length === 0) return
  for (const table of ["reports", "facts", "exchanges"])
    yield* sql`DELETE FROM ${sql(table)} WHERE ${sql.in("run", runs)}`
  yield* sql`DELETE FROM runs WHERE ${sql.in("serial", runs)}`
  // After the runs: their deletion waits for transactions that note archives of theirs, which this sees then.
  for (const id of ids) yield* dropBlobsOf(sql, id)
  const sites = [...new Set(rows.map(({ site }) => Number(site)))].sort((one, other) => one - other)
  for (const site of sites) yield* recountSite(sql, site)
})

const endRuns = Effect.fnUntraced(function* (sql: SqlClient, site: string, { code, message }: RunError) {
  const unfinished =
    yield* sql<RunRow>`SELECT ${runColumns(sql)} FROM runs WHERE ${isBelow(sql, site)} AND status IN ('pending', 'running') ORDER BY serial`
  const now = yield* currentMicros
  const ended: Array<Run> = []
  for (const row of unfinished) {
    // Another process may have ended it meanwhile.
    const [changed] = yield* sql`
      UPDATE runs SET status = 'error', finished_at = ${now}, error_code = ${code}, error_message = ${message}, worker = NULL, submitter = NULL, progress_steps = NULL
      WHERE serial = ${Number(row.serial)} AND status IN ('pending', 'running') RETURNING serial`
    if (changed !== undefined) ended.push(runOf(row))
  }
  return ended
})
