import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { AUDIT_REQUESTS } from "../limit/HostBudget.ts"
import type { Limits } from "../limit/Limits.ts"
import type { BegunRun, Hold, Run, RunError, RunProgress } from "../store/Run.ts"
import { type RunStore, StoreUnavailable } from "../store/RunStore.ts"
import type { SiteBlocks } from "../store/SiteBlocks.ts"
import type { Transactions } from "../store/Transactions.ts"
import type { ArchiveContent, ArchiveStore, Proof } from "../store/ArchiveStore.ts"
import { countDone, countExchanges, countFailed, countGathered, countRunning } from "./AuditMetrics.ts"
import type { Audited, Auditor, NotAudited } from "./Auditor.ts"
import type { Claim } from "./AuditQueue.ts"
import { LeaseLost, whileLeased } from "./LeaseKeeper.ts"
import type { Leases } from "./Leases.ts"
import { BLOCKED, BROKE_OFF, WORN_OUT } from "./Result.ts"
import type { Waiters } from "./Waiters.ts"

/** How often an audit is begun, but for attempts that were handed back. */
const MOST_ATTEMPTS = 3

/** Longer than any audit can take by its own limits: whatever goes on for longer hangs. */
const LONGEST_AUDIT = "5 minutes"

const PROGRESS_INTERVAL = "500 millis"

/** A finished audit is worth a while: what became of it is written as soon as the store can take it. */
const WRITE_RETRY = Schedule.exponential("250 millis").pipe(Schedule.upTo({ duration: "1 minute" }))

/** How often, and for how long each time, a process that is not about to end tries to hand a run back. */
const HAND_BACK_INTERVAL = "1 second"
const HAND_BACK_TIMEOUT = "5 seconds"

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
  readonly archive: Effect.Effect<ArchiveContent> | null
}

/** What is counted while an audit runs. */
interface Tally {
  progress: RunProgress | null
  requests: number
}

/** An audit that came to its end, and whose archive is kept; nothing else of it is written yet. */
interface Ended {
  readonly run: BegunRun
  readonly requests: number
  readonly result: Result.Result<Audited, Fruitless>
}

const notKept = (reason: unknown): Effect.Effect<void> => Effect.logWarning("archive not kept", reason)

/**
 * Takes a claimed run to its end. `enter` waits until this process has room for it. Interrupted, it hands the run back;
 * where it loses its lease it stops, and leaves the run to the process that has it.
 */
