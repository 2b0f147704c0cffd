import { counted, enumerated } from "../../plugin/Wording.ts"
import { plainText } from "../../text/PlainText.ts"
import type { AuditReport, CriterionResult } from "../Report.ts"

type Result = Pick<CriterionResult, "id" | "max" | "reason">

/** The criteria that only limits of ours left open: their points are neither earned nor lost. */
const openByOurLimit = <R extends Result>(criteria: ReadonlyArray<R>): ReadonlyArray<R> =>
  criteria.filter(({ reason }) => reason === "our_limit")

export const openPoints = (criteria: ReadonlyArray<Result>): number =>
  openByOurLimit(criteria).reduce((sum, { max }) => sum + max, 0)

/** `D5 and D7 (5 points) are open because of limits of ours: nothing is lost, and the score may be higher.`; empty if none are. */
export const openText = ({ criteria }: Pick<AuditReport, "criteria">): string => {
  const open = openByOurLimit(criteria)
  return open.length === 0
    ? ""
    : `${enumerated(open.map(({ id }) => plainText(id, 20)))} (${counted(openPoints(criteria), "point")}) ${open.length === 1 ? "is" : "are"} open because of it: that says nothing against the site.`
}
