import { formatInstant } from "../database/ColumnValues.ts"
import type { SiteSummary } from "./Corpus.ts"
import { unpackOutcomes } from "./OutcomeCounts.ts"

/**
 * The figures of a site, updated as its runs finish. They count its reliable runs; all its runs while none of them is reliable.
 * Times are microseconds since the epoch.
 */
export interface SiteFigures {
  /** The counted runs are reliable. */
  readonly reliable: boolean
  /** All `done` runs, reliable or not. */
  readonly doneRuns: number
  /** The audited URL of the newest counted run. */
  readonly url: string
  readonly runCount: number
  readonly scoreSum: number
  readonly bestScore: number
  readonly worstScore: number
  /** Of the newest counted run. */
  readonly latestScore: number
  readonly firstRunAt: number
  readonly latestRunAt: number
  /** The digest of the rubric of the newest counted run. */
  readonly latestRubric: string
  /** Its packed outcomes; empty if they are not known. */
  readonly latestOutcomes: string
}

/** A `done` run: what figures are made of. */
export interface CountedRun {
  readonly url: string
  readonly startedAt: number
  readonly score: number
  readonly reliable: boolean
  /** The digest of its rubric. */
  readonly rubric: string
  /** Its packed outcomes. */
  readonly outcomes: string
}

/** The figures with one more run, which may be older than those counted before. */
export const withRun = (figures: SiteFigures | null, run: CountedRun): SiteFigures => {
  const doneRuns = (figures?.doneRuns ?? 0) + 1
  if (figures === null || (run.reliable && !figures.reliable)) return { ...figuresOfOne(run), doneRuns }
  return figures.reliable && !run.reliable ? { ...figures, doneRuns } : { ...withCounted(figures, run), doneRuns }
}

const figuresOfOne = ({
  outcomes,
  reliable,
  rubric,
  score,
  startedAt,
  url
}: CountedRun): Omit<SiteFigures, "doneRuns"> => ({
  reliable,
  url,
  runCount: 1,
  scoreSum: score,
  bestScore: score,
  worstScore: score,
  latestScore: score,
  firstRunAt: startedAt,
  latestRunAt: startedAt,
  latestRubric: rubric,
  latestOutcomes: outcomes
})

const withCounted = (figures: SiteFigures, run: CountedRun): Omit<SiteFigures, "doneRuns"> => {
  const { outcomes, rubric, score, startedAt, url } = run
  const newest = startedAt > figures.latestRunAt
  return {
    reliable: figures.reliable,
    url: newest ? url : figures.url,
    runCount: figures.runCount + 1,
    scoreSum: figures.scoreSum + score,
    bestScore: Math.max(figures.bestScore, score),
    worstScore: Math.min(figures.worstScore, score),
    latestScore: newest ? score : figures.latestScore,
    firstRunAt: Math.min(figures.firstRunAt, startedAt),
    latestRunAt: Math.max(figures.latestRunAt, startedAt),
    latestRubric: newest ? rubric : figures.latestRubric,
    latestOutcomes: newest ? outcomes : figures.latestOutcomes
  }
}

/** A site's figures, its name and its newest `done` run. */
export type NamedFigures = SiteFigures & Pick<SiteSummary, "latestRunId"> & { readonly name: string }

/** The figures as they are read. */
export const summaryOf = ({ latestRunId, name, ...figures }: NamedFigures): SiteSummary => ({
  site: name,
  latestRunId,
  url: figures.url,
  reliable: figures.reliable,
  latestScore: figures.latestScore,
  applicablePoints: 100 - inapplicablePoints(figures.latestOutcomes),
  runCount: figures.runCount,
  latestRunAt: formatInstant(figures.latestRunAt),
  firstRunAt: formatInstant(figures.firstRunAt),
  bestScore: figures.bestScore,
  worstScore: figures.worstScore,
  averageScore: meanScore(figures.scoreSum, figures.runCount)
})

const inapplicablePoints = (outcomes: string): number =>
  unpackOutcomes(outcomes).reduce((sum, { max, state }) => (state === "not_applicable" ? sum + max : sum), 0)

/** The packed outcomes that the corpus counts: those of the newest run, if it is reliable. */
export const countedOutcomes = (figures: SiteFigures | null): string =>
  figures?.reliable === true ? figures.latestOutcomes : ""

/** The newest score, if it is reliable: what statistics and leaderboards count. */
export const countedScore = (figures: SiteFigures | null): number | null =>
  figures?.reliable === true ? figures.latestScore : null

/** The mean, rounded half up; 0 of nothing. */
export const meanScore = (sum: number, count: number): number =>
  count === 0 ? 0 : Math.floor((2 * sum + count) / (2 * count))

/** The last label of the site's host, such as `dev`; `null` where the host is an IP address. */
export const tldOf = (site: string): string | null => {
  const host = /^[^/:[\]]*/.exec(site)?.[0] ?? ""
  const label = host.slice(host.lastIndexOf(".") + 1)
  return label === "" || /^\d+$/.test(label) ? null : label
}
