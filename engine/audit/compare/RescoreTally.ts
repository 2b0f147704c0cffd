import type { CriterionStatus } from "../Report.ts"
import type { CriterionChange } from "./CriterionChange.ts"
import type { CriterionStatuses, NotComparable, RescoredRun, RescoreOutcome } from "./Rescore.ts"
import { makeTrialTally, type TrialSummary } from "./TrialTally.ts"

/** What another rubric does to all runs together. */
export interface RescoreSummary {
  /** Runs judged again. */
  readonly rescored: number
  /** Of those, runs whose archive was replayed. */
  readonly replayed: number
  readonly raised: number
  readonly lowered: number
  readonly notComparable: number
  /** Of the changes of the runs judged again, in points; 0 where there is none. */
  readonly meanChange: number
  /** How many runs change by how many points; ascending. */
  readonly distribution: ReadonlyArray<{ readonly change: number; readonly runs: number }>
  /** How many runs the change of the rubric concerns, of those whose rubric is at hand. */
  readonly concerned: { readonly runs: number; readonly of: number }
  /** Reliable runs, unreliable ones and synthetic ones, each apart; without kinds that no run is of. */
  readonly groups: ReadonlyArray<GroupSummary>
  /** How many runs go from one verdict to another; the most frequent first. */
  readonly verdicts: ReadonlyArray<VerdictChange>
  /** What moves, by criterion; those that move most runs first. */
  readonly criteria: ReadonlyArray<CriterionMoves>
  /** How many runs have which status, before and after, of every criterion in the order of the rubric. */
  readonly statuses: ReadonlyArray<CriterionCounts>
  /** Why criteria change, each reason once; those that move most points first. */
  readonly reasons: ReadonlyArray<ReasonGroup>
  /** What the runs say of criteria on trial, in the order of the rubric. */
  readonly trials: ReadonlyArray<TrialSummary>
  /** The runs that change most, at most ten; those that fall first where two change alike. */
  readonly largest: ReadonlyArray<RescoredRun>
  /** The first runs that change, at most `SHOWN`. */
  readonly moved: ReadonlyArray<RescoredRun>
  /** The first runs that cannot be compared, at most `SHOWN`. */
  readonly incomparable: ReadonlyArray<NotComparable>
}

/** Runs that go from one verdict to another. */
export interface VerdictChange {
  readonly from: string
  readonly to: string
  readonly runs: number
  /** The first of them, at most `SHOWN`. */
  readonly sites: ReadonlyArray<{ readonly site: string; readonly before: number; readonly after: number }>
}

interface CriterionMoves {
  readonly id: string
  readonly title: string
  readonly raised: number
  readonly lowered: number
  /** Points over all runs. */
  readonly points: number
}

interface CriterionCounts {
  readonly id: string
  readonly title: string
  readonly before: StatusCounts
  readonly after: StatusCounts
}

type StatusCounts = Readonly<Record<CriterionStatus, number>>

/** Adds up runs as they come; what it keeps does not grow with their number. */
interface RescoreTally {
  readonly add: (outcome: RescoreOutcome) => void
  readonly summary: () => RescoreSummary
}

/** Runs that a summary lists at most. */
export const SHOWN = 100

const LARGEST = 10

export const changeOf = ({ after, before }: Pick<RescoredRun, "before" | "after">): number => after.score - before.score

export const makeTally = (): RescoreTally => {
  const distribution = new Map<number, number>()
  const verdicts = new Map<string, VerdictChange>()
  const [reliable, unreliable, synthetic] = [
    makeScoreGroup("reliable"),
    makeScoreGroup("unreliable"),
    makeScoreGroup("synthetic")
  ]
  const groupOf = (run: RescoredRun) => (run.synthetic ? synthetic : run.reliable ? reliable : unreliable)
  const reasons = makeReasonTally()
  const trials = makeTrialTally()
  const criteria = new Map<string, CriterionMoves>()
  const statuses = new Map<string, CriterionCounts>()
  const moved: Array<RescoredRun> = []
  const incomparable: Array<NotComparable> = []
  let largest: ReadonlyArray<RescoredRun> = []
  let counts = { rescored: 0, replayed: 0, notComparable: 0 }
  let concerned = { runs: 0, of: 0 }

  const add = (outcome: RescoreOutcome): void => {
    if (outcome._tag === "NotComparable") {
      counts = { ...counts, notComparable: counts.notComparable + 1 }
      if (incomparable.length < SHOWN) incomparable.push(outcome)
      return
    }
    const change = changeOf(outcome)
    counts = { ...counts, rescored: counts.rescored + 1, replayed: counts.replayed + (outcome.replayed ? 1 : 0) }
    distribution.set(change, (distribution.get(change) ?? 0) + 1)
    for (const move of outcome.moves) criteria.set(move.id, withMove(criteria.get(move.id), move))
    for (const each of outcome.statuses) statuses.set(each.id, withStatuses(statuses.get(each.id), each))
    if (outcome.concerned !== null)
      concerned = { runs: concerned.runs + (outcome.concerned ? 1 : 0), of: concerned.of + 1 }
    groupOf(outcome).add(outcome.before.score, outcome.after.score)
    reasons.add(outcome)
    trials.add(outcome.site, outcome.trials)
    addVerdict(verdicts, outcome)
    if (outcome.moves.length > 0 && moved.length < SHOWN) moved.push(outcome)
    if (change !== 0) largest = [...largest, outcome].toSorted(byChange).slice(0, LARGEST)
  }

  const summary = (): RescoreSummary => {
    const changes = [...distribution]
      .toSorted(([one], [other]) => one - other)
      .map(([change, runs]) => ({ change, runs }))
    const runs = (holds: (change: number) => boolean) =>
      changes.reduce((sum, each) => sum + (holds(each.change) ? each.runs : 0), 0)
    const points = changes.reduce((sum, each) => sum + each.change * each.runs, 0)
    return {
      ...counts,
      raised: runs((change) => change > 0),
      lowered: runs((change) => change < 0),
      meanChange: counts.rescored === 0 ? 0 : Math.round((points / counts.rescored) * 100) / 100,
      concerned,
      groups: [reliable, unreliable, synthetic].flatMap((group) => group.summary() ?? []),
      distribution: changes,
      verdicts: [...verdicts.values()].toSorted((one, other) => other.runs - one.runs),
      criteria: [...criteria.values()].toSorted(
        (one, other) => other.raised + other.lowered - one.raised - one.lowered
      ),
      statuses: [...statuses.values()],
      reasons: reasons.summary(),
      trials: trials.summary(),
      largest,
      moved,
      incomparable
    }
  }
  return { add, summary }
}

