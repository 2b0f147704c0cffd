import { CallToolResult } from "effect/ai/McpSchema"
import { encodeReport } from "../../engine/audit/Report.ts"
import type { AuditRun, Refused } from "./Audits.ts"
import { reportText, siteText } from "./SiteText.ts"
import type { ReportFormat } from "./ToolSchemas.ts"

/** What a tool answers about a run: text for a reader and, unless it is an error, the same as structured content. */
export const answerOf = (run: AuditRun, format: ReportFormat): CallToolResult => {
  switch (run.status) {
    case "done":
      return reportOf(run, format)
    case "error":
      return failure({ code: run.code ?? "unreachable", message: siteText(run.message), advice: FAILED_ADVICE, retryAfter: null, runId: run.runId, shareUrl: null })
    case "pending":
    case "running":
      return underWay(run)
  }
}

type Done = Extract<AuditRun, { readonly status: "done" }>
type UnderWay = Extract<AuditRun, { readonly status: "pending" | "running" }>

const FAILED_ADVICE = "Check the address and that it can be reached from the public network without a login, then call audit again."

const reportOf = ({ report, runId }: Done, format: ReportFormat): CallToolResult => {
  const text = format === "json" ? encodeReport(report) : reportText(report)
  return new CallToolResult({
    content: [{ type: "text", text }],
    structuredContent: { run_id: runId, status: "done", total_score: report.total_score, report: format === "json" ? report : text }
  })
}

const underWay = ({ progress: { done, total }, runId, status, url }: UnderWay): CallToolResult => {
  const next = `Call get_report with run_id ${runId}; it waits for the report. Do not call audit again for this address.`
  return new CallToolResult({
    content: [{ type: "text", text: `The audit of ${url} is ${status === "pending" ? "waiting for its turn" : "under way"}. ${next}` }],
    structuredContent: { run_id: runId, status, progress: { done, total }, next }
  })
}

/** A refusal as a tool error: the code, the wait, what to do, and the run to read instead. */
export const refusal = ({ advice, code, message, retryAfter, runId }: Refused): CallToolResult =>
  failure({ code, message, advice, retryAfter, runId, shareUrl: runId === null ? null : `/r/${runId}` })

interface Failure {
  readonly code: string
  readonly message: string
  readonly advice: string
  /** Whole seconds; `null` where waiting does not help. */
  readonly retryAfter: number | null
  readonly runId: string | null
  /** The report's page for people, on this service. */
  readonly shareUrl: string | null
}

/**
 * A tool error has text only. SDK v1 checks structured content of errors against the tool's output schema, too, and
 * throws where it does not fit, so that the agent would never see the refusal.
 */
const failure = ({ advice, code, message, retryAfter, runId, shareUrl }: Failure): CallToolResult =>
  new CallToolResult({
    isError: true,
    content: [{
      type: "text",
      text: [
        `Error ${code}: ${message}`,
        ...(retryAfter === null ? [] : [`Wait ${retryAfter} s before asking again.`]),
        advice,
        ...(runId === null ? [] : [`run_id: ${runId}`]),
        ...(shareUrl === null ? [] : [`share_url: ${shareUrl}`])
      ].join("\n")
    }]
  })
