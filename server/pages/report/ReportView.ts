import type { AuditReport } from "../../../engine/audit/Report.ts"
import type { Rubric } from "../../../engine/rubric/Rubric.ts"
import type { Run } from "../../../engine/store/Run.ts"

/** What the rubric in force says beyond what stands in a report. */
export interface RubricWords {
  /** The levels of the total; empty where the rubric in force has no level of the report's verdict. */
  readonly verdicts: Rubric["verdicts"]
  /** Why each criterion matters, by id: of those that the rubric in force has under the same title. */
  readonly why: ReadonlyMap<string, string>
}

/** A finished run of the same site. */
export interface ScoredRun {
  readonly id: string
  readonly startedAt: string
  readonly score: number
  readonly rubricDigest: string
}

/** What of a report's page may change: the report itself never does. */
export interface Surroundings {
  /** Finished runs of the site, this one among them, oldest first; this one alone where no history is kept. */
  readonly history: ReadonlyArray<ScoredRun>
  readonly hasArchive: boolean
}

/** All that the page of a finished run shows. */
export interface ReportView extends Surroundings {
  readonly run: Run
  /** Made inert: no text in it holds what is invisible or turns the direction of writing. */
  readonly report: AuditReport
  readonly words: RubricWords
  /** Versions of rubrics in the history, by digest, as far as they are known. */
  readonly versions: ReadonlyMap<string, string>
  /** The address of the service, without a trailing slash. */
  readonly base: string
}

/** What the rubric in force can say of a report. */
export const wordsFor = ({ categories, experimental = [], verdicts }: Rubric, report: AuditReport): RubricWords => {
  const titles = new Map([...report.criteria, ...report.experimental].map(({ id, title }) => [id, title]))
  const known = [...categories.flatMap(({ criteria }) => criteria), ...experimental].filter(({ id, title }) => titles.get(id) === title)
  return {
    verdicts: verdicts.some(({ word }) => word === report.verdict) ? verdicts : [],
    why: new Map(known.map(({ id, why }) => [id, why]))
  }
}
