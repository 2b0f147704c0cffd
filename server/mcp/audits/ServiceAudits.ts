import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Client } from "../../../engine/limit/ClientAddress.ts"
import type { LimitDecision, LimitRefusal } from "../../../engine/limit/LimitDecision.ts"
import { Limits } from "../../../engine/limit/Limits.ts"
import { sharedKey } from "../../../engine/limit/LimitSettings.ts"
import type { QueueFull } from "../../../engine/schedule/Admission.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { isRunId, type Run } from "../../../engine/store/runs/Run.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import type { BadRequest, Unprocessable } from "../../api/Errors.ts"
import { type FinishedRun, FinishedRuns, sharePath } from "../../audits/FinishedRuns.ts"
import { queueFullMessage, refusalMessage } from "../../audits/RefusalMessages.ts"
import { Submissions } from "../../audits/Submissions.ts"
import { Targets } from "../../audits/Targets.ts"
import { addresses } from "../../config/Settings.ts"
import { BUSY_SECONDS, type FixesError, type NoFixes, RunFixes } from "../../fixes/RunFixes.ts"
import {
  type AuditRun,
  Audits,
  type CallProgress,
  notFound,
  type RunPlan,
  type ToolRefusal,
  toolRefusal
} from "./Audits.ts"

/** How long a call waits for a plan; clients time out after 60 seconds by default. */
const PLAN_PATIENCE = "45 seconds"

/** How often the progress of a watched run is read. */
const POLL_INTERVAL = "1 second"

/**
 * Audits by the service, with the rules of the HTTP API, counted for the grant and, at a multiple of each rate, for the
 * client's network.
 */
export const serviceAudits: Layer.Layer<
  Audits,
  Config.ConfigError,
  Limits | RunStore | RunHistory | RunFixes | Submissions | Targets | FinishedRuns
> = Layer.effect(
  Audits,
  Effect.gen(function* () {
    const limits = yield* Limits
    const [store, history] = [yield* RunStore, yield* RunHistory]
    const submissions = yield* Submissions
    const finishedRuns = yield* FinishedRuns
    const targets = yield* Targets
    const fixes = yield* RunFixes
    const { base } = yield* addresses

    const caller = Effect.flatMap(McpCaller, (known): Effect.Effect<Caller> =>
      known === null ? Effect.die(new Error("a message has no caller")) : Effect.succeed(known)
    )

    const done = (finished: FinishedRun): Effect.Effect<AuditRun> =>
      Effect.map(finishedRuns.read(finished), (report) => ({
        status: "done",
        runId: finished.id,
        url: report.base_url,
        report
      }))

    const tell = Effect.fnUntraced(function* (run: Run): Effect.fn.Return<AuditRun, StoreUnavailable> {
      const finished = run.status === "done" ? yield* finishedRuns.get(run.id) : null
      return finished === null ? withoutReport(run) : yield* done(finished)
    })

    const findRun = Effect.fnUntraced(function* (runId: string): Effect.fn.Return<Run, ToolRefusal | StoreUnavailable> {
      const run = isRunId(runId) ? yield* store.find(runId) : null
      return run === null ? yield* notFound(runId) : run
    })

    /** The newest report on a site, for callers that reached a limit. */
    const existing = Effect.fnUntraced(function* (baseUrl: string) {
      const {
        run: { site }
      } = yield* targets.read(baseUrl)
      return (yield* history.newest(site))?.id ?? null
    })

    const start = Effect.fnUntraced(function* (baseUrl: string) {
      const submitted = yield* submissions.submit(baseUrl, yield* caller)
      if (submitted._tag === "Refusal")
        return yield* refusedBy(submitted, submitted.runId ?? (yield* existing(baseUrl)))
      if (submitted._tag === "Report") return yield* done(submitted.finished)
      return yield* tell(yield* findRun(submitted.runId))
    })

    const find = Effect.fnUntraced(function* (runId: string) {
      for (const client of yield* caller) yield* allowed(limits.poll(client))
      return yield* tell(yield* findRun(runId))
    })

    const watch = Effect.fnUntraced(function* (runId: string, report: (progress: CallProgress) => Effect.Effect<void>) {
      const looking = Effect.flatMap(store.find(runId), (run) =>
        run === null ? Effect.void : report(progressOf(run))
      ).pipe(Effect.andThen(Effect.sleep(POLL_INTERVAL)), Effect.forever)
      const outcome = yield* Effect.raceFirst(submissions.outcome(runId), looking)
      return outcome._tag === "Report" ? yield* done(outcome.finished) : withoutReport(outcome.run)
    })

    const plan = Effect.fnUntraced(
      function* (runId: string): Effect.fn.Return<RunPlan, ToolRefusal | FixesError> {
        const run = yield* findRun(runId)
        const made = yield* Effect.timeoutOption(fixes.get(run, yield* caller), PLAN_PATIENCE)
        if (Option.isNone(made)) return yield* stillMaking
        return {
          plan: made.value.plan,
          zip: made.value.plan.files.length === 0 ? null : `${base}/r/${run.id}/fixes.zip`
        }
      },
      (plan, runId) =>
        Effect.catchTags(plan, {
          NoFixes: (reason) => Effect.fail(reason.reason === "deleted" ? notFound(runId) : noPlan(reason)),
          FixesLimited: ({ refusal }) => Effect.fail(refusedBy(refusal, null))
        })
    )

    return {
      limits:
        "The same URL is audited at most once in 10 minutes; an error says how long to wait and which report to read instead.",
      pageOf: (runId) => `${base}${sharePath(runId)}`,
      start: (baseUrl) => refusing(start(baseUrl)),
      find: (runId) => refusing(find(runId)),
      plan: (runId) => refusing(plan(runId)),
      watch: (runId, report) => refusing(watch(runId, report)),
      // Others may wait for the run, and its quota is already used.
      abandon: () => Effect.void
    }
  })
)

