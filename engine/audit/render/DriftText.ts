import type { DriftFinding } from "../../drift/Drift.ts"
import { grouped } from "../../criterion/Wording.ts"
import type { AuditReport } from "../Report.ts"

/** `312 compared, 3 false, 41 not compared`; empty where nothing was compared. */
export const driftCounts = ({ drift }: Pick<AuditReport, "drift">): string => {
  if (drift === undefined || drift.compared === 0) return ""
  return [
    `${grouped(drift.compared)} compared`,
    `${drift.false === 0 ? "none" : grouped(drift.false)} false`,
    ...(drift.not_compared === 0 ? [] : [`${grouped(drift.not_compared)} not compared`])
  ].join(", ")
}

/** The counts as a sentence of a report; empty where nothing was compared. */
export const driftSentence = (report: Pick<AuditReport, "drift">): string => {
  const counts = driftCounts(report)
  return counts === "" ? "" : `Documentation against API description: ${counts}.`
}

/** The findings that no criterion has among its own. */
export const driftBesides = ({
  criteria,
  drift,
  experimental
}: Pick<AuditReport, "criteria" | "drift" | "experimental">): ReadonlyArray<DriftFinding> => {
  const told = new Set(
    [...criteria, ...experimental].flatMap(({ findings = [], summary }) => [
      summary,
      ...findings.map(({ note }) => note)
    ])
  )
  return (drift?.findings ?? []).filter(({ message }) => !told.has(message))
}
