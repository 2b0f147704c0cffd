import type { Run } from "../../engine/store/runs/Run.ts"
import type { AsyncAccepted, RunBody } from "../api/Runs.ts"

/** Path of the page of a run. */
export const sharePath = (runId: string): string => `/r/${runId}`

const pollPath = (runId: string): string => `/api/public/audit/${runId}`

/** `Link` to the page of a run. */
export const shareLinkOf = (runId: string): string => `<${sharePath(runId)}>; rel="alternate"`

/** The body of a run without a report. */
export const bodyWithoutReport = (run: Run): RunBody => {
  const {
    error,
    id,
    progress: { done, total },
    startedAt,
    status,
    url
  } = run
  const common = { base_url: url, started_at: startedAt, share_url: sharePath(id) }
  return status === "error"
    ? { run_id: id, status, error: error?.message ?? "The audit failed.", ...codeOf(error?.code ?? null), ...common }
    : {
        run_id: id,
        status: status === "running" ? status : "pending",
        ...common,
        progress: { done, total },
        poll_url: pollPath(id)
      }
}

const codeOf = (code: string | null): { readonly code?: "audit_failed" | "internal" } =>
  code === "audit_failed" || code === "internal" ? { code } : {}

/** The body of a finished run around its report, which is already JSON text. */
export const bodyWithReport = (run: Run, report: string): string => {
  const { id, reliable, startedAt, totalScore, url } = run
  const head = {
    run_id: id,
    status: "done",
    total_score: totalScore,
    reliable,
    base_url: url,
    started_at: startedAt,
    share_url: sharePath(id)
  }
  return `${JSON.stringify(head).slice(0, -1)},"report":${report.trimEnd()}}\n`
}

/** The body of a 202. Always `pending`, as the contract requires, whatever the run's status. */
export const acceptedBody = (runId: string): AsyncAccepted => ({
  run_id: runId,
  status: "pending",
  poll_url: pollPath(runId),
  share_url: sharePath(runId)
})
