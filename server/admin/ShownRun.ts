import type { ManagedRun as StoredRun } from "../../engine/store/Moderation.ts"
import type { ManagedRun } from "./api/RunsGroup.ts"

/** A run as operators see it. */
export const shownRun = ({ begunAt, hidden, run, worker }: StoredRun): ManagedRun => ({
  run_id: run.id,
  status: run.status,
  base_url: run.url,
  site: run.site,
  domain: run.domain,
  started_at: run.startedAt,
  begun_at: begunAt,
  finished_at: run.finishedAt,
  attempts: run.attempts,
  worker,
  total_score: run.totalScore,
  error: run.error?.message ?? null,
  hidden
})
