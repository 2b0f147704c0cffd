import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { plainForm } from "../../engine/evidence/Address.ts"
import type { Client } from "../../engine/limit/ClientAddress.ts"
import type { LimitRefusal } from "../../engine/limit/LimitDecision.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import type { QueueFull, Submission } from "../../engine/schedule/Admission.ts"
import { BLOCKED } from "../../engine/schedule/Auditor.ts"
import { Scheduler } from "../../engine/schedule/Scheduler.ts"
import { CLOCK_SKEW_MS, parseInstant } from "../../engine/store/database/ColumnValues.ts"
import { withinWait } from "../../engine/store/database/SqlDatabase.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { SiteBlocks } from "../../engine/store/operators/SiteBlocks.ts"
import type { NewRun, Run } from "../../engine/store/runs/Run.ts"
import { RunHistory } from "../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import { type BadRequest, ForeignPage, Unprocessable } from "../api/Errors.ts"
import { countRefusal } from "../observe/Metered.ts"
import { type FinishedRun, FinishedRuns } from "./FinishedRuns.ts"
import { type LookupsBusy, tooManyLookups } from "./LookupTurns.ts"
import { notOwnerMessage } from "./RefusalMessages.ts"
import { SiteOwners } from "./SiteOwners.ts"
import { SiteVerification } from "./SiteVerification.ts"
import { OPERATOR_NETWORK, type Target, Targets } from "./Targets.ts"

const BUSY = "Too many names are being looked up for operators. Try again in a few seconds."

/** Whose turn it is at look-ups. */
const networkOf = (clients: ReadonlyArray<Client>): string => clients[0]?.network ?? "unknown"

/** A refusal if too many of the same network look something up. */
const inTurn = <A, E>(effect: Effect.Effect<A, E | LookupsBusy>) =>
  Effect.catchTag(effect, "LookupsBusy", () => Effect.as(countRefusal(tooManyLookups), tooManyLookups))

/** The result of a request for an audit. */
type Submitted =
  /** A recent report answers the request. */
  | { readonly _tag: "Report"; readonly finished: FinishedRun }
  /** A run was accepted or joined. */
  | { readonly _tag: "UnderWay"; readonly runId: string }
  | LimitRefusal

type RunOutcome =
  | { readonly _tag: "Report"; readonly finished: FinishedRun }
  | { readonly _tag: "Failed"; readonly run: Run }

/** Recent reports that the scheduler returned instead of a new audit, by canonical URL. */
interface RecentReports {
  /** The run whose report currently answers a request for that URL, if known. */
  readonly find: (url: string) => Effect.Effect<string | null>
  /** Caches that the scheduler returned this run, unless the cache was invalidated since `generation`. */
  readonly remember: (run: Run, generation: number) => Effect.Effect<void>
  /** How often the cache was invalidated. */
  readonly generation: () => number
  readonly invalidateAll: Effect.Effect<void>
}

const CAPACITY = 5_000

interface RecentReport {
  readonly runId: string
  /** When its audit ended, in milliseconds since the epoch. */
  readonly finishedAt: number
  readonly timeToLive: Duration.Input
}

/**
 * Caches the scheduler's decision for as long as it cannot change: a report is returned for its URL until the window since the
 * end of its audit is over. All runs are of the rubric in force.
 */
export const makeRecentReports = Effect.fnUntraced(function* (
  windowMs: number | null
): Effect.fn.Return<RecentReports> {
  const cache = yield* Cache.makeWith((_url: string) => Effect.succeed<RecentReport | null>(null), {
    capacity: CAPACITY,
    timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value !== null ? exit.value.timeToLive : Duration.zero)
  })
  let generation = 0
  return {
    find: Effect.fnUntraced(function* (url) {
      const found = Option.getOrNull(yield* Cache.getOption(cache, url))
      if (found === null) return null
      // If the clock was set back meanwhile, the entry would last too long.
      return found.finishedAt <= (yield* Clock.currentTimeMillis) + CLOCK_SKEW_MS ? found.runId : null
    }),
    remember: Effect.fnUntraced(function* ({ finishedAt, id, status, url }, since) {
      const finished = finishedAt === null ? null : parseInstant(finishedAt)
      if (windowMs === null || finished === null || status !== "done" || since !== generation) return
      const finishedMs = finished / 1_000
      const left = finishedMs + windowMs - (yield* Clock.currentTimeMillis)
      if (left > 0) yield* Cache.set(cache, plainForm(url), { runId: id, finishedAt: finishedMs, timeToLive: left })
    }),
    generation: () => generation,
    invalidateAll: Effect.andThen(
      Cache.invalidateAll(cache),
      Effect.sync(() => {
        generation += 1
      })
    )
  }
})

