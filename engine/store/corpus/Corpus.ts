import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Stored } from "../database/StoreUnavailable.ts"
import type { CriterionAdoption } from "./OutcomeCounts.ts"

/** A site and the figures of its reliable runs; of all its `done` runs while none of them is reliable. Averages are rounded half up. */
export interface SiteSummary {
  readonly site: string
  /** The newest `done` run, whether it counts or not; `null` only where figures outlive their runs. */
  readonly latestRunId: string | null
  /** The audited URL of the newest counted run. */
  readonly url: string
  /** The counted runs are reliable. */
  readonly reliable: boolean
  /** Of the newest counted run. */
  readonly latestScore: number
  /** The points of the criteria that apply to the site, by that run; 100 where its outcomes are not known. */
  readonly applicablePoints: number
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
  /** `done` runs. */
  readonly runs: number
  /** Mean of the sites' newest reliable scores: each site counts once. */
  readonly averageScore: number
  /** `null` before the first `done` run. */
  readonly latestRunAt: string | null
}

export interface CorpusStatistics {
  /** Sites by newest reliable score, in tens: 0–9, …, 90–100. */
  readonly scores: ReadonlyArray<{ readonly from: number; readonly to: number; readonly count: number }>
  /** Sites with a reliable run, by the last label of their host, most frequent first, at most 50. */
  readonly tlds: ReadonlyArray<{ readonly tld: string; readonly count: number }>
  /** The same by registrable domain, most sites first, at most 50. */
  readonly organisations: ReadonlyArray<{ readonly organisation: string; readonly count: number }>
}

/** How a score compares with all sites, each by its newest reliable score. */
export interface ScoreStanding {
  readonly sites: number
  /** Sites with a lower score. */
  readonly below: number
  /** The mean of their scores. */
  readonly averageScore: number
}

/** How far back a leaderboard looks. */
export const TOP_WINDOWS = ["7d", "30d", "all"] as const
export type TopWindow = (typeof TOP_WINDOWS)[number]

export const TOP_ORDERS = ["best", "worst"] as const
export type TopOrder = (typeof TOP_ORDERS)[number]

/** Scores from one to another, both inclusive. */
export interface ScoreRange {
  readonly from: number
  readonly to: number
}

export const ALL_SCORES: ScoreRange = { from: 0, to: 100 }

/** The ten bands of scores, each with its count of sites. */
export const scoreBands = (countIn: (from: number, to: number) => number): CorpusStatistics["scores"] =>
  [0, 10, 20, 30, 40, 50, 60, 70, 80, 90].map((from) => {
    const to = from === 90 ? 100 : from + 9
    return { from, to, count: countIn(from, to) }
  })

/**
 * All audited sites. A site's own figures are updated when its runs finish; those of the whole corpus (`summary`, `statistics`,
 * `adoption`) at the same time on SQLite, and by the next `fold` on PostgreSQL. Only `done` runs that are not hidden count.
 */
export class Corpus extends Context.Service<
  Corpus,
  {
    readonly summary: Stored<CorpusSummary>
    readonly statistics: Stored<CorpusStatistics>
    readonly standing: (score: number) => Stored<ScoreStanding>
    /** The most recently audited sites, newest first. */
    readonly recent: (limit: number) => Stored<ReadonlyArray<SiteSummary>>
    /**
     * The sites with the best (worst) newest reliable score within the window; of equal scores, the one reached last comes first.
     * For `7d` and `30d`, counts, times and scores are those of the reliable runs within the window. Of all scores unless a range
     * is given.
     */
    readonly top: (
      window: TopWindow,
      order: TopOrder,
      limit: number,
      within?: ScoreRange
    ) => Stored<ReadonlyArray<SiteSummary>>
    /** How many sites meet each criterion, by their newest reliable runs; criteria that no site was judged by are left out. */
    readonly adoption: Stored<ReadonlyArray<CriterionAdoption>>
    /** Sites whose URL or host contains the text in either case, most recently audited first. */
    readonly search: (text: string, limit: number) => Stored<ReadonlyArray<SiteSummary>>
    /** The named sites (in the form of `siteFormOf`) that have a `done` run, in no order. */
    readonly sites: (names: ReadonlyArray<string>) => Stored<ReadonlyArray<SiteSummary>>
    /** Adds what has finished since to the figures of the whole corpus. Any process may call it, at any time. */
    readonly fold: Stored<void>
  }
>()("docgauge/store/Corpus") {
  /** For `memory:`, which by the contract has nothing to browse; it finds the sites of its runs by `sites`, which it is given. */
  static readonly withoutFigures = (sites: Corpus["Service"]["sites"]): Corpus["Service"] => ({
    summary: Effect.succeed({ sites: 0, runs: 0, averageScore: 0, latestRunAt: null }),
    statistics: Effect.succeed({ scores: scoreBands(() => 0), tlds: [], organisations: [] }),
    standing: () => Effect.succeed({ sites: 0, below: 0, averageScore: 0 }),
    recent: () => Effect.succeed([]),
    top: () => Effect.succeed([]),
    adoption: Effect.succeed([]),
    search: () => Effect.succeed([]),
    sites,
    fold: Effect.void
  })

  /** Of no sites. */
  static readonly layerNone: Layer.Layer<Corpus> = Layer.succeed(
    Corpus,
    Corpus.withoutFigures(() => Effect.succeed([]))
  )
}
