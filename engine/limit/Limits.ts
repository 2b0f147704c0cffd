import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { RESERVED_REQUESTS } from "../evidence/AuditBudget.ts"
import type { StoreUnavailable } from "../store/database/StoreUnavailable.ts"
import { makeMemoryBuckets, refillMs } from "./Buckets.ts"
import type { Client } from "./ClientAddress.ts"
import {
  CLIENT_PLANS,
  clientPlansVerdict,
  clientRunsVerdict,
  makeSiteQuota,
  type NetworkBound,
  networkBounds,
  networkRunsVerdict,
  type SiteQuota
} from "./ClientQuotas.ts"
import {
  decisionOf,
  type LimitDecision,
  type LimitStatus,
  limitStatusOf,
  type Policy,
  UNLIMITED
} from "./LimitDecision.ts"
import { type LimitSettings, limitSettings, type Rate, rateFor, timesOf } from "./LimitSettings.ts"
import { LimitStore } from "./LimitStore.ts"

/** Requests to one registrable domain, over all clients and URLs. */
interface HostBudget {
  /**
   * Reserves the requests of one audit of the domain. Of a domain on which a site is verified, what one audit takes is kept for
   * its verified sites.
   */
  readonly reserve: (domain: string, isVerified?: boolean) => Effect.Effect<LimitDecision, StoreUnavailable>
  /** Stores for which run they are reserved. */
  readonly assign: (domain: string, runId: string) => Effect.Effect<void, StoreUnavailable>
  /** The state of the budget; `null` if it is off. Takes no tokens. */
  readonly look: (domain: string) => Effect.Effect<LimitStatus | null, StoreUnavailable>
  /** Refills the domain's budget. */
  readonly reset: (domain: string) => Effect.Effect<void, StoreUnavailable>
  /**
   * The run is over and sent `requests`: returns the unused reservation, or takes what the run used beyond it. Call it once per
   * run.
   */
  readonly settle: (runId: string, requests: number) => Effect.Effect<void, StoreUnavailable>
  /** A site of the domain is verified: keeps it a share of the budget for the next 30 days. */
  readonly keepShare: (domain: string) => Effect.Effect<void, StoreUnavailable>
  /** Whether a share is kept for the verified sites of the domain. */
  readonly keepsShare: (domain: string) => Effect.Effect<boolean, StoreUnavailable>
}

/** A bucket that is empty for so long once it is taken from: it marks domains with verified sites. */
const MARK: Rate = { amount: 1, windowMs: 30 * 86_400_000 }

const makeHostBudget = (rate: Rate | null, store: LimitStore["Service"]): HostBudget => {
  const bucketOf = (domain: string): string => `host ${domain}`
  const reset = (domain: string) => store.fill(bucketOf(domain))
  if (rate === null) {
    return {
      reserve: () => Effect.succeed(UNLIMITED),
      assign: () => Effect.void,
      settle: () => Effect.void,
      look: () => Effect.succeed(null),
      reset,
      keepShare: () => Effect.void,
      keepsShare: () => Effect.succeed(false)
    }
  }
  // A budget smaller than one audit's permits an audit whenever it is full.
  const amount = Math.min(RESERVED_REQUESTS, rate.amount)
  // What an audit sends beyond a small budget is still paid for.
  const longestMs = Math.max(rate.windowMs, refillMs(RESERVED_REQUESTS, rate))
  // The same refill with less room: the last of the budget is left.
  const unverified = withRoom(rate, Math.max(amount, rate.amount - amount))
  const markOf = (domain: string): string => `verified ${domain}`
  const keepsShare = (domain: string) =>
    Effect.map(store.look(markOf(domain), MARK.windowMs), ({ fullAt, now }) => fullAt > now)
  const rateOf = (domain: string, isVerified: boolean): Effect.Effect<Rate, StoreUnavailable> =>
    isVerified ? Effect.succeed(rate) : Effect.map(keepsShare(domain), (isKept) => (isKept ? unverified : rate))
  return {
    reserve: (domain, isVerified = false) =>
      Effect.flatMap(rateOf(domain, isVerified), (own) =>
        Effect.map(store.take(bucketOf(domain), amount, own, longestMs), (taking) =>
          decisionOf("host", own, amount, taking)
        )
      ),
    // Filled first: a bucket that is still empty cannot be taken from, and its 30 days would not begin again.
    keepShare: (domain) =>
      Effect.asVoid(Effect.andThen(store.fill(markOf(domain)), store.take(markOf(domain), 1, MARK))),
    keepsShare,
    assign: (domain, runId) => store.reserve(runId, bucketOf(domain), amount),
    settle: (runId, requests) => store.settle(runId, requests, rate, longestMs),
    look: (domain) =>
      Effect.map(store.look(bucketOf(domain), longestMs), (level) => limitStatusOf("host", rate, level)),
    reset
  }
}