/** Accepts requests for audits; the order of the checks is that of the contract. */
export class Submissions extends Context.Service<
  Submissions,
  {
    /**
     * Counts against the limits of each of `clients`: first the client by IP address, whose network also determines the limit of
     * runs and the turn in the queue, then the registered client, if any.
     */
    readonly submit: (
      baseUrl: unknown,
      clients: ReadonlyArray<Client>
    ) => Effect.Effect<Submitted, BadRequest | Unprocessable | StoreUnavailable | QueueFull>
    /**
     * The same for the owner of the site, whose run also asks as named agents: `ownerKey` has to be one whose token the site publishes.
     * Joins and repeats such runs only, and requests of others do not join or repeat them. The quota is that of verified sites.
     */
    readonly submitAsOwner: (
      baseUrl: unknown,
      clients: ReadonlyArray<Client>,
      ownerKey: string | null
    ) => Effect.Effect<Submitted, BadRequest | ForeignPage | Unprocessable | StoreUnavailable | QueueFull>
    /** Waits for the end of the run; fails if it was deleted meanwhile. Interruption does not stop the run. */
    readonly outcome: (runId: string) => Effect.Effect<RunOutcome, Unprocessable | StoreUnavailable>
    /** Checks a URL that an operator wants to audit: `http:` and other ports are allowed, blocked sites are not. Submits nothing. */
    readonly wanted: (baseUrl: string) => Effect.Effect<NewRun, BadRequest | Unprocessable | StoreUnavailable>
    /** Drops the cached decisions about recent reports. */
    readonly invalidateAll: Effect.Effect<void>
  }
