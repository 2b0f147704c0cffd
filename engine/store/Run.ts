/** `pending → running → done | error`; `running → pending` where the attempt was handed back, or the process that ran it died. */
export type RunStatus = "pending" | "running" | "done" | "error"

/** One audit that was asked for. */
export interface Run {
  /** UUIDv7. */
  readonly id: string
  readonly status: RunStatus
  /** The audited address as `parseTarget` gives it. Replays and joins go by it, but tell no spellings of its host apart. */
  readonly url: string
  /** `base_url_norm`: host (an A-label) without `www.`, scheme, default port and trailing slash, the path kept. What history, diff and browse go by. */
  readonly site: string
  /** The registrable domain: one audit at a time. */
  readonly domain: string
  readonly rubricDigest: string
  /** When it was accepted, RFC 3339 with microseconds, in UTC; unique per site. */
  readonly startedAt: string
  /** RFC 3339; `null` until it is `done` or `error`. */
  readonly finishedAt: string | null
  /** How often it was begun, but for attempts that were handed back: at most three times. */
  readonly attempts: number
  readonly progress: RunProgress
  /** Of 100; `null` unless `done`. */
  readonly totalScore: number | null
  /** `null` unless `error`. */
  readonly error: RunError | null
}

export interface RunProgress {
  /** Criteria measured. */
  readonly done: number
  readonly total: number
}

/** A short, safe reason, and its stable code where it has one. */
export interface RunError {
  readonly code: string | null
  readonly message: string
}

/**
 * One attempt at a run. Writes about a run name the attempt that they come from, and change nothing once the run is over,
 * was handed back or has been begun again: a worker that was cut off cannot overwrite what another one did.
 */
export interface Hold {
  /** The run. */
  readonly id: string
  /** The process that begun it. */
  readonly worker: string
  /** Rises each time the run is begun. */
  readonly attempt: number
}

/** A run that has just been begun. */
export interface BegunRun extends Run {
  readonly hold: Hold
}

/** A run to be accepted. */
export interface NewRun {
  readonly url: string
  readonly site: string
  readonly domain: string
  readonly rubricDigest: string
}

/** What one criterion's plugin measured, for judging the run again. */
export interface StoredFacts {
  /** The criterion's id. */
  readonly criterion: string
  readonly plugin: string
  readonly revision: number
  readonly params: Readonly<Record<string, unknown>>
  /** `null` where the evidence could not be had. */
  readonly facts: Readonly<Record<string, number | boolean | string>> | null
}

/** One exchange of the run, by what tells two answers apart. */
export interface ExchangeDigest {
  readonly method: string
  readonly url: string
  /** `null` where there was no answer. */
  readonly status: number | null
  /** SHA-256 of the body, hexadecimal; `null` where there was no answer. */
  readonly sha256: string | null
  /** Bytes of body, decompressed. */
  readonly size: number
}

/** What an audit leaves behind. The store knows nothing of reports but these. */
export interface RunResult {
  /** The report exactly as it is served, from then on: UTF-8 JSON. */
  readonly encoded: string
  readonly totalScore: number
  readonly facts: ReadonlyArray<StoredFacts>
  readonly exchanges: ReadonlyArray<ExchangeDigest>
  readonly durationMs: number
  readonly requests: number
  readonly bytes: number
}

/** A finished report with what the HTTP headers say of its run. */
export interface StoredReport {
  readonly run: Run
  readonly encoded: string
  readonly durationMs: number
  readonly requests: number
  readonly bytes: number
}
