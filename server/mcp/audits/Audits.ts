import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import type { BadTarget } from "../../../engine/audit/Target.ts"
import type { PlanSummary } from "../../../engine/fix/plan/PlanSummary.ts"

/** Progress of a run. */
export interface CallProgress {
  /** Never decreases. */
  readonly done: number
  /** Final value of `done`; 0: not known yet. */
  readonly total: number
  /** The current step, in a few words. */
  readonly message: string
}

/** A run as the tools show it. */
export type AuditRun =
  | {
      readonly status: "pending" | "running"
      readonly runId: string
      readonly url: string
      readonly progress: CallProgress
    }
  | { readonly status: "done"; readonly runId: string; readonly url: string; readonly report: AuditReport }
  | {
      readonly status: "error"
      readonly runId: string
      readonly url: string
      readonly code: string | null
      readonly message: string
    }

/** The plan to raise the score of a run. */
export interface RunPlan {
  readonly plan: PlanSummary
  /** The URL of its files as a zip; `null`: they are not for download. */
  readonly zip: string | null
}

/** A request that the service refuses. */
export class ToolRefusal extends Schema.TaggedError<ToolRefusal>()("ToolRefusal", {
  /** A stable code of the contract, such as `site_quota`. */
  code: Schema.String,
  /** What happened, and how long to wait if waiting helps. */
  message: Schema.String,
  /** What to do instead, in one sentence that repeats nothing of the message. */
  advice: Schema.String,
  /** Whole seconds to wait; `null` if waiting does not help. */
  retryAfter: Schema.NullOr(Schema.Int),
  /** The run to read instead; `null`: none. */
  runId: Schema.NullOr(Schema.String)
}) {}

/** The audits behind the tools: run from this machine (`docgauge mcp`), or by the service under its limits. */
export class Audits extends Context.Service<
  Audits,
  {
    /** The limits, as one sentence for the description of the tool. */
    readonly limits: string
    /** The URL of the page of a run; `null`: it has none. */
    readonly pageOf: (runId: string) => string | null
    /** Requests an audit; the run may already be running or done. */
    readonly start: (baseUrl: string) => Effect.Effect<AuditRun, ToolRefusal>
    /** The current state of the run; fails with `not_found` for an unknown run. Counts as one read. */
    readonly find: (runId: string) => Effect.Effect<AuditRun, ToolRefusal>
    /** Makes the plan for a finished run. The message of a `no_plan` may quote the site. */
    readonly plan: (runId: string) => Effect.Effect<RunPlan, ToolRefusal>
    /** Waits for the end of the run and reports progress. Interrupting the wait does not stop the run. */
    readonly watch: (
      runId: string,
      tell: (progress: CallProgress) => Effect.Effect<void>
    ) => Effect.Effect<AuditRun, ToolRefusal>
    /** Cancels one request for the audit. */
    readonly abandon: (runId: string) => Effect.Effect<void>
  }
>()("docgauge/server/mcp/Audits") {}

/** A refusal; unless given otherwise, waiting does not help, and there is no run to read instead. */
export const toolRefusal = (
  code: string,
  message: string,
  advice: string,
  retryAfter: number | null = null,
  runId: string | null = null
): ToolRefusal => new ToolRefusal({ code, message, advice, retryAfter, runId })

/** The run does not exist. */
export const notFound = (runId: string): ToolRefusal =>
  toolRefusal(
    "not_found",
    `There is no run ${JSON.stringify(runId)}.`,
    "Call audit with the URL of the documentation; it returns a run_id."
  )

/** The URL cannot be audited. */
export const refusedTarget = (baseUrl: string, { code, message }: BadTarget): ToolRefusal =>
  toolRefusal(code, `${JSON.stringify(baseUrl.slice(0, 200))} cannot be audited: ${message}.`, ADVICE[code])

const ADVICE: Readonly<Record<BadTarget["code"], string>> = {
  invalid_base_url: "Call audit with the URL of the documentation's first page, such as https://docs.example.com.",
  http_not_supported:
    "Call audit with the https:// URL. On your own machine, docgauge mcp --allow-http also audits http:// URLs.",
  not_public_address:
    "This server audits public sites only. On your own machine, docgauge mcp --allow-private also audits private sites."
}
