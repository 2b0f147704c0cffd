import * as Context from "effect/Context"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * The client for statements that only read. On SQLite it has connections of its own, so that reading never waits for the
 * writer; on PostgreSQL it is the client itself. Within a transaction of the `SqlClient` it reads what that wrote.
 */
export class ReadClient extends Context.Service<ReadClient, SqlClient>()("docgauge/store/ReadClient") {}
