import { enumerated } from "../plugin/Wording.ts"
import { hoursOf, USUAL_EFFORT } from "../rubric/definition/Rubric.ts"
import type { AuditReport, CriterionResult } from "./Report.ts"

/** A criterion to fix, with those that cannot earn before it does. */
export interface Fix {
  readonly criterion: CriterionResult
  /** Criteria that are blocked by this one, in the rubric's order. */
  readonly includes: ReadonlyArray<CriterionResult>
  /** Points to gain: the criterion's own and those of what it includes. */
  readonly gain: number
}

/** What to do about a report: the one order in which every surface shows it. */
export interface FixList {
  /** Best first: points of its own over effort, then points to gain, then in the rubric's order. */
  readonly fixes: ReadonlyArray<Fix>
  /** Nothing is known of these, so nothing is advised. */
  readonly notChecked: ReadonlyArray<CriterionResult>
  readonly notApplicable: ReadonlyArray<CriterionResult>
}

/** How many fixes a surface shows at length. */
export const FIRST_FIXES = 5

/** Points that a criterion's own steps gain, whatever it opens. */
export const ownGain = ({ max, score }: CriterionResult): number => max - score

const worth = ({ criterion }: Fix): number => ownGain(criterion) / hoursOf(criterion.remedy?.effort ?? USUAL_EFFORT)

/** Sorts the criteria with points to gain into fixes, those that could not be checked, and those that do not apply. */
export const fixList = ({ criteria }: Pick<AuditReport, "criteria">): FixList => {
  const lost = criteria.filter((criterion) => ownGain(criterion) > 0)
  const rootOf = rootsIn(lost)
  const standingOf = (criterion: CriterionResult): "fix" | "notChecked" | "notApplicable" => {
    const root = rootOf(criterion)
    if (criterion.status === "inconclusive" || root.status === "inconclusive") return "notChecked"
    return isApplicable(criterion) && isApplicable(root) ? "fix" : "notApplicable"
  }
  const toFix = lost.filter((criterion) => standingOf(criterion) === "fix")
  const fixes = toFix
    .filter((criterion) => rootOf(criterion) === criterion)
    .map((criterion): Fix => {
      const includes = toFix.filter((other) => other !== criterion && rootOf(other) === criterion)
      return { criterion, includes, gain: [criterion, ...includes].reduce((sum, each) => sum + ownGain(each), 0) }
    })
  return {
    fixes: fixes.sort((one, other) => worth(other) - worth(one) || other.gain - one.gain),
    notChecked: lost.filter((criterion) => standingOf(criterion) === "notChecked"),
    notApplicable: lost.filter((criterion) => standingOf(criterion) === "notApplicable")
  }
}

/** What a short report tells of the criteria on trial: those that could be met better, and wait for no other. */
export const trialsToTell = ({ experimental }: Pick<AuditReport, "experimental">): ReadonlyArray<CriterionResult> =>
  experimental.filter(
    ({ blocked_by: blockedBy = [], status }) => (status === "absent" || status === "partial") && blockedBy.length === 0
  )

/** Reports from before version 2 of the rubric do not say; then everything applies. */
export const isApplicable = ({ applicable }: CriterionResult): boolean => applicable !== false

/** The criteria that only limits of ours left open: their points are neither earned nor lost. */
export const openByOurLimit = <R extends Pick<CriterionResult, "reason">>(
  criteria: ReadonlyArray<R>
): ReadonlyArray<R> => criteria.filter(({ reason }) => reason === "our_limit")

export const openPoints = (criteria: ReadonlyArray<Pick<CriterionResult, "max" | "reason">>): number =>
  openByOurLimit(criteria).reduce((sum, { max }) => sum + max, 0)

/** The criterion that has to be fixed first of those that block each other; a criterion that nothing blocks is its own. */
const rootsIn = (criteria: ReadonlyArray<CriterionResult>) => {
  const known = new Map(criteria.map((criterion) => [criterion.id, criterion]))
  return (criterion: CriterionResult): CriterionResult => {
    const seen = new Set<string>()
    let root = criterion
    while (!seen.has(root.id)) {
      seen.add(root.id)
      root = known.get(root.blocked_by?.[0] ?? "") ?? root
    }
    return root
  }
}

/** `+2`, or `+2, opens up to +22` where other criteria can earn only then. */
export const gainText = (fix: Fix): string => {
  const own = `+${ownGain(fix.criterion)}`
  return fix.includes.length === 0 ? own : `${own}, opens up to +${openedGain(fix)}`
}

/** Points that other criteria can earn only after this fix. */
export const openedGain = ({ criterion, gain }: Fix): number => gain - ownGain(criterion)

/** Which criteria have to wait for this fix; empty if none has to. */
export const includesText = ({ includes }: Fix): string =>
  includes.length === 0
    ? ""
    : `Do this first: ${enumerated(includes.map(({ id }) => id))} ${includes.length === 1 ? "depends" : "depend"} on it.`
