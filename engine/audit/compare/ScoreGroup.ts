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

export const makeScoreGroup = (kind: GroupKind): ScoreGroup => {
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
