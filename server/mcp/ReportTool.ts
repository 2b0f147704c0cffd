import { type CallToolResult, type McpRequestContext, Tool } from "effect/ai/McpSchema"
import { McpServer } from "effect/ai/McpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Audits, type Refused } from "./Audits.ts"
import { progressReports } from "./ProgressReports.ts"
import { answerOf, refusal } from "./ToolAnswer.ts"
import { decodeInput } from "./ToolInput.ts"
import { inputSchemaOf, outputSchema, ReportInput } from "./ToolSchemas.ts"

/** A call waits this long for a run that is under way, so that agents need not poll in a loop. */
const PATIENCE = "25 seconds"

const tool = new Tool({
  name: "get_report",
  title: "Read an audit report",
  description: [
    "Fetches the report of a run by its run_id: one that audit started, or one that an error of audit names.",
    "Use it when audit answered with status running, or to read an earlier report in another format.",
    "Waits up to 25 seconds for a run that is under way; if it is not done then, call it again.",
    "Example: {\"run_id\": \"01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b\", \"format\": \"markdown\"}."
  ].join(" "),
  inputSchema: inputSchemaOf(ReportInput),
  outputSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
})

/** Registers the tool `get_report`. */
export const registerReportTool = Effect.gen(function*() {
  const server = yield* McpServer
  const audits = yield* Audits

  const report = Effect.fn("mcp.get_report")(function*(payload: unknown): Effect.fn.Return<CallToolResult, Refused, McpRequestContext> {
    const { format = "markdown", run_id } = yield* decodeInput(ReportInput, payload)
    const run = yield* audits.find(run_id)
    if (run.status === "done" || run.status === "error") return answerOf(run, format)
    const { finish, tell } = yield* progressReports(server)
    const over = yield* audits.watch(run.runId, tell).pipe(
      Effect.tap(({ status }) => (status === "done" ? finish : Effect.void)),
      Effect.timeoutOption(PATIENCE)
    )
    return answerOf(Option.getOrElse(over, () => run), format)
  })

  yield* server.addTool({
    tool,
    annotations: Context.empty(),
    handle: (payload) => Effect.catchTag(report(payload), "Refused", (refused) => Effect.succeed(refusal(refused)))
  })
})
