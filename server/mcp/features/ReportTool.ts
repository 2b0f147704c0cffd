import { type CallToolResult, type McpRequestContext, Tool } from "effect/ai/McpSchema"
import { McpServer } from "effect/ai/McpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { Audits, type AuditRun, ToolRefusal } from "../audits/Audits.ts"
import { progressNotifications } from "./ProgressNotifications.ts"
import { allCriteria } from "./CriterionText.ts"
import { criterionResult, toolResult, refusal } from "./ToolResult.ts"
import { decodeInput, inputSchemaOf, outputSchema, type ReportFormat, ReportInput } from "./ToolSchemas.ts"

/** A call waits this long for a running audit, so that agents need not poll in a loop. */
const WAIT = "25 seconds"

const tool = new Tool({
  name: "get_report",
  title: "Read an audit report",
  description: [
    "Returns the report of a run by its run_id: a run that audit started, or one named in an error of audit.",
    "Use it when audit returned status running, or to read an earlier report in another format.",
    "With criterion it returns everything behind one verdict: all findings, and the requests and responses that they cite.",
    "Waits up to 25 seconds for a running audit; if the audit is not done by then, call it again.",
    "Example: {\"run_id\": \"01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b\", \"format\": \"markdown\"}."
  ].join(" "),
  inputSchema: inputSchemaOf(ReportInput),
  outputSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
})

/** The result for a run, or for one of its criteria. */
const resultOf = (run: AuditRun, format: ReportFormat, criterion: string | undefined): Effect.Effect<CallToolResult, ToolRefusal> => {
  if (criterion === undefined || run.status !== "done") return Effect.succeed(toolResult(run, format))
  const found = criterionResult(run, format, criterion)
  return found === null ? Effect.fail(unknownCriterion(run.report, criterion)) : Effect.succeed(found)
}

const unknownCriterion = (report: AuditReport, criterion: string): ToolRefusal =>
  new ToolRefusal({
    code: "invalid_arguments",
    message: `The report has no criterion ${JSON.stringify(criterion)}.`,
    advice: `Use one of ${allCriteria(report).map(({ id }) => id).join(", ")}.`,
    retryAfter: null,
    runId: null
  })

/** Registers the tool `get_report`. */
export const registerReportTool = Effect.gen(function*() {
  const server = yield* McpServer
  const audits = yield* Audits

  const report = Effect.fn("mcp.get_report")(function*(payload: unknown): Effect.fn.Return<CallToolResult, ToolRefusal, McpRequestContext> {
    const { criterion, format = "markdown", run_id } = yield* decodeInput(ReportInput, payload)
    const run = yield* audits.find(run_id)
    if (run.status === "done" || run.status === "error") return yield* resultOf(run, format, criterion)
    const { finish, tell } = yield* progressNotifications(server)
    const over = yield* audits.watch(run.runId, tell).pipe(
      Effect.tap(({ status }) => (status === "done" ? finish : Effect.void)),
      Effect.timeoutOption(WAIT)
    )
    return yield* resultOf(Option.getOrElse(over, () => run), format, criterion)
  })

  yield* server.addTool({
    tool,
    annotations: Context.empty(),
    handle: (payload) => Effect.catchTag(report(payload), "ToolRefusal", (refused) => Effect.succeed(refusal(refused)))
  })
})
