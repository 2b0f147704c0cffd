import { createHash } from "node:crypto"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { formatInstant } from "./Instant.ts"
import type { Run, RunStatus } from "./Run.ts"

/** A 64-bit integer as the drivers give it; ours all fit a number. */
export type Int = number | bigint

/** A row of `runs` with its site's names. */
export interface RunRow {
  readonly serial: Int
  readonly id: string
  readonly status: RunStatus
  readonly url: string
  readonly site_name: string
  readonly domain: string
  readonly rubric_digest: string
  readonly started_at: Int
  readonly finished_at: Int | null
  readonly attempts: number
  readonly progress_done: number
  readonly progress_total: number
  readonly total_score: number | null
  readonly error_code: string | null
  readonly error_message: string | null
  readonly worker: string | null
}

/** Selects a `RunRow` from `runs`. The names are looked up, not joined, so that `RETURNING` can say it too. */
export const runColumns = (sql: SqlClient): Fragment =>
  sql.literal(`runs.serial, runs.id, runs.status, runs.url, runs.rubric_digest, runs.started_at, runs.finished_at, runs.attempts,
    runs.progress_done, runs.progress_total, runs.total_score, runs.error_code, runs.error_message, runs.worker,
    (SELECT sites.site FROM sites WHERE sites.serial = runs.site) AS site_name,
    (SELECT sites.domain FROM sites WHERE sites.serial = runs.site) AS domain`)

export const runOf = (row: RunRow): Run => ({
  id: row.id,
  status: row.status,
  url: row.url,
  site: row.site_name,
  domain: row.domain,
  rubricDigest: row.rubric_digest,
  startedAt: formatInstant(Number(row.started_at)),
  finishedAt: row.finished_at === null ? null : formatInstant(Number(row.finished_at)),
  attempts: row.attempts,
  progress: { done: row.progress_done, total: row.progress_total },
  totalScore: row.total_score,
  error: row.error_message === null ? null : { code: row.error_code, message: row.error_message }
})

/** The run of the first row, if there is one. */
export const firstRun = (rows: ReadonlyArray<RunRow>): Run | null => {
  const [row] = rows
  return row === undefined ? null : runOf(row)
}

/** What `sites.key` holds: a digest, since an address can be longer than an index takes. */
export const keyOf = (...parts: ReadonlyArray<string>): string => createHash("sha256").update(parts.join("\n")).digest("base64url")

/** What `runs.target` holds: one address under one rubric, however its host is spelt. */
export const targetOf = (url: string, rubricDigest: string): string => keyOf(ASCII.test(url) ? url : withoutTrailingSlashes(new URL(url).href), rubricDigest)

/** By a loop: an expression takes the square of a run of slashes that something follows. */
const withoutTrailingSlashes = (url: string): string => {
  let end = url.length
  while (url[end - 1] === "/") end--
  return url.slice(0, end)
}

const ASCII = /^[\0-\x7f]*$/

/** The id as it is stored, or `null` where it is no UUID and so no run's. */
export const storedId = (id: string): string | null => (UUID.test(id) ? id.toLowerCase() : null)

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
