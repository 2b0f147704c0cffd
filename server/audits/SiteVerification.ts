import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { originOf, siteOf } from "../../engine/evidence/Address.ts"
import { Transport } from "../../engine/evidence/Transport.ts"
import type { OwnerVerification } from "../../engine/limit/LimitDecision.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import { makeMemoryBuckets } from "../../engine/limit/Buckets.ts"
import { ServerKey } from "../../engine/store/operators/ServerKey.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { LookupTurns } from "./LookupTurns.ts"
import {
  PageKey,
  placesFor,
  publishedTokens,
  TOKEN_FILE,
  TOKEN_PAGE,
  type TokenPlace,
  tokenTransport,
  tokenOf,
  VERIFICATION_PATH
} from "./VerificationTokens.ts"
import { everyText } from "./RefusalMessages.ts"

/**
 * Owners of sites who agree to more audits: they publish a token that only this service can compute for their host. The site is
 * asked only when its quota would refuse an audit.
 */
export class SiteVerification extends Context.Service<
  SiteVerification,
  {
    /** How the owner of the site at this URL can verify it; `null`: sites cannot be verified here. */
    readonly offer: (url: string) => Effect.Effect<OwnerVerification | null, StoreUnavailable>
    /** Whether the site at this URL publishes its token now, or did within the last 10 minutes. It is looked at for a client of that network. */
    readonly isVerified: (url: string, network: string) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("docgauge/server/SiteVerification") {
  /** `transport` follows no redirects and connects to public addresses only. */
  static readonly layerOver: Layer.Layer<SiteVerification, never, Transport | Limits | LookupTurns | ServerKey> =
    Layer.effect(
      SiteVerification,
      Effect.gen(function* () {
        const transport = yield* Transport
        const {
          hostBudget,
          siteQuota: { ofVerified }
        } = yield* Limits
        const key = yield* ServerKey
        const turns = yield* LookupTurns
        const buckets = makeMemoryBuckets(SITE_RATE)

        /** Looks for the token in the text at a URL. */
        const look = Effect.fnUntraced(function* (
          url: string,
          place: TokenPlace
        ): Effect.fn.Return<Look, StoreUnavailable> {
          const token = tokenOf(yield* key.get, url)
          const domain = siteOf(new URL(url).hostname)
          if (!buckets.take(domain, 1, yield* Clock.currentTimeMillis).taken) return "not looked"
          const isFound = (yield* publishedTokens(transport, url, place)).has(token)
          if (isFound) yield* hostBudget.keepShare(domain)
          return isFound ? "found" : "missing"
        })

        /** By origin: one file covers all pages of a host. */
        const files = yield* Cache.makeWith((origin: string) => look(origin + VERIFICATION_PATH, TOKEN_FILE), LOOKS)
        const pages = yield* Cache.makeWith(({ url }: PageKey) => look(url, TOKEN_PAGE), LOOKS)

        const isVerified = Effect.fnUntraced(function* (
          url: string,
          network: string
        ): Effect.fn.Return<boolean, StoreUnavailable> {
          const origin = originOf(url)
          const page = new PageKey(url)
          const known = yield* Effect.all([Cache.getOption(files, origin), Cache.getOption(pages, page)])
          if (known.some((answer) => Option.getOrNull(answer) === "found")) return true
          // One host name, so both requests are one turn.
          const looks = Effect.all([Cache.get(files, origin), Cache.get(pages, page)], { concurrency: 2 })
          return yield* Effect.map(turns.fetch(network, 2, looks), (all) => all.includes("found")).pipe(
            Effect.catchTags({ LookupTimedOut: () => Effect.succeed(false), LookupsBusy: () => Effect.succeed(false) })
          )
        })

        return {
          offer: (url) =>
            ofVerified === null
              ? Effect.succeed(null)
              : Effect.map(key.get, (secret) => {
                  const token = tokenOf(secret, url)
                  return { token, ...placesFor(url, token), then: everyText(ofVerified) }
                }),
          isVerified: (url, network) => (ofVerified === null ? Effect.succeed(false) : isVerified(url, network))
        }
      })
    )

  /** Over the guarded HTTP client. */
  static readonly layer: Layer.Layer<SiteVerification, Config.ConfigError, Limits | LookupTurns | ServerKey> =
    SiteVerification.layerOver.pipe(Layer.provide(tokenTransport))
}

/** "not looked": the site was asked too often already, so nothing is known. */
type Look = "found" | "missing" | "not looked"

/** An owner who has just published the token should not have to wait long; one who has published it keeps it. */
const FOUND_TTL = Duration.minutes(10)
const MISSED_TTL = Duration.minutes(1)

const LOOKS = {
  capacity: 2_000,
  timeToLive: (exit: Exit.Exit<Look, StoreUnavailable>) =>
    !Exit.isSuccess(exit) || exit.value === "not looked"
      ? Duration.zero
      : exit.value === "found"
        ? FOUND_TTL
        : MISSED_TTL
}

/**
 * Looks at one registrable domain over all clients and URLs, so that this service cannot be used to attack a site: six at a file and
 * six at a page, each of at most 4 requests, with redirects. They are not part of the host budget.
 */
const SITE_RATE = { amount: 12, windowMs: 600_000 }
