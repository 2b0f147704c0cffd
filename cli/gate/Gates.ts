import { openPoints, isApplicable } from "../../engine/audit/FixFirst.ts"
import { counted, grouped } from "../../engine/plugin/Wording.ts"
import type { AuditReport, CriterionStatus } from "../../engine/audit/Report.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { ExitCode } from "../io/CliFailure.ts"
import {
  acrossMajorsText,
  type BaselineChange,
  baselineChange,
  baselineChangeText,
  lostPointsText,
  rubricsText
} from "./Baseline.ts"

/** The statuses that a goal for a criterion can ask for. */
type GoalStatus = Exclude<CriterionStatus, "inconclusive" | "absent">

/** What a report must reach. `null` and empty: no goal. */
export interface Goals {
  /** Minimum score, 0 to 100. */
  readonly score: number | null
  /** Maximum loss of points since the baseline. */
  readonly maxDrop: number | null
  /** Minimum points of a category, by its letter. */
  readonly categories: Readonly<Record<string, number>>
  /** Minimum status of a criterion, by its id. */
  readonly criteria: Readonly<Record<string, GoalStatus>>
  /** How many of the compared examples, calls, table rows and figures may be false. */
  readonly drift: number | null
  /** Whether a report that is not reliable fails: `true` also without any other goal, `false` judges the goals on it. */
  readonly requireReliable: boolean | null
}

export const NO_GOALS: Goals = {
  score: null,
  maxDrop: null,
  categories: {},
  criteria: {},
  drift: null,
  requireReliable: null
}

/** A criterion that the goals do not judge for a while. */
export interface Waiver {
  readonly criterion: string
  readonly reason: string
  /** The last day on which it holds, `YYYY-MM-DD`; `null`: it has no end. */
  readonly until: string | null
}

/** One goal, or one waiver that has expired. */
export interface GoalCheck {
  /** Such as `score at least 75`. */
  readonly goal: string
  /**
   * `unchecked`: it is met or missed depending on criteria that could not be checked. `skipped`: it says nothing, since another
   * rubric judged the baseline; this does not fail.
   */
  readonly outcome: "met" | "missed" | "unchecked" | "skipped"
  /** Why it was not met, as a sentence; `null` if it was. */
  readonly message: string | null
  /** Whether the message says what changed since the baseline. */
  readonly tellsChange?: boolean
}

/** Whether a report meets its goals. */
export interface GateResult {
  /** Of goals and expired waivers; of expired waivers alone if the goals could not be judged. */
  readonly checks: ReadonlyArray<GoalCheck>
  /** Why the goals could not be judged; `null` if they could. A score that is not reliable neither reaches a goal nor misses it. */
  readonly unreliable: string | null
  /** `null` without a baseline. */
  readonly change: BaselineChange | null
  /** The waivers that hold, by criterion. */
  readonly waived: ReadonlyMap<string, Waiver>
}

/** How a gate fails: its exit code and a sentence for each reason. */
interface GateFailure {
  readonly code: typeof ExitCode.belowTarget | typeof ExitCode.notReliable
  readonly messages: ReadonlyArray<string>
}

/** Why the gate fails; `null` if it does not. A missed goal outweighs one that could not be checked, and a report that is not reliable both. */
export const gateFailure = ({ checks, unreliable }: GateResult): GateFailure | null => {
  const messages = [
    ...(unreliable === null ? [] : [unreliable]),
    ...checks.flatMap(({ message, outcome }) => (outcome === "skipped" ? [] : (message ?? [])))
  ]
  if (messages.length === 0) return null
  const isMissed = unreliable === null && checks.some(({ outcome }) => outcome === "missed")
  return { code: isMissed ? ExitCode.belowTarget : ExitCode.notReliable, messages }
}

/** What else to say about the baseline: lost points and another rubric; `null` if there are none, a goal's message says so already, or the reports cannot be compared. */
export const changeNote = ({ change, checks, unreliable }: GateResult): string | null => {
  if (change === null || unreliable !== null || checks.some(({ tellsChange }) => tellsChange === true)) return null
  if (!change.compares) return baselineChangeText(change)
  return change.lost.length === 0 && change.rubrics === null ? null : baselineChangeText(change)
}