const byChange = (one: RescoredRun, other: RescoredRun): number => {
  const [left, right] = [changeOf(one), changeOf(other)]
  return Math.abs(right) - Math.abs(left) || left - right
}

const withMove = (
  sofar: CriterionMoves | undefined,
  { after, before, id, title }: RescoredRun["moves"][number]
): CriterionMoves => {
  const change = (after?.score ?? 0) - (before?.score ?? 0)
  const { lowered, points, raised } = sofar ?? { raised: 0, lowered: 0, points: 0 }
  return {
    id,
    title,
    raised: raised + (change > 0 ? 1 : 0),
    lowered: lowered + (change < 0 ? 1 : 0),
    points: points + change
  }
}

const NONE: StatusCounts = { present: 0, partial: 0, absent: 0, inconclusive: 0 }

const withStatuses = (
  sofar: CriterionCounts | undefined,
  { after, before, id, title }: CriterionStatuses
): CriterionCounts => ({
  id,
  title,
  before: before === null ? (sofar?.before ?? NONE) : plusOne(sofar?.before ?? NONE, before),
  after: plusOne(sofar?.after ?? NONE, after)
})

const plusOne = (counts: StatusCounts, status: CriterionStatus): StatusCounts => ({
  ...counts,
  [status]: counts[status] + 1
})

const addVerdict = (verdicts: Map<string, VerdictChange>, { after, before, site }: RescoredRun): void => {
  if (after.verdict === before.verdict) return
  const key = `${before.verdict}\n${after.verdict}`
  const { runs, sites } = verdicts.get(key) ?? { runs: 0, sites: [] }
  verdicts.set(key, {
    from: before.verdict,
    to: after.verdict,
    runs: runs + 1,
    sites: sites.length < SHOWN ? [...sites, { site, before: before.score, after: after.score }] : sites
  })
}

/** Runs in which a criterion changes for one and the same reason. */
export interface ReasonGroup {
  /** As it is in the first of them. */
  readonly move: CriterionChange
  readonly runs: number
  /** Points over all of them. */
  readonly points: number
  /** Whether all have the facts of the first. */
  readonly sameFacts: boolean
  /** The first sites, at most `REASON_SITES`. */
  readonly sites: ReadonlyArray<string>
}

/** Sites that a reason names at most. */
const REASON_SITES = 10

/** Reasons that are told apart at most: so many that no rubric of ours has them, and a bound on what is kept. */
const REASONS = 1_000

interface ReasonTally {
  readonly add: (run: RescoredRun) => void
  /** Those that move most points first. */
  readonly summary: () => ReadonlyArray<ReasonGroup>
}

const makeReasonTally = (): ReasonTally => {
  const groups = new Map<string, ReasonGroup>()
  return {
    add: ({ moves, site }) => {
      for (const move of moves) {
        const key = keyOf(move)
        const known = groups.get(key)
        if (known !== undefined) groups.set(key, withRun(known, move, site))
        else if (groups.size < REASONS)
          groups.set(key, { move, runs: 1, points: pointsOf(move), sameFacts: true, sites: [site] })
      }
    },
    summary: () =>
      [...groups.values()].toSorted(
        (one, other) => Math.abs(other.points) - Math.abs(one.points) || other.runs - one.runs
      )
  }
}

const pointsOf = ({ after, before }: CriterionChange): number => (after?.score ?? 0) - (before?.score ?? 0)

