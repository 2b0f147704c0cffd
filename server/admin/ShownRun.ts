import type { ManagedRun as StoredRun } from "../../engine/store/operators/Moderation.ts"
import type { ManagedRunBody } from "./api/RunsGroup.ts"

/** A run in the form of the admin API. */
export const shownRun = ({ begunAt, hidden, run, worker }: StoredRun): ManagedRunBody => ({
  run_id: run.id,
  status: run.status,
  base_url: run.url,
  site: run.site,
  domain: run.domain,
  started_at: run.startedAt,
  begun_at: begunAt,
  finished_at: run.finishedAt,
  as_agents: run.asAgents,
  attempts: run.attempts,
  worker,
  total_score: run.totalScore,
  reliable: run.reliable,
  error: run.error?.message ?? null,
  hidden
})
