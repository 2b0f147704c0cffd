import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { readInert } from "../../../engine/audit/InertText.ts"
import { AuditReport } from "../../../engine/audit/Report.ts"
import { ArchiveStore } from "../../../engine/store/ArchiveStore.ts"
import type { Run } from "../../../engine/store/Run.ts"
import { RunStore, type StoreUnavailable } from "../../../engine/store/RunStore.ts"
import { type FinishedRun, FinishedRuns } from "../../http/FinishedRuns.ts"
import { FAR_FUTURE } from "../../http/SiteWidgets.ts"
import { RubricInForce } from "../../RubricInForce.ts"
import { addresses } from "../../Settings.ts"
import { type ReportView, type ScoredRun, type Surroundings, wordsFor } from "./ReportView.ts"

/** Runs of a site that its chart and its lists are made of. */
const MOST_RUNS = 100

/** Other rubrics whose version is looked up in a report of theirs. */
const MOST_RUBRICS = 8

/** Gathers what the pages of finished runs show. */
export class ReportReading extends Context.Service<ReportReading, {
  /** Finished runs of the run's site, the run among them, oldest first. */
  readonly history: (run: Run) => Effect.Effect<ReadonlyArray<ScoredRun>, StoreUnavailable>
  readonly surroundings: (run: Run) => Effect.Effect<Surroundings, StoreUnavailable>
  readonly view: (run: Run, finished: FinishedRun, surroundings: Surroundings) => Effect.Effect<ReportView, StoreUnavailable>
}>()("docgauge/server/pages/ReportReading") {
  static readonly layer: Layer.Layer<ReportReading, Config.ConfigError, RunStore | FinishedRuns | ArchiveStore | RubricInForce> = Layer.effect(
    ReportReading,
    Effect.gen(function*() {
      const store = yield* RunStore
      const finishedRuns = yield* FinishedRuns
      const archives = yield* ArchiveStore
      const { digest: inForce, rubric } = yield* RubricInForce
      const { base } = yield* addresses

      const history = Effect.fnUntraced(function*(run: Run): Effect.fn.Return<ReadonlyArray<ScoredRun>, StoreUnavailable> {
        const { runs } = yield* store.history(run.site, FAR_FUTURE, MOST_RUNS)
        const done = runs.filter(({ status }) => status === "done")
        // A report that is older than all of those is shown with them all the same; without a database it is alone.
        const all = done.some(({ id }) => id === run.id) ? done : [...done, run]
        return all.toReversed().map(({ id, rubricDigest, startedAt, totalScore }) => ({ id, rubricDigest, startedAt, score: totalScore ?? 0 }))
      })

      const versions = Effect.fnUntraced(function*(runs: ReadonlyArray<ScoredRun>, report: AuditReport): Effect.fn.Return<ReadonlyMap<string, string>, StoreUnavailable> {
        const known = new Map([[inForce, rubric.version], [report.rubric.digest, report.rubric.version]])
        const others = new Map(runs.filter(({ rubricDigest }) => !known.has(rubricDigest)).map(({ id, rubricDigest }) => [rubricDigest, id]))
        for (const [digest, id] of [...others].slice(0, MOST_RUBRICS)) {
          const finished = yield* finishedRuns.get(id)
          if (finished !== null) known.set(digest, (yield* readVersion(textOf(finished))).rubric.version)
        }
        return known
      })

      return {
        history,
        surroundings: Effect.fnUntraced(function*(run) {
          const hasArchive = yield* Effect.scoped(Effect.map(archives.read(run.id), (archive) => archive !== null))
          return { history: yield* history(run), hasArchive }
        }),
        view: Effect.fn("ReportReading.view")(function*(run, finished, surroundings) {
          const report = yield* readReport(finished)
          return { ...surroundings, run, report, base, words: wordsFor(rubric, report), versions: yield* versions(surroundings.history, report) }
        })
      }
    })
  )
}

/** The JSON of a finished report, as it was kept. */
export const textOf = ({ report }: FinishedRun): string => Buffer.from(report.identity).toString()

/** A finished report, every text in it fit to be shown. What was kept as a report is one. */
export const readReport = (finished: FinishedRun): Effect.Effect<AuditReport> => Effect.orDie(readInert(textOf(finished), AuditReport))

const readVersion = (text: string) => Effect.orDie(readInert(text, Schema.Struct({ rubric: Schema.Struct({ version: Schema.String }) })))
