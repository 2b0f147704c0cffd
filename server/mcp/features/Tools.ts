import { type CallToolResult, McpRequestContext, Tool } from "effect/ai/McpSchema"
import { McpServer } from "effect/ai/McpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { allCriteria, type AuditReport } from "../../../engine/audit/Report.ts"
import { leftOutOf } from "../../../engine/audit/Target.ts"
import { inlineCode } from "../../../engine/text/MarkupText.ts"
import { type AuditRun, Audits, type CallProgress, type ToolRefusal, toolRefusal } from "../audits/Audits.ts"
import { siteText } from "./SiteText.ts"
import {
  AuditInput,
  criterionResult,
  decodeInput,
  inputSchemaOf,
  outputSchema,
  planResult,
  refusal,
  ReportInput,
  type ResultEnding,
  toolResult
} from "./ToolResult.ts"

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
const leftOutNote = (baseUrl: string): Pick<ResultEnding, "note"> => {
  const { fragment, query } = leftOutOf(baseUrl)
  const left = query + fragment
  return left === "" ? {} : { note: `Not part of the audit: ${inlineCode(left)} of base_url.` }
}

export const registerAuditTool = Effect.gen(function* () {
  const server = yield* McpServer
  const audits = yield* Audits

  const audit = Effect.fn("mcp.audit")(function* (
    payload: unknown
  ): Effect.fn.Return<CallToolResult, ToolRefusal, McpRequestContext> {
    const { base_url, format = "markdown" } = yield* decodeInput(AuditInput, payload)
    const reports = yield* progressNotifications(server)
    const run = yield* audits.start(base_url)
    return toolResult(yield* finishedRun(run, reports), format, { pageOf: audits.pageOf, ...leftOutNote(base_url) })
  })

  const finishedRun = (
    run: AuditRun,
    { finish, tell }: ProgressNotifications
  ): Effect.Effect<AuditRun, ToolRefusal> => {
    if (run.status === "done" || run.status === "error") return Effect.succeed(run)
    return audits.watch(run.runId, tell).pipe(
      Effect.tap((over) => (over.status === "done" ? finish : Effect.void)),
      Effect.timeoutOption(WAIT),
      Effect.flatMap(Option.match({ onNone: () => audits.find(run.runId), onSome: Effect.succeed })),
      Effect.onInterrupt(() => audits.abandon(run.runId))
    )
  }

  yield* server.addTool({
    tool: auditTool(audits.limits),
    annotations: Context.empty(),
    handle: (payload) =>
      Effect.catchTag(audit(payload), "ToolRefusal", (refused) => Effect.succeed(refusal(refused, audits)))
  })
})

/** A call waits this long for a running audit, so that agents need not poll in a loop. */
const REPORT_WAIT = "25 seconds"

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
        ? planResult(run, yield* Effect.mapError(audits.plan(run.runId), fenced), audits)
        : toolResult(run, "markdown", audits)
    if (criterion === undefined || run.status !== "done") return toolResult(run, format, audits)
    return criterionResult(run, format, criterion, audits) ?? (yield* unknownCriterion(run.report, criterion))
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
      Effect.timeoutOption(REPORT_WAIT),
      // What it was before the wait is no longer true.
      Effect.flatMap(Option.match({ onNone: () => audits.find(run.runId), onSome: Effect.succeed }))
    )
    return yield* resultOf(over, asked)
  })

  yield* server.addTool({
    tool,
    annotations: Context.empty(),
    handle: (payload) =>
      Effect.catchTag(report(payload), "ToolRefusal", (refused) => Effect.succeed(refusal(refused, audits)))
  })
})

const tokenOf = Schema.decodeUnknownOption(
  Schema.Struct({ progressToken: Schema.Union([Schema.String, Schema.Number]) })
)

/** Progress notifications to the client that sent the current request; none unless it asked for them. */
interface ProgressNotifications {
  /** Sends the progress of the audit if it is further than in the last notification. */
  readonly tell: (progress: CallProgress) => Effect.Effect<void>
  /** Sends that the audit is done: a fast one can finish between two polls. */
  readonly finish: Effect.Effect<void>
}

const progressNotifications = Effect.fnUntraced(function* (
  server: McpServer["Service"]
): Effect.fn.Return<ProgressNotifications, never, McpRequestContext> {
  const { requestMetadata } = yield* McpRequestContext
  const asked = tokenOf(requestMetadata)
  let last = -1
  let lastTotal = 0

  const tell = ({ done, message, total }: CallProgress): Effect.Effect<void> => {
    if (Option.isNone(asked) || done <= last) return Effect.void
    last = done
    lastTotal = total
    const { progressToken } = asked.value
    return server.notifications["notifications/progress"]({
      progressToken,
      progress: done,
      ...(total === 0 ? {} : { total }),
      message
    })
  }

  return {
    tell,
    finish: Effect.suspend(() => {
      const all = lastTotal === 0 ? Math.max(last, 0) + 1 : lastTotal
      return tell({ done: all, total: all, message: "done" })
    })
  }
})
