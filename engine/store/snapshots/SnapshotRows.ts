import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { figuresOf } from "../corpus/CorpusFigures.ts"
import { byCriterion, type CriterionOutcome, unpackOutcomes } from "../corpus/OutcomeCounts.ts"
import type { NamedFigures } from "../corpus/SiteFigures.ts"
import type { NamedRow } from "../corpus/SiteSearch.ts"
import type { Int } from "../database/ColumnValues.ts"
import type { GzipTotals } from "./GzipParts.ts"
import type { Snapshot, SnapshotFormat } from "./Snapshots.ts"

/*
 * The tables `snapshots` and `snapshot_parts`, and the sites that a snapshot is made of. A snapshot is served once it has `made_at`; to withdraw
 * it is to delete its row. Its parts are deleted after that, a few at a time.
 */

/** Whether there is one of this week or a later one, by the clock of another process. */
export const isMade = (sql: SqlClient, week: string): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql`SELECT 1 FROM snapshots WHERE week >= ${week} AND made_at IS NOT NULL LIMIT 1`,
    (rows) => rows.length > 0
  )

/** Whether there may be something to do while there is none: to make one, or to delete the parts of one that was withdrawn. */
export const hasSitesOrParts = (sql: SqlClient): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql`SELECT 1 WHERE EXISTS (SELECT 1 FROM site_figures) OR EXISTS (SELECT 1 FROM snapshot_parts)`,
    (rows) => rows.length > 0
  )

/** Whether there are sites to make one of. */
export const hasSites = (sql: SqlClient): Effect.Effect<boolean, SqlError> =>
  Effect.map(sql`SELECT 1 FROM site_figures LIMIT 1`, (rows) => rows.length > 0)

interface SnapshotRow {
  readonly id: string
  readonly week: string
  readonly format: SnapshotFormat
  readonly made_at: Int
  readonly sites: Int
  readonly parts: number
  readonly bytes: Int
  readonly sha256: string
  readonly gzip_bytes: Int
  readonly gzip_sha256: string
  readonly crc32: Int
}

export const newestSnapshot = (sql: SqlClient, format: SnapshotFormat): Effect.Effect<Snapshot | null, SqlError> =>
  Effect.map(
    sql<SnapshotRow>`
      SELECT * FROM snapshots WHERE format = ${format} AND made_at IS NOT NULL ORDER BY week DESC, made_at DESC LIMIT 1`,
    ([row]) =>
      row === undefined
        ? null
        : {
            id: row.id,
            week: row.week,
            format: row.format,
            madeAt: Math.floor(Number(row.made_at) / 1_000),
            sites: Number(row.sites),
            parts: row.parts,
            bytes: Number(row.bytes),
            sha256: row.sha256,
            gzipBytes: Number(row.gzip_bytes),
            gzipSha256: row.gzip_sha256,
            crc32: Number(row.crc32)
          }
  )

/** A part; `null` if the snapshot was withdrawn. */
export const findPart = (sql: SqlClient, id: string, part: number): Effect.Effect<Uint8Array | null, SqlError> =>
  Effect.map(
    sql<{ readonly content: Uint8Array }>`
      SELECT content FROM snapshot_parts WHERE snapshot = ${id} AND part = ${part} AND EXISTS (SELECT 1 FROM snapshots WHERE id = ${id})`,
    ([row]) => row?.content ?? null
  )

/** Whether none of these was withdrawn. */
export const areThere = (sql: SqlClient, ids: ReadonlyArray<string>): Effect.Effect<boolean, SqlError> =>
  Effect.map(sql`SELECT id FROM snapshots WHERE ${sql.in("id", ids)}`, (rows) => rows.length === ids.length)

/** From now on it is served; false if it was withdrawn. */
export const markMade = (
  sql: SqlClient,
  id: string,
  at: number,
  sites: number,
  totals: GzipTotals
): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql`
      UPDATE snapshots SET made_at = ${at}, sites = ${sites}, parts = ${totals.parts}, bytes = ${totals.bytes}, sha256 = ${totals.sha256},
        gzip_bytes = ${totals.gzipBytes}, gzip_sha256 = ${totals.gzipSha256}, crc32 = ${totals.crc32}
      WHERE id = ${id} RETURNING id`,
    (rows) => rows.length > 0
  )

/** Weeks whose snapshots are kept: clients that read that of the week before can end. */
const KEPT_WEEKS = 2

