import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Limits } from "../limit/Limits.ts"
import { type Refusal, UNLIMITED, type Verdict } from "../limit/Verdict.ts"
import type { NewRun, Run } from "../store/Run.ts"
import type { RunStore, StoreUnavailable } from "../store/RunStore.ts"
import type { Transactions } from "../store/Transactions.ts"
import type { AuditQueue } from "./AuditQueue.ts"
import { guest, OPERATOR, SCHEDULE, type Submitter } from "./Submitter.ts"
import { isOver } from "./Waiters.ts"

/** What became of an audit that was asked for. */
export type Submission = Refusal | Admitted

/** There is a run for whoever asked. */
export interface Admitted {
  /** `Accepted`: a new run. `Joined`: one of the same address and rubric is under way. `Replayed`: one is `done` within the target window. */
  readonly _tag: "Accepted" | "Joined" | "Replayed"
  readonly run: Run
}

/** The queue is full, so no run was accepted; the request has cost nothing but its place in the rate of submissions. */
export class QueueFull extends Schema.TaggedError<QueueFull>()("QueueFull", {
  /** Runs that wait. */
  waiting: Schema.Int,
  /** Whole seconds after which it makes sense to ask again. */
  retryAfter: Schema.Int
}) {
  override get message(): string {
    return this.waiting === 1 ? "1 audit is waiting already" : `${this.waiting.toLocaleString("en-US")} audits are waiting already`
  }
}

/** A full queue has room again as soon as one audit begins, but others wait for that, too. */
const QUEUE_RETRY_SECONDS = 30

interface Stores {
  readonly runs: RunStore["Service"]
  readonly limits: Limits["Service"]
  readonly queue: AuditQueue["Service"]
  readonly transactions: Transactions["Service"]
}

/**
 * Decides on audits that are asked for: replay and join first, which cost nothing; then the runs that the client network
 * has waiting or running, and the length of the queue; then the quotas of the askers (their network, and the program they
 * use where it is registered), which name a run to read instead; then the budget of the domain. The run, what it counts
 * against and its place in the queue become durable together, so that none of them is ever there without the others.
 */
export const makeAdmission = ({ limits, queue, runs, transactions }: Stores) => {
  const known = Effect.fnUntraced(function*({ rubricDigest, url }: NewRun): Effect.fn.Return<Submission | null, StoreUnavailable> {
    const { targetWindowMs } = limits
    const since = targetWindowMs === null
      ? null
      : DateTime.formatIso(DateTime.makeUnsafe((yield* Clock.currentTimeMillis) - targetWindowMs))
    const run = yield* runs.latest(url, rubricDigest, since)
    return run === null ? null : { _tag: isOver(run) ? "Replayed" : "Joined", run }
  })

  /** The run and its place in the queue; `isReserved`: its requests are set aside already. */
  const enter = Effect.fnUntraced(function*(wanted: NewRun, submitter: Submitter, isReserved: boolean): Effect.fn.Return<Admitted, StoreUnavailable> {
    const run = yield* runs.accept(wanted)
    if (isReserved) yield* limits.hostBudget.assign(wanted.domain, run.id)
    yield* queue.offer(run.id, submitter)
    return { _tag: "Accepted", run }
  })

  /** Whether there is room for another run of the submitter, the client network where there is one. In a transaction the answer holds until its end. */
  const room = Effect.fnUntraced(function*(submitter: Submitter, network: string | null): Effect.fn.Return<Verdict, StoreUnavailable | QueueFull> {
    const { ofSubmitter, waiting } = yield* queue.load(submitter)
    if (network !== null) {
      const verdict = yield* limits.clientRuns(network, ofSubmitter)
      if (verdict._tag === "Refusal") return verdict
    }
    if (limits.queueLimit !== null && waiting >= limits.queueLimit) return yield* new QueueFull({ waiting, retryAfter: QUEUE_RETRY_SECONDS })
    return UNLIMITED
  })

  const accept = Effect.fnUntraced(function*(wanted: NewRun, askers: ReadonlyArray<string>): Effect.fn.Return<Submission, StoreUnavailable | QueueFull> {
    const { domain, site } = wanted
    const network = askers[0] ?? null
    const submitter = network === null ? SCHEDULE : guest(network)
    const there = yield* room(submitter, network)
    if (there._tag === "Refusal") return there
    for (const asker of askers) {
      const quota = yield* limits.siteQuota.check(asker, site)
      if (quota._tag === "Refusal") return quota
    }
    const budget = yield* limits.hostBudget.reserve(domain)
    if (budget._tag === "Refusal") return budget
    const accepted = yield* enter(wanted, submitter, true)
    for (const asker of askers) yield* limits.siteQuota.take(asker, site, accepted.run.id)
    return accepted
  })

  const decide = Effect.fnUntraced(function*(wanted: NewRun, askers: ReadonlyArray<string>) {
    return (yield* known(wanted)) ?? (yield* accept(wanted, askers))
  })

  const submit = Effect.fn("Admission.submit")(function*(wanted: NewRun, askers: ReadonlyArray<string>): Effect.fn.Return<Submission, StoreUnavailable | QueueFull> {
    const early = yield* known(wanted)
    if (early !== null) return early
    // Looked for again: of askers that come at once, the first is accepted and the others join.
    return yield* Effect.uninterruptible(transactions.alone(wanted.domain, decide(wanted, askers)))
  })

  const decideAnyway = Effect.fnUntraced(function*(wanted: NewRun): Effect.fn.Return<Admitted, StoreUnavailable> {
    const underWay = yield* runs.latest(wanted.url, wanted.rubricDigest, null)
    if (underWay !== null) return { _tag: "Joined", run: underWay }
    const budget = yield* limits.hostBudget.reserve(wanted.domain)
    return yield* enter(wanted, OPERATOR, budget._tag === "Allowed")
  })

  const insist = (wanted: NewRun) => Effect.uninterruptible(transactions.alone(wanted.domain, decideAnyway(wanted)))

  /** Uninterruptible once they write; durable when they return. */
  return { submit, insist }
}
