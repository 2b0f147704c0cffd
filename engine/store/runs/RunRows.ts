import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { digestKey, formatInstant, type Int } from "../database/ColumnValues.ts"
import type { Run, RunProgress, RunStatus } from "./Run.ts"

/** A row of `runs` with its site's names. */
export interface RunRow {
  readonly serial: Int
  readonly id: string
  readonly status: RunStatus
  readonly url: string
  readonly site_name: string
  readonly domain: string
  readonly rubric_digest: string
  readonly as_agents: boolean | number
  readonly started_at: Int
  readonly finished_at: Int | null
  readonly attempts: number
  readonly progress_done: number
  readonly progress_total: number
  readonly progress_steps: string | null
  readonly total_score: number | null
  readonly reliable: boolean | number | null
  readonly error_code: string | null
  readonly error_message: string | null
  readonly worker: string | null
}

/** Selects a `RunRow` from `runs`. The names are subqueries, not joins, so that `RETURNING` can use them, too. */
export const runColumns = (sql: SqlClient): Fragment =>
  sql.literal(`runs.serial, runs.id, runs.status, runs.url, runs.rubric_digest, runs.as_agents, runs.started_at, runs.finished_at, runs.attempts,
    runs.progress_done, runs.progress_total, runs.progress_steps, runs.total_score, runs.reliable, runs.error_code, runs.error_message, runs.worker,
    (SELECT sites.site FROM sites WHERE sites.serial = runs.site) AS site_name,
    (SELECT sites.domain FROM sites WHERE sites.serial = runs.site) AS domain`)

export const runOf = (row: RunRow): Run => ({
  id: row.id,
  status: row.status,
  url: row.url,
  site: row.site_name,
  domain: row.domain,
  rubricDigest: row.rubric_digest,
  asAgents: Boolean(row.as_agents),
  startedAt: formatInstant(Number(row.started_at)),
  finishedAt: row.finished_at === null ? null : formatInstant(Number(row.finished_at)),
  attempts: row.attempts,
  progress: { done: row.progress_done, total: row.progress_total, ...unpackSteps(row.progress_steps) },
  totalScore: row.total_score,
  reliable: row.reliable === null ? null : Boolean(row.reliable),
  error: row.error_message === null ? null : { code: row.error_code, message: row.error_message }
})

/** The run of the first row; `null` without rows. */
export const firstRun = (rows: ReadonlyArray<RunRow>): Run | null => {
  const [row] = rows
  return row === undefined ? null : runOf(row)
}

/**
 * The value of `runs.target`: one URL under one rubric, whatever the spelling of its host. Runs that ask as named agents have
 * targets of their own, so that a request by anybody else neither joins nor repeats them.
 */
export const targetOf = (url: string, rubricDigest: string, asAgents: boolean): string =>
  digestKey(
    ASCII.test(url) ? url : withoutTrailingSlashes(new URL(url).href),
    rubricDigest,
    ...(asAgents ? ["as agents"] : [])
  )

/** A loop, because a regular expression would take quadratic time for many slashes. */
const withoutTrailingSlashes = (url: string): string => {
  let end = url.length
  while (url[end - 1] === "/") end--
  return url.slice(0, end)
}

const ASCII = /^[\0-\x7f]*$/

/** What a run under way is shown with besides its counts, as its row keeps it until the run is over. */
const Steps = Schema.fromJsonString(
  Schema.Struct({
    criteria: Schema.Array(Schema.String),
    urls: Schema.Array(Schema.String)
  })
)

const decode = Schema.decodeUnknownOption(Steps)

/** The steps of a progress as text; `null` without any. */
export const packSteps = ({ criteria = [], urls = [] }: RunProgress): string | null =>
  criteria.length + urls.length === 0 ? null : JSON.stringify({ criteria, urls })

/** The steps of such a text; none of one that cannot be read. */
const unpackSteps = (text: string | null): Pick<RunProgress, "criteria" | "urls"> =>
  text === null ? {} : Option.getOrElse(decode(text), () => ({}))
