import type { AuditReport } from "../../engine/audit/Report.ts"
import { type LostPoints, lostPoints, lostPointsText } from "./Baseline.ts"
import type { Goals, Waiver } from "./Goals.ts"

/** How a report stands against its goals. */
export interface GateResult {
  /** Goals that were missed, each as a clause, and waivers that have expired. */
  readonly missed: ReadonlyArray<string>
  /** Why the goals could not be judged; `null` if they could. A score that is not reliable neither reaches a goal nor misses it. */
  readonly unreliable: string | null
  /** Criteria that lost points since the baseline. */
  readonly lost: ReadonlyArray<LostPoints>
}

/** Judges a report by its goals. A waiver changes this result, never the score. */
export const judgeGoals = (
  report: AuditReport,
  baseline: AuditReport | null,
  goals: Goals,
  waivers: ReadonlyArray<Waiver> = []
): GateResult => {
  const lost = baseline === null ? [] : lostPoints(report, baseline)
  const unreliable = unreliableBecause(report, baseline, goals)
  if (unreliable !== null) return { missed: [], unreliable, lost }
  const holding = waivers.filter(({ until }) => until === null || until >= report.audit_date)
  const waived = new Set(holding.map(({ criterion }) => criterion))
  return {
    missed: [
      ...waivers.filter((waiver) => !holding.includes(waiver)).map(expired),
      ...missedScore(report, goals, waived),
      ...missedCategories(report, goals, waived),
      ...missedCriteria(report, goals, waived),
      ...(baseline === null ? [] : missedDrop(report, baseline, goals, waived))
    ],
    unreliable: null,
    lost
  }
}

const unreliableBecause = ({ reliability, total_score: score }: AuditReport, baseline: AuditReport | null, goals: Goals): string | null => {
  if (goals.requireReliable === false || !hasGoal(goals)) return null
  if (!reliability.reliable) return `the report is not reliable: the score is at least ${score}. Its warnings say what could not be checked; audit again once it can be.`
  if (goals.maxDrop === null || baseline === null || baseline.reliability.reliable) return null
  return "the baseline is not reliable, so nothing can be compared with it. Use a reliable report."
}

const hasGoal = ({ categories, criteria, maxDrop, requireReliable, score }: Goals): boolean =>
  requireReliable === true || score !== null || maxDrop !== null || Object.keys(categories).length + Object.keys(criteria).length > 0

const expired = ({ criterion, reason, until }: Waiver): string =>
  `the waiver of ${criterion} expired on ${until}: ${reason.replace(/\.$/, "")}. Fix ${criterion}, or give the waiver a later date.`

/** Points of these criteria that a waiver forgives. */
const forgiven = (criteria: AuditReport["criteria"], waived: ReadonlySet<string>): number =>
  criteria.reduce((sum, { id, max, score }) => sum + (waived.has(id) ? max - score : 0), 0)

const withWaivers = (points: number): string => points === 0 ? "" : ` (${points} more with the waivers)`

const missedScore = ({ criteria, total_score: score }: AuditReport, goals: Goals, waived: ReadonlySet<string>): ReadonlyArray<string> => {
  const extra = forgiven(criteria, waived)
  return goals.score === null || score + extra >= goals.score ? [] : [`the score is ${score}${withWaivers(extra)}, below the goal of ${goals.score}.`]
}

const missedCategories = ({ categories, criteria }: AuditReport, goals: Goals, waived: ReadonlySet<string>): ReadonlyArray<string> =>
  Object.entries(goals.categories).flatMap(([letter, least]) => {
    const [key, category] = Object.entries(categories).find(([key]) => key.startsWith(`${letter}_`)) ?? []
    if (key === undefined || category === undefined) return [`the rubric has no category ${letter}.`]
    const extra = forgiven(criteria.filter(({ id }) => id.startsWith(letter)), waived)
    return category.score + extra >= least ? [] : [`category ${letter} ${category.title} has ${category.score} of ${category.max} points${withWaivers(extra)}, below the goal of ${least}.`]
  })

const RANK = { absent: 0, inconclusive: 0, partial: 1, present: 2 } as const

const missedCriteria = ({ criteria, experimental }: AuditReport, goals: Goals, waived: ReadonlySet<string>): ReadonlyArray<string> =>
  Object.entries(goals.criteria).flatMap(([id, least]) => {
    if (waived.has(id)) return []
    const found = [...criteria, ...experimental].find((criterion) => criterion.id === id)
    if (found === undefined) return [`the rubric has no criterion ${id}.`]
    return RANK[found.status] >= RANK[least] ? [] : [`${id} ${found.title} is ${found.status}, and the goal is ${least}. ${found.summary}`]
  })

const missedDrop = (report: AuditReport, baseline: AuditReport, { maxDrop }: Goals, waived: ReadonlySet<string>): ReadonlyArray<string> => {
  if (maxDrop === null) return []
  const [before, after] = [baseline, report].map(({ criteria, total_score: score }) => score + forgiven(criteria, waived))
  const drop = (before ?? 0) - (after ?? 0)
  if (drop <= maxDrop) return []
  const fallen = lostPoints(report, baseline).filter(({ id }) => !waived.has(id))
  const criteria = fallen.length === 0 ? "" : `\nLost points: ${lostPointsText(fallen)}.`
  return [`the score dropped by ${drop}, from ${baseline.total_score} to ${report.total_score}; the goal allows a drop of ${maxDrop}.${criteria}`]
}
