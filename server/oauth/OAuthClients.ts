import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { ClientDocuments } from "./ClientDocuments.ts"
import { readClient, type MetadataProblem, type OAuthClient } from "./OAuthClient.ts"
import { Seals } from "./Seals.ts"

/** The content of a registration, sealed into the client id. The random `jti` makes the id unique. */
const Registration = Schema.Struct({ r: Schema.Array(Schema.String), n: Schema.optionalKey(Schema.String) })

/** A new registration. */
export interface RegisteredClient extends OAuthClient {
  /** Seconds since the epoch. */
  readonly issuedAt: number
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
