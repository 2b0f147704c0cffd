import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { AUDIT_REQUESTS } from "../limit/HostBudget.ts"
import type { Limits } from "../limit/Limits.ts"
import type { Run, RunError, RunProgress } from "../store/Run.ts"
import type { RunStore, StoreUnavailable } from "../store/RunStore.ts"
import type { SiteBlocks } from "../store/SiteBlocks.ts"
import type { Transactions } from "../store/Transactions.ts"
import type { ArchiveStore, Proof } from "../store/ArchiveStore.ts"
import { countDone, countExchanges, countFailed, countGathered, countRunning } from "./AuditMetrics.ts"
import type { Audited, Auditor, NotAudited } from "./Auditor.ts"
import type { Leases } from "./Leases.ts"
import { BLOCKED, BROKE_OFF, WORN_OUT } from "./Result.ts"
import { isOver, type Waiters } from "./Waiters.ts"

/** Another audit of the registrable domain is under way; this one has to wait. */
export class DomainBusy extends Schema.TaggedError<DomainBusy>()("DomainBusy", { domain: Schema.String }) {}

/** This process was away for so long that another took over. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", { domain: Schema.String }) {}

/** How often an audit is begun. */
const MOST_ATTEMPTS = 3

/** Longer than any audit can take by its own limits: whatever goes on for longer hangs. */
const LONGEST_AUDIT = "5 minutes"

const PROGRESS_INTERVAL = "500 millis"

/** A finished audit is worth a while: what became of it is written as soon as the store can take it. */
const WRITE_RETRY = Schedule.exponential("250 millis").pipe(Schedule.upTo({ duration: "1 minute" }))

interface Services {
  readonly runs: RunStore["Service"]
  readonly archives: ArchiveStore["Service"]
  readonly blocks: SiteBlocks["Service"]
  readonly limits: Limits["Service"]
  readonly transactions: Transactions["Service"]
  readonly leases: Leases["Service"]
  readonly auditor: Auditor["Service"]
  readonly waiters: Waiters
  /** How often the lease of a domain is renewed while an audit goes on, in milliseconds. */
  readonly heartbeatMs: number
}

/** Why there is no report, with the archive that proves it; none where the fault is ours. */
interface Fruitless {
  readonly error: RunError
  readonly archive: Effect.Effect<Uint8Array> | null
}

/** What is counted while an audit runs. */
interface Tally {
  progress: RunProgress | null
  requests: number
}

/**
 * Takes one run from the queue to its end. Safe to be told of a run twice, of one that is over, and of one that another
 * process died over. Interrupted, it hands the run back.
 */
