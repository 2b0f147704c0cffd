import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { sitesAbove } from "../evidence/Address.ts"
import { RESERVED_REQUESTS } from "../evidence/AuditBudget.ts"
import type { Limits } from "../limit/Limits.ts"
import {
  type BegunRun,
  type FencingToken,
  MOST_ATTEMPTS,
  type Run,
  type RunError,
  type RunProgress
} from "../store/runs/Run.ts"
import type { RunStore } from "../store/runs/RunStore.ts"
import { StoreUnavailable } from "../store/database/StoreUnavailable.ts"
import type { SiteBlocks } from "../store/operators/SiteBlocks.ts"
import type { Transactions } from "../store/database/SqlDatabase.ts"
import type { ArchiveContent, ArchiveStore, Proof } from "../store/archives/ArchiveStore.ts"
import { countDone, countFailed, countGathered, countRunning, exchangeCounter, traceRun } from "./AuditMetrics.ts"
import { type Audited, type Auditor, BLOCKED, CannotAudit, INTERNAL, TOO_MANY_ATTEMPTS } from "./Auditor.ts"
import { ClaimLost, type ClaimPause, whileClaimed } from "./ClaimKeeper.ts"
import type { AuditQueue } from "./AuditQueue.ts"
import type { Claim } from "./queue/QueueStore.ts"
import type { RunCompletion } from "./RunCompletion.ts"

/**
 * Whether a run may be handed back after an audit that its process could not finish. A site that was asked may be the cause, so its third
 * attempt, counting all, is the last. And a later attempt takes each earlier one from the budget of its domain as one audit.
 */
const mayBeHandedBack = ({ attempt }: FencingToken, requests: number): boolean =>
  requests === 0 || (requests <= RESERVED_REQUESTS && attempt < MOST_ATTEMPTS)

/** Longer than an audit's own limits allow, external plugins of ten minutes included: an audit that takes longer hangs. */
const LONGEST_AUDIT = "15 minutes"

const PROGRESS_INTERVAL = "500 millis"

/** Intervals between two writes of progress that differ in the URLs fetched last only. */
const URLS_EVERY = 4

/**
 * The result of an audit is expensive, so writing it is retried while the database is unreachable. It takes the room of an audit
 * until then, so that a process keeps no more results (of up to `LARGEST_RESULT` bytes) than it runs audits.
 */
const WRITE_RETRY = {
  schedule: Schedule.min([Schedule.exponential("250 millis"), Schedule.spaced("1 second")]).pipe(
    Schedule.upTo({ duration: "10 minutes" })
  ),
  while: (error: unknown) => error instanceof StoreUnavailable
}

/** Interval and timeout of the attempts to hand a run back while the process keeps running. */
const HAND_BACK_INTERVAL = "1 second"
const HAND_BACK_TIMEOUT = "5 seconds"

interface Services {
  readonly runs: RunStore["Service"]
  readonly archives: ArchiveStore["Service"]
  readonly blocks: SiteBlocks["Service"]
  readonly limits: Limits["Service"]
  readonly transactions: Transactions["Service"]
  readonly queue: AuditQueue["Service"]
  readonly auditor: Auditor["Service"]
  readonly completion: RunCompletion
  /** The digest of the rubric in force; `null`: each run is judged under its own. */
  readonly rubric: string | null
  readonly pause: ClaimPause
  /** How often the claim is kept during an audit, in milliseconds. */
  readonly heartbeatMs: number
}

/** Why there is no report, with the archive that proves it; `null` for an error of this service. */
interface AuditFailure {
  readonly error: RunError
  readonly archive: Effect.Effect<ArchiveContent> | null
}

/** Progress and requests of a running audit. */
interface Tally {
  progress: RunProgress | null
  requests: number
}

interface Attempt {
  readonly claim: Claim
  readonly run: BegunRun
  /** The blocked sites of its domain when it began, which it sends nothing to. */
  readonly blockedSites: ReadonlyArray<string>
}

/**
 * An operator has blocked a further site of the domain since the attempt began, which may have fetched something from it. Nothing of that
 * is kept: the run is handed back, and the next attempt knows of the block.
 */
class BlockAdded extends Data.TaggedError("BlockAdded")<{ readonly message: string }> {}

