import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { silenceLimited } from "./PostgresSocket.ts"
import { ReadClient } from "./ReadClient.ts"

/** How long the server may be silent, in milliseconds: longer than any statement may take, see `statement_timeout`. */
const SILENCE_MS = 40_000

/** A pool of connections to a PostgreSQL server, closed with the scope. They are made as they are needed, and again once lost. */
export const layer = (url: Redacted.Redacted): Layer.Layer<SqlClient | ReadClient, SqlError> => {
  const stream = silenceLimited(Redacted.value(url), SILENCE_MS)
  const client = PgClient.layer({
    url,
    ...(stream === null ? {} : { stream }),
    maxConnections: 10,
    // A connection that is not needed is ended before its silence looks like a fault.
    idleTimeout: "20 seconds",
    connectTimeout: "5 seconds",
    keepAlive: "30 seconds",
    applicationName: "docgauge",
    startupParameters: {
      // Whatever zone the role or the database is set to: a local time without a zone comes twice when summer time ends.
      TimeZone: "UTC",
      // A server that no longer answers, or a process that stopped in the middle of a transaction, holds nobody up for good.
      statement_timeout: "30s",
      lock_timeout: "10s",
      idle_in_transaction_session_timeout: "60s",
      // No statement of ours takes as long as starting a helper for it.
      max_parallel_workers_per_gather: "0"
    }
  })
  const reader = Layer.effect(ReadClient, Effect.map(SqlClient, (sql) => sql))
  return Layer.provideMerge(reader, client)
}
