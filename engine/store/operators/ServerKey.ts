import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { randomBytes } from "node:crypto"
import { orUnavailable } from "../database/SqlDatabase.ts"
import type { StoreUnavailable } from "../database/StoreUnavailable.ts"

const LENGTH = 32

/** Secrets of the service that never change and that all its processes share. Without a database they live as long as the process. */
export class ServerKey extends Context.Service<
  ServerKey,
  {
    /** What tokens of sites and owners are derived from: 32 random bytes, made on first use. */
    readonly get: Effect.Effect<Uint8Array, StoreUnavailable>
    /** The seed of the key that signs reports: the same of another name, so that a leak of one says nothing of the other. */
    readonly reportSigning: Effect.Effect<Uint8Array, StoreUnavailable>
  }
>()("docgauge/store/ServerKey") {
  /** In the table `server_keys`. */
  static readonly layerSql: Layer.Layer<ServerKey, never, SqlClient> = Layer.effect(
    ServerKey,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const once = (name: string) => {
        let known: Uint8Array | null = null
        return orUnavailable(
          Effect.gen(function* () {
            return (known ??= yield* serverKey(sql, name))
          })
        )
      }
      return { get: once("verification"), reportSigning: once("report signing") }
    })
  )

  static readonly layerMemory: Layer.Layer<ServerKey> = Layer.sync(ServerKey, () => {
    const [key, signing] = [randomBytes(LENGTH), randomBytes(LENGTH)]
    return { get: Effect.succeed(key), reportSigning: Effect.succeed(signing) }
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