/** Which waivers forgive points where all goals are met, because the score is lower than that looks; `null` if none does. */
const forgivingWaivers = (gate: GateResult, { criteria }: AuditReport): string | null => {
  if (gateFailure(gate) !== null || gate.checks.length === 0) return null
  const used = criteria.flatMap(({ id, max, score }) => {
    const waiver = gate.waived.get(id)
    if (waiver === undefined || score === max) return []
    return [
      `${plainText(id, 20)} (${counted(max - score, "point")}${waiver.until === null ? "" : `, until ${waiver.until}`})`
    ]
  })
  return used.length === 0 ? null : used.join(", ")
}

/** What a file for readers says above the report: the change since the baseline, and the waivers that forgive points. */
export const gateNotes = (
  report: AuditReport,
  gate: GateResult
): ReadonlyArray<{ readonly title: string; readonly text: string }> => {
  const waivers = forgivingWaivers(gate, report)
  return [
    ...(gate.change === null ? [] : [{ title: "Since the baseline", text: baselineChangeText(gate.change) }]),
    ...(waivers === null ? [] : [{ title: "Goals met with waivers", text: `${waivers}.` }])
  ]
}

export const waiversNote = (gate: GateResult, report: AuditReport): string | null => {
  const waivers = forgivingWaivers(gate, report)
  return waivers === null ? null : `the goals are met with waivers: ${waivers}.`
}

/** Judges a report by its goals. A waiver changes this result, never the score. */
export const judgeGoals = (
  report: AuditReport,
  baseline: AuditReport | null,
  goals: Goals,
  waivers: ReadonlyArray<Waiver> = []
): GateResult => {
  const change = baseline === null ? null : baselineChange(report, baseline)
  const holding = waivers.filter(({ until }) => until === null || until >= report.audit_date)
  const waived = new Map(holding.map((waiver) => [waiver.criterion, waiver]))
  const unreliable = unreliableBecause(report, baseline, goals)
  const goalChecks =
    unreliable !== null
      ? []
      : [
          ...(goals.requireReliable === true ? [met("report is reliable")] : []),
          ...scoreCheck(report, goals, waived),
          ...(baseline === null || change === null ? [] : dropCheck(report, baseline, change, goals, waived)),
          ...categoryChecks(report, goals, waived),
          ...criterionChecks(report, goals, waived),
          ...driftCheck(report, goals)
        ]
  const checks = [...goalChecks, ...waivers.filter((waiver) => !holding.includes(waiver)).map(expired)]
  return { checks, unreliable, change, waived }
}

const unreliableBecause = (
  { reliability, total_score: score }: AuditReport,
  baseline: AuditReport | null,
  goals: Goals
): string | null => {
  if (goals.requireReliable === false || !hasGoal(goals)) return null
  if (!reliability.reliable)
    return `the report is not reliable: the score is at least ${score}. Its warnings say what could not be checked; audit again once it can be.`
  if (goals.maxDrop === null || baseline === null || baseline.reliability.reliable) return null
  return "the baseline is not reliable, so nothing can be compared with it. Use a reliable report."
}

const hasGoal = ({ categories, criteria, drift, maxDrop, requireReliable, score }: Goals): boolean =>
  requireReliable === true ||
  score !== null ||
  maxDrop !== null ||
  drift !== null ||
  Object.keys(categories).length + Object.keys(criteria).length > 0

type Waived = GateResult["waived"]
type Criteria = AuditReport["criteria"]

const met = (goal: string): GoalCheck => ({ goal, outcome: "met", message: null })
const missed = (goal: string, message: string): GoalCheck => ({ goal, outcome: "missed", message })
const unchecked = (goal: string, message: string): GoalCheck => ({
  goal,
  outcome: "unchecked",
  message: `${message} ${ADVICE}`
})

/** A folder cannot show what a server answers. */
const ADVICE =
  "Audit again where all of this can be checked (a folder does not show what a server answers), or waive what cannot."

