import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { rubricOfReport } from "../../../engine/audit/Assemble.ts"
import { type ChangeSince, changeSince } from "../../../engine/audit/compare/ChangeSince.ts"
import { differInMajor } from "../../../engine/audit/compare/RubricShift.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import type { OwnerVerification } from "../../../engine/limit/LimitDecision.ts"
import { ArchiveStore } from "../../../engine/store/archives/ArchiveStore.ts"
import { Corpus, type ScoreStanding } from "../../../engine/store/corpus/Corpus.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { type AdoptedCategory, adoptionBy } from "../../audits/Adoption.ts"
import { type FinishedRun, FinishedRuns } from "../../audits/FinishedRuns.ts"
import { SiteVerification } from "../../audits/SiteVerification.ts"
import { ReleasedRubrics, RubricInForce } from "../../config/RubricInForce.ts"
import { addresses, contact as contactSetting } from "../../config/Settings.ts"
import type { CategoryMeans } from "../../../engine/report/html/ScoreHead.ts"
import { type RubricWords, rubricWordsFor } from "../../../engine/report/ReportView.ts"

/** A finished run of the same site. */
export interface ScoredRun {
  readonly id: string
  readonly startedAt: string
  readonly score: number
  readonly reliable: boolean
  readonly rubricDigest: string
}

/** A `done` run in a list. */
export const scoredRun = ({ id, reliable, rubricDigest, startedAt, totalScore }: Run): ScoredRun => ({
  id,
  startedAt,
  score: totalScore ?? 0,
  reliable: reliable === true,
  rubricDigest
})

interface ChangeSinceRun extends ChangeSince {
  /** When the earlier run began, RFC 3339. */
  readonly startedAt: string
}

/** The parts of a report's page that can change, unlike the report. */
export interface Surroundings {
  /** Finished runs of the site, this one among them, oldest first; only this one if there is no history. */
  readonly history: ReadonlyArray<ScoredRun>
  readonly hasArchive: boolean
  /** How the score compares with all sites. */
  readonly standing: ScoreStanding
  readonly means: CategoryMeans
}

/** All that the page of a finished run shows. */
export interface RunView extends Surroundings {
  readonly run: Run
  /** The report without invisible or bidirectional characters. */
  readonly report: AuditReport
  readonly words: RubricWords
  /** What changed since the newest earlier audit of the same URL; `null`: there is none. */
  readonly change: ChangeSinceRun | null
  /** Known versions of rubrics in the history, by digest. */
  readonly versions: ReadonlyMap<string, string>
  /** How the site's owner can have it audited more often; `null`: sites cannot be verified here. */
  readonly verification: OwnerVerification | null
  /** The URL of the service, without a trailing slash. */
  readonly base: string
  /** Whether the operator can be reached, as `/bot` says. */
  readonly hasContact: boolean
  /** Where the rubric that judged is explained; `null`: this service does not have its text. */
  readonly rubricPath: RubricPath | null
}

/** The pages of a rubric: of the one in force there is one for each criterion, of an earlier version one for all. */
interface RubricPath {
  readonly whole: string
  readonly of: (criterion: string) => string
}

const RUBRIC_IN_FORCE: RubricPath = { whole: "/rubric", of: (criterion) => `/rubric/${criterion}` }

const versionPath = (version: string): RubricPath => ({
  whole: `/rubric/${version}`,
  of: (criterion) => `/rubric/${version}#${criterion}`
})

/** Maximum number of a site's runs in its chart and lists. */
const MOST_RUNS = 100

/** Maximum number of other rubrics whose version is looked up in one of their reports. */
const MOST_RUBRICS = 8

/** Reads of the store at once for one page, as in the pages about the corpus. */
const READS = 3

/** How long the means of all sites are cached, which one more report hardly changes. */
const MEANS_LIVE = "1 minute"

/** Reads what the pages of finished runs show. */
export class ReportReading extends Context.Service<
  ReportReading,
  {
    /** Finished runs of the run's site, the run among them, oldest first. */
    readonly history: (run: Run) => Effect.Effect<ReadonlyArray<ScoredRun>, StoreUnavailable>
    readonly surroundings: (run: Run) => Effect.Effect<Surroundings, StoreUnavailable>
    /** What changed since the newest earlier audit of the same URL; `null`: there is none. */
    readonly change: (run: Run, report: AuditReport) => Effect.Effect<ChangeSinceRun | null, StoreUnavailable>
    readonly view: (
      run: Run,
      finished: FinishedRun,
      surroundings: Surroundings
    ) => Effect.Effect<RunView, StoreUnavailable>
  }
