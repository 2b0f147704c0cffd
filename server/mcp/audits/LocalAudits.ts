import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { plainForm } from "../../../engine/evidence/Address.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { parseTarget, type TargetRules } from "../../../engine/audit/Target.ts"
import type { PlanSummary } from "../../../engine/fix/plan/PlanSummary.ts"
import type { NotFixed } from "../../../engine/schedule/Fixer.ts"
import { shellUrl } from "../../../engine/text/PlainText.ts"
import {
  type CallProgress,
  type AuditRun,
  Audits,
  notFound,
  refusedTarget,
  toolRefusal,
  type ToolRefusal
} from "./Audits.ts"

/** A report, and what can be made from its archive. */
export interface AuditedReport {
  readonly report: AuditReport
  readonly plan: Effect.Effect<PlanSummary, NotFixed>
  /** Deletes the archive. */
  readonly forget: Effect.Effect<void>
}

/** Audits one URL and reports progress. Fails with a stable code if no report is possible. */
export type LocalAuditor = (
  url: string,
  tell: (progress: CallProgress) => void
) => Effect.Effect<AuditedReport, { readonly code: string; readonly message: string }>

interface LocalAuditsOptions extends TargetRules {
  /** Loaded for the first audit: loading it at start would delay the answer to `initialize`. */
  readonly auditor: Effect.Effect<LocalAuditor>
}

/** Runs kept in memory; the oldest finished runs are dropped first. */
const MAX_RUNS = 32

/** Concurrent audits in `docgauge mcp`; further audits wait. */
export const LOCAL_AUDITS_AT_ONCE = 2

/** How often watchers get the progress. */
const PROGRESS_INTERVAL = "500 millis"

interface Entry {
  run: AuditRun
  /** `null` unless the run is done. */
  made: AuditedReport | null
  /** The making of its plan, which continues if a call is cancelled; `null` if there is none, or the last one failed. */
  plan: Fiber.Fiber<PlanSummary, NotFixed> | null
  readonly over: Deferred.Deferred<void>
  /** Number of requests for the audit that are not cancelled. */
  requests: number
  fiber: Fiber.Fiber<void> | null
}

/** Audits of `docgauge mcp`: no account, no limits, nothing kept after the process ends. A request for a running audit joins it. */
export const localAudits = (options: LocalAuditsOptions): Layer.Layer<Audits> =>
  Layer.effect(
    Audits,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const scope = yield* Effect.scope
      const slots = Semaphore.makeUnsafe(LOCAL_AUDITS_AT_ONCE)
      const entries = new Map<string, Entry>()

      const entryOf = (runId: string): Effect.Effect<Entry, ToolRefusal> => {
        const entry = entries.get(runId.toLowerCase())
        return entry === undefined ? Effect.fail(notFound(runId)) : Effect.succeed(entry)
      }

      const runAudit = Effect.fnUntraced(function* (entry: Entry, url: string) {
        const { runId } = entry.run
        const auditor = yield* options.auditor
        entry.run = { status: "running", runId, url, progress: STARTING }
        const tell = (progress: CallProgress): void => {
          entry.run = { status: "running", runId, url, progress }
        }
        entry.run = yield* auditor(url, tell).pipe(
          Effect.map((made): AuditRun => {
            entry.made = made
            return { status: "done", runId, url, report: made.report }
          }),
          Effect.catch(({ code, message }) => Effect.succeed<AuditRun>({ status: "error", runId, url, code, message }))
        )
      })

      const launch = Effect.fnUntraced(function* (url: string): Effect.fn.Return<Entry> {
        const runId = yield* random.uuidV7()
        const entry: Entry = {
          run: { status: "pending", runId, url, progress: WAITING },
          made: null,
          plan: null,
          over: yield* Deferred.make<void>(),
          requests: 0,
          fiber: null
        }
        entries.set(runId, entry)
        yield* dropOldest(entries)
        const work = slots.withPermit(runAudit(entry, url)).pipe(
          Effect.onExit((exit) => {
            if (exit._tag === "Failure") entry.run = { status: "error", runId, url, ...CANCELLED }
            return Deferred.succeed(entry.over, undefined)
          })
        )
        entry.fiber = yield* Effect.forkIn(work, scope)
        return entry
      })

      const start = Effect.fnUntraced(function* (baseUrl: string): Effect.fn.Return<AuditRun, ToolRefusal> {
        const target = parseTarget(baseUrl, options)
        if (Result.isFailure(target)) return yield* refusedTarget(baseUrl, target.failure)
        const joined = [...entries.values()].find(
          ({ run }) => plainForm(run.url) === plainForm(target.success) && isUnderWay(run)
        )
        const entry = joined ?? (yield* launch(target.success))
        entry.requests += 1
        return entry.run
      })

      const watch = Effect.fnUntraced(function* (
        runId: string,
        tell: (progress: CallProgress) => Effect.Effect<void>
      ): Effect.fn.Return<AuditRun, ToolRefusal> {
        const entry = yield* entryOf(runId)
        const reporting = Effect.suspend(() => (isUnderWay(entry.run) ? tell(entry.run.progress) : Effect.void)).pipe(
          Effect.andThen(Effect.sleep(PROGRESS_INTERVAL)),
          Effect.forever
        )
        yield* Effect.raceFirst(Deferred.await(entry.over), reporting)
        return entry.run
      })

      const abandon = Effect.fnUntraced(function* (runId: string) {
        const entry = entries.get(runId)
        if (entry === undefined || !isUnderWay(entry.run)) return
        entry.requests -= 1
        if (entry.requests <= 0 && entry.fiber !== null) yield* Fiber.interrupt(entry.fiber)
      })

      const plan = Effect.fnUntraced(function* (runId: string) {
        const entry = yield* entryOf(runId)
        const { made, run } = entry
        if (made === null) return yield* notFound(runId)
        const making =
          entry.plan ??
          (yield* Effect.forkIn(
            Effect.onError(made.plan, () =>
              Effect.sync(() => {
                entry.plan = null
              })
            ),
            scope
          ))
        entry.plan = making
        return { plan: yield* Effect.mapError(Fiber.join(making), (reason) => noPlan(run.url, reason)), zip: null }
      })

      return {
        limits: LIMITS,
        pageOf: () => null,
        start,
        watch,
        plan,
        abandon,
        find: (runId) => Effect.map(entryOf(runId), ({ run }) => run)
      }
    })
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))

const LIMITS = "The audit runs on this machine; reports are kept until the server stops."

type UnderWay = Extract<AuditRun, { readonly status: "pending" | "running" }>

const isUnderWay = (run: AuditRun): run is UnderWay => run.status === "pending" || run.status === "running"

const WAITING: CallProgress = { done: 0, total: 100, message: "waiting in the queue" }
const STARTING: CallProgress = { done: 0, total: 100, message: "reading the site" }
const CANCELLED = { code: "cancelled", message: "The audit was cancelled." } as const

const dropOldest = (entries: Map<string, Entry>): Effect.Effect<void> => {
  const over = [...entries].filter(([, { run }]) => !isUnderWay(run)).slice(0, -MAX_RUNS)
  for (const [runId] of over) entries.delete(runId)
  return Effect.forEach(over, ([, { made }]) => made?.forget ?? Effect.void, { discard: true })
}

const noPlan = (url: string, { message, reason }: NotFixed): ToolRefusal =>
  toolRefusal(
    reason === "internal" ? "internal" : "no_plan",
    message,
    `Run npx docgauge fix ${shellUrl(url)}: it makes the files from the site as it is now.`
  )
