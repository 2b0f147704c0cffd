import { CallToolResult, type McpRequestContext, Tool } from "effect/ai/McpSchema"
import { McpServer } from "effect/ai/McpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { leftOutOf } from "../../../engine/audit/Target.ts"
import { inlineCode } from "../../../engine/text/MarkdownText.ts"
import { Audits, type AuditRun, type ToolRefusal } from "../audits/Audits.ts"
import { progressNotifications, type ProgressNotifications } from "./ProgressNotifications.ts"
import { toolResult, refusal } from "./ToolResult.ts"
import { AuditInput, decodeInput, inputSchemaOf, outputSchema } from "./ToolSchemas.ts"

/** Clients time out after 60 seconds by default. */
const WAIT = "50 seconds"

const auditTool = (limits: string): Tool =>
  new Tool({
    name: "audit",
    title: "Audit API documentation",
    description: [
      "Scores how ready a public API documentation site is for AI agents: 30 criteria, 100 points, each with HTTP evidence and a fix.",
      "Use it when someone asks how good, findable or agent-friendly a documentation site is, or what to fix in it.",
      "Takes 10 to 30 seconds, reports progress, and returns the report: Markdown with the score as N/100 in the first line.",
      "If it takes longer, the result has status running and a run_id for get_report.",
      limits,
      'Example: {"base_url": "https://docs.example.com"}.'
    ].join(" "),
    inputSchema: inputSchemaOf(AuditInput),
    outputSchema,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }
  })

/** Says as well which query and fragment of the URL play no part. */
const withLeftOut = (result: CallToolResult, baseUrl: string): CallToolResult => {
  const { fragment, query } = leftOutOf(baseUrl)
  const left = query + fragment
  if (left === "") return result
  const { content, isError, structuredContent } = result
  const told = { type: "text", text: `Not part of the audit: ${inlineCode(left)} of base_url.` } as const
  return new CallToolResult({ content: [...content, told], isError, structuredContent })
}

/** Registers the tool `audit`. */
export const registerAuditTool = Effect.gen(function* () {
  const server = yield* McpServer
  const audits = yield* Audits

  const audit = Effect.fn("mcp.audit")(function* (
    payload: unknown
  ): Effect.fn.Return<CallToolResult, ToolRefusal, McpRequestContext> {
    const { base_url, format = "markdown" } = yield* decodeInput(AuditInput, payload)
    const reports = yield* progressNotifications(server)
    const run = yield* audits.start(base_url)
    return withLeftOut(toolResult(yield* finishedRun(run, reports), format), base_url)
  })

  const finishedRun = (
    run: AuditRun,
    { finish, tell }: ProgressNotifications
  ): Effect.Effect<AuditRun, ToolRefusal> => {
    if (run.status === "done" || run.status === "error") return Effect.succeed(run)
    return audits.watch(run.runId, tell).pipe(
      Effect.tap((over) => (over.status === "done" ? finish : Effect.void)),
      Effect.timeoutOption(WAIT),
      Effect.map(Option.getOrElse(() => run)),
      Effect.onInterrupt(() => audits.abandon(run.runId))
    )
  }

  yield* server.addTool({
    tool: auditTool(audits.limits),
    annotations: Context.empty(),
    handle: (payload) => Effect.catchTag(audit(payload), "ToolRefusal", (refused) => Effect.succeed(refusal(refused)))
  })
})
