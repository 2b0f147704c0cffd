import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { randomBytes } from "node:crypto"
import { orUnavailable } from "../database/Availability.ts"
import type { StoreUnavailable } from "../database/StoreUnavailable.ts"

const LENGTH = 32

/** A secret of the service that never changes and that all its processes share. Without a database it lives as long as the process. */
export class ServerKey extends Context.Service<ServerKey, {
  /** 32 random bytes, made on first use. */
  readonly get: Effect.Effect<Uint8Array, StoreUnavailable>
}>()("docgauge/store/ServerKey") {
  /** In the table `server_keys`. */
  static readonly layerSql: Layer.Layer<ServerKey, never, SqlClient> = Layer.effect(
    ServerKey,
    Effect.gen(function*() {
      const sql = yield* SqlClient
      const read = sql<{ readonly material: Uint8Array }>`SELECT material FROM server_keys WHERE name = ${NAME}`
      const make = sql`INSERT INTO server_keys (name, material) VALUES (${NAME}, ${randomBytes(LENGTH)}) ON CONFLICT (name) DO NOTHING`
      let known: Uint8Array | null = null
      const get = Effect.gen(function*() {
        if (known !== null) return known
        // Read after it was written: another process may have been first.
        const [row] = (yield* read).length > 0 ? yield* read : yield* Effect.andThen(make, read)
        if (row === undefined) return yield* Effect.die(new Error("the database did not keep the key of the service"))
        return known = Uint8Array.from(row.material)
      })
      return { get: orUnavailable(get) }
    })
  )

  static readonly layerMemory: Layer.Layer<ServerKey> = Layer.sync(ServerKey, () => {
    const key = randomBytes(LENGTH)
    return { get: Effect.succeed(key) }
  })
}

const NAME = "verification"
