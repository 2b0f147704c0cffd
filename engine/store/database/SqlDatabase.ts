import type { ConfigError } from "effect/Config"
import type * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseHealth } from "./DatabaseHealth.ts"
import type { ReadClient } from "./ReadClient.ts"

/** One database, as its URL names it. */
export interface SqlDatabase {
  /** As errors name it, without passwords: `The database data/docgauge.db`. */
  readonly name: string
  /** Opens another connection, without creating a schema. The driver is imported only then. */
  readonly clients: () => Layer.Layer<SqlClient | ReadClient | DatabaseHealth, SqlError | ConfigError>
  /** Opens a connection for migrations, which may be silent for as long as they take; `null`: the clients are as good. */
  readonly migrator: (() => Layer.Layer<SqlClient, SqlError>) | null
  /** Holds it for one service, which fails with `LockTimeoutError` while another one has it; `null`: several services may share it. */
  readonly alone: (() => Layer.Layer<never, SqlError>) | null
  /** What the operator can do about an error with this message, as a whole sentence; `null`: the message says it. */
  readonly adviceOn: (message: string) => string | null
}

/** A kind of database that the service can store runs in. */
export interface DatabaseKind<Database extends SqlDatabase> {
  /** The form of its URLs, as errors quote it. */
  readonly form: string
  /** The database of a URL; `null` for URLs of another form. */
  readonly parse: (url: string) => Database | null
}
