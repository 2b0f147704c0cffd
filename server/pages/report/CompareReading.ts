import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { differInRubric, rubricShift } from "../../../engine/audit/RubricShift.ts"
import { RunStore, type StoreUnavailable } from "../../../engine/store/RunStore.ts"
import type { NotFound, Unprocessable } from "../../api/Errors.ts"
import { FinishedRuns } from "../../http/FinishedRuns.ts"
import { RunReading } from "../../http/RunReading.ts"
import { RubricInForce } from "../../RubricInForce.ts"
import type { Comparison, Side } from "./ComparePage.ts"
import { readReport, ReportReading } from "./ReportReading.ts"

/** Reads two audits of a site beside each other. */
export class CompareReading extends Context.Service<CompareReading, {
  /** Without a baseline: the finished run before. */
  readonly read: (id: string, baseline: string | undefined) => Effect.Effect<Comparison, NotFound | Unprocessable | StoreUnavailable>
}>()("docgauge/server/pages/CompareReading") {
  static readonly layer: Layer.Layer<CompareReading, never, RunStore | FinishedRuns | RunReading | ReportReading | RubricInForce> = Layer.effect(
    CompareReading,
    Effect.gen(function*() {
      const store = yield* RunStore
      const finishedRuns = yield* FinishedRuns
      const reading = yield* RunReading
      const reports = yield* ReportReading
      const inForce = yield* RubricInForce

      /** Both runs are known to be done here: the diff was made of their reports. */
      const sideOf = Effect.fnUntraced(function*(id: string): Effect.fn.Return<Side, StoreUnavailable> {
        const [run, finished] = [yield* store.find(id), yield* finishedRuns.get(id)]
        if (run === null || finished === null) return yield* Effect.die(new Error(`run ${id} is done and has no report`))
        return { report: yield* readReport(finished), run: { id, startedAt: run.startedAt, score: run.totalScore ?? 0, rubricDigest: run.rubricDigest } }
      })

      const shiftOf = (before: Side, after: Side): Comparison["shift"] =>
        differInRubric(before.report, after.report) ? rubricShift(before.report, after.report, inForce) ?? "unknown" : null

      return {
        read: Effect.fn("CompareReading.read")(function*(id, baseline) {
          const diff = yield* reading.diff(id, baseline)
          const target = yield* reading.find(id)
          const from = baseline ?? (yield* store.previousDone(target.site, target.startedAt))?.id ?? id
          const [before, after] = [yield* sideOf(from), yield* sideOf(id)]
          const earlier = (yield* reports.history(target)).filter(({ startedAt }) => startedAt < target.startedAt)
          return { before, after, diff, shift: shiftOf(before, after), earlier }
        })
      }
    })
  )
}