/** Withdraws all others of the week, and those of weeks before the last two. */
export const dropOld = Effect.fnUntraced(function* (
  sql: SqlClient,
  week: string,
  ids: ReadonlyArray<string>
): Effect.fn.Return<void, SqlError> {
  yield* sql`DELETE FROM snapshots WHERE week = ${week} AND NOT (${sql.in("id", ids)})`
  yield* sql`
    DELETE FROM snapshots WHERE made_at IS NOT NULL AND week NOT IN (
      SELECT week FROM snapshots WHERE made_at IS NOT NULL GROUP BY week ORDER BY week DESC LIMIT ${KEPT_WEEKS}
    )`
})

/** Parts deleted in one statement; other writers wait for it. */
const DELETED_AT_ONCE = 100

/** Deletes the parts of snapshots that were withdrawn. */
export const deleteOrphans = Effect.fnUntraced(function* (sql: SqlClient): Effect.fn.Return<void, SqlError> {
  for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE;) {
    const rows = yield* sql`
      DELETE FROM snapshot_parts WHERE (snapshot, part) IN (
        SELECT snapshot, part FROM snapshot_parts WHERE snapshot NOT IN (SELECT id FROM snapshots) LIMIT ${DELETED_AT_ONCE}
      ) RETURNING part`
    deleted = rows.length
  }
})

/** All blocks, which are few: each also covers what is below it. */
export const blockedSites = (sql: SqlClient): Effect.Effect<ReadonlySet<string>, SqlError> =>
  Effect.map(
    sql<{ readonly site: string }>`SELECT site FROM site_blocks`,
    (rows) => new Set(rows.map(({ site }) => site))
  )

/** A site, with the outcomes of its newest counted run, and its generator; `null`: not known. */
interface JudgedSite {
  readonly figures: NamedFigures
  readonly outcomes: ReadonlyArray<CriterionOutcome>
  readonly generator: string | null
}

/** Some sites in the order of their numbers, and the number of the last; `null`: there are no more. */
export interface SitesPage {
  readonly sites: ReadonlyArray<JudgedSite>
  readonly last: number | null
}

/** Up to `limit` sites after the one of this number. */
export const sitesPage = Effect.fnUntraced(function* (
  sql: SqlClient,
  after: number,
  limit: number
): Effect.fn.Return<SitesPage, SqlError> {
  // The page first: PostgreSQL would join all sites otherwise.
  const rows = yield* sql<NamedRow & { readonly generator: string | null }>`
    SELECT page.*, sites.site AS name,
      (SELECT runs.id FROM runs WHERE runs.site = page.site AND runs.status = 'done' AND NOT runs.hidden
        ORDER BY runs.started_at DESC LIMIT 1) AS latest_run,
      (SELECT runs.generator FROM runs WHERE runs.site = page.site AND runs.started_at = page.latest_run_at) AS generator
    FROM (SELECT * FROM site_figures WHERE site > ${after} ORDER BY site LIMIT ${limit}) page
    JOIN sites ON sites.serial = page.site ORDER BY page.site`
  return {
    sites: rows.map((row) => ({
      figures: { ...figuresOf(row), name: row.name, latestRunId: row.latest_run },
      outcomes: unpackOutcomes(row.latest_outcomes),
      generator: row.generator
    })),
    last: rows.length < limit ? null : Number(rows.at(-1)?.site)
  }
})

/** Sites whose criteria are read at once. */
const OUTCOMES_PAGE = 2_000

interface OutcomesRow {
  readonly site: Int
  readonly latest_outcomes: string
}

/** The criteria that any site was judged by, in the order of their ids. */
export const judgedCriteria = Effect.fnUntraced(function* (
  sql: SqlClient
): Effect.fn.Return<ReadonlyArray<string>, SqlError> {
  // Outcomes of one criterion are the same text for many sites, which is unpacked once.
  const seen = new Set<string>()
  const criteria = new Set<string>()
  for (let after: number | null = 0; after !== null;) {
    const rows: ReadonlyArray<OutcomesRow> = yield* sql<OutcomesRow>`
      SELECT site, latest_outcomes FROM site_figures WHERE site > ${after} ORDER BY site LIMIT ${OUTCOMES_PAGE}`
    const last = rows.at(-1)
    for (const packed of rows.flatMap(({ latest_outcomes }) => latest_outcomes.split(" ")))
      if (!seen.has(packed)) {
        seen.add(packed)
        for (const { id } of unpackOutcomes(packed)) criteria.add(id)
      }
    after = last === undefined || rows.length < OUTCOMES_PAGE ? null : Number(last.site)
  }
  return [...criteria].sort(byCriterion)
})
