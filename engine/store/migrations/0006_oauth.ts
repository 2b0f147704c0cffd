import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { columnTypes } from "./ColumnTypes.ts"

/** What the authorization server keeps: its keys, and grants. Clients and codes are not kept at all. Times are milliseconds since the epoch. */
export const createOAuth = Effect.gen(function*() {
  const sql = yield* SqlClient
  const { text } = columnTypes(sql)

  yield* sql`
    CREATE TABLE oauth_keys (
      id ${text} PRIMARY KEY,
      use ${text} NOT NULL,
      period bigint NOT NULL,
      material ${text} NOT NULL
    )`

  yield* sql`
    CREATE TABLE oauth_grants (
      id ${text} PRIMARY KEY,
      client ${text} NOT NULL,
      generation bigint NOT NULL,
      expires_at double precision NOT NULL,
      revoked smallint NOT NULL
    )`
  yield* sql`CREATE INDEX oauth_grants_expiry ON oauth_grants (expires_at)`
})