const withRoom = (rate: Rate, amount: number): Rate => ({
  amount,
  windowMs: Math.round((rate.windowMs * amount) / rate.amount)
})

/**
 * The limits of clients. Refusals are values. Frequent requests (`poll`, `browse`, `fix`) are counted in this process's memory, which
 * is bounded; the other limits survive restarts and apply across all processes.
 */
export class Limits extends Context.Service<
  Limits,
  {
    /** One POST /audit. A client whose bucket is known to be empty is refused without reading the store. */
    readonly submit: (client: Client) => Effect.Effect<LimitDecision, StoreUnavailable>
    /** One read of a run. */
    readonly poll: (client: Client) => Effect.Effect<LimitDecision>
    /** One read of the corpus. */
    readonly browse: (client: Client) => Effect.Effect<LimitDecision>
    /** One plan that is made from an archive. */
    readonly fix: (client: Client) => Effect.Effect<LimitDecision>
    /** How long a finished report is returned as a cached report, in milliseconds; `null`: never. */
    readonly targetWindowMs: number | null
    /** A client's rate of submissions, for operators. */
    readonly submitBucket: {
      /** `null` if there is no limit. Takes no tokens. */
      readonly look: (client: Client) => Effect.Effect<LimitStatus | null, StoreUnavailable>
      readonly reset: (client: Client) => Effect.Effect<void, StoreUnavailable>
      /** As this process knows it, without reading the store: full unless it took from it. */
      readonly known: (client: Client) => Effect.Effect<LimitStatus | null>
      /** Returns the token of a submission that started nothing. */
      readonly giveBack: (client: Client) => Effect.Effect<void, StoreUnavailable>
    }
    /** Forgets which clients have an empty bucket, since the store may have changed. */
    readonly forget: () => void
    readonly siteQuota: SiteQuota
    readonly hostBudget: HostBudget
    /**
     * Whether a client network with `underWay` unfinished runs may have another. A key shared by many users has a multiple of the
     * limit.
     */
    readonly clientRuns: (network: string, underWay: number) => Effect.Effect<LimitDecision>
    /** The wider networks of a client network that are limited, the widest first, with their limits; see `networkRuns`. */
    readonly networkBounds: (network: string) => ReadonlyArray<NetworkBound>
    /** Whether a wider network with `underWay` unfinished runs of all its clients may have another. */
    readonly networkRuns: (bound: NetworkBound, underWay: number) => Effect.Effect<LimitDecision>
    /** Whether a client network with `underWay` plans that wait or are made may have another, in the same way; always if `fix` is off. */
    readonly clientPlans: (network: string, underWay: number) => Effect.Effect<LimitDecision>
    /** Maximum number of waiting runs of all clients; `null`: no limit. */
    readonly queueLimit: number | null
  }
>()("docgauge/limit/Limits") {
  static readonly layerOf = (settings: LimitSettings): Layer.Layer<Limits, never, LimitStore> =>
    Layer.effect(
      Limits,
      Effect.gen(function* () {
        const store = yield* LimitStore
        yield* keepSwept(store, settings)
        const submit = durableBucket("submit", settings.submit, store)
        return {
          submit: submit.take,
          submitBucket: { look: submit.look, reset: submit.reset, known: submit.known, giveBack: submit.giveBack },
          forget: submit.forget,
          poll: memoryBucket("poll", settings.poll),
          browse: memoryBucket("browse", settings.browse),
          fix: memoryBucket("fix", settings.fix),
          targetWindowMs: settings.targetWindowMs,
          siteQuota: makeSiteQuota(settings.siteQuota, settings.verifiedQuota, store),
          hostBudget: makeHostBudget(settings.hostBudget, store),
          clientRuns: (network, underWay) =>
            Effect.succeed(
              clientRunsVerdict(settings.clientRuns === null ? null : settings.clientRuns * timesOf(network), underWay)
            ),
          networkBounds: (network) => networkBounds(settings.networkRuns, settings.clientRuns, network),
          networkRuns: (bound, underWay) => Effect.succeed(networkRunsVerdict(bound, underWay)),
          clientPlans: (network, underWay) =>
            Effect.succeed(
              clientPlansVerdict(settings.fix === null ? null : CLIENT_PLANS * timesOf(network), underWay)
            ),
          queueLimit: settings.queueLimit
        }
      })
    )

  /** From the environment. */
  static readonly layer: Layer.Layer<Limits, Config.ConfigError, LimitStore> = Layer.unwrap(
    Effect.map(limitSettings, Limits.layerOf)
  )
}

