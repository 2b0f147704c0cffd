import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { orUnavailable } from "../database/Availability.ts"
import { DatabaseHealth, makeHealth } from "../database/DatabaseHealth.ts"
import { silenceLimited } from "./PostgresSocket.ts"
import { ReadClient } from "../database/ReadClient.ts"

/** How long the server may be silent, in milliseconds: longer than any statement may take, see `statement_timeout`. */
const SILENCE_MS = 40_000

/**
 * A pool of connections to a PostgreSQL server, closed with the scope. Connections are opened as needed, and reopened when lost.
 */
export const layer = (url: Redacted.Redacted): Layer.Layer<SqlClient | ReadClient | DatabaseHealth, SqlError> => {
  const stream = silenceLimited(Redacted.value(url), SILENCE_MS)
  const client = PgClient.layer({
    url,
    ...(stream === null ? {} : { stream }),
    maxConnections: 10,
    // An idle connection is closed before its silence looks like a fault.
    idleTimeout: "20 seconds",
    connectTimeout: "5 seconds",
    keepAlive: "30 seconds",
    applicationName: "docgauge",
    startupParameters: {
      // Overrides the time zone of the role or database: a local time is ambiguous when summer time ends.
      TimeZone: "UTC",
      // Time limits for a server that does not respond, and for a process that stops within a transaction.
      statement_timeout: "30s",
      lock_timeout: "10s",
      idle_in_transaction_session_timeout: "60s",
      // No statement of ours is worth starting a parallel worker.
      max_parallel_workers_per_gather: "0"
    }
  })
  const shared = Layer.effectContext(Effect.map(SqlClient, (sql) =>
    Context.make(ReadClient, sql).pipe(Context.add(DatabaseHealth, makeHealth(orUnavailable(Effect.asVoid(sql`SELECT serial FROM runs ORDER BY serial DESC LIMIT 1`)))))))
  return Layer.provideMerge(shared, client)
}
