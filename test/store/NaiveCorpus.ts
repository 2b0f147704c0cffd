import type { Run } from "../../engine/store/runs/Run.ts"
import { type CriterionAdoption, OUTCOME_STATES } from "../../engine/store/corpus/OutcomeCounts.ts"
import { outcomesOf } from "./SampleRuns.ts"
import type { CorpusStatistics, CorpusSummary, SiteSummary, TopOrder } from "../../engine/store/corpus/Corpus.ts"

/**
 * The corpus computed again from all its runs, in the plainest way: what the store's kept-up figures must equal. `runs`
 * are in the order in which they were accepted.
 */
export const naiveCorpus = (runs: ReadonlyArray<Run>) => {
  const done = runs.filter(({ status }) => status === "done")
  const firstSeen = [...new Set(runs.map(({ site }) => site))]
  const sites = firstSeen.filter((site) => done.some((run) => run.site === site))
  const isReliable = (site: string): boolean => done.some((run) => run.site === site && run.reliable === true)
  /** The runs that count: the reliable ones, or all while there is none. */
  const of = (site: string, since = ""): ReadonlyArray<Run> =>
    inTime(done.filter((run) => run.site === site && run.startedAt >= since && run.reliable === isReliable(site)))
  const newest = (site: string): Run | undefined => of(site).at(-1)

  const summaryOf = (site: string, since: string): SiteSummary => {
    const counted = of(site, since)
    const scores = counted.map(scoreOf)
    return {
      site,
      latestRunId: inTime(done.filter((run) => run.site === site)).at(-1)?.id ?? null,
      url: newest(site)?.url ?? "",
      reliable: isReliable(site),
      latestScore: scoreOf(newest(site)),
      applicablePoints: 100 - inapplicable(newest(site)),
      runCount: counted.length,
      latestRunAt: counted.at(-1)?.startedAt ?? "",
      firstRunAt: counted[0]?.startedAt ?? "",
      bestScore: Math.max(...scores),
      worstScore: Math.min(...scores),
      averageScore: mean(scores)
    }
  }

  const top = (since: string, order: TopOrder, limit: number): ReadonlyArray<SiteSummary> =>
    sites
      .filter((site) => isReliable(site) && of(site, since).length > 0)
      .map((site) => ({
        site,
        score: (order === "best" ? 1 : -1) * scoreOf(newest(site)),
        reached: newest(site)?.startedAt ?? ""
      }))
      .sort(
        (one, other) =>
          other.score - one.score ||
          descending(one.reached, other.reached) ||
          firstSeen.indexOf(one.site) - firstSeen.indexOf(other.site)
      )
      .slice(0, limit)
      .map(({ site }) => summaryOf(site, since))

  const recent = (limit: number, among = sites): ReadonlyArray<SiteSummary> =>
    among
      .map((site) => summaryOf(site, ""))
      .sort(
        (one, other) =>
          descending(one.latestRunAt, other.latestRunAt) || firstSeen.indexOf(other.site) - firstSeen.indexOf(one.site)
      )
      .slice(0, limit)

  const search = (text: string, limit: number): ReadonlyArray<SiteSummary> =>
    recent(
      limit,
      sites.filter(
        (site) => text.trim() !== "" && (newest(site)?.url ?? "").toLowerCase().includes(text.trim().toLowerCase())
      )
    )

  const named = (names: ReadonlyArray<string>): ReadonlyArray<SiteSummary> =>
    sites.filter((site) => names.includes(site)).map((site) => summaryOf(site, ""))

  const counted = sites.filter(isReliable)
  const scores = counted.map((site) => scoreOf(newest(site)))
  const summary: CorpusSummary = {
    sites: sites.length,
    runs: done.length,
    averageScore: mean(scores),
    latestRunAt: inTime(done).at(-1)?.startedAt ?? null
  }
  const statistics: CorpusStatistics = {
    scores: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((ten) => ({
      from: ten * 10,
      to: ten === 9 ? 100 : ten * 10 + 9,
      count: scores.filter((score) => Math.min(9, Math.floor(score / 10)) === ten).length
    })),
    tlds: frequencies(counted.map((site) => site.replace(/\/.*/, "").split(".").at(-1) ?? "")).map(([tld, count]) => ({
      tld,
      count
    })),
    organisations: frequencies(counted.map((site) => newest(site)?.domain ?? "")).map(([organisation, count]) => ({
      organisation,
      count
    }))
  }
  return { summary, statistics, recent, top, search, named, adoption: adoptionOf(scores) }
}

/** Of sites with these newest scores. */
const adoptionOf = (scores: ReadonlyArray<number>): ReadonlyArray<CriterionAdoption> =>
  ["A1", "A2", "C10"].flatMap((id) => {
    const outcomes = scores.flatMap(outcomesOf).filter((outcome) => outcome.id === id)
    const [present = 0, partial = 0, absent = 0, inconclusive = 0, not_applicable = 0] = OUTCOME_STATES.map(
      (state) => outcomes.filter((outcome) => outcome.state === state).length
    )
    const sumOf = (part: "score" | "max") => outcomes.reduce((sum, outcome) => sum + outcome[part], 0)
    return outcomes.length === 0
      ? []
      : [
          {
            id,
            sites: { present, partial, absent, inconclusive, not_applicable },
            points: sumOf("score"),
            maxPoints: sumOf("max")
          }
        ]
  })

const inTime = (runs: ReadonlyArray<Run>): ReadonlyArray<Run> =>
  runs.toSorted((one, other) => descending(other.startedAt, one.startedAt))

const descending = (one: string, other: string): number => (one < other ? 1 : one > other ? -1 : 0)

const scoreOf = (run: Run | undefined): number => run?.totalScore ?? Number.NaN

const mean = (scores: ReadonlyArray<number>): number =>
  scores.length === 0 ? 0 : Math.round(scores.reduce((sum, score) => sum + score, 0) / scores.length)

const frequencies = (names: ReadonlyArray<string>): ReadonlyArray<readonly [string, number]> =>
  [...new Set(names)]
    .map((name) => [name, names.filter((other) => other === name).length] as const)
    .sort(([one, many], [other, more]) => more - many || descending(other, one))
    .slice(0, 50)

const inapplicable = (run: Run | undefined): number =>
  run === undefined
    ? 0
    : outcomesOf(scoreOf(run))
        .filter(({ state }) => state === "not_applicable")
        .reduce((sum, { max }) => sum + max, 0)