const memoryBucket = (policy: Policy, rate: Rate | null): ((client: Client) => Effect.Effect<LimitDecision>) => {
  if (rate === null) return () => Effect.succeed(UNLIMITED)
  const buckets = makeMemoryBuckets(rate)
  return ({ rateKey }) =>
    Effect.map(Clock.currentTimeMillis, (now) =>
      decisionOf(policy, rateFor(rate, rateKey), 1, buckets.take(rateKey, 1 / timesOf(rateKey), now))
    )
}

interface DurableBucket {
  readonly take: (client: Client) => Effect.Effect<LimitDecision, StoreUnavailable>
  readonly look: (client: Client) => Effect.Effect<LimitStatus | null, StoreUnavailable>
  readonly reset: (client: Client) => Effect.Effect<void, StoreUnavailable>
  readonly known: (client: Client) => Effect.Effect<LimitStatus | null>
  readonly giveBack: (client: Client) => Effect.Effect<void, StoreUnavailable>
  readonly forget: () => void
}

const durableBucket = (policy: Policy, rate: Rate | null, store: LimitStore["Service"]): DurableBucket => {
  const bucketOf = ({ rateKey }: Client): string => `${policy} ${rateKey}`
  const reset = (client: Client) => store.fill(bucketOf(client))
  if (rate === null)
    return {
      take: () => Effect.succeed(UNLIMITED),
      look: () => Effect.succeed(null),
      reset,
      known: () => Effect.succeed(null),
      giveBack: () => Effect.void,
      forget: () => {}
    }
  // A local copy of the store's empty buckets. Only operators refill those early, so a bucket that is empty here is empty in the
  // store, too.
  const known = makeMemoryBuckets(rate)
  const take = Effect.fnUntraced(function* (client: Client) {
    const { rateKey } = client
    const own = rateFor(rate, rateKey)
    const now = yield* Clock.currentTimeMillis
    const empty = known.lacks(rateKey, 1 / timesOf(rateKey), now)
    if (empty !== null) return decisionOf(policy, own, 1, empty)
    return decisionOf(policy, own, 1, yield* takeStored(client, 1, now))
  })
  const takeStored = (client: Client, cost: number, now: number) =>
    Effect.tap(store.take(bucketOf(client), cost, rateFor(rate, client.rateKey)), ({ fullAt, now: there }) =>
      // The store may use another clock.
      Effect.sync(() => {
        known.learn(client.rateKey, fullAt - there + now)
      })
    )
  return {
    take,
    look: (client) =>
      Effect.map(store.look(bucketOf(client), rate.windowMs), (level) => limitStatusOf(policy, rate, level)),
    reset,
    known: ({ rateKey }) =>
      Effect.map(Clock.currentTimeMillis, (now) =>
        limitStatusOf(policy, rateFor(rate, rateKey), { fullAt: known.fullAt(rateKey, now), now })
      ),
    giveBack: (client) => Effect.asVoid(Effect.flatMap(Clock.currentTimeMillis, (now) => takeStored(client, -1, now))),
    forget: known.clear
  }
}

/** How often the processes of a service, together, delete what no longer counts, in milliseconds. */
const SWEEP_INTERVAL = 60 * 60_000

const keepSwept = (store: LimitStore["Service"], { siteQuota, verifiedQuota }: LimitSettings) =>
  store
    .sweep(Math.max(siteQuota?.windowMs ?? 0, verifiedQuota?.windowMs ?? 0), SWEEP_INTERVAL / 2)
    .pipe(
      Effect.ignoreCause({ log: "Warn", message: "limits could not be swept" }),
      Effect.delay(SWEEP_INTERVAL),
      Effect.forever,
      Effect.forkScoped
    )
