import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Hash from "effect/Hash"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { normalise, originOf, siteFormOf, siteOf } from "../../engine/evidence/Address.ts"
import { isSuccess, mediaType, redirectLocation } from "../../engine/evidence/Exchange.ts"
import { FetchLimits } from "../../engine/evidence/FetchLimits.ts"
import { guardedHttp } from "../../engine/evidence/http/GuardedHttp.ts"
import { Transport } from "../../engine/evidence/Transport.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import type { OwnerVerification } from "../../engine/limit/LimitDecision.ts"
import { Limits } from "../../engine/limit/Limits.ts"
import { makeMemoryBuckets } from "../../engine/limit/MemoryBuckets.ts"
import { ServerKey } from "../../engine/store/operators/ServerKey.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { agentAddress, reach } from "../config/Settings.ts"
import { EXCHANGE_LIMITS, LookupTurns } from "./LookupTurns.ts"
import { isInFile, tokenOf, VERIFICATION_NAME, VERIFICATION_PATH } from "./VerificationToken.ts"
import { everyText } from "./WaitText.ts"

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
        const { send } = yield* Transport
        const {
          hostBudget,
          siteQuota: { ofVerified }
        } = yield* Limits
        const key = yield* ServerKey
        const turns = yield* LookupTurns
        const buckets = makeMemoryBuckets(SITE_RATE)

        /** The text at a URL; empty without a 2xx response of one of the media types in time. Redirects are followed on the same host. */
        const read = Effect.fnUntraced(
          function* (first: string, { limitBytes, mediaTypes }: Form): Effect.fn.Return<string> {
            let url = first
            for (let hop = 0; hop <= REDIRECTS; hop++) {
              const answer = yield* send({
                asked: { method: "GET", url, accept: "*/*", agent: "docgauge" },
                limitBytes
              })
              if (answer._tag === "HopFault") return ""
              const location = redirectLocation("GET", answer)
              if (location === null) {
                return isSuccess(answer.status) && mediaTypes.includes(mediaType(answer))
                  ? Buffer.from(answer.body).toString("utf8")
                  : ""
              }
              const target = normalise(location, url)
              if (target === null || originOf(target) !== originOf(url)) return ""
              url = target
            }
            return ""
          },
          Effect.timeoutOrElse({ duration: TIME_LIMIT, orElse: () => Effect.succeed("") })
        )

        /** Looks for the token in the text at a URL. */
        const look = Effect.fnUntraced(function* (url: string, form: Form): Effect.fn.Return<Look, StoreUnavailable> {
          const token = tokenOf(yield* key.get, url)
          const domain = siteOf(new URL(url).hostname)
          if (!buckets.take(domain, 1, yield* Clock.currentTimeMillis).taken) return "not looked"
          const isFound = yield* form.hasToken(yield* read(url, form), token)
          if (isFound) yield* hostBudget.keepShare(domain)
          return isFound ? "found" : "missing"
        })

        /** By origin: one file covers all pages of a host. */
        const files = yield* Cache.makeWith((origin: string) => look(origin + VERIFICATION_PATH, FILE), LOOKS)
        const pages = yield* Cache.makeWith(({ url }: PageKey) => look(url, PAGE), LOOKS)

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
                  return {
                    token,
                    file: originOf(url) + VERIFICATION_PATH,
                    meta: `<meta name="${VERIFICATION_NAME}" content="${token}">`,
                    then: everyText(ofVerified)
                  }
                }),
          isVerified: (url, network) => (ofVerified === null ? Effect.succeed(false) : isVerified(url, network))
        }
      })
    )

  /** Over the guarded HTTP client: public IP addresses only, checked on connecting; short timeouts. */
  static readonly layer: Layer.Layer<SiteVerification, Config.ConfigError, Limits | LookupTurns | ServerKey> =
    Layer.unwrap(
      Effect.gen(function* () {
        const client = guardedHttp({ ...(yield* reach), userAgents: userAgents(ENGINE_VERSION, yield* agentAddress) })
        return SiteVerification.layerOver.pipe(
          Layer.provide(client),
          Layer.provide(Layer.succeed(FetchLimits, EXCHANGE_LIMITS))
        )
      })
    )
}

/** Less than that of a look-up, so that what was not found in time is cached. */
const TIME_LIMIT = "4 seconds"

/** A place where the token can be published. */
interface Form {
  readonly limitBytes: number
  /** The media types it may have; empty for a response without one. */
  readonly mediaTypes: ReadonlyArray<string>
  readonly hasToken: (text: string, token: string) => Effect.Effect<boolean>
}

const FILE: Form = {
  limitBytes: 4 * 1_024,
  mediaTypes: ["text/plain", ""],
  hasToken: (text, token) => Effect.succeed(isInFile(text, token))
}

const PAGE: Form = {
  limitBytes: 64 * 1_024,
  mediaTypes: ["text/html"],
  // Loaded on first use: most services never read HTML in this process.
  hasToken: (text, token) =>
    Effect.map(
      Effect.promise(() => import("./VerificationElement.ts")),
      ({ isInHead }) => isInHead(text, token)
    )
}

/** "not looked": the site was asked too often already, so nothing is known. */
type Look = "found" | "missing" | "not looked"

/** All spellings of a page on one origin (`siteFormOf`) are one cache key; the first that is asked for is fetched. */
class PageKey implements Equal.Equal {
  readonly url: string
  readonly #spelling: string

  constructor(url: string) {
    this.url = url
    this.#spelling = `${originOf(url)} ${siteFormOf(url)}`
  }

  [Equal.symbol](that: Equal.Equal): boolean {
    return that instanceof PageKey && that.#spelling === this.#spelling
  }

  [Hash.symbol](): number {
    return Hash.string(this.#spelling)
  }
}

const REDIRECTS = 3

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
 * six at a page, each of at most 4 requests (`REDIRECTS`). They are not part of the host budget.
 */
const SITE_RATE = { amount: 12, windowMs: 600_000 }
