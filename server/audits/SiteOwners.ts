import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { originOf, siteFormOf, siteOf } from "../../engine/evidence/Address.ts"
import { Transport } from "../../engine/evidence/Transport.ts"
import { makeMemoryBuckets } from "../../engine/limit/Buckets.ts"
import { ServerKey } from "../../engine/store/operators/ServerKey.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import type { OwnerProof } from "../api/Errors.ts"
import { type LookupsBusy, LookupTurns } from "./LookupTurns.ts"
import {
  PageKey,
  placesFor,
  publishedTokens,
  TOKEN_FILE,
  TOKEN_PAGE,
  tokenTransport,
  isOwnerKey,
  newOwnerKey,
  ownerTokenOf,
  VERIFICATION_PATH
} from "./VerificationTokens.ts"

/**
 * Who may ask for what only a site's owner may: who knows an owner key whose token the site publishes. The token of a verified site is
 * the same for everybody, so it tells nothing of who asks. Nothing is stored: the key is in the request, its token on the site.
 */
export class SiteOwners extends Context.Service<
  SiteOwners,
  {
    /** What to publish so that the holder of this owner key, or of a new one, is known as the owner of the site at this URL. */
    readonly proof: (url: string, ownerKey: string | null) => Effect.Effect<OwnerProof, StoreUnavailable>
    /** Whether the site at this URL publishes the token of that key now, or did within the last 10 minutes. It is looked at for a client of that network. */
    readonly isOwner: (
      url: string,
      ownerKey: string,
      network: string
    ) => Effect.Effect<boolean, StoreUnavailable | LookupsBusy>
  }
>()("docgauge/server/SiteOwners") {
  /** `transport` follows no redirects and connects to public addresses only. */
  static readonly layerOver: Layer.Layer<SiteOwners, never, Transport | LookupTurns | ServerKey> = Layer.effect(
    SiteOwners,
    Effect.gen(function* () {
      const transport = yield* Transport
      const key = yield* ServerKey
      const turns = yield* LookupTurns
      const [fileLooks, pageLooks] = [makeMemoryBuckets(FILE_RATE), makeMemoryBuckets(PAGE_RATE)]

      /** All tokens at a URL, not only the requested one: requests with other keys must not hide the owner's token. `null`: not looked. */
      const look = Effect.fnUntraced(function* (
        url: string,
        place: typeof TOKEN_FILE,
        looks: typeof fileLooks
      ): Effect.fn.Return<ReadonlySet<string> | null> {
        if (!looks.take(siteOf(new URL(url).hostname), 1, yield* Clock.currentTimeMillis).taken) return null
        const tokens = yield* publishedTokens(transport, url, place)
        return new Set([...tokens].filter(isToken).slice(0, MOST_TOKENS))
      })

      const files = yield* Cache.makeWith(
        (origin: string) => look(origin + VERIFICATION_PATH, TOKEN_FILE, fileLooks),
        LOOKS
      )
      const pages = yield* Cache.makeWith(({ url }: PageKey) => look(url, TOKEN_PAGE, pageLooks), LOOKS)
      /** What was found, by site and token: a page counts for itself, not for its host. */
      const found = yield* Cache.make({
        capacity: CAPACITY,
        timeToLive: FOUND_TTL,
        lookup: (_siteAndToken: string) => Effect.void
      })

      const isOwner = Effect.fnUntraced(function* (url: string, ownerKey: string, network: string) {
        const token = ownerTokenOf(yield* key.get, url, ownerKey)
        const known = `${siteFormOf(url)} ${token}`
        if (Option.isSome(yield* Cache.getOption(found, known))) return true
        const looks = Effect.all([Cache.get(files, originOf(url)), Cache.get(pages, new PageKey(url))], {
          concurrency: 2
        })
        const isFound = yield* Effect.map(turns.fetch(network, 2, looks), (all) =>
          all.some((tokens) => tokens?.has(token))
        ).pipe(Effect.catchTag("LookupTimedOut", () => Effect.succeed(false)))
        if (isFound) yield* Cache.set(found, known, undefined)
        return isFound
      })

      return {
        isOwner,
        proof: Effect.fnUntraced(function* (url, ownerKey) {
          const owner_key = ownerKey ?? newOwnerKey()
          const token = ownerTokenOf(yield* key.get, url, owner_key)
          return { owner_key, token, ...placesFor(url, token) }
        })
      }
    })
  )

  /** Over the guarded HTTP client. */
  static readonly layer: Layer.Layer<SiteOwners, Config.ConfigError, LookupTurns | ServerKey> =
    SiteOwners.layerOver.pipe(Layer.provide(tokenTransport))
}

/** Tokens and owner keys are 32 bytes alike. */
const isToken = isOwnerKey

/** Tokens of one file or page that are read. */
const MOST_TOKENS = 50

const CAPACITY = 2_000

/** An owner who has published the token keeps it for as long; one who has just published it waits for the next look. */
const FOUND_TTL = Duration.minutes(10)
const LOOK_TTL = Duration.minutes(1)

const LOOKS = {
  capacity: CAPACITY,
  timeToLive: (exit: Exit.Exit<ReadonlySet<string> | null>) =>
    Exit.isSuccess(exit) && exit.value !== null ? LOOK_TTL : Duration.zero
}

/**
 * Looks at one registrable domain over all clients, URLs and keys, each of at most 4 requests. More at files, of which a host has one,
 * so that those who ask for many pages of a site do not keep its owner from being found.
 */
const FILE_RATE = { amount: 30, windowMs: 600_000 }
const PAGE_RATE = { amount: 12, windowMs: 600_000 }
