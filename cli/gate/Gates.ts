import type { AuditReport } from "../../engine/audit/Report.ts"
import { type LostPoints, lostPoints, lostPointsText } from "./Baseline.ts"
import type { Goals, Waiver } from "./Goals.ts"

/** One goal, or one waiver that has expired. */
export interface GoalCheck {
  /** Such as `score at least 75`. */
  readonly goal: string
  /** Why it was missed, as a sentence; `null` if it was met. */
  readonly missed: string | null
}

/** How a report stands against its goals. */
export interface GateResult {
  /** Empty if there are no goals, or if they could not be judged. */
  readonly checks: ReadonlyArray<GoalCheck>
  /** Why the goals could not be judged; `null` if they could. A score that is not reliable neither reaches a goal nor misses it. */
  readonly unreliable: string | null
  /** Criteria that lost points since the baseline. */
  readonly lost: ReadonlyArray<LostPoints>
  /** The waivers that hold, by criterion. */
  readonly waived: ReadonlyMap<string, Waiver>
}

export const missedGoals = ({ checks }: GateResult): ReadonlyArray<string> => checks.flatMap(({ missed }) => missed ?? [])

/** Judges a report by its goals. A waiver changes this result, never the score. */
export const judgeGoals = (
  report: AuditReport,
  baseline: AuditReport | null,
  goals: Goals,
  waivers: ReadonlyArray<Waiver> = []
): GateResult => {
  const lost = baseline === null ? [] : lostPoints(report, baseline)
  const holding = waivers.filter(({ until }) => until === null || until >= report.audit_date)
  const waived = new Map(holding.map((waiver) => [waiver.criterion, waiver]))
  const unreliable = unreliableBecause(report, baseline, goals)
  const checks = unreliable !== null ? [] : [
    ...(goals.requireReliable === true ? [{ goal: "report is reliable", missed: null }] : []),
    ...scoreCheck(report, goals, waived),
    ...(baseline === null ? [] : dropCheck(report, baseline, goals, waived)),
    ...categoryChecks(report, goals, waived),
    ...criterionChecks(report, goals, waived),
    ...waivers.filter((waiver) => !holding.includes(waiver)).map(expired)
  ]
  return { checks, unreliable, lost, waived }
}

const unreliableBecause = ({ reliability, total_score: score }: AuditReport, baseline: AuditReport | null, goals: Goals): string | null => {
  if (goals.requireReliable === false || !hasGoal(goals)) return null
  if (!reliability.reliable) return `the report is not reliable: the score is at least ${score}. Its warnings say what could not be checked; audit again once it can be.`
  if (goals.maxDrop === null || baseline === null || baseline.reliability.reliable) return null
  return "the baseline is not reliable, so nothing can be compared with it. Use a reliable report."
}

const hasGoal = ({ categories, criteria, maxDrop, requireReliable, score }: Goals): boolean =>
  requireReliable === true || score !== null || maxDrop !== null || Object.keys(categories).length + Object.keys(criteria).length > 0

type Waived = GateResult["waived"]

const expired = ({ criterion, reason, until }: Waiver): GoalCheck => ({
  goal: `waiver of ${criterion} until ${until}`,
  missed: `the waiver of ${criterion} expired on ${until}: ${reason.replace(/\.$/, "")}. Fix ${criterion}, or give the waiver a later date.`
})

/** Points of these criteria that waivers forgive. */
const forgiven = (criteria: AuditReport["criteria"], waived: Waived): number =>
  criteria.reduce((sum, { id, max, score }) => sum + (waived.has(id) ? max - score : 0), 0)

const withWaivers = (points: number): string => points === 0 ? "" : ` (${points} more with the waivers)`

const scoreCheck = ({ criteria, total_score: score }: AuditReport, { score: least }: Goals, waived: Waived): ReadonlyArray<GoalCheck> => {
  if (least === null) return []
  const extra = forgiven(criteria, waived)
  return [{ goal: `score at least ${least}`, missed: score + extra >= least ? null : `the score is ${score}${withWaivers(extra)}, below the goal of ${least}.` }]
}

const categoryChecks = ({ categories, criteria }: AuditReport, goals: Goals, waived: Waived): ReadonlyArray<GoalCheck> =>
  Object.entries(goals.categories).map(([letter, least]) => {
    const goal = `category ${letter} at least ${least}`
    const category = Object.entries(categories).find(([key]) => key.startsWith(`${letter}_`))?.[1]
    if (category === undefined) return { goal, missed: `the rubric has no category ${letter}.` }
    const { max, score, title } = category
    const extra = forgiven(criteria.filter(({ id }) => id.startsWith(letter)), waived)
    return { goal, missed: score + extra >= least ? null : `category ${letter} ${title} has ${score} of ${max} points${withWaivers(extra)}, below the goal of ${least}.` }
  })

const RANK = { absent: 0, inconclusive: 0, partial: 1, present: 2 } as const

const criterionChecks = ({ criteria, experimental }: AuditReport, goals: Goals, waived: Waived): ReadonlyArray<GoalCheck> =>
  Object.entries(goals.criteria).map(([id, least]) => {
    const goal = `${id} ${least}`
    const found = [...criteria, ...experimental].find((criterion) => criterion.id === id)
    if (found === undefined) return { goal, missed: `the rubric has no criterion ${id}.` }
    const isMet = waived.has(id) || RANK[found.status] >= RANK[least]
    return { goal, missed: isMet ? null : `${id} ${found.title} is ${found.status}, and the goal is ${least}. ${found.summary}` }
  })

const dropCheck = (report: AuditReport, baseline: AuditReport, { maxDrop }: Goals, waived: Waived): ReadonlyArray<GoalCheck> => {
  if (maxDrop === null) return []
  const [before, after] = [baseline, report].map(({ criteria, total_score: score }) => score + forgiven(criteria, waived))
  const drop = (before ?? 0) - (after ?? 0)
  const fallen = lostPoints(report, baseline).filter(({ id }) => !waived.has(id))
  const criteria = fallen.length === 0 ? "" : `\nLost points: ${lostPointsText(fallen)}.`
  const missed = drop <= maxDrop ? null : `the score dropped by ${drop}, from ${baseline.total_score} to ${report.total_score}; the goal allows a drop of ${maxDrop}.${criteria}`
  return [{ goal: `score dropped by at most ${maxDrop}`, missed }]
}
