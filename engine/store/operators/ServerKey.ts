import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { randomBytes } from "node:crypto"
import { orUnavailable } from "../database/SqlDatabase.ts"
import type { StoreUnavailable } from "../database/StoreUnavailable.ts"

const LENGTH = 32

/** A secret of the service that never changes and that all its processes share. Without a database it lives as long as the process. */
export class ServerKey extends Context.Service<
  ServerKey,
  {
    /** 32 random bytes, made on first use. */
    readonly get: Effect.Effect<Uint8Array, StoreUnavailable>
  }
>()("docgauge/store/ServerKey") {
  /** In the table `server_keys`. */
  static readonly layerSql: Layer.Layer<ServerKey, never, SqlClient> = Layer.effect(
    ServerKey,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      let known: Uint8Array | null = null
      const get = Effect.gen(function* () {
        return (known ??= yield* serverKey(sql, "verification"))
      })
      return { get: orUnavailable(get) }
    })
  )

  static readonly layerMemory: Layer.Layer<ServerKey> = Layer.sync(ServerKey, () => {
    const key = randomBytes(LENGTH)
    return { get: Effect.succeed(key) }
  })
}

/** 32 random bytes that the database has under this name, made on first use. */
export const serverKey = Effect.fnUntraced(function* (
  sql: SqlClient,
  name: string
): Effect.fn.Return<Uint8Array, SqlError> {
  const read = sql<{ readonly material: Uint8Array }>`SELECT material FROM server_keys WHERE name = ${name}`
  const make = sql`INSERT INTO server_keys (name, material) VALUES (${name}, ${randomBytes(LENGTH)}) ON CONFLICT (name) DO NOTHING`
  // Read after it was written: another process may have been first.
  const [row] = (yield* read).length > 0 ? yield* read : yield* Effect.andThen(make, read)
  if (row === undefined) return yield* Effect.die(new Error("the database did not keep the key of the service"))
  return Uint8Array.from(row.material)
})
