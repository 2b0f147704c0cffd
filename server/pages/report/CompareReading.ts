import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { differInRubric, rubricShift } from "../../../engine/audit/compare/RubricShift.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import type { NotFound, Unprocessable } from "../../api/Errors.ts"
import { FinishedRuns } from "../../audits/FinishedRuns.ts"
import { RunReading } from "../../audits/RunReading.ts"
import { RubricInForce } from "../../config/RubricInForce.ts"
import type { RunComparison, ComparedRun } from "./ComparePage.ts"
import { readReport, ReportReading } from "./ReportReading.ts"
import { type ScoredRun, scoredRun } from "./ReportView.ts"

/** Reads two audits of a site for a comparison. */
export class CompareReading extends Context.Service<CompareReading, {
  /** Earlier finished runs of the site, oldest first, to compare with. */
  readonly earlier: (target: Run) => Effect.Effect<ReadonlyArray<ScoredRun>, StoreUnavailable>
  /** Without a baseline: the finished run before. */
  readonly read: (target: Run, baseline: string | undefined, earlier: ReadonlyArray<ScoredRun>) => Effect.Effect<RunComparison, NotFound | Unprocessable | StoreUnavailable>
}>()("docgauge/server/pages/CompareReading") {
  static readonly layer: Layer.Layer<CompareReading, never, RunStore | RunHistory | FinishedRuns | RunReading | ReportReading | RubricInForce> = Layer.effect(
    CompareReading,
    Effect.gen(function*() {
      const [store, history] = [yield* RunStore, yield* RunHistory]
      const finishedRuns = yield* FinishedRuns
      const reading = yield* RunReading
      const reports = yield* ReportReading
      const inForce = yield* RubricInForce

      /** Both runs are done, because the diff was made from their reports. */
      const sideOf = Effect.fnUntraced(function*(id: string): Effect.fn.Return<ComparedRun, StoreUnavailable> {
        const [run, finished] = [yield* store.find(id), yield* finishedRuns.get(id)]
        if (run === null || finished === null) return yield* Effect.die(new Error(`run ${id} is done and has no report`))
        return { report: yield* readReport(finished), run: scoredRun(run) }
      })

      const shiftOf = (before: ComparedRun, after: ComparedRun): RunComparison["shift"] =>
        differInRubric(before.report, after.report) ? rubricShift(before.report, after.report, inForce) ?? "unknown" : null

      return {
        earlier: (target) => Effect.map(reports.history(target), (runs) => runs.filter(({ startedAt }) => startedAt < target.startedAt)),
        read: Effect.fn("CompareReading.read")(function*(target, baseline, earlier) {
          const diff = yield* reading.diff(target.id, baseline)
          const from = baseline ?? (yield* history.before(target.site, target.startedAt))?.id ?? target.id
          const [before, after] = [yield* sideOf(from), yield* sideOf(target.id)]
          return { before, after, diff, shift: shiftOf(before, after), earlier }
        })
      }
    })
  )
}
