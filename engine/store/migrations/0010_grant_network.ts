import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { columnTypes } from "./ColumnTypes.ts"

/** The network that opened a grant, so that no network can evict the grants of others. Older grants have none, and count as one network. */
export const addGrantNetwork = Effect.gen(function*() {
  const sql = yield* SqlClient
  const { text } = columnTypes(sql)
  yield* sql`ALTER TABLE oauth_grants ADD COLUMN network ${text} NOT NULL DEFAULT ''`
  yield* sql`CREATE INDEX oauth_grants_network ON oauth_grants (network, expires_at)`
})
