import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { AuditReport } from "../../engine/audit/Report.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import type { Refusal, Verdict } from "../../engine/limit/Verdict.ts"
import type { Run } from "../../engine/store/Run.ts"
import { RunStore, type StoreUnavailable } from "../../engine/store/RunStore.ts"
import type { BadRequest, Unprocessable } from "../api/Errors.ts"
import { type FinishedRun, FinishedRuns } from "../http/FinishedRuns.ts"
import { tooManyRequests } from "../http/Refusals.ts"
import { Submissions } from "../http/Submissions.ts"
import { Targets } from "../http/Targets.ts"
import { Audits, type AuditProgress, type AuditRun, Refused } from "./Audits.ts"
import { type Caller, McpCaller } from "./McpCaller.ts"
import { notFound } from "./Refusals.ts"

/** How often a run that is watched is looked at. */
const LOOK_INTERVAL = "1 second"

/**
 * Audits by the service: accepted, joined, replayed and refused as over HTTP, counted for the grant and, at a multiple of
 * each rate, for the client's network.
 */
export const serviceAudits: Layer.Layer<Audits, never, Limits | RunStore | Submissions | Targets | FinishedRuns> = Layer.effect(
  Audits,
  Effect.gen(function*() {
    const limits = yield* Limits
    const store = yield* RunStore
    const submissions = yield* Submissions
    const finishedRuns = yield* FinishedRuns
    const targets = yield* Targets
    const readReport = makeReportReader()

    const caller = Effect.flatMap(McpCaller, (known): Effect.Effect<Caller> =>
      known === null ? Effect.die(new Error("a message came in that nobody sent")) : Effect.succeed(known))

    const done = (finished: FinishedRun): Effect.Effect<AuditRun> =>
      Effect.map(readReport(finished), (report) => ({ status: "done", runId: finished.id, url: report.base_url, report }))

    const tell = Effect.fnUntraced(function*(run: Run): Effect.fn.Return<AuditRun, StoreUnavailable> {
      const finished = run.status === "done" ? yield* finishedRuns.get(run.id) : null
      return finished === null ? withoutReport(run) : yield* done(finished)
    })

    const findRun = Effect.fnUntraced(function*(runId: string): Effect.fn.Return<Run, Refused | StoreUnavailable> {
      const run = UUID.test(runId) ? yield* store.find(runId) : null
      return run === null ? yield* notFound(runId) : run
    })

    /** The newest report on a site, for whoever may not have another one made. */
    const existing = Effect.fnUntraced(function*(baseUrl: string) {
      const { run: { site } } = yield* targets.read(baseUrl)
      return (yield* store.previousDone(site, END_OF_TIME))?.id ?? null
    })

    const start = Effect.fnUntraced(function*(baseUrl: string) {
      const submitted = yield* submissions.submit(baseUrl, yield* caller)
      if (submitted._tag === "Refusal") return yield* refusedBy(submitted, submitted.runId ?? (yield* existing(baseUrl)))
      if (submitted._tag === "Report") return yield* done(submitted.finished)
      return yield* tell(yield* findRun(submitted.runId))
    })

    const find = Effect.fnUntraced(function*(runId: string) {
      for (const asker of yield* caller) yield* allowed(limits.poll(asker))
      return yield* tell(yield* findRun(runId))
    })

    const watch = Effect.fnUntraced(function*(runId: string, report: (progress: AuditProgress) => Effect.Effect<void>) {
      const looking = Effect.flatMap(store.find(runId), (run) => (run === null ? Effect.void : report(progressOf(run)))).pipe(
        Effect.andThen(Effect.sleep(LOOK_INTERVAL)),
        Effect.forever
      )
      const outcome = yield* Effect.raceFirst(submissions.outcome(runId), looking)
      return outcome._tag === "Report" ? yield* done(outcome.finished) : withoutReport(outcome.run)
    })

    return {
      limits: "The same address is audited once in 10 minutes at most; an error says how long to wait and which report to read instead.",
      start: (baseUrl) => refusing(start(baseUrl)),
      find: (runId) => refusing(find(runId)),
      watch: (runId, report) => refusing(watch(runId, report)),
      // Others may wait for the run, and it has cost its quota already.
      abandon: () => Effect.void
    }
  })
)

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The reports that were asked for last, read. */
const makeReportReader = () => {
  const read = new Map<string, AuditReport>()
  const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(AuditReport))
  return ({ id, report }: FinishedRun): Effect.Effect<AuditReport> => {
    const known = read.get(id)
    if (known !== undefined) return Effect.succeed(known)
    return decode(Buffer.from(report.identity).toString()).pipe(
      Effect.orDie,
      Effect.tap((report) => Effect.sync(() => {
        read.set(id, report)
        const [oldest] = read.keys()
        if (read.size > MOST_READ && oldest !== undefined) read.delete(oldest)
      }))
    )
  }
}

const MOST_READ = 64

/** Later than any run. */
const END_OF_TIME = "2200-01-01T00:00:00Z"

const progressOf = ({ progress: { done, total }, status }: Run): AuditProgress => ({
  done,
  total,
  message: status === "pending" ? "waiting for its turn" : total === 0 ? "looking at the site" : `${done} of ${total} criteria measured`
})

const withoutReport = (run: Run): AuditRun => {
  const { error, id, status, url } = run
  return status === "error"
    ? { status, runId: id, url, code: error?.code ?? null, message: error?.message ?? "The audit failed." }
    : { status: status === "pending" ? "pending" : "running", runId: id, url, progress: progressOf(run) }
}

const allowed = <R>(verdict: Effect.Effect<Verdict, StoreUnavailable, R>): Effect.Effect<void, Refused | StoreUnavailable, R> =>
  Effect.flatMap(verdict, (verdict) => (verdict._tag === "Refusal" ? Effect.fail(refusedBy(verdict, null)) : Effect.void))

const refusedBy = (refusal: Refusal, runId: string | null): Refused =>
  new Refused({
    code: refusal.code,
    message: tooManyRequests(refusal).error,
    advice: runId === null
      ? "Wait, then call the tool again once."
      : `Call get_report with run_id ${runId} for the report that there is; do not call audit again before the wait is over.`,
    retryAfter: refusal.retryAfter,
    runId
  })

/** The errors of the contract as refusals that a model can read. */
const refusing = <A>(effect: Effect.Effect<A, Refused | BadRequest | Unprocessable | StoreUnavailable>): Effect.Effect<A, Refused> =>
  Effect.catchTags(effect, {
    BadRequest: ({ code, error }) => Effect.fail(plain(code ?? "invalid_base_url", error, "Call audit with the https address of a public documentation site.")),
    Unprocessable: ({ code, error }) => Effect.fail(plain(code ?? "unreachable", error, "Check the address, and that it can be reached from the public network.")),
    StoreUnavailable: (reason) =>
      Effect.andThen(
        Effect.logWarning("the store cannot be used", reason),
        Effect.fail(plain("unavailable", "The service cannot do it at the moment.", "Wait, then call the tool again.", 5))
      )
  })

const plain = (code: string, message: string, advice: string, retryAfter: number | null = null): Refused =>
  new Refused({ code, message, advice, retryAfter, runId: null })
