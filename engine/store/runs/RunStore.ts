import * as Context from "effect/Context"
import type { CriterionOutcome } from "../corpus/OutcomeCounts.ts"
import type { Stored } from "../database/StoreUnavailable.ts"
import type { BegunRun, FencingToken, NewRun, Run, RunError, RunProgress } from "./Run.ts"

/** A run that is not over, and the process that has begun it; `null` while it is `pending`. */
export interface UnfinishedRun {
  readonly run: Run
  readonly worker: string | null
}

/** The runs that are `pending`. */
export interface WaitingRuns {
  readonly count: number
  /** RFC 3339; `null` if there are none. */
  readonly oldest: string | null
}

/** The facts of one criterion's plugin, for rescoring. */
export interface StoredFacts {
  readonly criterion: string
  readonly plugin: string
  /** Its major part. */
  readonly revision: number
  readonly params: Readonly<Record<string, unknown>>
  /** `null` if the evidence could not be obtained. */
  readonly facts: Readonly<Record<string, number | boolean | string>> | null
}

/** One exchange of the run, with what distinguishes two responses. */
export interface ExchangeDigest {
  readonly method: string
  readonly url: string
  /** `null` without a response. */
  readonly status: number | null
  /** SHA-256 of the body, hexadecimal; `null` without a response. */
  readonly sha256: string | null
  /** Bytes of body, decompressed. */
  readonly size: number
}

/** The result of an audit. The store knows nothing else about reports. */
export interface RunResult {
  /** The report exactly as it is served: UTF-8 JSON. */
  readonly encoded: string
  readonly totalScore: number
  /** Whether the score can be relied on. */
  readonly reliable: boolean
  /** One for each criterion that earns points. */
  readonly outcomes: ReadonlyArray<CriterionOutcome>
  /** The id of the documentation generator that made the pages, such as `docusaurus`; `null`: none was recognised. */
  readonly generator: string | null
  readonly facts: ReadonlyArray<StoredFacts>
  readonly exchanges: ReadonlyArray<ExchangeDigest>
  readonly durationMs: number
  readonly requests: number
  /** Received over the network. */
  readonly bytes: number
}

/** A finished report with the data of its HTTP headers. */
export interface EncodedReport {
  readonly run: Run
  readonly encoded: string
  readonly durationMs: number
  readonly requests: number
  readonly bytes: number
}

/**
 * The life of a run, from its acceptance to its report. Writes that take a `FencingToken` return whether they changed anything: false
 * if that attempt is no longer the run's current one.
 */
export class RunStore extends Context.Service<
  RunStore,
  {
    /** Durable when it returns. */
    readonly accept: (run: NewRun) => Stored<Run>
    readonly find: (id: string) => Stored<Run | null>
    /** `null` unless the run is `done`. */
    readonly report: (id: string) => Stored<EncodedReport | null>
    /**
     * The newest run of exactly this URL and rubric, with or without `asAgents` (without if missing), that is under way, or `done` and finished since `since` (RFC 3339; `null`: under way
     * only), but not more than `CLOCK_SKEW_MS` in the future: then the clock was set back, and how old it is cannot be known.
     */
    readonly latest: (url: string, rubricDigest: string, since: string | null, asAgents?: boolean) => Stored<Run | null>
    /** `pending → running`, one attempt more, to be judged by the rubric if one is given; `null` if another process has begun it, or it is over. */
    readonly begin: (id: string, worker: string, rubricDigest?: string | null) => Stored<BegunRun | null>
    readonly progress: (hold: FencingToken, progress: RunProgress) => Stored<boolean>
    /** Whether the attempt may still finish the run. */
    readonly isCurrent: (hold: FencingToken) => Stored<boolean>
    /**
     * `running → done`. Keeps report, facts and corpus figures in one transaction. Also `pending → done`, if the run was put back
     * in the queue because this attempt seemed dead, and has not been begun since.
     */
    readonly finish: (hold: FencingToken, result: RunResult) => Stored<boolean>
    /** `running → error`. */
    readonly fail: (hold: FencingToken, error: RunError) => Stored<boolean>
    /** `running → pending`: the run is handed back, and this attempt does not count. */
    readonly release: (hold: FencingToken) => Stored<boolean>
    /** `pending → error`, for a run that will not be begun; false unless it is `pending`. */
    readonly giveUp: (id: string, error: RunError) => Stored<boolean>
    /** Runs that are `pending` or `running`, oldest first. */
    readonly unfinished: (limit: number) => Stored<ReadonlyArray<UnfinishedRun>>
    /** All waiting runs, and when the oldest of them was accepted. */
    readonly waiting: Stored<WaitingRuns>
    /** Fails unless the database can be used. */
    readonly ping: Stored<void>
  }
>()("docgauge/store/RunStore") {}
