import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import { parseKeepRule } from "../../config/KeepRule.ts"
import { setting } from "../../config/Setting.ts"
import { isDue, renewing } from "../database/BackgroundWork.ts"
import { DatabaseHealth } from "../database/DatabaseHealth.ts"
import { ReadClient } from "../database/ReadClient.ts"
import { MovedReports } from "../runs/MovedReports.ts"
import { missingObject } from "./ObjectChecks.ts"
import { makeLoggedDeletion } from "./ObjectDeletion.ts"
import { keptObjects } from "./ObjectRows.ts"
import { ObjectStore } from "./ObjectStore.ts"
import { makeReportMove } from "./ReportMove.ts"

/** How often the processes of a service, together, look for reports that have become old. */
export const OldReportsInterval = Context.Reference<Duration.Input>("docgauge/store/OldReportsInterval", {
  defaultValue: () => "10 minutes"
})

/** `DOCGAUGE_OLD_REPORTS`: after how many days a report is moved to the object store; `null`: never. */
export const oldReportDays: Config.Config<number | null> = setting("DOCGAUGE_OLD_REPORTS", "off", (text) =>
  text.trim() === "off"
    ? Result.succeed(null)
    : Result.flatMap(parseKeepRule(text, ["days"]), ({ days, others }) =>
        days === null || others.length > 0 ? Result.fail("give off or days=N") : Result.succeed(days)
      )
)

/** Reads moved reports from the object store. */
export const layerMovedReports: Layer.Layer<never, never, ObjectStore | ReadClient | DatabaseHealth> = Layer.effect(
  MovedReports,
  Effect.gen(function* () {
    const read = yield* ReadClient
    const objects = yield* ObjectStore
    const { watch } = yield* DatabaseHealth
    return {
      read: Effect.fnUntraced(function* (id: string) {
        const document = (yield* watch(keptObjects(read, id))).find(({ kind }) => kind === "document")
        if (document === undefined) return null
        const content = yield* objects.read(document.key, document)
        return content ?? (yield* missingObject(document.key, id))
      })
    }
  })
)

const WORK = "old reports"

/** Moves reports older than `days` to the object store, one process at a time. What it cannot take stays in the database. */
export const layerOldReports = (
  days: number
): Layer.Layer<never, never, ObjectStore | SqlClient | ReadClient | DatabaseHealth> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { watch } = yield* DatabaseHealth
      const interval = yield* OldReportsInterval
      const move = yield* makeReportMove(days)
      const deleteDropped = yield* makeLoggedDeletion
      // Half of the interval: at its end, the process that did so last is early as often as late.
      const intervalMs = Duration.toMillis(interval) / 2
      const pass = Effect.raceFirst(Effect.ensuring(move, deleteDropped), renewing(sql, WORK, intervalMs))
      yield* Effect.flatMap(watch(isDue(sql, WORK, intervalMs)), (due) => (due ? pass : Effect.succeed(0))).pipe(
        Effect.tap((moved) =>
          moved === 0
            ? Effect.void
            : Effect.logInfo(
                moved === 1
                  ? "moved 1 old report to the object store"
                  : `moved ${moved} old reports to the object store`
              )
        ),
        Effect.ignoreCause({
          log: "Warn",
          message: "could not move old reports to the object store: they stay in the database"
        }),
        Effect.delay(interval),
        Effect.forever,
        Effect.forkScoped
      )
    })
  )
