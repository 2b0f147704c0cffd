import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { normalise, siteOf } from "../../engine/evidence/Address.ts"
import { FetchLimits } from "../../engine/evidence/FetchLimits.ts"
import { guardedHttp, type GuardedHttpOptions } from "../../engine/evidence/http/GuardedHttp.ts"
import { type HopAnswer, Transport } from "../../engine/evidence/Transport.ts"
import { makeMemoryBuckets } from "../../engine/limit/Buckets.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { AskingNetwork, EXCHANGE_LIMITS, LookupTurns } from "../audits/LookupTurns.ts"
import { type MetadataProblem, type OAuthClient, readClient } from "./OAuthClient.ts"
import { Seals } from "./OAuthKeys.ts"

/** The content of a registration, sealed into the client id. The random `jti` makes the id unique. */
const Registration = Schema.Struct({ r: Schema.Array(Schema.String), n: Schema.optionalKey(Schema.String) })

/** A new registration. */
export interface RegisteredClient extends OAuthClient {
  /** Seconds since the epoch. */
  readonly issuedAt: number
}

type Read = Result.Result<OAuthClient, string>

/** Client metadata documents: clients whose id is the URL of their description. */
export class ClientDocuments extends Context.Service<
  ClientDocuments,
  {
    /** The client described by the document at this URL, or the reason why it is not valid, as a clause. */
    readonly read: (address: string) => Effect.Effect<Read>
  }
>()("docgauge/server/oauth/ClientDocuments") {
  /** `transport` follows no redirects and connects to public IP addresses only. */
  static readonly layerOver: Layer.Layer<ClientDocuments, never, Transport | LookupTurns> = Layer.effect(
    ClientDocuments,
    Effect.gen(function* () {
      const { send } = yield* Transport
      const turns = yield* LookupTurns
      const buckets = makeMemoryBuckets(SITE_RATE)
      const kept = new Map<string, { readonly until: number; readonly read: Read }>()

      const keep = (address: string, read: Read, now: number): Read => {
        kept.delete(address)
        kept.set(address, { read, until: now + (Result.isSuccess(read) ? FOUND_MS : MISSED_MS) })
        const [oldest] = kept.keys()
        if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
        return read
      }

      const fetch = (address: string): Effect.Effect<Read> =>
        Effect.map(
          send({
            asked: { method: "GET", url: address, accept: "application/json", agent: "docgauge" },
            limitBytes: MOST_BYTES
          }),
          (hop) =>
            hop._tag === "HopFault"
              ? Result.fail(`its document cannot be read: ${hop.message}`)
              : readDocument(address, hop)
        )

      return {
        read: Effect.fnUntraced(function* (address) {
          const problem = problemOf(address)
          if (problem !== null) return Result.fail(problem)
          const now = yield* Clock.currentTimeMillis
          const known = kept.get(address)
          if (known !== undefined && known.until > now) return known.read
          if (!buckets.take(siteOf(new URL(address).hostname), 1, now).taken) return Result.fail(UNREADABLE)
          const read = yield* turns.fetch(yield* AskingNetwork, 1, fetch(address)).pipe(
            Effect.catchTags({
              LookupTimedOut: (): Effect.Effect<Read> =>
                Effect.succeed(Result.fail("its name servers did not respond in time")),
              // The wait may be caused by other clients, so this failure is not cached.
              LookupsBusy: () => Effect.succeed(null)
            })
          )
          if (read === null) return Result.fail(UNREADABLE)
          if (Result.isSuccess(read)) return keep(address, read, now)
          yield* Effect.logDebug(`the client metadata document at ${address} cannot be used: ${read.failure}`)
          return keep(address, Result.fail(UNREADABLE), now)
        })
      }
    })
  )

  /** Over the guarded HTTP client: public IP addresses only, checked on connecting; short timeouts. */
  static readonly layer = (options: GuardedHttpOptions): Layer.Layer<ClientDocuments, never, LookupTurns> =>
    ClientDocuments.layerOver.pipe(
      Layer.provide(guardedHttp({ ...options, allowHttp: false })),
      Layer.provide(Layer.succeed(FetchLimits, EXCHANGE_LIMITS))
    )
}