export const makeRunWorker = (services: Services) => {
  const { archives, auditor, blocks, heartbeatMs, leases, limits, runs, transactions, waiters } = services

  const heartbeat = ({ domain, id }: Run) =>
    Effect.orElseSucceed(leases.renew(domain, id), () => true).pipe(
      Effect.flatMap((held) => (held ? Effect.void : Effect.fail(new LeaseLost({ domain })))),
      Effect.delay(heartbeatMs),
      Effect.forever
    )

  const keepProgress = Effect.fnUntraced(function*({ id }: Run, tally: Tally) {
    let written: RunProgress | null = null
    while (true) {
      yield* Effect.sleep(PROGRESS_INTERVAL)
      if (tally.progress === null || tally.progress === written) continue
      written = tally.progress
      // Progress that is not seen is no loss.
      yield* Effect.ignore(runs.progress(id, written))
    }
  })

  /** Every outcome but an interruption and the loss of the lease is a result. */
  const auditOnce = (run: Run, tally: Tally): Effect.Effect<Result.Result<Audited, Fruitless>, LeaseLost, Scope.Scope> => {
    const observer = {
      measured: (progress: RunProgress) => { tally.progress = progress },
      requested: (count: number) => {
        tally.requests += count
        countExchanges(count)
      }
    }
    return auditor.audit(run, observer).pipe(
      Effect.timeoutOrElse({ duration: LONGEST_AUDIT, orElse: () => Effect.die(new Error(`no end after ${LONGEST_AUDIT}`)) }),
      Effect.raceFirst(keepProgress(run, tally)),
      countRunning,
      Effect.tap(({ result }) => countGathered(result)),
      Effect.map(Result.succeed),
      Effect.catch((failed: NotAudited) =>
        Effect.as(countGathered(failed), Result.fail({ error: failed.error, archive: failed.archive }))),
      Effect.catchDefect((defect) => Effect.as(Effect.logError("audit broke off", defect), Result.fail({ error: BROKE_OFF, archive: null }))),
      Effect.raceFirst(heartbeat(run))
    )
  }

  const keepArchive = (run: Run, archive: Effect.Effect<Uint8Array>, proof: Proof) =>
    archive.pipe(
      Effect.flatMap((bytes) => archives.put({ id: run.id, site: run.site, attempt: run.attempts }, bytes, proof)),
      Effect.catchCause((cause) => Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.logWarning("archive not kept", cause))
    )

  /** A run that was deleted meanwhile leaves nothing behind. */
  const dropIfGone = (run: Run) =>
    Effect.flatMap(runs.find(run.id), (found) => found === null ? archives.remove(run) : Effect.void).pipe(
      Effect.ignore({ log: "Warn", message: "archive of a deleted run not dropped" })
    )

  /** The run is over: its end, its budget, its quota and its lease in one piece, so that no crash leaves a domain held for nobody. */
  const conclude = (run: Run, requests: number, end: Effect.Effect<void, StoreUnavailable>): Effect.Effect<void, StoreUnavailable> =>
    transactions.alone(run.domain, Effect.all([end, limits.hostBudget.settle(run.id, requests), leases.free(run.domain, run.id)], { discard: true })).pipe(
      Effect.uninterruptible,
      Effect.retry(WRITE_RETRY),
      Effect.andThen(waiters.ring(run.id))
    )

  const fail = (run: Run, requests: number, error: RunError) =>
    conclude(run, requests, Effect.andThen(runs.fail(run.id, error), limits.siteQuota.giveBack(run.id))).pipe(
      Effect.andThen(countFailed(error))
    )

  const audit = Effect.fn("RunWorker.audit")(function*(run: Run) {
    const tally: Tally = { progress: null, requests: 0 }
    const result = yield* auditOnce(run, tally)
    // What earlier attempts sent is not known; each is taken to have used what it may.
    const requests = tally.requests + AUDIT_REQUESTS * (run.attempts - 1)
    if (Result.isFailure(result)) {
      const { archive, error } = result.failure
      if (archive !== null) yield* keepArchive(run, archive, "failure")
      yield* fail(run, requests, error)
      yield* dropIfGone(run)
      return yield* Effect.logInfo(`audit failed: ${error.message}`)
    }
    yield* keepArchive(run, result.success.archive, "report")
    yield* conclude(run, requests, runs.finish(run.id, result.success.result))
    yield* dropIfGone(run)
    yield* countDone
    yield* Effect.logInfo(`audit done: ${result.success.result.totalScore} points, ${tally.requests} requests`)
  }, Effect.scoped)

  /** Under the domain's lease nobody else is at the run: where it is `running`, whoever ran it died. */
  const begin = Effect.fnUntraced(function*(run: Run): Effect.fn.Return<Run | null, StoreUnavailable> {
    if ((yield* blocks.covering(run.site)) !== null) {
      yield* fail(run, AUDIT_REQUESTS * run.attempts, BLOCKED)
      yield* Effect.logInfo("audit of a blocked site given up")
      return null
    }
    if (run.status === "running") {
      if (run.attempts >= MOST_ATTEMPTS) {
        yield* fail(run, AUDIT_REQUESTS * run.attempts, WORN_OUT)
        yield* Effect.logError("audit given up")
        return null
      }
      yield* Effect.logWarning(`attempt ${run.attempts} of the audit was broken off`)
      yield* runs.release(run.id)
    }
    return yield* runs.begin(run.id, leases.worker)
  })

  const underLease = Effect.fnUntraced(function*(run: Run) {
    const begun = yield* begin(run)
    if (begun === null) return
    yield* audit(begun).pipe(Effect.onExit((exit) => isInterrupted(exit) ? handBack(begun) : Effect.void))
  })

  const handBack = (run: Run) => Effect.ignore(runs.release(run.id), { log: "Warn", message: "run not handed back" })

  return Effect.fnUntraced(function*(runId: string) {
    const run = yield* runs.find(runId)
    if (run === null || isOver(run)) return
    const lease = Effect.flatMap(leases.take(run.domain, runId), (taken) =>
      taken ? Effect.void : Effect.fail(new DomainBusy({ domain: run.domain })))
    yield* Effect.acquireUseRelease(
      lease,
      () => underLease(run),
      () => Effect.ignore(leases.free(run.domain, runId), { log: "Warn", message: "lease not freed" })
    ).pipe(Effect.annotateLogs({ run: runId }))
  })
}

const isInterrupted = (exit: Exit.Exit<unknown, unknown>): boolean => Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
