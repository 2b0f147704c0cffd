import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { digestKey, formatInstant, type Int } from "../database/ColumnValues.ts"

/** `pending → running → done | error`; `running → pending` if the attempt was handed back or its process died. */
export type RunStatus = "pending" | "running" | "done" | "error"

/** Maximum number of attempts at a run, not counting those that were handed back. */
export const MOST_ATTEMPTS = 3

export const isOver = ({ status }: Pick<Run, "status">): boolean => status === "done" || status === "error"

/** A requested audit. */
export interface Run {
  /** UUIDv7. */
  readonly id: string
  readonly status: RunStatus
  /**
   * The audited URL as `parseTarget` returns it: the key for joining runs and for cached reports, whatever the spelling of its
   * host.
   */
  readonly url: string
  /** `base_url_norm`: host (an A-label) without `www.`, scheme, default port and trailing slash, the path kept. The key of history, diff and browse. */
  readonly site: string
  /** The registrable domain: one audit at a time. */
  readonly domain: string
  readonly rubricDigest: string
  /** Whether it also shows what named agents are served, which only the site's owner can ask for. Such a run is joined and returned again for such requests alone. */
  readonly asAgents: boolean
  /** When it was accepted, RFC 3339 with microseconds, in UTC; unique per site. */
  readonly startedAt: string
  /** RFC 3339; `null` until it is `done` or `error`. */
  readonly finishedAt: string | null
  /** The number of attempts, not counting those that were handed back; at most three. */
  readonly attempts: number
  readonly progress: RunProgress
  /** Of 100; `null` unless `done`. */
  readonly totalScore: number | null
  /** Whether the score can be relied on; `null` unless `done`. */
  readonly reliable: boolean | null
  /** `null` unless `error`. */
  readonly error: RunError | null
}

export interface RunProgress {
  /** Criteria measured. */
  readonly done: number
  readonly total: number
  /** The ids of those criteria; only while the run is under way. */
  readonly criteria?: ReadonlyArray<string>
  /** What was requested last, the newest first, at most five URLs; only while the run is under way. */
  readonly urls?: ReadonlyArray<string>
}

/** A short, safe reason, and its stable code if it has one. */
export interface RunError {
  readonly code: string | null
  readonly message: string
}

/**
 * One attempt at a run. Writes about a run name their attempt, and change nothing once the run is over, was handed back or has
 * been begun again: a worker that lost its connection cannot overwrite another's result.
 */
export interface FencingToken {
  readonly id: string
  /** The process that began it. */
  readonly worker: string
  /** Increases each time the run is begun. */
  readonly attempt: number
}

/** A run that has just been begun. */
export interface BegunRun extends Run {
  readonly hold: FencingToken
}

/** A run to be accepted. */
export interface NewRun {
  readonly url: string
  readonly site: string
  readonly domain: string
  readonly rubricDigest: string
  /** As `Run.asAgents`; false if missing. */
  readonly asAgents?: boolean
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i
const WHOLE = new RegExp(`^${UUID.source}$`, "i")

/** Whether the text can be a run's id: a UUID, in either case. */
export const isRunId = (text: string): boolean => WHOLE.test(text)

/** The first id in a text, such as the URL of a report, as it is stored; `null`: there is none. */
export const runIdIn = (text: string): string | null => UUID.exec(text)?.[0].toLowerCase() ?? null

/** The id as it is stored, in lower case; `null` unless it is a UUID. */
export const storedId = (id: string): string | null => (isRunId(id) ? id.toLowerCase() : null)

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
