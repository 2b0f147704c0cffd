import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { StoreUnavailable } from "../../engine/store/RunStore.ts"
import { ClientDocuments } from "./ClientDocuments.ts"
import { clientOf, type MetadataProblem, type OAuthClient } from "./OAuthClient.ts"
import { Seals } from "./Seals.ts"

/** A registration, as it is sealed into the client's id, beside the random `jti` that makes it one client's. */
const Registration = Schema.Struct({ r: Schema.Array(Schema.String), n: Schema.optionalKey(Schema.String) })

/** A client that was registered just now. */
export interface RegisteredClient extends OAuthClient {
  /** Seconds since the epoch. */
  readonly issuedAt: number
}

/**
 * The clients of the authorization server. Registering keeps nothing: the id that a client gets *is* its registration,
 * sealed (RFC 7591, A.5.2), so that no flood of registrations costs more than the answers. A client whose id is an https
 * address is described by the document there.
 */
export class OAuthClients extends Context.Service<OAuthClients, {
  readonly register: (metadata: unknown) => Effect.Effect<Result.Result<RegisteredClient, MetadataProblem>, StoreUnavailable>
  /** The client of that id, or why there is none, as a clause. */
  readonly find: (id: string) => Effect.Effect<Result.Result<OAuthClient, string>, StoreUnavailable>
}>()("docgauge/server/oauth/OAuthClients") {
  static readonly layer: Layer.Layer<OAuthClients, never, Seals | ClientDocuments> = Layer.effect(
    OAuthClients,
    Effect.gen(function*() {
      const seals = yield* Seals
      const documents = yield* ClientDocuments
      return {
        register: Effect.fnUntraced(function*(metadata) {
          const read = clientOf("", metadata)
          if (Result.isFailure(read)) return Result.fail(read.failure)
          const { name, redirectUris } = read.success
          const issuedAt = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
          // Programs of one kind register equal metadata in the same second, and are different clients.
          const identity = { jti: globalThis.crypto.randomUUID(), iat: issuedAt }
          const id = yield* seals.seal("client", { ...identity, r: [...redirectUris], ...(name === null ? {} : { n: name }) }, null)
          return Result.succeed({ id, name, redirectUris, issuedAt })
        }),
        find: Effect.fnUntraced(function*(id) {
          if (id.startsWith("https://")) return yield* documents.read(id)
          const registration = yield* seals.open("client", Registration, id)
          return registration === null
            ? Result.fail("the client is not registered here (any more): register it again")
            : Result.succeed({ id, name: registration.n ?? null, redirectUris: registration.r })
        })
      }
    })
  )
}
