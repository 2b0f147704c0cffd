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
