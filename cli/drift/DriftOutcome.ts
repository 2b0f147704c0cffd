import type { DriftFinding, DriftReport } from "../../engine/drift/Drift.ts"
import type { NotComparedReason } from "../../engine/drift/match/MatchCall.ts"

/** What `docgauge drift` found, for every format. */
export interface DriftOutcome {
  /** The audited URL. */
  readonly url: string
  /** The day of the run, `YYYY-MM-DD`. */
  readonly date: string
  /** Counts and all findings. */
  readonly drift: DriftReport
  /** How many false examples of the description are counted and not among the findings. */
  readonly unlisted: number
  /** The findings that the baseline does not have; all without one. */
  readonly fresh: ReadonlySet<DriftFinding>
  /** The file of `--baseline`; `null` without it. */
  readonly baseline: string | null
  /** The API description that was compared with; `null`: none was found. */
  readonly description: ComparedDescription | null
  /** The URL of what may be a description, or a better one, and could not be fetched; `null`: there is none. */
  readonly unread: string | null
  /** How many calls were not compared, for each reason. */
  readonly because: ReadonlyMap<NotComparedReason, number>
  /** By the URL of a page. */
  readonly sources: ReadonlyMap<string, PageSource>
}

export interface ComparedDescription {
  /** Its URL, or the file of `--spec` as it was given. */
  readonly place: string
  /** Whether it has HTTP operations that calls can be compared with. */
  readonly hasOperations: boolean
}

/** Where the text of a page was written. */
export interface PageSource {
  /** Its file in the repository, by its "edit this page" link; missing where none names it. */
  readonly file?: string
  /** Whether the answer is the text as it was written, so that its lines are those of the file. */
  readonly isAsWritten: boolean
  /** Of the file, where it is in the working directory and the answer was built from it. */
  readonly lines?: ReadonlyArray<string>
}

/** The findings of the baseline among all, in their order. */
export const knownFindings = ({ drift, fresh }: Pick<DriftOutcome, "drift" | "fresh">): ReadonlyArray<DriftFinding> =>
  drift.findings.filter((finding) => !fresh.has(finding))

/** `openapi.json#/paths/~1orders/get`: a place in a description. */
export const descriptionPlace = ({ pointer, url }: NonNullable<DriftFinding["description"]>): string =>
  pointer === "" ? url : `${url}#${pointer}`
