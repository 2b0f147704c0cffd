import * as Config from "effect/Config"
import { SourceError } from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { migrate } from "./database/Schema.ts"
import type { DatabaseHealth, ReadClient, SqlDatabase } from "./database/SqlDatabase.ts"
import { rootMessage } from "./database/StoreUnavailable.ts"
import { postgres } from "./postgres/PostgresDatabase.ts"
import { DEFAULT_DATABASE_URL } from "./sqlite/DatabaseFile.ts"
import { sqlite } from "./sqlite/SqliteDatabase.ts"

/** The kinds of database that runs can be stored in. */
const kinds = [sqlite, postgres] as const

/** A database of one of these kinds. */
export type Database = NonNullable<ReturnType<(typeof kinds)[number]["parse"]>>

/** No database: runs are kept in memory, as long as the process lives. */
interface NoDatabase {
  readonly _tag: "Memory"
}

const NAME = "DOCGAUGE_DATABASE_URL"

/** `DOCGAUGE_DATABASE_URL`, by default `DEFAULT_DATABASE_URL`. An invalid value fails with one line that names the variable. */
export const configuredDatabase: Config.Config<Database | NoDatabase> = Config.String(NAME).pipe(
  Config.withDefault(DEFAULT_DATABASE_URL),
  Config.mapEffect((url) => {
    const database = databaseOf(url)
    // Does not quote the value, because it may contain a password.
    return database === null
      ? Config.fail(
          new SourceError({ message: `${NAME}: must be ${kinds.map(({ form }) => form).join(", ")} or memory:` })
        )
      : Config.succeed(database)
  })
)

/** The database of a URL, no database for `memory:`, `null` for a URL that names none. */
export const databaseOf = (url: string): Database | NoDatabase | null => {
  if (url === "memory:") return { _tag: "Memory" }
  return kinds.map((kind) => kind.parse(url)).find((database) => database !== null) ?? null
}

/** The database cannot be opened, or its schema is not supported. `message` is one line for the operator. */
export class DatabaseError extends Schema.TaggedError<DatabaseError>()("DatabaseError", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

/** Opens the database and creates its tables. */
export const layerDatabase = (
  database: SqlDatabase
): Layer.Layer<SqlClient | ReadClient | DatabaseHealth, DatabaseError> => {
  const { clients, migrator } = database
  return (
    migrator === null
      ? Layer.provideMerge(Layer.effectDiscard(migrate), clients())
      : Layer.provide(clients(), Layer.effectDiscard(Effect.provide(migrate, migrator())))
  ).pipe(Layer.catch((cause) => Layer.effectContext(Effect.fail(failureOf(database, cause)))))
}

/** The same for a service, which has an SQLite file alone. */
export const layerServiceDatabase = (
  database: SqlDatabase
): Layer.Layer<SqlClient | ReadClient | DatabaseHealth, DatabaseError> => {
  const opened = layerDatabase(database)
  if (database.alone === null) return opened
  const held = Layer.catch(database.alone(), (cause) =>
    Layer.effectDiscard(
      Effect.fail(cause.reason._tag === "LockTimeoutError" ? inUse(database, cause) : failureOf(database, cause))
    )
  )
  return Layer.provide(opened, held)
}

const inUse = ({ name }: SqlDatabase, cause: SqlError): DatabaseError =>
  new DatabaseError({
    cause,
    message: `${name} is in use by another docgauge service, and an SQLite file is for one. Stop that one, or set ${NAME} to postgres://… for both`
  })

const failureOf = ({ adviceOn, name }: SqlDatabase, cause: unknown): DatabaseError => {
  if (cause instanceof Config.ConfigError) return new DatabaseError({ cause, message: cause.cause.message })
  const reason = rootMessage(cause)
  const advice = reason.endsWith(" already exists")
    ? `, and docgauge did not make it. Set ${NAME} to a database of its own`
    : ""
  return new DatabaseError({ cause, message: adviceOn(reason) ?? `${name} cannot be used: ${reason}${advice}` })
}
