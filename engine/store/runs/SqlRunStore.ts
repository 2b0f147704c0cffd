import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withinTransaction, withinWait } from "../database/Availability.ts"
import { unpack } from "../database/Compression.ts"
import { DatabaseHealth } from "../database/DatabaseHealth.ts"
import { ReadClient } from "../database/ReadClient.ts"
import type { StoreUnavailable } from "../database/StoreUnavailable.ts"
import { MovedReports } from "./MovedReports.ts"
import type { FencingToken } from "./Run.ts"
import { storedId } from "./RunId.ts"
import { targetOf } from "./RunRows.ts"
import { findReport, findRun, latestRun, unfinishedRuns, waitingRuns } from "./RunReads.ts"
import { RunStore } from "./RunStore.ts"
import {
  beginRun,
  failRun,
  finishRun,
  giveUpRun,
  insertRun,
  isCurrentHold,
  releaseRun,
  updateProgress
} from "./RunWrites.ts"

/** Runs in a database: the same statements on SQLite and PostgreSQL. */
export const layerSql: Layer.Layer<
  RunStore,
  never,
  SqlClient | ReadClient | DatabaseHealth | SecureRandom.SecureRandom
> = Layer.effect(
  RunStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const read = yield* ReadClient
    const moved = yield* MovedReports
    const random = yield* SecureRandom.SecureRandom
    const { check, watch } = yield* DatabaseHealth

    const answered = <A>(effect: Effect.Effect<A, SqlError>) => withinWait(watch(effect))
    const together = <A>(effect: Effect.Effect<A, SqlError>) => watch(withinTransaction(sql, effect))
    /** PostgreSQL refuses to compare an id that is not a UUID, and no run has one. */
    const byId = <A, B>(id: string, otherwise: B, effect: (id: string) => Effect.Effect<A, StoreUnavailable>) => {
      const stored = storedId(id)
      return stored === null ? Effect.succeed(otherwise) : effect(stored)
    }

    const byHold = (hold: FencingToken, effect: (hold: FencingToken) => Effect.Effect<boolean, StoreUnavailable>) =>
      byId(hold.id, false, (id) => effect({ ...hold, id }))

    const report = Effect.fnUntraced(function* (id: string) {
      const stored = yield* answered(findReport(read, id))
      if (stored === null) return null
      const content = stored.content.length > 0 ? stored.content : yield* moved.read(id)
      if (content === null) return null
      const { content: _, ...rest } = stored
      return { ...rest, encoded: unpack(content) }
    })

    return {
      accept: (run) => together(Effect.provideService(insertRun(sql, run), SecureRandom.SecureRandom, random)),
      find: (id) => byId(id, null, (id) => answered(findRun(read, id))),
      report: (id) => byId(id, null, report),
      latest: (url, rubricDigest, since, asAgents = false) =>
        answered(latestRun(read, targetOf(url, rubricDigest, asAgents), since)),
      begin: (id, worker, rubricDigest = null) =>
        byId(id, null, (id) => together(beginRun(sql, id, worker, rubricDigest))),
      progress: (hold, progress) => byHold(hold, (hold) => watch(updateProgress(sql, hold, progress))),
      isCurrent: (hold) => byHold(hold, (hold) => watch(isCurrentHold(read, hold))),
      finish: (hold, result) => byHold(hold, (hold) => together(finishRun(sql, hold, result))),
      fail: (hold, error) => byHold(hold, (hold) => watch(failRun(sql, hold, error))),
      release: (hold) => byHold(hold, (hold) => watch(releaseRun(sql, hold))),
      giveUp: (id, error) => byId(id, false, (id) => watch(giveUpRun(sql, id, error))),
      unfinished: (limit) => watch(unfinishedRuns(read, limit)),
      waiting: watch(waitingRuns(read)),
      ping: check
    }
  })
)
