import type { CriterionChange } from "./CriterionChange.ts"
import type { RescoredRun } from "./Rescore.ts"

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
export const REASON_SITES = 10

/** Reasons that are told apart at most: so many that no rubric of ours has them, and a bound on what is kept. */
const REASONS = 1_000

export interface ReasonTally {
  readonly add: (run: RescoredRun) => void
  /** Those that move most points first. */
  readonly summary: () => ReadonlyArray<ReasonGroup>
}

export const makeReasonTally = (): ReasonTally => {
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