export const makeRunWorker = (services: Services) => {
  const { archives, auditor, blocks, heartbeatMs, leases, limits, runs, transactions, waiters } = services

  const keepProgress = Effect.fnUntraced(function*(hold: Hold, tally: Tally) {
    let written: RunProgress | null = null
    while (true) {
      yield* Effect.sleep(PROGRESS_INTERVAL)
      if (tally.progress === null || tally.progress === written) continue
      written = tally.progress
      // Progress that is not seen is no loss.
      yield* Effect.ignore(runs.progress(hold, written))
    }
  })

  /** Every outcome but an interruption is a result. */
  const auditOnce = (run: BegunRun, tally: Tally): Effect.Effect<Result.Result<Audited, Fruitless>, never, Scope.Scope> => {
    const observer = {
      measured: (progress: RunProgress) => { tally.progress = progress },
      requested: (count: number) => {
        tally.requests += count
        countExchanges(count)
      }
    }
    return auditor.audit(run, observer).pipe(
      Effect.timeoutOrElse({ duration: LONGEST_AUDIT, orElse: () => Effect.die(new Error(`no end after ${LONGEST_AUDIT}`)) }),
      Effect.raceFirst(keepProgress(run.hold, tally)),
      countRunning,
      Effect.tap(({ result }) => countGathered(result)),
      Effect.map(Result.succeed),
      Effect.catch((failed: NotAudited) =>
        Effect.as(countGathered(failed), Result.fail({ error: failed.error, archive: failed.archive }))),
      Effect.catchDefect((defect) => Effect.as(Effect.logError("audit broke off", defect), Result.fail({ error: BROKE_OFF, archive: null })))
    )
  }

  const keepArchive = ({ hold, site }: BegunRun, archive: Effect.Effect<ArchiveContent>, proof: Proof) =>
    Effect.gen(function*() {
      const content = yield* archive
      // Asked once it is made, which takes a while. A run that another attempt has, or that an operator ended, gets none.
      if (yield* runs.isCurrent(hold)) yield* archives.put({ id: hold.id, site, attempt: hold.attempt }, content, proof)
    }).pipe(Effect.catch(notKept), Effect.catchDefect(notKept))

  /** A run that was deleted meanwhile leaves nothing behind. */
  const dropIfGone = (run: Run) =>
    Effect.flatMap(runs.find(run.id), (found) => found === null ? archives.remove(run) : Effect.void).pipe(
      Effect.ignore({ log: "Warn", message: "archive of a deleted run not dropped" })
    )

  /**
   * The run is over: its end, its budget, its quota and its lease in one piece, so that no crash leaves a
   * domain locked. False where the end changed nothing, and then nothing else is changed.
   */
  const conclude = (run: Run, requests: number, end: Effect.Effect<boolean, StoreUnavailable>): Effect.Effect<boolean, StoreUnavailable> => {
    const all = Effect.gen(function*() {
      if (!(yield* end)) return false
      yield* limits.hostBudget.settle(run.id, requests)
      yield* leases.free(run.domain, run.id)
      return true
    })
    return transactions.alone(run.domain, all).pipe(
      Effect.uninterruptible,
      Effect.retry(WRITE_RETRY),
      Effect.tap((changed) => changed ? waiters.ring(run.id) : Effect.logWarning("the end of the audit is not kept: it is another attempt's by now"))
    )
  }

  const andQuotaBack = (run: Run, end: Effect.Effect<boolean, StoreUnavailable>) =>
    Effect.tap(end, (changed) => changed ? limits.siteQuota.giveBack(run.id) : Effect.void)

  const audit = Effect.fn("RunWorker.audit")(function*(run: BegunRun): Effect.fn.Return<Ended, never, Scope.Scope> {
    const tally: Tally = { progress: null, requests: 0 }
    const result = yield* auditOnce(run, tally)
    const archive = Result.isFailure(result) ? result.failure.archive : result.success.archive
    if (archive !== null) yield* keepArchive(run, archive, Result.isFailure(result) ? "failure" : "report")
    // What earlier attempts sent is not known; each is taken to have used what it may.
    return { run, result, requests: tally.requests + AUDIT_REQUESTS * (run.hold.attempt - 1) }
  }, Effect.scoped)

  /** Not interrupted by the end of the lease: nothing is sent to the site any more, and an end that comes too late changes nothing. */
  const keepEnd = Effect.fn("RunWorker.keepEnd")(function*({ requests, result, run }: Ended) {
    const { hold } = run
    const end = Result.isFailure(result)
      ? andQuotaBack(run, runs.fail(hold, result.failure.error))
      : runs.finish(hold, result.success.result)
    const changed = yield* conclude(run, requests, end)
    yield* dropIfGone(run)
    if (!changed) return
    if (Result.isSuccess(result)) {
      yield* countDone
      return yield* Effect.logInfo(`audit done: ${result.success.result.totalScore} points, ${requests} requests`)
    }
    yield* countFailed(result.failure.error)
    yield* Effect.logInfo(`audit failed: ${result.failure.error.message}`)
  })

  /** Ends a run that is not begun, or not again. */
  const giveUp = Effect.fnUntraced(function*(run: Run, error: RunError) {
    const changed = yield* conclude(run, AUDIT_REQUESTS * run.attempts, andQuotaBack(run, runs.giveUp(run.id, error)))
    if (!changed) return
    yield* countFailed(error)
    yield* Effect.logWarning(`audit given up: ${error.message}`)
  })

  const begin = Effect.fnUntraced(function*(run: Run): Effect.fn.Return<BegunRun | null, StoreUnavailable> {
    if ((yield* blocks.covering(run.site)) !== null) {
      yield* giveUp(run, BLOCKED)
      return null
    }
    if (run.attempts >= MOST_ATTEMPTS) {
      yield* giveUp(run, WORN_OUT)
      return null
    }
    if (run.attempts > 0) yield* Effect.logWarning(`attempt ${run.attempts} of the audit was broken off`)
    return yield* runs.begin(run.id, leases.worker)
  })

  const handBack = ({ hold }: BegunRun) =>
    Effect.timeoutOrElse(runs.release(hold), { duration: HAND_BACK_TIMEOUT, orElse: () => Effect.fail(new StoreUnavailable({ cause: "no answer" })) })

  /**
   * The attempt does not count where it came to no end for a reason that is not the run's own: this process ends, or the
   * database could not be reached. Then it is tried until the database answers; whatever else goes wrong counts.
   */
  const afterwards = (run: BegunRun, exit: Exit.Exit<unknown, LeaseLost | StoreUnavailable>): Effect.Effect<void> => {
    if (Exit.isSuccess(exit)) return Effect.void
    if (Cause.hasInterruptsOnly(exit.cause)) return Effect.ignore(handBack(run), { log: "Warn", message: "run not handed back" })
    const error = Cause.squash(exit.cause)
    const isOurs = error instanceof StoreUnavailable || (error instanceof LeaseLost && error.how === "expired")
    return isOurs ? Effect.interruptible(Effect.ignore(Effect.retry(handBack(run), Schedule.spaced(HAND_BACK_INTERVAL)))) : Effect.void
  }

  const work = Effect.fnUntraced(function*(claim: Claim, enter: Effect.Effect<void, never, Scope.Scope>) {
    let begun: BegunRun | null = null
    const untilEnd = Effect.gen(function*() {
      yield* enter
      begun = yield* begin(claim.run)
      return begun === null ? null : yield* audit(begun)
    })
    yield* whileLeased(leases, claim, heartbeatMs, untilEnd).pipe(
      Effect.flatMap((ended) => ended === null ? Effect.void : keepEnd(ended)),
      Effect.onExit((exit) => begun === null ? Effect.void : afterwards(begun, exit))
    )
  })

  return (claim: Claim, enter: Effect.Effect<void, never, Scope.Scope>) =>
    Effect.ensuring(
      Effect.scoped(work(claim, enter)),
      Effect.ignore(leases.free(claim.run.domain, claim.run.id), { log: "Warn", message: "lease not freed" })
    ).pipe(Effect.annotateLogs({ run: claim.run.id }))
}
