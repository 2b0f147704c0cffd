/** What is kept up of a site as its runs finish. Times are microseconds since the epoch. */
export interface SiteFigures {
  /** The address of its newest `done` run. */
  readonly url: string
  readonly runCount: number
  readonly scoreSum: number
  readonly bestScore: number
  readonly worstScore: number
  /** Of the newest `done` run. */
  readonly latestScore: number
  readonly firstRunAt: number
  readonly latestRunAt: number
}

/** A run that is done, as far as figures go. */
export interface ScoredRun {
  readonly url: string
  readonly startedAt: number
  readonly score: number
}

/** The figures with one more run, which may be older than those that are counted already. */
export const withRun = (figures: SiteFigures | null, { score, startedAt, url }: ScoredRun): SiteFigures => {
  if (figures === null) {
    return { url, runCount: 1, scoreSum: score, bestScore: score, worstScore: score, latestScore: score, firstRunAt: startedAt, latestRunAt: startedAt }
  }
  const newest = startedAt > figures.latestRunAt
  return {
    url: newest ? url : figures.url,
    runCount: figures.runCount + 1,
    scoreSum: figures.scoreSum + score,
    bestScore: Math.max(figures.bestScore, score),
    worstScore: Math.min(figures.worstScore, score),
    latestScore: newest ? score : figures.latestScore,
    firstRunAt: Math.min(figures.firstRunAt, startedAt),
    latestRunAt: Math.max(figures.latestRunAt, startedAt)
  }
}

/** The mean, rounded half up; 0 of nothing. */
export const meanScore = (sum: number, count: number): number => (count === 0 ? 0 : Math.floor((2 * sum + count) / (2 * count)))

/** The last label of the site's host, such as `dev`; `null` where the host is an IP address. */
export const tldOf = (site: string): string | null => {
  const host = /^[^/:[\]]*/.exec(site)?.[0] ?? ""
  const label = host.slice(host.lastIndexOf(".") + 1)
  return label === "" || /^\d+$/.test(label) ? null : label
}