const progressOf = ({ progress: { done, total }, status }: Run): CallProgress => ({
  done,
  total,
  message:
    status === "pending"
      ? "waiting in the queue"
      : done === 0
        ? "reading the site"
        : `${done} of ${total} criteria measured`
})

const withoutReport = (run: Run): AuditRun => {
  const { error, id, status, url } = run
  return status === "error"
    ? { status, runId: id, url, code: error?.code ?? null, message: error?.message ?? "The audit failed." }
    : { status: status === "pending" ? "pending" : "running", runId: id, url, progress: progressOf(run) }
}

const allowed = <R>(
  verdict: Effect.Effect<LimitDecision, StoreUnavailable, R>
): Effect.Effect<void, ToolRefusal | StoreUnavailable, R> =>
  Effect.flatMap(verdict, (verdict) =>
    verdict._tag === "Refusal" ? Effect.fail(refusedBy(verdict, null)) : Effect.void
  )

const refusedBy = (refusal: LimitRefusal, runId: string | null): ToolRefusal => {
  const advice =
    runId === null
      ? "After that, call the tool again once."
      : "Call get_report with the run_id below; do not call audit again before that time."
  return toolRefusal(refusal.code, refusalMessage(refusal), advice, refusal.retryAfter, runId)
}

const stillMaking = Effect.fail(
  toolRefusal(
    "unavailable",
    "The plan is still being made.",
    `Call get_report with format plan again in ${BUSY_SECONDS} seconds.`,
    BUSY_SECONDS
  )
)

const noPlan = ({ advice, message, reason }: NoFixes): ToolRefusal =>
  toolRefusal(PLAN_CODES[reason], message, advice, reason === "busy" ? BUSY_SECONDS : null)

const PLAN_CODES: Readonly<Record<NoFixes["reason"], string>> = {
  no_archive: "no_archive",
  unusable: "no_plan",
  internal: "internal",
  busy: "unavailable",
  deleted: "not_found"
}

/** Errors of the contract as tool refusals, which a model can read. */
const refusing = <A>(
  effect: Effect.Effect<A, ToolRefusal | BadRequest | Unprocessable | StoreUnavailable | QueueFull>
): Effect.Effect<A, ToolRefusal> =>
  Effect.catchTags(effect, {
    BadRequest: ({ code, error }) =>
      Effect.fail(
        toolRefusal(
          code ?? "invalid_base_url",
          error,
          "Call audit with the https:// URL of a public documentation site."
        )
      ),
    Unprocessable: ({ code, error }) =>
      Effect.fail(
        toolRefusal(code ?? "unreachable", error, "Check that the URL is right and is reachable from the internet.")
      ),
    QueueFull: (reason) =>
      Effect.fail(
        toolRefusal(
          "unavailable",
          queueFullMessage(reason),
          "get_report still reads earlier reports.",
          reason.retryAfter
        )
      ),
    StoreUnavailable: (reason) =>
      Effect.andThen(
        Effect.logWarning("the store is unavailable", reason),
        Effect.fail(
          toolRefusal(
            "unavailable",
            "The service is not available at the moment.",
            "Call the tool again in 5 seconds.",
            5
          )
        )
      )
  })

/**
 * The keys that a message counts for: its grant (one authorization, usually of one user) and, with a multiple of each limit,
 * the client's network, because the users of a hosted assistant share its IP addresses. The client id is not a key: anyone
 * can register any number of clients, and all users of a program may share one.
 *
 * Rate limits check the grant first, so that an exhausted grant takes nothing from its network. Limits by network (the site
 * quota, fairness in the queue) check the network first.
 */
export type Caller = readonly [Client, Client]

/** The caller of the current message; `null` on standard input. */
export const McpCaller = Context.Reference<Caller | null>("docgauge/server/mcp/McpCaller", { defaultValue: () => null })

/** The caller with this grant and IP address. */
export const callerOf = (grant: string, { address, network }: Client, networkFactor: number): Caller => {
  const grantKey = `mcp grant ${grant}`
  const networkKey = sharedKey(networkFactor, `mcp ${network}`)
  return [
    { address, rateKey: grantKey, network: networkKey },
    { address, rateKey: networkKey, network: grantKey }
  ]
}