/** All of a change but its facts. */
const keyOf = ({ after, before, conditionAfter, conditionBefore, id, remeasured }: CriterionChange): string =>
  JSON.stringify([id, before, after, conditionBefore, conditionAfter, remeasured?.reason ?? null])

const withRun = (group: ReasonGroup, move: CriterionChange, site: string): ReasonGroup => ({
  ...group,
  runs: group.runs + 1,
  points: group.points + pointsOf(move),
  sameFacts: group.sameFacts && JSON.stringify(move.facts) === JSON.stringify(group.move.facts),
  sites: group.sites.length < REASON_SITES ? [...group.sites, site] : group.sites
})

/** How reliable the scores of runs are, and whether their sites are real: averages over different kinds say nothing. */
export type GroupKind = "reliable" | "unreliable" | "synthetic"

/** Scores that so many of 100 runs are at or below. */
export interface Quantiles {
  readonly p10: number
  readonly p25: number
  readonly p50: number
  readonly p75: number
  readonly p90: number
}

/** How the order of runs by score changes. */
interface RankChanges {
  /** Runs with another rank: one more than the number of runs with a higher score. */
  readonly changed: number
  /** Pairs of which the one that was ahead is now behind. */
  readonly inverted: number
  /** Pairs with one score before, and two now. */
  readonly tiesBroken: number
  /** Pairs with two scores before, and one now. */
  readonly tiesMade: number
}

/** The runs of one kind together. */
export interface GroupSummary {
  readonly kind: GroupKind
  readonly runs: number
  readonly raised: number
  readonly lowered: number
  /** In points, rounded to two places. */
  readonly meanChange: number
  readonly before: Quantiles
  readonly after: Quantiles
  readonly ranks: RankChanges
}

/** Runs with the same score before and the same score after. */
interface Cell {
  readonly before: number
  readonly after: number
  readonly runs: number
}

/** Counts runs by their two scores, so that what it keeps does not grow with their number. */
interface ScoreGroup {
  readonly add: (before: number, after: number) => void
  /** `null`: no run was added. */
  readonly summary: () => GroupSummary | null
}

const makeScoreGroup = (kind: GroupKind): ScoreGroup => {
  const cells = new Map<string, Cell>()
  return {
    add: (before, after) => {
      const key = `${before} ${after}`
      cells.set(key, { before, after, runs: (cells.get(key)?.runs ?? 0) + 1 })
    },
    summary: () => (cells.size === 0 ? null : summaryOf(kind, [...cells.values()]))
  }
}

const summaryOf = (kind: GroupKind, cells: ReadonlyArray<Cell>): GroupSummary => {
  const runs = runsIn(cells)
  const points = cells.reduce((sum, cell) => sum + (cell.after - cell.before) * cell.runs, 0)
  return {
    kind,
    runs,
    raised: runsIn(cells.filter(({ after, before }) => after > before)),
    lowered: runsIn(cells.filter(({ after, before }) => after < before)),
    meanChange: Math.round((points / runs) * 100) / 100,
    before: quantiles(cells.map(({ before, runs }) => ({ score: before, runs }))),
    after: quantiles(cells.map(({ after, runs }) => ({ score: after, runs }))),
    ranks: rankChanges(cells)
  }
}

const runsIn = (cells: ReadonlyArray<{ readonly runs: number }>): number =>
  cells.reduce((sum, { runs }) => sum + runs, 0)

interface Scored {
  readonly score: number
  readonly runs: number
}

const quantiles = (scores: ReadonlyArray<Scored>): Quantiles => {
  const sorted = scores.toSorted((one, other) => one.score - other.score)
  const at = (share: number) => quantile(sorted, share)
  return { p10: at(0.1), p25: at(0.25), p50: at(0.5), p75: at(0.75), p90: at(0.9) }
}

/** The lowest score that at least this share of the runs is at or below. */
const quantile = (sorted: ReadonlyArray<Scored>, share: number): number => {
  const least = Math.max(1, Math.ceil(runsIn(sorted) * share))
  let passed = 0
  for (const { runs, score } of sorted) {
    passed += runs
    if (passed >= least) return score
  }
  return 0
}

const rankChanges = (cells: ReadonlyArray<Cell>): RankChanges => {
  const above = (cell: Cell, side: "before" | "after"): number =>
    runsIn(cells.filter((other) => other[side] > cell[side]))
  const changed = runsIn(cells.filter((cell) => above(cell, "before") !== above(cell, "after")))
  const counts = { inverted: 0, tiesBroken: 0, tiesMade: 0 }
  cells.forEach((one, index) => {
    for (const other of cells.slice(index + 1)) {
      const [then, now] = [one.before - other.before, one.after - other.after]
      const pairs = one.runs * other.runs
      if (then * now < 0) counts.inverted += pairs
      else if (then === 0) counts.tiesBroken += pairs
      else if (now === 0) counts.tiesMade += pairs
    }
  })
  return { changed, ...counts }
}
