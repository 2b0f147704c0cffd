import type { ChangeSince } from "../../../engine/audit/compare/ChangeSince.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import type { OwnerVerification } from "../../../engine/limit/LimitDecision.ts"
import type { RubricWords } from "../../../engine/report/ReportView.ts"
import type { ScoreStanding } from "../../../engine/store/corpus/Corpus.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import type { CategoryMeans } from "../../../engine/report/html/ScoreHead.ts"

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

/** What changed since an earlier run. */
export interface ChangeSinceRun extends ChangeSince {
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
  /** Where the rubric that judged is explained; `null`: this service does not have its text. */
  readonly rubricPath: RubricPath | null
}

/** The pages of a rubric: of the one in force there is one for each criterion, of an earlier version one for all. */
export interface RubricPath {
  readonly whole: string
  readonly of: (criterion: string) => string
}

export const RUBRIC_IN_FORCE: RubricPath = { whole: "/rubric", of: (criterion) => `/rubric/${criterion}` }

export const versionPath = (version: string): RubricPath => ({
  whole: `/rubric/${version}`,
  of: (criterion) => `/rubric/${version}#${criterion}`
})