/** A completed audit; neither its archive nor its result is stored yet. */
interface CompletedAudit extends Attempt {
  readonly requests: number
  readonly result: Result.Result<Audited, AuditFailure>
}

const notKept = (reason: unknown): Effect.Effect<void> => Effect.logWarning("archive not kept", reason)

/** Counts and logs an audit without a report. Operators are told to find the sentence of an error of ours (docs/operating.md). */
const noteFailed = (error: RunError): Effect.Effect<void> =>
  Effect.andThen(
    countFailed(error),
    error.code === "internal"
      ? Effect.logError(`audit ended with an internal error: ${error.message}`)
      : Effect.logInfo(`audit failed: ${error.message}`)
  )

/**
 * Audits a claimed run and writes its result; its caller gives the claim back. `enter` waits until this process has room for it. If it is interrupted, or fails because
 * this process cannot audit, it hands the run back; if it loses its claim it stops, and leaves the run to the process that has it.
 */
export const makeRunWorker = (services: Services) => {
  const { archives, auditor, blocks, completion, heartbeatMs, limits, pause, queue, rubric, runs, transactions } =
    services

  const keepProgress = Effect.fnUntraced(function* (hold: FencingToken, tally: Tally) {
    let written: RunProgress | null = null
    for (let tick = 1; ; tick++) {
      yield* Effect.sleep(PROGRESS_INTERVAL)
      if (tally.progress === null || tally.progress === written) continue
      // URLs alone, which change all the time, are written less often.
      if (tally.progress.done === written?.done && tick % URLS_EVERY !== 0) continue
      written = tally.progress
      // Failing to write progress must not fail the audit.
      yield* Effect.ignore(runs.progress(hold, written))
    }
  })

  const failOnNewBlock = Effect.fnUntraced(function* ({
    blockedSites,
    run: { domain }
  }: Attempt): Effect.fn.Return<void, BlockAdded | StoreUnavailable> {
    const added = (yield* blocks.within(domain)).find((site) => !blockedSites.includes(site))
    if (added !== undefined)
      return yield* new BlockAdded({ message: `an operator blocked ${added} during this audit of ${domain}` })
  })

  /** A database that does not answer is asked again, until the claim is over, too. */
  const watchBlocks = (attempt: Attempt): Effect.Effect<never, BlockAdded> =>
    failOnNewBlock(attempt).pipe(
      Effect.catchTag("StoreUnavailable", () => Effect.void),
      Effect.delay(heartbeatMs),
      Effect.forever
    )

  /** Turns every failure into a result, except an interruption, `CannotAudit` and `BlockAdded`. */
  const auditOnce = Effect.fnUntraced(function* (
    attempt: Attempt,
    tally: Tally,
    maySendUntil: () => number
  ): Effect.fn.Return<Result.Result<Audited, AuditFailure>, CannotAudit | BlockAdded, Scope.Scope> {
    const { blockedSites, run } = attempt
    const countExchanges = yield* exchangeCounter
    const observer = {
      measured: (progress: RunProgress) => {
        tally.progress = { ...tally.progress, ...progress }
      },
      fetching: (urls: ReadonlyArray<string>) => {
        tally.progress = { done: 0, total: 0, ...tally.progress, urls }
      },
      requested: (count: number) => {
        tally.requests += count
        countExchanges(count)
      }
    }
    return yield* auditor.audit(run, observer, { maySendUntil, blockedSites }).pipe(
      Effect.timeoutOrElse({
        duration: LONGEST_AUDIT,
        orElse: () => Effect.die(new Error(`no end after ${LONGEST_AUDIT}`))
      }),
      Effect.raceFirst(keepProgress(run.hold, tally)),
      Effect.raceFirst(watchBlocks(attempt)),
      countRunning,
      Effect.tap(({ result }) => countGathered(result)),
      Effect.map(Result.succeed),
      Effect.catchTag("NotAudited", (failed) =>
        Effect.as(countGathered(failed), Result.fail({ error: failed.error, archive: failed.archive }))
      ),
      Effect.catchDefect((defect) =>
        Effect.as(
          Effect.logError("the audit failed with a defect", defect),
          Result.fail({ error: INTERNAL, archive: null })
        )
      )
    )
  })

  const keepArchive = ({ hold, site }: BegunRun, archive: Effect.Effect<ArchiveContent>, proof: Proof) =>
    Effect.gen(function* () {
      const content = yield* archive
      // Checked after the archive is written, which takes a while: another attempt or an operator may have ended this one.
      if (yield* Effect.retry(runs.isCurrent(hold), WRITE_RETRY))
        yield* archives.put({ id: hold.id, site, attempt: hold.attempt }, content, proof)
    }).pipe(Effect.catch(notKept), Effect.catchDefect(notKept))

  /**
   * Writes the end of a run and of its claim, its budget and its quota in one transaction, so that no crash leaves a domain locked. If `end`
   * changes nothing, nothing else is changed. Then `note`, which a heartbeat that finds the claim gone does not interrupt.
   */
  const conclude = <E = never>(
    claim: Claim,
    requests: number,
    end: Effect.Effect<boolean, E | StoreUnavailable>,
    note: Effect.Effect<void>
  ): Effect.Effect<void, E | StoreUnavailable> => {
    const { run } = claim
    const all = Effect.gen(function* () {
      if (!(yield* end)) return false
      yield* limits.hostBudget.settle(run.id, requests)
      yield* queue.complete(claim)
      return true
    })
    return transactions.alone(run.domain, all).pipe(
      Effect.flatMap((changed) =>
        changed
          ? Effect.andThen(note, completion.notify(run.id))
          : Effect.logWarning("the end of this attempt changed nothing: the run is over, or of another attempt")
      ),
      Effect.uninterruptible,
      Effect.retry(WRITE_RETRY)
    )
  }

  const andQuotaBack = (run: Run, end: Effect.Effect<boolean, StoreUnavailable>) =>
    Effect.tap(end, (changed) => (changed ? limits.siteQuota.giveBack(run.id) : Effect.void))

  const audit = Effect.fn("RunWorker.audit")(function* (
    attempt: Attempt,
    claimedUntil: () => number
  ): Effect.fn.Return<CompletedAudit, CannotAudit | BlockAdded, Scope.Scope> {
    const tally: Tally = { progress: null, requests: 0 }
    const result = yield* auditOnce(attempt, tally, claimedUntil).pipe(
      // Before the run is handed back, so that this process does not take it at once.
      Effect.tapErrorTag("CannotAudit", pause.begin),
      Effect.catchTag("CannotAudit", (failure) =>
        mayBeHandedBack(attempt.run.hold, tally.requests)
          ? Effect.fail(failure)
          : Effect.succeed(Result.fail({ error: { code: "internal", message: failure.message }, archive: null }))
      )
    )
    // The number of requests of earlier attempts is unknown, so each counts as a whole budget.
    return { ...attempt, result, requests: tally.requests + RESERVED_REQUESTS * (attempt.run.hold.attempt - 1) }
  })

  /** Needs no claim: it sends nothing to the site, and changes nothing if another attempt has the run. */
  const keepEnd = Effect.fn("RunWorker.keepEnd")(function* ({ requests, result, ...attempt }: CompletedAudit) {
    const { run } = attempt
    const { hold } = run
    const archive = Result.isFailure(result) ? result.failure.archive : result.success.archive
    yield* Effect.retry(failOnNewBlock(attempt), WRITE_RETRY)
    if (archive !== null) yield* keepArchive(run, archive, Result.isFailure(result) ? "failure" : "report")
    const end = Result.isFailure(result)
      ? andQuotaBack(run, runs.fail(hold, result.failure.error))
      : runs.finish(hold, result.success.result)
    // Once more, because writing an archive takes a while, and so does an outage of the database. It undoes what `end` changed.
    const unlessBlocked = Effect.tap(end, (changed) => (changed ? failOnNewBlock(attempt) : Effect.void))
    const note = Result.isFailure(result)
      ? noteFailed(result.failure.error)
      : Effect.andThen(
          countDone,
          Effect.logInfo(`audit done: ${result.success.result.totalScore} points, ${requests} requests`)
        )
    yield* conclude(attempt.claim, requests, unlessBlocked, note).pipe(
      Effect.tapErrorTag("BlockAdded", () => Effect.retry(archives.remove(run.id), WRITE_RETRY))
    )
  })

  /** Ends a run without another attempt. */
  const giveUp = Effect.fnUntraced(function* (claim: Claim, error: RunError) {
    const { run } = claim
    const end = Effect.flatMap(queue.keep(claim), (isOurs) =>
      isOurs ? andQuotaBack(run, runs.giveUp(run.id, error)) : Effect.succeed(false)
    )
    yield* conclude(claim, RESERVED_REQUESTS * run.attempts, end, noteFailed(error))
  })

  const begin = Effect.fnUntraced(function* (claim: Claim): Effect.fn.Return<Attempt | null, StoreUnavailable> {
    const { run } = claim
    const blockedSites = yield* blocks.within(run.domain)
    if (sitesAbove(run.site).some((site) => blockedSites.includes(site))) {
      yield* giveUp(claim, BLOCKED)
      return null
    }
    if (run.attempts >= MOST_ATTEMPTS) {
      yield* giveUp(claim, TOO_MANY_ATTEMPTS)
      return null
    }
    if (run.attempts > 0) yield* Effect.logWarning(`attempt ${run.attempts} of the audit did not complete`)
    if (rubric !== null && rubric !== run.rubricDigest)
      yield* Effect.logInfo(
        `no worker has the rubric ${run.rubricDigest} that the run was accepted under: it is judged by ${rubric}`
      )
    const begun = yield* transactions.atomic(
      Effect.gen(function* () {
        // Another process may have it by now, if this one was stopped since it took the run.
        if (!(yield* queue.keep(claim))) return null
        const begun = yield* runs.begin(run.id, queue.worker, rubric)
        // It is over, or an operator deleted it.
        if (begun === null) yield* queue.complete(claim)
        return begun
      })
    )
    return begun === null ? null : { claim, run: begun, blockedSites }
  })

  const handBack = ({ claim, run }: Attempt) =>
    Effect.timeoutOrElse(transactions.atomic(Effect.andThen(runs.release(run.hold), queue.giveBack(claim))), {
      duration: HAND_BACK_TIMEOUT,
      orElse: () => Effect.fail(new StoreUnavailable({ cause: "no answer" }))
    })

  /**
   * Hands the run back, so that the attempt does not count, if this process shuts down, cannot audit, or could not reach the database, or
   * if a site was blocked; in all but the first case it retries until the database answers. After any other failure the attempt counts.
   */
  const afterFailure = (
    attempt: Attempt,
    exit: Exit.Exit<unknown, ClaimLost | StoreUnavailable | CannotAudit | BlockAdded>
  ): Effect.Effect<void> => {
    if (Exit.isSuccess(exit)) return Effect.void
    if (Cause.hasInterruptsOnly(exit.cause))
      return Effect.ignore(handBack(attempt), { log: "Warn", message: "run not handed back" })
    const error = Cause.squash(exit.cause)
    const isInnocent =
      error instanceof StoreUnavailable ||
      error instanceof CannotAudit ||
      error instanceof BlockAdded ||
      (error instanceof ClaimLost && error.how === "expired")
    return isInnocent
      ? Effect.interruptible(Effect.ignore(Effect.retry(handBack(attempt), Schedule.spaced(HAND_BACK_INTERVAL))))
      : Effect.void
  }

  const work = Effect.fnUntraced(function* (claim: Claim, enter: Effect.Effect<void, never, Scope.Scope>) {
    let begun: Attempt | null = null
    const untilEnd = (claimedUntil: () => number) =>
      Effect.gen(function* () {
        yield* enter
        begun = yield* begin(claim)
        return begun === null ? null : yield* audit(begun, claimedUntil)
      })
    /** Also false once an operator has ended or deleted the run. */
    const keep = Effect.flatMap(queue.keep(claim), (isOurs) =>
      isOurs && begun !== null ? runs.isCurrent(begun.run.hold) : Effect.succeed(isOurs)
    )
    yield* whileClaimed(claim, { keep, validMs: queue.validMs, heartbeatMs }, untilEnd, (ended) =>
      ended === null ? Effect.void : keepEnd(ended)
    ).pipe(Effect.onExit((exit) => (begun === null ? Effect.void : afterFailure(begun, exit))))
  })

  return (claim: Claim, enter: Effect.Effect<void, never, Scope.Scope>) =>
    Effect.scoped(work(claim, enter)).pipe(
      traceRun(claim.run.id, claim.run.domain),
      Effect.annotateLogs({ run: claim.run.id })
    )
}
