import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import * as Layer from "effect/Layer"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { normalise, originOf, siteFormOf, plainForm } from "../../engine/evidence/Address.ts"
import { isSuccess, mediaType, redirectLocation } from "../../engine/evidence/Exchange.ts"
import { FetchLimits } from "../../engine/evidence/FetchLimits.ts"
import { guardedHttp } from "../../engine/evidence/http/GuardedHttp.ts"
import type { Transport } from "../../engine/evidence/Transport.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import { agentAddress, reach } from "../config/Settings.ts"
import { EXCHANGE_LIMITS } from "./LookupTurns.ts"
import { createHmac, randomBytes } from "node:crypto"

/*
 * What a host publishes to verify it: tokens in a file, or in the head of a page.
 */

/** Where the token is published, on the host of the documentation. */
export const VERIFICATION_PATH = "/.well-known/docgauge-verification.txt"

/** The name of the `<meta>` element that publishes it instead. */
const VERIFICATION_NAME = "docgauge-verification"

/** The token of a host: publishing it there proves the right to decide how often the host is audited. It tells nothing of the key. */
export const tokenOf = (key: Uint8Array, url: string): string =>
  createHmac("sha256", key)
    .update(new URL(plainForm(url)).host)
    .digest("base64url")

/**
 * The token of a host and an owner key: publishing it there proves that who knows the key decides for the host. It tells nothing of either
 * key, so what everybody can read on the host is of use to the holder of the owner key alone.
 */
export const ownerTokenOf = (key: Uint8Array, url: string, ownerKey: string): string =>
  createHmac("sha256", key)
    .update(`owner\n${new URL(plainForm(url)).host}\n${ownerKey}`)
    .digest("base64url")

/** A new owner key: 32 random bytes. */
export const newOwnerKey = (): string => randomBytes(32).toString("base64url")

/** Whether this can be an owner key, and is too long to be guessed. */
export const isOwnerKey = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** The lines of a text file, each of which may be a token. */
export const linesOf = (text: string): ReadonlySet<string> => new Set(text.split("\n").map((line) => line.trim()))

/** Less than that of a look-up, so that what was not found in time is cached. */
const TIME_LIMIT = "4 seconds"

const REDIRECTS = 3

/** A place where a token can be published. */
export interface TokenPlace {
  readonly limitBytes: number
  /** The media types it may have; empty for a response without one. */
  readonly mediaTypes: ReadonlyArray<string>
  readonly tokensIn: (text: string) => Effect.Effect<ReadonlySet<string>>
}

export const TOKEN_FILE: TokenPlace = {
  limitBytes: 4 * 1_024,
  mediaTypes: ["text/plain", ""],
  tokensIn: (text) => Effect.succeed(linesOf(text))
}

export const TOKEN_PAGE: TokenPlace = {
  limitBytes: 64 * 1_024,
  mediaTypes: ["text/html"],
  // Loaded on first use: most services never read HTML in this process.
  tokensIn: (text) =>
    Effect.map(
      Effect.promise(() => import("./VerificationElement.ts")),
      ({ metaContents }) => metaContents(text, VERIFICATION_NAME)
    )
}

const NONE: ReadonlySet<string> = new Set()

/** The tokens at a URL; none without a 2xx response of one of the media types in time. Redirects are followed on the same host. */
export const publishedTokens = ({ send }: Transport["Service"], first: string, place: TokenPlace) =>
  Effect.gen(function* (): Effect.fn.Return<ReadonlySet<string>> {
    let url = first
    for (let hop = 0; hop <= REDIRECTS; hop++) {
      const answer = yield* send({
        asked: { method: "GET", url, accept: "*/*", agent: "docgauge" },
        limitBytes: place.limitBytes
      })
      if (answer._tag === "HopFault") return NONE
      const location = redirectLocation("GET", answer)
      if (location === null) {
        return isSuccess(answer.status) && place.mediaTypes.includes(mediaType(answer))
          ? yield* place.tokensIn(Buffer.from(answer.body).toString("utf8"))
          : NONE
      }
      const target = normalise(location, url)
      if (target === null || originOf(target) !== originOf(url)) return NONE
      url = target
    }
    return NONE
  }).pipe(Effect.timeoutOrElse({ duration: TIME_LIMIT, orElse: () => Effect.succeed(NONE) }))

/** The guarded HTTP client for it: public IP addresses only, checked on connecting; short timeouts. */
export const tokenTransport: Layer.Layer<Transport, Config.ConfigError> = Layer.unwrap(
  Effect.gen(function* () {
    return guardedHttp({ ...(yield* reach), userAgents: userAgents(ENGINE_VERSION, yield* agentAddress) }).pipe(
      Layer.provide(Layer.succeed(FetchLimits, EXCHANGE_LIMITS))
    )
  })
)

/** Where a token is published: the URL of the file, and the element of a page. */
export const placesFor = (url: string, token: string): { readonly file: string; readonly meta: string } => ({
  file: originOf(url) + VERIFICATION_PATH,
  meta: `<meta name="${VERIFICATION_NAME}" content="${token}">`
})

/** All spellings of a page on one origin (`siteFormOf`) are one cache key; the first that is asked for is fetched. */
export class PageKey implements Equal.Equal {
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
