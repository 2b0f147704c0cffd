import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AuditReport } from "../../engine/audit/Report.ts"

/** How far a run is. */
export interface AuditProgress {
  /** Grows as the audit goes on. */
  readonly done: number
  /** What `done` comes to in the end; 0 where that is not known yet. */
  readonly total: number
  /** What goes on, in a few words. */
  readonly message: string
}

/** A run as the tools tell of it. */
export type AuditRun =
  | { readonly status: "pending" | "running"; readonly runId: string; readonly url: string; readonly progress: AuditProgress }
  | { readonly status: "done"; readonly runId: string; readonly url: string; readonly report: AuditReport }
  | { readonly status: "error"; readonly runId: string; readonly url: string; readonly code: string | null; readonly message: string }

/** Why the service does not do what was asked. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {
  /** A stable code of the specification, such as `site_quota`. */
  code: Schema.String,
  /** What is wrong, in one plain sentence. */
  message: Schema.String,
  /** What to do instead, in one plain sentence. */
  advice: Schema.String,
  /** Whole seconds to wait; `null` where waiting does not help. */
  retryAfter: Schema.NullOr(Schema.Int),
  /** The run to read instead; `null`: none. */
  runId: Schema.NullOr(Schema.String)
}) {}

/** Audits as the tools need them: carried out in this process (`docgauge mcp`), or by the service under its limits. */
export class Audits extends Context.Service<Audits, {
  /** What limits hold, in one sentence for the description of the tool. */
  readonly limits: string
  /** Asks for an audit; the run may be one that is under way or done already. */
  readonly start: (baseUrl: string) => Effect.Effect<AuditRun, Refused>
  /** The run as it stands; fails with `not_found` where there is none. Counts as one read. */
  readonly find: (runId: string) => Effect.Effect<AuditRun, Refused>
  /** Waits until the run is over, telling how far it is. To stop waiting does not stop the run. */
  readonly watch: (runId: string, tell: (progress: AuditProgress) => Effect.Effect<void>) => Effect.Effect<AuditRun, Refused>
  /** Whoever asked for the audit does not want it any more. */
  readonly abandon: (runId: string) => Effect.Effect<void>
}>()("docgauge/server/mcp/Audits") {}
