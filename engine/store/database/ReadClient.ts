import * as Context from "effect/Context"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * The client for read-only statements. It has its own connections, so that reads never wait for writers. Within a transaction of the `SqlClient` it sees that transaction's writes.
 */
export class ReadClient extends Context.Service<ReadClient, SqlClient>()("docgauge/store/ReadClient") {}
