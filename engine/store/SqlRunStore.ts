import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { inTransaction, isDamage, orUnavailable as unavailable } from "./Availability.ts"
import { readSearch, readStats, readSummary, readTop } from "./CorpusReading.ts"
import { DatabaseProbe } from "./DatabaseProbe.ts"
import { ReadClient } from "./ReadClient.ts"
import type { Hold } from "./Run.ts"
import { findReport, findRun, latestRun, previousDoneRun, readHistory, unfinishedRuns } from "./RunReads.ts"
import { storedId } from "./RunRows.ts"
import { RunStore, type StoreUnavailable } from "./RunStore.ts"
import { beginRun, failRun, finishRun, giveUpRun, insertRun, isCurrentHold, releaseRun, updateProgress } from "./RunWrites.ts"
import { hasTrigrams } from "./SiteSearch.ts"

/** Runs in a database: the same statements on SQLite and PostgreSQL but for searches and rankings. */
export const layerSql: Layer.Layer<RunStore, StoreUnavailable, SqlClient | ReadClient | SecureRandom.SecureRandom> = Layer.effect(
  RunStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient
    const read = yield* ReadClient
    const random = yield* SecureRandom.SecureRandom
    const probe = yield* DatabaseProbe
    const trigrams = yield* unavailable(hasTrigrams(read))

    /** A look at the database may miss a damaged page that another operation has met. */
    let damage: StoreUnavailable | null = null
    const noteDamage = (error: StoreUnavailable) => Effect.sync(() => { if (isDamage(error)) damage = error })
    const orUnavailable = <A>(effect: Effect.Effect<A, SqlError>) => Effect.tapError(unavailable(effect), noteDamage)
    const look = probe ?? unavailable(Effect.asVoid(read`SELECT serial FROM runs ORDER BY serial DESC LIMIT 1`))

    const together = <A>(effect: Effect.Effect<A, SqlError>) => orUnavailable(inTransaction(sql, effect))
    /** What is no UUID is nobody's id. */
    const byId = <A, B>(id: string, otherwise: B, effect: (id: string) => Effect.Effect<A, StoreUnavailable>) => {
      const stored = storedId(id)
      return stored === null ? Effect.succeed(otherwise) : effect(stored)
    }

    const byHold = (hold: Hold, effect: (hold: Hold) => Effect.Effect<boolean, StoreUnavailable>) =>
      byId(hold.id, false, (id) => effect({ ...hold, id }))

    return {
      accept: (run) => together(Effect.provideService(insertRun(sql, run), SecureRandom.SecureRandom, random)),
      find: (id) => byId(id, null, (id) => orUnavailable(findRun(read, id))),
      report: (id) => byId(id, null, (id) => orUnavailable(findReport(read, id))),
      latest: (url, rubricDigest, since) => orUnavailable(latestRun(read, url, rubricDigest, since)),
      begin: (id, worker) => byId(id, null, (id) => orUnavailable(beginRun(sql, id, worker))),
      progress: (hold, progress) => byHold(hold, (hold) => orUnavailable(updateProgress(sql, hold, progress))),
      isCurrent: (hold) => byHold(hold, (hold) => orUnavailable(isCurrentHold(read, hold))),
      finish: (hold, result) => byHold(hold, (hold) => together(finishRun(sql, hold, result))),
      fail: (hold, error) => byHold(hold, (hold) => orUnavailable(failRun(sql, hold, error))),
      release: (hold) => byHold(hold, (hold) => orUnavailable(releaseRun(sql, hold))),
      giveUp: (id, error) => byId(id, false, (id) => orUnavailable(giveUpRun(sql, id, error))),
      unfinished: (limit) => orUnavailable(unfinishedRuns(read, limit)),
      history: (site, before, limit) => orUnavailable(readHistory(read, site, before, limit)),
      previousDone: (site, before) => orUnavailable(previousDoneRun(read, site, before)),
      summary: orUnavailable(readSummary(read)),
      top: (window, order, limit) => orUnavailable(readTop(read, window, order, limit)),
      stats: orUnavailable(readStats(read)),
      search: (text, limit) => orUnavailable(readSearch(read, text, limit, trigrams)),
      ping: Effect.suspend(() => (damage === null ? look : Effect.fail(damage)))
    }
  })
)
