import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { plainForm } from "../../engine/evidence/Address.ts"
import { CLOCK_SKEW_MS, parseInstant } from "../../engine/store/database/ColumnValues.ts"
import type { Run } from "../../engine/store/runs/Run.ts"

/** Recent reports that the scheduler returned instead of a new audit, by canonical URL. */
export interface RecentReports {
  /** The run whose report currently answers a request for that URL, if known. */
  readonly find: (url: string) => Effect.Effect<string | null>
  /** Caches that the scheduler returned this run, unless the cache was invalidated since `generation`. */
  readonly remember: (run: Run, generation: number) => Effect.Effect<void>
  /** How often the cache was invalidated. */
  readonly generation: () => number
  readonly invalidateAll: Effect.Effect<void>
}

const CAPACITY = 5_000

interface RecentReport {
  readonly runId: string
  /** When its audit ended, in milliseconds since the epoch. */
  readonly finishedAt: number
  readonly timeToLive: Duration.Input
}

/**
 * Caches the scheduler's decision for as long as it cannot change: a report is returned for its URL until the window since the
 * end of its audit is over. All runs are of the rubric in force.
 */
export const makeRecentReports = Effect.fnUntraced(function* (
  windowMs: number | null
): Effect.fn.Return<RecentReports> {
  const cache = yield* Cache.makeWith((_url: string) => Effect.succeed<RecentReport | null>(null), {
    capacity: CAPACITY,
    timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value !== null ? exit.value.timeToLive : Duration.zero)
  })
  let generation = 0
  return {
    find: Effect.fnUntraced(function* (url) {
      const found = Option.getOrNull(yield* Cache.getOption(cache, url))
      if (found === null) return null
      // If the clock was set back meanwhile, the entry would last too long.
      return found.finishedAt <= (yield* Clock.currentTimeMillis) + CLOCK_SKEW_MS ? found.runId : null
    }),
    remember: Effect.fnUntraced(function* ({ finishedAt, id, status, url }, since) {
      const finished = finishedAt === null ? null : parseInstant(finishedAt)
      if (windowMs === null || finished === null || status !== "done" || since !== generation) return
      const finishedMs = finished / 1_000
      const left = finishedMs + windowMs - (yield* Clock.currentTimeMillis)
      if (left > 0) yield* Cache.set(cache, plainForm(url), { runId: id, finishedAt: finishedMs, timeToLive: left })
    }),
    generation: () => generation,
    invalidateAll: Effect.andThen(
      Cache.invalidateAll(cache),
      Effect.sync(() => {
        generation += 1
      })
    )
  }
})
