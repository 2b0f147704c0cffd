import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { differInRubric, rubricShift } from "../../../engine/audit/compare/RubricShift.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { type NotFound, Unprocessable } from "../../api/Errors.ts"
import { FinishedRuns } from "../../audits/FinishedRuns.ts"
import { RunReading } from "../../audits/RunReading.ts"
import { RubricInForce } from "../../config/RubricInForce.ts"
import { readReport, ReportReading } from "../report/ReportReading.ts"
import { type ScoredRun, scoredRun } from "../report/ReportView.ts"
import type { ComparedRun, RunComparison } from "./RunComparison.ts"

/** Reads two finished runs, of one site or of two, to compare them. */
export class CompareReading extends Context.Service<
  CompareReading,
  {
    /** Earlier finished runs of the site, oldest first, to compare with. */
    readonly earlier: (target: Run) => Effect.Effect<ReadonlyArray<ScoredRun>, StoreUnavailable>
    /** Fails unless both runs are done, and if they are one. */
    readonly read: (
      target: Run,
      baseline: string,
      earlier: ReadonlyArray<ScoredRun>
    ) => Effect.Effect<RunComparison, NotFound | Unprocessable | StoreUnavailable>
    /** The run to compare a site by: its newest reliable one, else its newest; `null` without one. */
    readonly newestOf: (site: string) => Effect.Effect<Run | null, StoreUnavailable>
    /** The run before this one that is done; `null` without one. */
    readonly before: (target: Run) => Effect.Effect<Run | null, StoreUnavailable>
  }
>()("docgauge/server/pages/CompareReading") {
  static readonly layer: Layer.Layer<
    CompareReading,
    never,
    RunHistory | FinishedRuns | RunReading | ReportReading | RubricInForce
  > = Layer.effect(
    CompareReading,
    Effect.gen(function* () {
      const history = yield* RunHistory
      const finishedRuns = yield* FinishedRuns
      const reading = yield* RunReading
      const reports = yield* ReportReading
      const inForce = yield* RubricInForce

      const sideOf = Effect.fnUntraced(function* (
        run: Run
      ): Effect.fn.Return<ComparedRun, Unprocessable | StoreUnavailable> {
        const finished = run.status === "done" ? yield* finishedRuns.get(run.id) : null
        if (finished === null)
          return yield* new Unprocessable({ error: "One of the two audits has no report.", code: "not_done" })
        return { site: run.site, run: scoredRun(run), report: yield* readReport(finished) }
      })

      const shiftOf = (before: ComparedRun, after: ComparedRun): RunComparison["shift"] =>
        differInRubric(before.report, after.report)
          ? (rubricShift(before.report, after.report, inForce) ?? "unknown")
          : null

      return {
        earlier: (target) =>
          Effect.map(reports.history(target), (runs) => runs.filter(({ startedAt }) => startedAt < target.startedAt)),
        newestOf: Effect.fnUntraced(function* (site) {
          return (yield* history.newestReliable(site)) ?? (yield* history.newest(site))
        }),
        before: (target) => history.before(target.site, target.startedAt),
        read: Effect.fn("CompareReading.read")(function* (target, baseline, earlier) {
          if (baseline === target.id)
            return yield* new Unprocessable({ error: "These are the same audit. Choose another one." })
          const other = yield* sideOf(yield* reading.find(baseline))
          const here = yield* sideOf(target)
          const sameSite = other.site === here.site
          return { here, other, sameSite, shift: sameSite ? shiftOf(other, here) : null, earlier }
        })
      }
    })
  )
}