const expired = ({ criterion, reason, until }: Waiver): GoalCheck =>
  missed(
    `waiver of ${criterion} until ${until}`,
    `the waiver of ${criterion} expired on ${until}: ${reason.replace(/\.$/, "")}. Fix ${criterion}, or give the waiver a later date.`
  )

const missingPoints = (criteria: Criteria): number => criteria.reduce((sum, { max, score }) => sum + max - score, 0)

/** Points of these criteria that waivers forgive. */
const forgiven = (criteria: Criteria, waived: Waived): number =>
  missingPoints(criteria.filter(({ id }) => waived.has(id)))

/** Points of these criteria that limits of ours left open. A goal is missed only if the score misses it with them. */
const leftOpen = (criteria: Criteria, waived: Waived): number =>
  openPoints(criteria.filter(({ id }) => !waived.has(id)))

/** The criteria that could not be checked and are not waived: their points are between none and all. */
const open = (criteria: Criteria, waived: Waived): Criteria =>
  criteria.filter(({ id, reason, status }) => status === "inconclusive" && reason === undefined && !waived.has(id))

const idsText = (criteria: Criteria): string => criteria.map(({ id }) => plainText(id, 20)).join(", ")

const withMore = (forgiven: number, open: number): string => {
  const more = [
    ...(forgiven === 0 ? [] : [`${forgiven} more with the waivers`]),
    ...(open === 0 ? [] : [`at most ${open} more with what limits of ours left open`])
  ]
  return more.length === 0 ? "" : ` (${more.join(", ")})`
}

/** Says that no fix can reach the goal; empty if one can, or the report does not say which points apply. */
const outOfReach = ({ applicable_score: applicable, criteria }: AuditReport, least: number, waived: Waived): string => {
  if (applicable === undefined) return ""
  const most =
    applicable.max +
    forgiven(
      criteria.filter((criterion) => !isApplicable(criterion)),
      waived
    )
  return most >= least
    ? ""
    : ` Only ${counted(applicable.max, "point")} ${applicable.max === 1 ? "applies" : "apply"} to this site, so no fix reaches it: set a goal of at most ${most}, or waive what does not apply.`
}

const scoreCheck = (report: AuditReport, { score: least }: Goals, waived: Waived): ReadonlyArray<GoalCheck> => {
  if (least === null) return []
  const { criteria, total_score: score } = report
  const [fromWaivers, fromLimits] = [forgiven(criteria, waived), leftOpen(criteria, waived)]
  const extra = fromWaivers + fromLimits
  const left = open(criteria, waived)
  const points = missingPoints(left)
  const goal = `score at least ${least}`
  const is = `the score is ${score}${withMore(fromWaivers, fromLimits)}`
  if (score + extra >= least) return [met(goal)]
  if (score + extra + points < least)
    return [missed(goal, `${is}, below the goal of ${least}.${outOfReach(report, least, waived)}`)]
  return [
    unchecked(
      goal,
      `${is}, and ${counted(points, "more point")} could not be checked (${idsText(left)}), so it is not known whether it reaches the goal of ${least}.`
    )
  ]
}

const categoryChecks = (
  { categories, criteria }: AuditReport,
  goals: Goals,
  waived: Waived
): ReadonlyArray<GoalCheck> =>
  Object.entries(goals.categories).map(([letter, least]) => {
    const goal = `category ${letter} at least ${least}`
    const category = Object.entries(categories).find(([key]) => key.startsWith(`${letter}_`))?.[1]
    if (category === undefined) return missed(goal, `the rubric has no category ${letter}.`)
    const { max, score, title } = category
    const own = criteria.filter(({ id }) => id.startsWith(letter))
    const [fromWaivers, fromLimits] = [forgiven(own, waived), leftOpen(own, waived)]
    const extra = fromWaivers + fromLimits
    const left = open(own, waived)
    const points = missingPoints(left)
    const has = `category ${letter} ${title} has ${score} of ${max} points${withMore(fromWaivers, fromLimits)}`
    if (score + extra >= least) return met(goal)
    if (score + extra + points < least) return missed(goal, `${has}, below the goal of ${least}.`)
    return unchecked(
      goal,
      `${has}, and ${points} more could not be checked (${idsText(left)}), so it is not known whether it reaches the goal of ${least}.`
    )
  })

