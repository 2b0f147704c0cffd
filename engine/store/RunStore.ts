import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { rootMessage } from "./RootMessage.ts"
import type { BegunRun, Hold, NewRun, Run, RunError, RunProgress, RunResult, StoredReport } from "./Run.ts"

/** The store cannot be read or written now: full, read-only, gone. Whoever asked may try again. */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  /** For the log, never for a client. */
  cause: Schema.Defect()
}) {
  /** What the database said; for the log, too. */
  override get message(): string {
    return rootMessage(this.cause)
  }
}

/** A page of a site's runs, newest first. */
export interface HistoryPage {
  readonly runs: ReadonlyArray<Run>
  /** `startedAt` of the last run where there are more; `null`: no further pages. */
  readonly next: string | null
}

/** A run that is not over, and who has begun it; `null` while it is `pending`. */
export interface UnfinishedRun {
  readonly run: Run
  readonly worker: string | null
}

/** What browsing knows of a site. Averages are rounded half up. */
export interface SiteSummary {
  readonly site: string
  /** The address of its newest `done` run. */
  readonly url: string
  /** Of `done` runs. */
  readonly runCount: number
  readonly latestRunAt: string
  readonly firstRunAt: string
  readonly bestScore: number
  readonly worstScore: number
  readonly averageScore: number
}

export interface CorpusSummary {
  /** Sites with a `done` run. */
  readonly sites: number
  /** `done` ones. */
  readonly runs: number
  /** Of the sites' newest scores, so that a site counts once however often it is audited. */
  readonly averageScore: number
  /** `null` where nothing was audited yet. */
  readonly latestRunAt: string | null
}

export interface CorpusStats {
  /** Sites by newest score, in tens: 0–9, …, 90–100. */
  readonly scores: ReadonlyArray<{ readonly from: number; readonly to: number; readonly count: number }>
  /** Sites by the last label of their host, most frequent first, at most 50. */
  readonly tlds: ReadonlyArray<{ readonly tld: string; readonly count: number }>
  /** By registrable domain, most sites first, at most 50. */
  readonly organisations: ReadonlyArray<{ readonly organisation: string; readonly count: number }>
}

export type TopWindow = "7d" | "30d" | "all"
export type TopOrder = "best" | "worst"

type Stored<A> = Effect.Effect<A, StoreUnavailable>

/**
 * Runs, their reports, and the figures of the corpus, kept up as runs finish. Writes that take a `Hold` tell whether they
 * changed anything: false where that attempt is no longer the run's current one.
 */
export class RunStore extends Context.Service<RunStore, {
  /** Durable when it returns. */
  readonly accept: (run: NewRun) => Stored<Run>
  readonly find: (id: string) => Stored<Run | null>
  /** `null` unless the run is `done`. */
  readonly report: (id: string) => Stored<StoredReport | null>
  /** The newest run of exactly this address and rubric that is under way, or `done` and finished since `since` (RFC 3339; `null`: under way only). */
  readonly latest: (url: string, rubricDigest: string, since: string | null) => Stored<Run | null>
  /** `pending → running`, one attempt more; `null` where another process took it or it is over. */
  readonly begin: (id: string, worker: string) => Stored<BegunRun | null>
  readonly progress: (hold: Hold, progress: RunProgress) => Stored<boolean>
  /** Whether the attempt is the run's current one. */
  readonly isCurrent: (hold: Hold) => Stored<boolean>
  /** `running → done`. Keeps report, facts and corpus figures in one transaction. */
  readonly finish: (hold: Hold, result: RunResult) => Stored<boolean>
  /** `running → error`. */
  readonly fail: (hold: Hold, error: RunError) => Stored<boolean>
  /** `running → pending`: the run is handed back, and this attempt does not count. */
  readonly release: (hold: Hold) => Stored<boolean>
  /** `pending → error`, for a run that is not to be begun; false where it is not `pending`. */
  readonly giveUp: (id: string, error: RunError) => Stored<boolean>
  /** Runs that are `pending` or `running`, oldest first: what a process that starts may find left behind. */
  readonly unfinished: (limit: number) => Stored<ReadonlyArray<UnfinishedRun>>
  /** Strictly older than `before` (RFC 3339), newest first. */
  readonly history: (site: string, before: string, limit: number) => Stored<HistoryPage>
  /** The newest `done` run of the site accepted before `before`. */
  readonly previousDone: (site: string, before: string) => Stored<Run | null>
  readonly summary: Stored<CorpusSummary>
  /**
   * The sites with the best (worst) scores of the runs accepted within the window, the one that reached its score last
   * first among equals. For `7d` and `30d`, counts, times and scores are those of the runs within the window.
   */
  readonly top: (window: TopWindow, order: TopOrder, limit: number) => Stored<ReadonlyArray<SiteSummary>>
  readonly stats: Stored<CorpusStats>
  /** Case-insensitive substring of address or host; most recently audited first. */
  readonly search: (text: string, limit: number) => Stored<ReadonlyArray<SiteSummary>>
  /** Answers while the database does. */
  readonly ping: Stored<void>
}>()("docgauge/store/RunStore") {}
