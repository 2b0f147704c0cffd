import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { normalise, siteOf } from "../../engine/evidence/Address.ts"
import { FetchLimits, limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { guardedHttp, type GuardedHttpOptions } from "../../engine/evidence/GuardedHttp.ts"
import { type HopAnswer, Transport } from "../../engine/evidence/Transport.ts"
import { makeMemoryBuckets } from "../../engine/limit/MemoryBuckets.ts"
import { AskingNetwork, LookupTurns } from "../http/LookupTurns.ts"
import { clientOf, type OAuthClient } from "./OAuthClient.ts"

type Read = Result.Result<OAuthClient, string>

/** Descriptions of clients that lie at their ids (client-id metadata documents). */
export class ClientDocuments extends Context.Service<ClientDocuments, {
  /** The client that the document at `address` describes, or what is wrong with it, as a clause. */
  readonly read: (address: string) => Effect.Effect<Read>
}>()("docgauge/server/oauth/ClientDocuments") {
  /** Over a transport that follows no redirect and guards what it connects to. */
  static readonly layerOver: Layer.Layer<ClientDocuments, never, Transport | LookupTurns> = Layer.effect(
    ClientDocuments,
    Effect.gen(function*() {
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
          send({ asked: { method: "GET", url: address, accept: "application/json", agent: "docgauge" }, limitBytes: MOST_BYTES }),
          (hop) => (hop._tag === "HopFault" ? Result.fail(`its document cannot be had: ${hop.message}`) : readDocument(address, hop))
        )

      return {
        read: Effect.fnUntraced(function*(address) {
          const problem = problemOf(address)
          if (problem !== null) return Result.fail(problem)
          const now = yield* Clock.currentTimeMillis
          const known = kept.get(address)
          if (known !== undefined && known.until > now) return known.read
          if (!buckets.take(siteOf(new URL(address).hostname), 1, now).taken) return Result.fail(UNREADABLE)
          const read = yield* turns.take(yield* AskingNetwork, fetch(address)).pipe(
            Effect.catchTags({
              LookupTimedOut: (): Effect.Effect<Read> => Effect.succeed(Result.fail("its name servers did not answer in time")),
              // Another client of the network may be what it waits for, so this one is not remembered.
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

  /** Over the guarded network: public addresses only, checked on connecting; little patience. */
  static readonly layer = (options: GuardedHttpOptions): Layer.Layer<ClientDocuments, never, LookupTurns> =>
    ClientDocuments.layerOver.pipe(
      Layer.provide(guardedHttp({ ...options, allowHttp: false })),
      Layer.provide(Layer.succeed(FetchLimits, LIMITS))
    )
}

/**
 * The same words for every failure of a document: which one it was would tell what names and ports this server can reach.
 * Operators find the reason in the log at debug level.
 */
export const UNREADABLE =
  "its client metadata document could not be read or is not valid: it has to be at that URL on a public host, without redirects, as JSON of 5 KB at most, with the same client_id and valid redirect_uris. Correct it, then try again in a minute"

const MOST_BYTES = 5 * 1_024

const LIMITS = limitsWith({ connectMs: 3_000, firstByteMs: 4_000, stallMs: 2_000, exchangeMs: 5_000, perHost: 2 })

/** How long a document, or the want of one, is remembered, in milliseconds. */
const FOUND_MS = 15 * 60_000
const MISSED_MS = 60_000

const MOST_KEPT = 500

/** Documents that are fetched from one site, whoever asks: nobody should be able to turn this server against one. */
const SITE_RATE = { amount: 10, windowMs: 60_000 }

const LONGEST_ID = 512

/** The address has to be its own only spelling, so that one client has one id. */
const problemOf = (address: string): string | null => {
  const url = address.length > LONGEST_ID ? null : URL.parse(address)
  if (url === null || url.protocol !== "https:") return "its id is no https address"
  if (url.username !== "" || url.password !== "" || address.includes("#") || url.pathname === "/") {
    return "its id has to be an address with a path, without fragment and credentials"
  }
  return normalise(address) === address ? null : "its id is not written as a normalised address"
}

const readDocument = (address: string, { body, cut, status }: HopAnswer): Read => {
  if (status !== 200) return Result.fail(`its document is answered with ${status}; redirects are not followed`)
  if (cut) return Result.fail("its document is larger than 5 KB")
  const document = parse(body)
  if (typeof document !== "object" || document === null || !("client_id" in document)) return Result.fail("its document is no JSON object with a client_id")
  if (document.client_id !== address) return Result.fail("its document names another client_id")
  return Result.mapError(clientOf(address, document), ({ message }) => `its document is wrong: ${message}`)
}

const parse = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
  } catch {
    return null
  }
}