const RANK = { absent: 0, partial: 1, present: 2 } as const

const criterionChecks = (
  { criteria, experimental }: AuditReport,
  goals: Goals,
  waived: Waived
): ReadonlyArray<GoalCheck> =>
  Object.entries(goals.criteria).map(([id, least]) => {
    const goal = `${id} ${least}`
    const found = [...criteria, ...experimental].find((criterion) => criterion.id === id)
    if (found === undefined) return missed(goal, `the rubric has no criterion ${id}.`)
    const { reason, status, summary, title } = found
    if (waived.has(id) || reason !== undefined) return met(goal)
    if (status === "inconclusive")
      return {
        goal,
        outcome: "unchecked",
        message: `${id} could not be checked, and the goal is ${least}. ${summary} If it cannot be checked here, waive ${id}.`
      }
    return RANK[status] >= RANK[least]
      ? met(goal)
      : missed(goal, `${id} (${title}) is ${status}, and the goal is ${least}. ${summary}`)
  })

/** A report of an older version has no drift. */
const driftCheck = ({ base_url: url, drift }: AuditReport, { drift: most }: Goals): ReadonlyArray<GoalCheck> => {
  if (most === null) return []
  const goal = `drift at most ${most}`
  if (drift === undefined) return [unchecked(goal, "the report does not say what of the documentation is false.")]
  if (drift.false <= most) return [met(goal)]
  const [first] = drift.findings
  const example = first === undefined ? "" : ` ${first.message}`
  return [
    missed(
      goal,
      `${grouped(drift.false)} of ${grouped(drift.compared)} compared examples, calls, table rows and figures ${drift.false === 1 ? "is" : "are"} false, and the goal is at most ${most}.${example} To list all, run docgauge drift ${plainText(url, 200)}`
    )
  ]
}

const dropCheck = (
  report: AuditReport,
  baseline: AuditReport,
  change: BaselineChange,
  { maxDrop }: Goals,
  waived: Waived
): ReadonlyArray<GoalCheck> => {
  const { lost, rubrics } = change
  if (maxDrop === null) return []
  if (!change.compares)
    return [
      {
        goal: `score dropped by at most ${maxDrop}`,
        outcome: "skipped",
        message: `the drop was not judged: ${acrossMajorsText(change)}`
      }
    ]
  const [openNow, openBefore] = [open(report.criteria, waived), open(baseline.criteria, waived)]
  const unknownNow = without(openNow, openBefore)
  const unknownBefore = without(openBefore, openNow)
  const drop =
    baseline.total_score +
    forgiven(baseline.criteria, waived) -
    report.total_score -
    forgiven(report.criteria, waived) -
    leftOpen(report.criteria, waived)
  const goal = `score dropped by at most ${maxDrop}`
  if (drop + missingPoints(unknownBefore) <= maxDrop) return [met(goal)]
  if (drop - missingPoints(unknownNow) > maxDrop) {
    const otherRubric = rubrics === null ? "" : `\n${rubricsText(rubrics)}`
    const fallen = lost.filter(({ id }) => !waived.has(id))
    const criteria = fallen.length === 0 ? "" : `\nLost points: ${lostPointsText(fallen)}.`
    return [
      {
        ...missed(
          goal,
          `the score dropped by ${drop}, from ${baseline.total_score} to ${report.total_score}; the goal allows a drop of ${maxDrop}.${otherRubric}${criteria}`
        ),
        tellsChange: true
      }
    ]
  }
  const ids = idsText([...unknownNow, ...unknownBefore])
  return [
    unchecked(
      goal,
      `the score was ${baseline.total_score} in the baseline and is ${report.total_score} now, and ${ids} could be checked in only one of them, so it is not known whether it dropped by more than ${maxDrop}.`
    )
  ]
}

/** What neither report could check says nothing about a drop. */
const without = (criteria: Criteria, others: Criteria): Criteria =>
  criteria.filter(({ id }) => !others.some((other) => other.id === id))