>()("docgauge/server/pages/ReportReading") {
  static readonly layer: Layer.Layer<
    ReportReading,
    Config.ConfigError,
    RunHistory | FinishedRuns | ArchiveStore | Corpus | RubricInForce | ReleasedRubrics | SiteVerification
  > = Layer.effect(
    ReportReading,
    Effect.gen(function* () {
      const runHistory = yield* RunHistory
      const finishedRuns = yield* FinishedRuns
      const archives = yield* ArchiveStore
      const corpus = yield* Corpus
      const verification = yield* SiteVerification
      const loaded = yield* RubricInForce
      const { releases } = yield* ReleasedRubrics
      const { digest: inForce, rubric } = loaded
      const { base } = yield* addresses
      const hasContact = (yield* contactSetting) !== null

      const means = yield* Effect.cachedWithTTL(
        Effect.map(corpus.adoption, (counts) => meansOf(adoptionBy(rubric, counts))),
        (exit) => (Exit.isSuccess(exit) ? MEANS_LIVE : 0)
      )

      const history = Effect.fnUntraced(function* (
        run: Run
      ): Effect.fn.Return<ReadonlyArray<ScoredRun>, StoreUnavailable> {
        const { runs } = yield* runHistory.page(run.site, null, MOST_RUNS)
        const done = runs.filter(({ status }) => status === "done")
        // A report that is older than all of those is added; without a database it is the only one.
        const all = done.some(({ id }) => id === run.id) ? done : [...done, run]
        return all.toReversed().map(scoredRun)
      })

      const versions = Effect.fnUntraced(function* (
        runs: ReadonlyArray<ScoredRun>,
        report: AuditReport
      ): Effect.fn.Return<ReadonlyMap<string, string>, StoreUnavailable> {
        const known = new Map([
          [inForce, rubric.version],
          [report.rubric.digest, report.rubric.version]
        ])
        const others = new Map(
          runs.filter(({ rubricDigest }) => !known.has(rubricDigest)).map(({ id, rubricDigest }) => [rubricDigest, id])
        )
        for (const [digest, id] of [...others].slice(0, MOST_RUBRICS)) {
          const finished = yield* finishedRuns.get(id)
          if (finished !== null) known.set(digest, (yield* finishedRuns.read(finished)).rubric.version)
        }
        return known
      })

      const change = Effect.fn("ReportReading.change")(function* (
        run: Run,
        report: AuditReport
      ): Effect.fn.Return<ChangeSinceRun | null, StoreUnavailable> {
        const { runs } = yield* runHistory.page(run.site, run.startedAt, MOST_RUNS)
        const earlier = runs.find(({ status, url }) => status === "done" && url === run.url)
        const finished = earlier === undefined ? null : yield* finishedRuns.get(earlier.id)
        const since = finished === null ? null : changeSince(yield* finishedRuns.read(finished), report, loaded)
        return earlier === undefined || since === null ? null : { ...since, startedAt: earlier.startedAt }
      })

      /** A draft of the version in force is explained by what became of it. */
      const rubricPathOf = Effect.fnUntraced(function* (report: AuditReport) {
        const { digest } = report.rubric
        if (digest === inForce) return RUBRIC_IN_FORCE
        const release = (yield* releases).find((each) => each.digest === digest)
        if (release !== undefined && release.rubric.id === rubric.id) return versionPath(release.rubric.version)
        return differInMajor(report, { rubric: rubricOfReport(loaded) }) ? null : RUBRIC_IN_FORCE
      })

      return {
        history,
        change,
        surroundings: (run) =>
          Effect.all(
            {
              history: history(run),
              hasArchive: archives.has(run.id),
              standing: corpus.standing(run.totalScore ?? 0),
              means
            },
            { concurrency: READS }
          ),
        view: Effect.fn("ReportReading.view")(function* (run, finished, surroundings) {
          const report = yield* finishedRuns.read(finished)
          return {
            ...surroundings,
            run,
            report,
            base,
            hasContact,
            verification: yield* verification.offer(run.url),
            words: rubricWordsFor(rubric, report),
            versions: yield* versions(surroundings.history, report),
            rubricPath: yield* rubricPathOf(report),
            change: yield* change(run, report)
          }
        })
      }
    })
  )
}

const meansOf = (categories: ReadonlyArray<AdoptedCategory>): CategoryMeans => ({
  sites: Math.max(
    0,
    ...categories.flatMap(({ criteria }) =>
      criteria.map(({ sites }) => Object.values(sites).reduce((sum, count) => sum + count, 0))
    )
  ),
  shares: Object.fromEntries(categories.map(({ id, mean, points }) => [id, mean / points]))
})
