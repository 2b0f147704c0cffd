import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { differInRubric, rubricShift } from "../../../engine/audit/RubricShift.ts"
import type { Run } from "../../../engine/store/Run.ts"
import { RunStore, type StoreUnavailable } from "../../../engine/store/RunStore.ts"
import type { NotFound, Unprocessable } from "../../api/Errors.ts"
import { FinishedRuns } from "../../http/FinishedRuns.ts"
import { RunReading } from "../../http/RunReading.ts"
import { RubricInForce } from "../../RubricInForce.ts"
import type { Comparison, Side } from "./ComparePage.ts"
import { readReport, ReportReading } from "./ReportReading.ts"
import type { ScoredRun } from "./ReportView.ts"

/** Reads two audits of a site beside each other. */
export class CompareReading extends Context.Service<CompareReading, {
  /** Finished runs of the site before this one, oldest first: what it can be compared with. */
  readonly earlier: (target: Run) => Effect.Effect<ReadonlyArray<ScoredRun>, StoreUnavailable>
  /** Without a baseline: the finished run before. */
  readonly read: (target: Run, baseline: string | undefined, earlier: ReadonlyArray<ScoredRun>) => Effect.Effect<Comparison, NotFound | Unprocessable | StoreUnavailable>
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
        earlier: (target) => Effect.map(reports.history(target), (runs) => runs.filter(({ startedAt }) => startedAt < target.startedAt)),
        read: Effect.fn("CompareReading.read")(function*(target, baseline, earlier) {
          const diff = yield* reading.diff(target.id, baseline)
          const from = baseline ?? (yield* store.previousDone(target.site, target.startedAt))?.id ?? target.id
          const [before, after] = [yield* sideOf(from), yield* sideOf(target.id)]
          return { before, after, diff, shift: shiftOf(before, after), earlier }
        })
      }
    })
  )
}
