import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { normalise, originOf, siteOf } from "../../engine/evidence/Address.ts"
import { isSuccess, redirectLocation } from "../../engine/evidence/Exchange.ts"
import { FetchLimits, limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { guardedHttp } from "../../engine/evidence/http/GuardedHttp.ts"
import { Transport } from "../../engine/evidence/Transport.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import type { OwnerVerification } from "../../engine/limit/LimitDecision.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import { makeMemoryBuckets } from "../../engine/limit/MemoryBuckets.ts"
import { ServerKey } from "../../engine/store/operators/ServerKey.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { agentAddress, reach } from "../config/Settings.ts"
import { isInFile, isInHead, tokenOf, VERIFICATION_NAME, VERIFICATION_PATH } from "./VerificationToken.ts"
import { everyText } from "./WaitText.ts"

/**
 * Owners of sites who agree to more audits: they publish a token that only this service can compute for their host. The site is
 * asked only when its quota would refuse an audit.
 */
export class SiteVerification extends Context.Service<SiteVerification, {
  /** How the owner of the site at this URL can verify it; `null`: sites cannot be verified here. */
  readonly offer: (url: string) => Effect.Effect<OwnerVerification | null, StoreUnavailable>
  /** Whether the site at this URL publishes its token now, or did within the last 10 minutes. */
  readonly isVerified: (url: string) => Effect.Effect<boolean, StoreUnavailable>
}>()("docgauge/server/SiteVerification") {
  /** `transport` follows no redirects and connects to public addresses only. */
  static readonly layerOver: Layer.Layer<SiteVerification, never, Transport | Limits | ServerKey> = Layer.effect(
    SiteVerification,
    Effect.gen(function*() {
      const { send } = yield* Transport
      const { hostBudget, siteQuota: { ofVerified } } = yield* Limits
      const key = yield* ServerKey
      const buckets = makeMemoryBuckets(SITE_RATE)

      /** The text at a URL; empty without a 2xx response. Redirects are followed on the same host. */
      const read = Effect.fnUntraced(function*(first: string, limitBytes: number): Effect.fn.Return<string> {
        let url = first
        for (let hop = 0; hop <= REDIRECTS; hop++) {
          const answer = yield* send({ asked: { method: "GET", url, accept: "*/*", agent: "docgauge" }, limitBytes })
          if (answer._tag === "HopFault") return ""
          const location = redirectLocation("GET", answer)
          if (location === null) return isSuccess(answer.status) ? Buffer.from(answer.body).toString("utf8") : ""
          const target = normalise(location, url)
          if (target === null || originOf(target) !== originOf(url)) return ""
          url = target
        }
        return ""
      })

      const publishes = Effect.fnUntraced(function*(url: string): Effect.fn.Return<boolean, StoreUnavailable> {
        const token = tokenOf(yield* key.get, url)
        const domain = siteOf(new URL(url).hostname)
        if (!buckets.take(domain, 1, yield* Clock.currentTimeMillis).taken) return false
        const [file, page] = yield* Effect.all([read(originOf(url) + VERIFICATION_PATH, FILE_BYTES), read(url, PAGE_BYTES)], { concurrency: 2 }).pipe(
          Effect.timeoutOrElse({ duration: TIME_LIMIT, orElse: () => Effect.succeed(["", ""] as const) })
        )
        const found = isInFile(file, token) || isInHead(page, token)
        if (found) yield* hostBudget.keepShare(domain)
        return found
      })

      const answers = yield* Cache.makeWith(publishes, {
        capacity: CAPACITY,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? (exit.value ? FOUND_TTL : MISSED_TTL) : Duration.zero)
      })

      return {
        offer: (url) => ofVerified === null ? Effect.succeed(null) : Effect.map(key.get, (secret) => {
          const token = tokenOf(secret, url)
          return {
            token,
            file: originOf(url) + VERIFICATION_PATH,
            meta: `<meta name="${VERIFICATION_NAME}" content="${token}">`,
            then: everyText(ofVerified)
          }
        }),
        isVerified: (url) => (ofVerified === null ? Effect.succeed(false) : Cache.get(answers, url))
      }
    })
  )

  /** Over the guarded HTTP client: public IP addresses only, checked on connecting; short timeouts. */
  static readonly layer: Layer.Layer<SiteVerification, Config.ConfigError, Limits | ServerKey> = Layer.unwrap(Effect.gen(function*() {
    const client = guardedHttp({ ...(yield* reach), userAgents: userAgents(ENGINE_VERSION, yield* agentAddress) })
    return SiteVerification.layerOver.pipe(Layer.provide(client), Layer.provide(Layer.succeed(FetchLimits, LIMITS)))
  }))
}

const TIME_LIMIT = "5 seconds"

const LIMITS = limitsWith({ connectMs: 3_000, firstByteMs: 4_000, stallMs: 2_000, exchangeMs: 5_000, perHost: 2 })

const FILE_BYTES = 4 * 1_024
const PAGE_BYTES = 256 * 1_024
const REDIRECTS = 3

/** An owner who has just published the token should not have to wait long; one who has published it keeps it. */
const FOUND_TTL = Duration.minutes(10)
const MISSED_TTL = Duration.minutes(1)

const CAPACITY = 2_000

/** Looks at one registrable domain over all clients and URLs, so that this service cannot be used to attack a site. */
const SITE_RATE = { amount: 6, windowMs: 60_000 }
