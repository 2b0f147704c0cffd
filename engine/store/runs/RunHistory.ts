import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlError } from "effect/sql/SqlError"
import { type CriterionOutcome, unpackOutcomes } from "../corpus/OutcomeCounts.ts"
import { digestKey, formatInstant, instantOf, type Int } from "../database/ColumnValues.ts"
import { DatabaseHealth, orUnavailable, ReadClient, withinWait } from "../database/SqlDatabase.ts"
import type { Stored } from "../database/StoreUnavailable.ts"
import { firstRun, type Run, runColumns, runOf, type RunRow } from "./Run.ts"

/** A page of a site's runs, newest first. */
export interface HistoryPage {
  readonly runs: ReadonlyArray<Run>
  /** `startedAt` of the last run where there are more; `null`: no further pages. */
  readonly next: string | null
}

/** A `done` run with what it found for each criterion. */
export interface JudgedRun {
  readonly run: Run
  /** Empty if they are not known. */
  readonly outcomes: ReadonlyArray<CriterionOutcome>
}

/** Audits that the usual duration is taken from, and how many there must be. */
const RECENT = 25
const FEWEST = 5

/** The runs of a site that are not hidden. */
export class RunHistory extends Context.Service<
  RunHistory,
  {
    /** The newest `done` run. */
    readonly newest: (site: string) => Stored<Run | null>
    /** The newest `done` run accepted before `time` (RFC 3339). */
    readonly before: (site: string, time: string) => Stored<Run | null>
    readonly newestReliable: (site: string) => Stored<Run | null>
    /** The newest reliable run accepted before `time` (RFC 3339). */
    readonly reliableBefore: (site: string, time: string) => Stored<Run | null>
    /** Runs of any status accepted before `before` (RFC 3339; `null`: from the newest on), newest first. */
    readonly page: (site: string, before: string | null, limit: number) => Stored<HistoryPage>
    /** The newest `done` runs with their outcomes, newest first: of those accepted until `last` (RFC 3339), if it is given. */
    readonly judged: (site: string, limit: number, last?: string) => Stored<ReadonlyArray<JudgedRun>>
    /** The median duration of the newest audits of all sites, in milliseconds; `null` of fewer than five. */
    readonly usualDuration: Stored<number | null>
  }
>()("docgauge/store/RunHistory") {
  /** For `memory:`, which by the contract has no history. */
  static readonly layerNone: Layer.Layer<RunHistory> = Layer.succeed(RunHistory, {
    newest: () => Effect.succeed(null),
    before: () => Effect.succeed(null),
    newestReliable: () => Effect.succeed(null),
    reliableBefore: () => Effect.succeed(null),
    page: () => Effect.succeed({ runs: [], next: null }),
    judged: () => Effect.succeed([]),
    usualDuration: Effect.succeed(null)
  })

  static readonly layerSql: Layer.Layer<RunHistory, never, ReadClient | DatabaseHealth> = Layer.effect(
    RunHistory,
    Effect.gen(function* () {
      const sql = yield* ReadClient
      const { watch } = yield* DatabaseHealth
      const answered = <A>(effect: Effect.Effect<A, SqlError>) => withinWait(watch(effect))

      /** Runs of a site that `matching` selects, newest first. */
      const select = Effect.fnUntraced(function* (
        site: string,
        before: string | null,
        matching: "" | "AND status = 'done'" | "AND reliable",
        limit: number
      ) {
        const older = before === null ? sql`` : sql`AND started_at < ${yield* instantOf(before)}`
        return yield* sql<RunRow>`
          SELECT ${runColumns(sql)} FROM runs
          WHERE runs.site = (SELECT serial FROM sites WHERE key = ${digestKey(site)}) ${older} ${sql.literal(matching)} AND NOT hidden
          ORDER BY started_at DESC LIMIT ${limit}`
      })
      const newestDone = (site: string, before: string | null) =>
        Effect.map(select(site, before, "AND status = 'done'", 1), firstRun)
      const newestReliable = (site: string, before: string | null) =>
        Effect.map(select(site, before, "AND reliable", 1), firstRun)
      const page = Effect.fnUntraced(function* (
        site: string,
        before: string | null,
        limit: number
      ): Effect.fn.Return<HistoryPage, SqlError> {
        const rows = yield* select(site, before, "", limit + 1)
        const shown = rows.slice(0, limit)
        const last = shown.at(-1)
        return {
          runs: shown.map(runOf),
          next: rows.length > limit && last !== undefined ? formatInstant(Number(last.started_at)) : null
        }
      })

      const judged = Effect.fnUntraced(function* (site: string, limit: number, last: string | undefined) {
        const older = last === undefined ? sql`` : sql`AND started_at <= ${yield* instantOf(last)}`
        return yield* sql<RunRow & { readonly outcomes: string }>`
          SELECT ${runColumns(sql)}, runs.outcomes FROM runs
          WHERE runs.site = (SELECT serial FROM sites WHERE key = ${digestKey(site)}) ${older} AND status = 'done' AND NOT hidden
          ORDER BY started_at DESC LIMIT ${limit}`
      })

      const usualDuration = Effect.map(
        sql<{ readonly duration_ms: Int }>`SELECT duration_ms FROM reports ORDER BY run DESC LIMIT ${RECENT}`,
        (rows) => {
          const durations = rows.map((row) => Number(row.duration_ms)).sort((one, other) => one - other)
          return durations.length < FEWEST ? null : (durations[Math.floor(durations.length / 2)] ?? null)
        }
      )

      return {
        usualDuration: answered(usualDuration),
        newest: (site) => answered(newestDone(site, null)),
        before: (site, time) => answered(newestDone(site, time)),
        newestReliable: (site) => answered(newestReliable(site, null)),
        reliableBefore: (site, time) => answered(newestReliable(site, time)),
        page: (site, before, limit) => answered(page(site, before, limit)),
        judged: (site, limit, last) =>
          answered(
            Effect.map(judged(site, limit, last), (rows) =>
              rows.map((row) => ({ run: runOf(row), outcomes: unpackOutcomes(row.outcomes) }))
            )
          )
      }
    })
  )
}

interface NewestRuns {
  readonly runs: ReadonlyArray<Run>
  /** From where the next page is read; `null`: this is the last. */
  readonly next: number | null
}

/** The newest `done` run of every site, page by page, in the order in which the sites were first seen; from `0` on. */
export const newestRuns = Effect.fnUntraced(function* (
  from: number,
  limit: number
): Effect.fn.Return<NewestRuns, SqlError, ReadClient> {
  const sql = yield* ReadClient
  // The page of sites first: PostgreSQL would join all runs otherwise.
  const rows = yield* sql<RunRow & { readonly at_site: Int }>`
    SELECT ${runColumns(sql)}, newest.site AS at_site
    FROM (SELECT site, latest_run_at FROM site_figures WHERE site >= ${from} ORDER BY site LIMIT ${limit}) newest
    JOIN runs ON runs.site = newest.site AND runs.started_at = newest.latest_run_at
    ORDER BY newest.site`
  const last = rows.at(-1)
  return { runs: rows.map(runOf), next: last === undefined || rows.length < limit ? null : Number(last.at_site) + 1 }
}, orUnavailable)
