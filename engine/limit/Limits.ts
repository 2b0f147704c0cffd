import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { StoreUnavailable } from "../store/RunStore.ts"
import type { Client } from "./ClientAddress.ts"
import { clientRunsVerdict } from "./ClientRuns.ts"
import { type HostBudget, makeHostBudget } from "./HostBudget.ts"
import { type LimitSettings, limitSettings } from "./LimitSettings.ts"
import { LimitStore } from "./LimitStore.ts"
import { makeMemoryBuckets } from "./MemoryBuckets.ts"
import type { Rate } from "./RateSpec.ts"
import { rateFor, timesOf } from "./SharedKey.ts"
import { makeSiteQuota, type SiteQuota } from "./SiteQuota.ts"
import { type Policy, type Standing, standingOf, UNLIMITED, type Verdict, verdictOf } from "./Verdict.ts"

/**
 * How much anyone may ask of this service. Refusals are values. What is asked often (`poll`, `browse`) is counted in
 * this process's memory, bounded; the rest lasts over a restart and holds over all processes.
 */
export class Limits extends Context.Service<Limits, {
  /** One POST /audit. A client whose bucket is known to be empty is refused without a look at the store. */
  readonly submit: (client: Client) => Effect.Effect<Verdict, StoreUnavailable>
  /** One read of a run. */
  readonly poll: (client: Client) => Effect.Effect<Verdict>
  /** One read of the corpus. */
  readonly browse: (client: Client) => Effect.Effect<Verdict>
  /** How long a finished report is replayed, in milliseconds; `null`: never. */
  readonly targetWindowMs: number | null
  /** Submissions of a client, for operators. */
  readonly submitBucket: {
    /** `null` where there is no limit. Takes nothing. */
    readonly look: (client: Client) => Effect.Effect<Standing | null, StoreUnavailable>
    readonly reset: (client: Client) => Effect.Effect<void, StoreUnavailable>
  }
  /** Forgets which clients are known to have nothing left: the store may know better. */
  readonly forget: () => void
  readonly siteQuota: SiteQuota
  readonly hostBudget: HostBudget
  /** Whether a client network with `underWay` runs waiting or running may have another. A key that many users share has a multiple of the limit. */
  readonly clientRuns: (network: string, underWay: number) => Effect.Effect<Verdict>
  /** Runs that may wait, over all clients; `null`: any number. */
  readonly queueLimit: number | null
}>()("docgauge/limit/Limits") {
  static readonly layerOf = (settings: LimitSettings): Layer.Layer<Limits, never, LimitStore> =>
    Layer.effect(Limits, Effect.gen(function*() {
      const store = yield* LimitStore
      yield* keepSwept(store, settings)
      const submit = durableBucket("submit", settings.submit, store)
      return {
        submit: submit.take,
        submitBucket: { look: submit.look, reset: submit.reset },
        forget: submit.forget,
        poll: memoryBucket("poll", settings.poll),
        browse: memoryBucket("browse", settings.browse),
        targetWindowMs: settings.targetWindowMs,
        siteQuota: makeSiteQuota(settings.siteQuota, store),
        hostBudget: makeHostBudget(settings.hostBudget, store),
        clientRuns: (network, underWay) =>
          Effect.succeed(clientRunsVerdict(settings.clientRuns === null ? null : settings.clientRuns * timesOf(network), underWay)),
        queueLimit: settings.queueLimit
      }
    }))

  /** As the environment says. */
  static readonly layer: Layer.Layer<Limits, Config.ConfigError, LimitStore> = Layer.unwrap(
    Effect.map(limitSettings, Limits.layerOf)
  )
}

const memoryBucket = (policy: Policy, rate: Rate | null): (client: Client) => Effect.Effect<Verdict> => {
  if (rate === null) return () => Effect.succeed(UNLIMITED)
  const buckets = makeMemoryBuckets(rate)
  return ({ rateKey }) =>
    Effect.map(Clock.currentTimeMillis, (now) => verdictOf(policy, rateFor(rate, rateKey), 1, buckets.take(rateKey, 1 / timesOf(rateKey), now)))
}

interface DurableBucket {
  readonly take: (client: Client) => Effect.Effect<Verdict, StoreUnavailable>
  readonly look: (client: Client) => Effect.Effect<Standing | null, StoreUnavailable>
  readonly reset: (client: Client) => Effect.Effect<void, StoreUnavailable>
  readonly forget: () => void
}

const durableBucket = (
  policy: Policy,
  rate: Rate | null,
  store: LimitStore["Service"]
): DurableBucket => {
  const bucketOf = ({ rateKey }: Client): string => `${policy} ${rateKey}`
  const reset = (client: Client) => store.fill(bucketOf(client))
  if (rate === null) return { take: () => Effect.succeed(UNLIMITED), look: () => Effect.succeed(null), reset, forget: () => {} }
  // What is known of the store's buckets. Only operators give anything back to these: else empty here is empty there.
  const known = makeMemoryBuckets(rate)
  const take = Effect.fnUntraced(function*(client: Client) {
    const { rateKey } = client
    const own = rateFor(rate, rateKey)
    const now = yield* Clock.currentTimeMillis
    const empty = known.lacks(rateKey, 1 / timesOf(rateKey), now)
    if (empty !== null) return verdictOf(policy, own, 1, empty)
    const taking = yield* store.take(bucketOf(client), 1, own)
    // The store may go by another clock.
    known.learn(rateKey, taking.fullAt - taking.now + now)
    return verdictOf(policy, own, 1, taking)
  })
  return {
    take,
    look: (client) => Effect.map(store.look(bucketOf(client)), (level) => standingOf(policy, rate, level)),
    reset,
    forget: known.clear
  }
}

const keepSwept = (store: LimitStore["Service"], { siteQuota }: LimitSettings) =>
  store.sweep(siteQuota?.windowMs ?? 0).pipe(
    Effect.ignore({ log: "Warn", message: "limits could not be swept" }),
    Effect.delay("1 hour"),
    Effect.forever,
    Effect.forkScoped
  )
