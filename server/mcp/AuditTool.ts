import { type CallToolResult, type McpRequestContext, Tool } from "effect/ai/McpSchema"
import { McpServer } from "effect/ai/McpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Audits, type AuditRun, type Refused } from "./Audits.ts"
import { progressReports, type ProgressReports } from "./ProgressReports.ts"
import { answerOf, refusal } from "./ToolAnswer.ts"
import { decodeInput } from "./ToolInput.ts"
import { AuditInput, inputSchemaOf, outputSchema } from "./ToolSchemas.ts"

/** Clients give up on a call after 60 seconds unless they are told otherwise. */
const PATIENCE = "50 seconds"

const toolUnder = (limits: string): Tool => new Tool({
  name: "audit",
  title: "Audit API documentation",
  description: [
    "Scores how ready a public API documentation site is for AI agents: 30 criteria, 100 points, each with HTTP evidence and a remedy.",
    "Use it when someone asks how good, findable or agent-friendly a documentation is, or what to mend in it.",
    "Takes 10 to 30 seconds, reports progress, and answers with the report: Markdown whose first line holds the score as N/100.",
    "If it takes longer, the answer has status running and a run_id for get_report.",
    limits,
    "Example: {\"base_url\": \"https://docs.example.com\"}."
  ].join(" "),
  inputSchema: inputSchemaOf(AuditInput),
  outputSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }
})

/** Registers the tool `audit`. */
export const registerAuditTool = Effect.gen(function*() {
  const server = yield* McpServer
  const audits = yield* Audits

  const audit = Effect.fn("mcp.audit")(function*(payload: unknown): Effect.fn.Return<CallToolResult, Refused, McpRequestContext> {
    const { base_url, format = "markdown" } = yield* decodeInput(AuditInput, payload)
    const reports = yield* progressReports(server)
    const run = yield* audits.start(base_url)
    return answerOf(yield* ended(run, reports), format)
  })

  const ended = (run: AuditRun, { finish, tell }: ProgressReports): Effect.Effect<AuditRun, Refused> => {
    if (run.status === "done" || run.status === "error") return Effect.succeed(run)
    return audits.watch(run.runId, tell).pipe(
      Effect.tap((over) => (over.status === "done" ? finish : Effect.void)),
      Effect.timeoutOption(PATIENCE),
      Effect.map(Option.getOrElse(() => run)),
      Effect.onInterrupt(() => audits.abandon(run.runId))
    )
  }

  yield* server.addTool({
    tool: toolUnder(audits.limits),
    annotations: Context.empty(),
    handle: (payload) => Effect.catchTag(audit(payload), "Refused", (refused) => Effect.succeed(refusal(refused)))
  })
})
