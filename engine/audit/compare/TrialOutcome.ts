import type { FactRecord } from "../../criterion/Fact.ts"
import type { LoadedCriterion } from "../../rubric/RubricFile.ts"
import type { ReplayedRun } from "../ReplayRun.ts"
import type { CriterionStatus } from "../Report.ts"
import type { StoredReport } from "../StoredRun.ts"
import type { Rejudgement } from "./Rejudge.ts"

/** What came of a criterion on trial: a status, or why there is none that counts. */
export type TrialStatus =
  | CriterionStatus
  /** It needs an HTTP API, and nothing suggests that the site has one. */
  | "not_applicable"
  /** The run has no facts of it, and its archive has not what it asks for. */
  | "not_measured"

export interface TrialOutcome {
  readonly id: string
  readonly title: string
  readonly status: TrialStatus
  /** What it would earn if it were promoted. */
  readonly earns: number
  /** What it could earn. */
  readonly points: number
  /** `null`: not measured, or we could not check it. */
  readonly facts: FactRecord | null
}

type StoredResult = StoredReport["experimental"][number]

/** What a run says of a criterion on trial, by its stored facts or those of its replay. */
export const trialOutcome = (
  { definition: { id, points, title } }: LoadedCriterion<unknown>,
  verdict: Rejudgement,
  stored: StoredResult | undefined,
  replayed: ReplayedRun | null
): TrialOutcome => {
  if (typeof verdict !== "string") {
    const status = isInapplicable(stored) ? "not_applicable" : verdict.status
    return { id, title, points, status, earns: verdict.earns, facts: stored?.measured.facts ?? null }
  }
  const again = replayed === null || isWanting(id, replayed) ? undefined : resultIn(replayed, id)
  if (again === undefined) return { id, title, points, status: "not_measured", earns: 0, facts: null }
  const status = isInapplicable(again) ? "not_applicable" : again.status
  return { id, title, points, status, earns: again.score, facts: again.measured.facts }
}

const isInapplicable = (result: StoredResult | undefined): boolean => result?.applicable === false

/** Whether the archive lacks, or has cut, what a criterion reads. */
const isWanting = (id: string, { cut, lacking }: ReplayedRun): boolean => cut.includes(id) || lacking.has(id)

const resultIn = ({ report }: ReplayedRun, id: string): StoredResult | undefined =>
  report.experimental.find((result) => result.id === id)
