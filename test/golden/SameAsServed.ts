import type { AuditReport } from "../../engine/audit/Report.ts"

/** One line for each criterion that a folder's report judges otherwise than the served site's; what a folder leaves open is no difference. */
export const differencesFromServed = (served: AuditReport, folder: AuditReport): ReadonlyArray<string> =>
  folder.criteria.flatMap(({ id, score, status, summary }) => {
    const other = served.criteria.find((criterion) => criterion.id === id)
    if (status === "inconclusive" || (other?.status === status && other.score === score)) return []
    return [`${id}: ${other?.score} (${other?.summary}) as served, ${score} (${summary}) as a folder`]
  })

/** Criteria that only the folder's report leaves open. */
export const leftOpen = (served: AuditReport, folder: AuditReport): ReadonlyArray<string> =>
  folder.criteria
    .filter(
      ({ id, status }) =>
        status === "inconclusive" && served.criteria.find((criterion) => criterion.id === id)?.status !== "inconclusive"
    )
    .map(({ id }) => id)