>()("docgauge/server/Submissions") {
  static readonly layer: Layer.Layer<
    Submissions,
    never,
    Limits | RunHistory | RunStore | Scheduler | SiteBlocks | SiteOwners | SiteVerification | Targets | FinishedRuns
  > = Layer.effect(
    Submissions,
    Effect.gen(function* () {
      const limits = yield* Limits
      const scheduler = yield* Scheduler
      const targets = yield* Targets
      const finishedRuns = yield* FinishedRuns
      const blocks = yield* SiteBlocks
      const history = yield* RunHistory
      const runs = yield* RunStore
      const verification = yield* SiteVerification
      const owners = yield* SiteOwners
      const recent = yield* makeRecentReports(limits.targetWindowMs)

      const recentReport = Effect.fnUntraced(function* ({ address }: Target) {
        const runId = yield* recent.find(address)
        return runId === null ? null : yield* finishedRuns.get(runId)
      })

      /** Whether a verified site might not be refused: it has a quota of its own, and perhaps a share of its domain's budget. */
      const hasMoreIfVerified = (
        { code, standing }: LimitRefusal,
        { domain }: NewRun
      ): Effect.Effect<boolean, StoreUnavailable> =>
        standing.policy === "host" ? limits.hostBudget.keepsShare(domain) : Effect.succeed(code === "site_quota")

      /** What the limits refuse is asked again with those of verified sites if the site's owner agreed to it, and at once if the owner asks. */
      const admit = Effect.fnUntraced(function* (
        { run }: Target,
        holders: ReadonlyArray<string>
      ): Effect.fn.Return<Submission, StoreUnavailable | QueueFull> {
        const isOwner = run.asAgents === true
        const submission = yield* scheduler.submit(run, holders, isOwner)
        if (isOwner) return submission
        if (submission._tag !== "Refusal" || !(yield* hasMoreIfVerified(submission, run))) return submission
        if (yield* verification.isVerified(run.url, holders[0] ?? "unknown"))
          return yield* scheduler.submit(run, holders, true)
        if (submission.code !== "site_quota") return submission
        const offer = yield* verification.offer(run.url)
        return offer === null ? submission : { ...submission, verification: offer }
      })

      /** With a run that can be read instead: what other clients' audits found, or a newer run if that of the quota expired. */
      const withReport = Effect.fnUntraced(function* (
        refusal: LimitRefusal,
        { run: { site } }: Target
      ): Effect.fn.Return<LimitRefusal, StoreUnavailable> {
        if (refusal.runId !== null && (yield* runs.find(refusal.runId)) !== null) return refusal
        return { ...refusal, runId: (yield* history.newest(site))?.id ?? null }
      })

      /** A double click starts nothing, so it counts as a read of the run. More of them than one may read count as submissions. */
      const withoutCharge = Effect.fnUntraced(function* (clients: ReadonlyArray<Client>) {
        for (const client of clients)
          if ((yield* limits.poll(client))._tag === "Allowed") yield* limits.submitBucket.giveBack(client)
      })

      const schedule = Effect.fnUntraced(function* (
        target: Target,
        clients: ReadonlyArray<Client>
      ): Effect.fn.Return<Submitted, StoreUnavailable | QueueFull> {
        const generation = recent.generation()
        const submission = yield* admit(
          target,
          clients.map(({ network }) => network)
        )
        if (submission._tag === "Refusal")
          return submission.standing.policy === "host" || submission.code === "site_quota"
            ? yield* withReport(submission, target)
            : submission
        const { run } = submission
        if (submission._tag === "Joined") yield* withoutCharge(clients)
        const finished = submission._tag === "Replayed" ? yield* finishedRuns.get(run.id) : null
        if (finished === null) return { _tag: "UnderWay", runId: run.id }
        if (!run.asAgents) yield* recent.remember(run, generation)
        return { _tag: "Report", finished }
      })

      const unblocked = Effect.fnUntraced(function* ({ run: { site } }: Target) {
        if ((yield* blocks.covering(site)) !== null)
          return yield* new Unprocessable({ error: BLOCKED.message, code: "audit_failed" })
      })

      /** The URL, its limits and its host name; a refusal if a limit came first. */
      const admissible = Effect.fnUntraced(function* (
        baseUrl: unknown,
        clients: ReadonlyArray<Client>
      ): Effect.fn.Return<Target | LimitRefusal, BadRequest | Unprocessable | StoreUnavailable> {
        const target = yield* targets.read(baseUrl)
        for (const client of clients) {
          const verdict = yield* limits.submit(client)
          if (verdict._tag === "Refusal") return verdict
        }
        return yield* inTurn(Effect.as(targets.lookUp(target, networkOf(clients)), target))
      })

      const submit: Submissions["Service"]["submit"] = Effect.fnUntraced(function* (baseUrl, clients) {
        const target = yield* admissible(baseUrl, clients)
        if ("_tag" in target) return target
        const finished = yield* recentReport(target)
        if (finished !== null) return { _tag: "Report", finished }
        yield* unblocked(target)
        return yield* schedule(target, clients)
      })

      const submitAsOwner: Submissions["Service"]["submitAsOwner"] = Effect.fnUntraced(
        function* (baseUrl, clients, ownerKey) {
          const target = yield* admissible(baseUrl, clients)
          if ("_tag" in target) return target
          yield* unblocked(target)
          const { url } = target.run
          const isOwner = ownerKey === null ? false : yield* inTurn(owners.isOwner(url, ownerKey, networkOf(clients)))
          if (typeof isOwner !== "boolean") return isOwner
          if (isOwner) return yield* schedule({ ...target, run: { ...target.run, asAgents: true } }, clients)
          const ownership = yield* owners.proof(url, ownerKey)
          return yield* new ForeignPage({
            error: notOwnerMessage(ownership, ownerKey !== null),
            code: "not_owner",
            ownership
          })
        }
      )

      return {
        submit: (baseUrl, clients) => withinWait(submit(baseUrl, clients)),
        submitAsOwner: (baseUrl, clients, ownerKey) => withinWait(submitAsOwner(baseUrl, clients, ownerKey)),
        outcome: Effect.fnUntraced(function* (runId) {
          const run = yield* scheduler.awaitDone(runId)
          const finished = run?.status === "done" ? yield* finishedRuns.get(runId) : null
          if (finished !== null) return { _tag: "Report", finished }
          if (run === null)
            return yield* new Unprocessable({
              error: "An operator of this service deleted the run.",
              code: "audit_failed"
            })
          return { _tag: "Failed", run }
        }),
        wanted: Effect.fnUntraced(function* (baseUrl) {
          const target = yield* targets.readForOperator(baseUrl)
          yield* Effect.catchTag(targets.lookUp(target, OPERATOR_NETWORK), "LookupsBusy", () =>
            Effect.fail(new Unprocessable({ error: BUSY }))
          )
          yield* unblocked(target)
          return target.run
        }),
        invalidateAll: recent.invalidateAll
      }
    })
  )
}
