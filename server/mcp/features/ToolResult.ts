import { CallToolResult } from "effect/ai/McpSchema"
import type { DriftReport } from "../../../engine/drift/Drift.ts"
import { type AuditRun, type RunPlan, toolRefusal, type ToolRefusal } from "../audits/Audits.ts"
import { allCriteria, citedBy, criterionText } from "./CriterionText.ts"
import { JSON_NOTE, planText, reportText, siteJson, siteText } from "./SiteText.ts"
import type { ToolReportFormat } from "./ToolSchemas.ts"

/** The result of a tool for a run: text for a reader and, unless it is an error, the same as structured content. */
export const toolResult = (run: AuditRun, format: ToolReportFormat): CallToolResult => {
  switch (run.status) {
    case "done":
      return reportOf(run, format)
    case "error":
      return refusal(
        toolRefusal(run.code ?? "unreachable", siteText(run.message), FAILED_ADVICE, null, run.runId),
        false
      )
    case "pending":
    case "running":
      return underWay(run)
  }
}

export type Done = Extract<AuditRun, { readonly status: "done" }>
type UnderWay = Extract<AuditRun, { readonly status: "pending" | "running" }>

const FAILED_ADVICE =
  "Check that the URL is right and is reachable from the internet without a login, then call audit again."

const reportOf = ({ report, runId }: Done, format: ToolReportFormat): CallToolResult => {
  // Requests and responses would double its length; get_report returns them for each criterion.
  const { drift, exchanges: _, ...short } = report
  return format === "json"
    ? finishedJson({ report, runId }, { ...short, ...(drift === undefined ? {} : { drift: shortDrift(drift) }) })
    : finishedText({ report, runId }, reportText(report))
}

/** Findings of drift in a tool's JSON; the page of the report has all. */
const DRIFT_FINDINGS = 10

const shortDrift = ({ findings, findings_left_out: leftOut = 0, ...counts }: DriftReport): DriftReport => {
  const more = leftOut + Math.max(0, findings.length - DRIFT_FINDINGS)
  return {
    ...counts,
    findings: findings.slice(0, DRIFT_FINDINGS),
    ...(more === 0 ? {} : { findings_left_out: more })
  }
}

/** One criterion of a report with the exchanges that it cites; `null` if the report has no such criterion. */
export const criterionResult = (
  { report, runId }: Done,
  format: ToolReportFormat,
  id: string
): CallToolResult | null => {
  const criterion = allCriteria(report).find((one) => one.id === id.toUpperCase())
  if (criterion === undefined) return null
  const part = { criterion, exchanges: citedBy(criterion, report).map(([index, exchange]) => ({ index, ...exchange })) }
  return format === "json"
    ? finishedJson({ report, runId }, part)
    : finishedText({ report, runId }, criterionText(criterion, report))
}

/** The plan to raise the score of a run. */
export const planResult = (run: Done, plan: RunPlan): CallToolResult => finishedText(run, planText(plan))

type Finished = Pick<Done, "report" | "runId">

/** Fenced Markdown, which is the structured content's report, too. */
const finishedText = (run: Finished, text: string): CallToolResult =>
  new CallToolResult({ content: [{ type: "text", text }], structuredContent: { ...structured(run), report: text } })

const finishedJson = (run: Finished, report: object): CallToolResult =>
  new CallToolResult({
    content: [{ type: "text", text: siteJson(report) }],
    structuredContent: { ...structured(run), note: JSON_NOTE, report }
  })

const structured = ({ report, runId }: Finished) =>
  ({ run_id: runId, status: "done", total_score: report.total_score, reliable: report.reliability.reliable }) as const

const underWay = ({ progress: { done, total }, runId, status, url }: UnderWay): CallToolResult => {
  const next = `Call get_report with run_id ${runId}; it waits for the report. Do not call audit again for this URL.`
  return new CallToolResult({
    content: [
      {
        type: "text",
        text: `The audit of ${url} is ${status === "pending" ? "waiting in the queue" : "running"}. ${next}`
      }
    ],
    structuredContent: { run_id: runId, status, progress: { done, total }, next }
  })
}

/**
 * A refusal as a tool error: the code, the wait, the next step, and the run to read instead; `hasPage`: with the path of its page on this
 * service. A tool error has text only. SDK v1 also checks structured content of errors against the tool's output schema, and throws
 * if it does not match, so that the agent would never see the error.
 */
export const refusal = ({ advice, code, message, retryAfter, runId }: ToolRefusal, hasPage = true): CallToolResult =>
  new CallToolResult({
    isError: true,
    content: [
      {
        type: "text",
        text: [
          `Error ${code}: ${message}`,
          ...(retryAfter === null ? [] : [`Wait ${retryAfter} s before the next call.`]),
          advice,
          ...(runId === null ? [] : [`run_id: ${runId}`]),
          ...(runId === null || !hasPage ? [] : [`share_url: /r/${runId}`])
        ].join("\n")
      }
    ]
  })
