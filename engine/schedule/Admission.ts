import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { NetworkBound } from "../limit/ClientQuotas.ts"
import type { Limits } from "../limit/Limits.ts"
import { type LimitDecision, type LimitRefusal, UNLIMITED } from "../limit/LimitDecision.ts"
import { isOver, type NewRun, type Run } from "../store/runs/Run.ts"
import type { RunStore } from "../store/runs/RunStore.ts"
import type { StoreUnavailable } from "../store/database/StoreUnavailable.ts"
import type { Transactions } from "../store/database/SqlDatabase.ts"
import type { AuditQueue } from "./AuditQueue.ts"
import { traceAccepted } from "./AuditMetrics.ts"
import { guest, OPERATOR, SCHEDULE, type Submitter } from "./queue/QueueStore.ts"

/** The answer to a request for an audit. */
export type Submission = LimitRefusal | Admitted

/** The caller has a run. */
export interface Admitted {
  /**
   * `Accepted`: a new run. `Joined`: an unfinished run of the same URL and rubric, which asks as named agents if the request wants that, and only then. `Replayed`: a run that is `done` within the
   * target window.
   */
  readonly _tag: "Accepted" | "Joined" | "Replayed"
  readonly run: Run
}

/** The queue is full, so no run was accepted. The request counts against the rate of submissions only. */
export class QueueFull extends Schema.TaggedError<QueueFull>()("QueueFull", {
  /** The number of waiting runs. */
  waiting: Schema.Int,
  /** Whole seconds after which a retry makes sense. */
  retryAfter: Schema.Int
}) {
  override get message(): string {
    return this.waiting === 1
      ? "1 audit is already waiting"
      : `${this.waiting.toLocaleString("en-US")} audits are already waiting`
  }
}

/** A full queue has room again as soon as one audit begins, but other clients retry, too. */
const QUEUE_RETRY_SECONDS = 30

interface Stores {
  readonly runs: RunStore["Service"]
  readonly limits: Limits["Service"]
  readonly queue: AuditQueue["Service"]
  readonly transactions: Transactions["Service"]
}

/**
 * Decides on requests for audits: first whether to return a recent report or join a run, which costs nothing; then by the runs that
 * the client network and the wider networks around it have waiting or running, and the length of the queue; then by the site quotas of the network and of a
 * registered client, whose refusal names a run to read instead; then by the budget of the domain. The run, its counts and its place
 * in the queue are written in one transaction.
 */
export const makeAdmission = ({ limits, queue, runs, transactions }: Stores) => {
  const known = Effect.fnUntraced(function* ({
    asAgents,
    rubricDigest,
    url
  }: NewRun): Effect.fn.Return<Submission | null, StoreUnavailable> {
    const { targetWindowMs } = limits
    const since =
      targetWindowMs === null
        ? null
        : DateTime.formatIso(DateTime.makeUnsafe((yield* Clock.currentTimeMillis) - targetWindowMs))
    const run = yield* runs.latest(url, rubricDigest, since, asAgents)
    return run === null ? null : { _tag: isOver(run) ? "Replayed" : "Joined", run }
  })

  /** Accepts and queues the run; `isReserved`: its requests are already reserved. */
  const enter = Effect.fnUntraced(function* (
    wanted: NewRun,
    submitter: Submitter,
    isReserved: boolean
  ): Effect.fn.Return<Admitted, StoreUnavailable> {
    const run = yield* runs.accept(wanted)
    if (isReserved) yield* limits.hostBudget.assign(wanted.domain, run.id)
    yield* queue.offer(run, submitter)
    yield* traceAccepted(run.id)
    return { _tag: "Accepted", run }
  })

  /**
   * Whether there is room for another run of the submitter: a client network, or that of scheduled audits if `network` is null. In a
   * transaction the answer holds until its end.
   */
  const room = Effect.fnUntraced(function* (
    submitter: Submitter,
    network: string | null,
    bounds: ReadonlyArray<NetworkBound>
  ): Effect.fn.Return<LimitDecision, StoreUnavailable | QueueFull> {
    const { ofNetworks, ofSubmitter, waiting } = yield* queue.load(submitter, limits.queueLimit)
    if (network !== null) {
      const verdict = yield* limits.clientRuns(network, ofSubmitter)
      if (verdict._tag === "Refusal") return verdict
    }
    for (const [index, bound] of bounds.entries()) {
      const verdict = yield* limits.networkRuns(bound, ofNetworks[index] ?? 0)
      if (verdict._tag === "Refusal") return verdict
    }
    if (limits.queueLimit !== null && waiting >= limits.queueLimit)
      return yield* new QueueFull({ waiting, retryAfter: QUEUE_RETRY_SECONDS })
    return UNLIMITED
  })

  const accept = Effect.fnUntraced(function* (
    wanted: NewRun,
    quotaHolders: ReadonlyArray<string>,
    isVerified: boolean
  ): Effect.fn.Return<Submission, StoreUnavailable | QueueFull> {
    const { domain, site } = wanted
    const network = quotaHolders[0] ?? null
    const bounds = network === null ? [] : limits.networkBounds(network)
    const submitter =
      network === null
        ? SCHEDULE
        : guest(
            network,
            bounds.map(({ network: wider }) => wider)
          )
    const there = yield* room(submitter, network, bounds)
    if (there._tag === "Refusal") return there
    for (const holder of quotaHolders) {
      const quota = yield* limits.siteQuota.check(holder, site, isVerified)
      if (quota._tag === "Refusal") return quota
    }
    const budget = yield* limits.hostBudget.reserve(domain, isVerified)
    if (budget._tag === "Refusal") return budget
    const accepted = yield* enter(wanted, submitter, true)
    for (const holder of quotaHolders) yield* limits.siteQuota.take(holder, site, accepted.run.id)
    return accepted
  })

  const decide = Effect.fnUntraced(function* (
    wanted: NewRun,
    quotaHolders: ReadonlyArray<string>,
    isVerified: boolean
  ) {
    return (yield* known(wanted)) ?? (yield* accept(wanted, quotaHolders, isVerified))
  })

  const submit = Effect.fn("Admission.submit")(function* (
    wanted: NewRun,
    quotaHolders: ReadonlyArray<string>,
    isVerified = false
  ): Effect.fn.Return<Submission, StoreUnavailable | QueueFull> {
    // A scheduled audit is submitted within a transaction, and seldom joins another: searching once is quicker.
    const early = quotaHolders.length === 0 ? null : yield* known(wanted)
    if (early !== null) return early
    // Searched again within the transaction, so that of concurrent requests one is accepted and the others join it.
    return yield* transactions.alone(wanted.domain, Effect.uninterruptible(decide(wanted, quotaHolders, isVerified)))
  })

  const decideAnyway = Effect.fnUntraced(function* (wanted: NewRun): Effect.fn.Return<Admitted, StoreUnavailable> {
    const underWay = yield* runs.latest(wanted.url, wanted.rubricDigest, null, wanted.asAgents)
    if (underWay !== null) return { _tag: "Joined", run: underWay }
    const budget = yield* limits.hostBudget.reserve(wanted.domain)
    return yield* enter(wanted, OPERATOR, budget._tag === "Allowed")
  })

  const insist = (wanted: NewRun) => transactions.alone(wanted.domain, Effect.uninterruptible(decideAnyway(wanted)))

  /** Uninterruptible once it has the connection and the lock; durable when it returns. */
  return { submit, insist }
}