/**
 * The same message for every failure of a document: the reason would reveal which names and ports this server can reach.
 * Operators find it in the log at debug level.
 */
export const UNREADABLE =
  "its client metadata document could not be read or is not valid: it must be at that URL on a public host, without redirects, as JSON of 5 KB at most, with the same client_id and valid redirect_uris. Correct it, then try again in a minute"

const MOST_BYTES = 5 * 1_024

/** How long a document or its failure is cached, in milliseconds. */
const FOUND_MS = 15 * 60_000
const MISSED_MS = 60_000

const MOST_KEPT = 500

/** Fetches of documents from one site over all clients, so that this server cannot be used to attack a site. */
const SITE_RATE = { amount: 10, windowMs: 60_000 }

const LONGEST_ID = 512

/** The URL must be normalised, so that each client has only one id. */
const problemOf = (address: string): string | null => {
  const url = address.length > LONGEST_ID ? null : URL.parse(address)
  if (url === null || url.protocol !== "https:") return "its id is not an https URL"
  if (url.username !== "" || url.password !== "" || address.includes("#") || url.pathname === "/") {
    return "its id must be a URL with a path, without fragment and credentials"
  }
  return normalise(address) === address ? null : "its id is not a normalised URL"
}

const readDocument = (address: string, { body, cut, status }: HopAnswer): Read => {
  if (status !== 200) return Result.fail(`its document responds with ${status}; redirects are not followed`)
  if (cut) return Result.fail("its document is larger than 5 KB")
  const document = parse(body)
  if (typeof document !== "object" || document === null || !("client_id" in document))
    return Result.fail("its document is not a JSON object with a client_id")
  if (document.client_id !== address) return Result.fail("its document has another client_id")
  return Result.mapError(readClient(address, document), ({ message }) => `its document is not valid: ${message}`)
}

const parse = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
  } catch {
    return null
  }
}

/**
 * The clients of the authorization server. A registration is not stored: the client id *is* the sealed registration (RFC 7591,
 * A.5.2), so that a flood of registrations uses no storage. A client whose id is an https URL is described by the document
 * at that URL.
 */
export class OAuthClients extends Context.Service<
  OAuthClients,
  {
    readonly register: (
      metadata: unknown
    ) => Effect.Effect<Result.Result<RegisteredClient, MetadataProblem>, StoreUnavailable>
    /** The client with this id, or the reason why there is none, as a clause. */
    readonly find: (id: string) => Effect.Effect<Result.Result<OAuthClient, string>, StoreUnavailable>
  }
>()("docgauge/server/oauth/OAuthClients") {
  static readonly layer: Layer.Layer<OAuthClients, never, Seals | ClientDocuments> = Layer.effect(
    OAuthClients,
    Effect.gen(function* () {
      const seals = yield* Seals
      const documents = yield* ClientDocuments
      return {
        register: Effect.fnUntraced(function* (metadata) {
          const read = readClient("", metadata)
          if (Result.isFailure(read)) return Result.fail(read.failure)
          const { name, redirectUris } = read.success
          const issuedAt = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
          // Different clients can register equal metadata in the same second.
          const identity = { jti: globalThis.crypto.randomUUID(), iat: issuedAt }
          const id = yield* seals.seal(
            "client",
            { ...identity, r: [...redirectUris], ...(name === null ? {} : { n: name }) },
            null
          )
          return Result.succeed({ id, name, redirectUris, issuedAt })
        }),
        find: Effect.fnUntraced(function* (id) {
          if (id.startsWith("https://")) return yield* documents.read(id)
          const registration = yield* seals.open("client", Registration, id)
          return registration === null
            ? Result.fail("the client is not, or no longer, registered: register it again")
            : Result.succeed({ id, name: registration.n ?? null, redirectUris: registration.r })
        })
      }
    })
  )
}
