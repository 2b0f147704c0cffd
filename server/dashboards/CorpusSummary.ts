import type { CorpusSummary as StoredSummary, SiteSummary as StoredSite } from "../../engine/store/corpus/Corpus.ts"
import type { CorpusSummaryBody, SiteSummaryBody } from "../api/Corpus.ts"

/** The summary of the corpus in the fields of the contract. */
export const corpusSummary = ({ averageScore, latestRunAt, runs, sites }: StoredSummary): CorpusSummaryBody => ({
  sites,
  runs,
  avg_score: averageScore,
  latest_run_at: latestRunAt
})

/** A site of the corpus in the fields of the contract. */
export const siteSummary = (stored: StoredSite): SiteSummaryBody => ({
  base_url: stored.site,
  canonical_url: stored.url,
  reliable: stored.reliable,
  run_count: stored.runCount,
  latest_run_at: stored.latestRunAt,
  first_run_at: stored.firstRunAt,
  latest_score: stored.latestScore,
  best_score: stored.bestScore,
  worst_score: stored.worstScore,
  avg_score: stored.averageScore
})
