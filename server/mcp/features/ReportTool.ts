import { type CallToolResult, type McpRequestContext, Tool } from "effect/ai/McpSchema"
import { McpServer } from "effect/ai/McpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { Audits, type AuditRun, toolRefusal, type ToolRefusal } from "../audits/Audits.ts"
import { progressNotifications } from "./ProgressNotifications.ts"
import { allCriteria } from "./CriterionText.ts"
import { criterionResult, planResult, toolResult, refusal } from "./ToolResult.ts"
import { siteText } from "./SiteText.ts"
import { decodeInput, inputSchemaOf, outputSchema, ReportInput } from "./ToolSchemas.ts"

/** A call waits this long for a running audit, so that agents need not poll in a loop. */
const WAIT = "25 seconds"

const tool = new Tool({
  name: "get_report",
  title: "Read an audit report",
  description: [
    "Returns the report of a run by its run_id: a run that audit started, or one named in an error of audit.",
    "Use it when audit returned status running, or to read an earlier report in another format.",
    "With format plan it returns how to raise the score: files that docgauge can write, what they gain, and what is left to write; making it takes up to 30 seconds.",
    "An agent with a shell can run npx docgauge fix URL itself, which writes the files.",
    "With criterion it returns everything behind one verdict: all findings, and the requests and responses that they cite.",
    "Waits up to 25 seconds for a running audit; if the audit is not done by then, call it again.",
    'Example: {"run_id": "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b", "format": "markdown"}.'
  ].join(" "),
  inputSchema: inputSchemaOf(ReportInput),
  outputSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
})

const unknownCriterion = (report: AuditReport, criterion: string): ToolRefusal =>
  toolRefusal(
    "invalid_arguments",
    `The report has no criterion ${JSON.stringify(criterion)}.`,
    `Use one of ${allCriteria(report)
      .map(({ id }) => id)
      .join(", ")}.`
  )

/** What happened to the plan may quote the site. */
const fenced = (refused: ToolRefusal): ToolRefusal => {
  const { advice, code, message, retryAfter, runId } = refused
  return code === "no_plan" ? toolRefusal(code, siteText(message), advice, retryAfter, runId) : refused
}

const planOfCriterion = toolRefusal(
  "invalid_arguments",
  "A plan is for the whole site.",
  "Leave out criterion, or use another format."
)

type Asked = typeof ReportInput.Type

/** Registers the tool `get_report`. */
export const registerReportTool = Effect.gen(function* () {
  const server = yield* McpServer
  const audits = yield* Audits

  /** The result for a run, for one of its criteria, or its plan. */
  const resultOf = Effect.fnUntraced(function* (
    run: AuditRun,
    { criterion, format = "markdown" }: Asked
  ): Effect.fn.Return<CallToolResult, ToolRefusal> {
    if (format === "plan")
      return run.status === "done"
        ? planResult(run, yield* Effect.mapError(audits.plan(run.runId), fenced))
        : toolResult(run, "markdown")
    if (criterion === undefined || run.status !== "done") return toolResult(run, format)
    return criterionResult(run, format, criterion) ?? (yield* unknownCriterion(run.report, criterion))
  })

  const report = Effect.fn("mcp.get_report")(function* (
    payload: unknown
  ): Effect.fn.Return<CallToolResult, ToolRefusal, McpRequestContext> {
    const asked = yield* decodeInput(ReportInput, payload)
    if (asked.format === "plan" && asked.criterion !== undefined) return yield* planOfCriterion
    const run = yield* audits.find(asked.run_id)
    if (run.status === "done" || run.status === "error") return yield* resultOf(run, asked)
    const { finish, tell } = yield* progressNotifications(server)
    const over = yield* audits.watch(run.runId, tell).pipe(
      Effect.tap(({ status }) => (status === "done" ? finish : Effect.void)),
      Effect.timeoutOption(WAIT)
    )
    return yield* resultOf(
      Option.getOrElse(over, () => run),
      asked
    )
  })

  yield* server.addTool({
    tool,
    annotations: Context.empty(),
    handle: (payload) => Effect.catchTag(report(payload), "ToolRefusal", (refused) => Effect.succeed(refusal(refused)))
  })
})
