import * as Config from "effect/Config"
import { SourceError } from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { migrate } from "./database/Schema.ts"
import type { DatabaseHealth, DatabaseKind, ReadClient, SqlDatabase } from "./database/SqlDatabase.ts"
import { rootMessage } from "./database/StoreUnavailable.ts"
import { databaseFile, DEFAULT_DATABASE_URL } from "./sqlite/DatabaseFile.ts"
import * as Context from "effect/Context"
import * as Redacted from "effect/Redacted"
import { isBuiltin } from "node:module"
import { type SqliteDriver, sqlErrorOf } from "./sqlite/SqliteDriver.ts"
import { peerProblem } from "../config/PeerPackage.ts"

/** A database in a file. */
interface SqliteDatabase extends SqlDatabase {
  readonly _tag: "Sqlite"
  readonly path: string
}

/** The database in the file at `path`, opened by the best driver that is installed or by the given one. */
export const sqliteAt = (
  path: string,
  driver: Effect.Effect<SqliteDriver, SqlError> = sqliteDriver
): SqliteDatabase => ({
  _tag: "Sqlite",
  path,
  name: `The database ${path}`,
  clients: () =>
    Layer.unwrap(Effect.promise(async () => (await import("./sqlite/SqliteClient.ts")).layer(path, driver))),
  migrator: null,
  alone: () =>
    Layer.unwrap(Effect.promise(async () => (await import("./sqlite/SqliteClient.ts")).layerAlone(path, driver))),
  adviceOn: (message) => (message.includes(NO_SQLITE) ? ADD_SQLITE3 : null)
})

/** `file:PATH` and `file:///PATH`. */
const sqlite: DatabaseKind<SqliteDatabase> = {
  form: "file:PATH",
  parse: (url) => {
    const path = databaseFile(url)
    return path === null ? null : sqliteAt(path)
  }
}

/** What an error says where there is no SQLite at all. */
const NO_SQLITE = "this Node.js was built without SQLite"

const ADD_SQLITE3 = `${NO_SQLITE}: run "npm install sqlite3" beside docgauge, or set DOCGAUGE_DATABASE_URL to postgres://… or memory:`

/**
 * The package `sqlite3` where it is installed with its native part, else Node's own SQLite. They are imported when a database is
 * opened, because few commands need one.
 */
export const sqliteDriver: Effect.Effect<SqliteDriver, SqlError> = Effect.suspend(() =>
  Effect.catch(packageSqlite, () => nodeSqlite)
)

/** The sentence for operators where the package `sqlite3` is too old to be used; `null` where it is not. */
export const sqlite3Problem = (): string | null =>
  peerProblem({ user: "docgauge", name: "sqlite3", oldest: "6.0" }, import.meta.url)

/** The package `sqlite3`; fails where it or its native part is missing, and where it is too old. */
export const packageSqlite: Effect.Effect<SqliteDriver, SqlError> = Effect.tryPromise({
  try: async () => {
    const problem = sqlite3Problem()
    if (problem !== null) throw new Error(problem)
    const [{ default: sqlite3 }, { packageDriver }] = await Promise.all([
      import("sqlite3"),
      import("./sqlite/Drivers.ts")
    ])
    return packageDriver(sqlite3)
  },
  catch: (cause) => sqlErrorOf(cause, "load")
})

/** Node's own SQLite; fails where Node was built without it. */
export const nodeSqlite: Effect.Effect<SqliteDriver, SqlError> = Effect.suspend(() =>
  // Importing `node:sqlite` here would print Node's warning that it is experimental.
  isBuiltin("node:sqlite")
    ? Effect.map(
        Effect.promise(() => import("./sqlite/Drivers.ts")),
        ({ nodeDriver }) => nodeDriver
      )
    : Effect.fail(sqlErrorOf(new Error(NO_SQLITE), "load"))
)

/** The address of the PostgreSQL database that the `SqlClient` is connected to, for what speaks to the server by itself; `null` on SQLite. */
export const PostgresAddress = Context.Reference<Redacted.Redacted | null>("docgauge/store/PostgresAddress", {
  defaultValue: () => null
})

interface PostgresDatabase extends SqlDatabase {
  readonly _tag: "Postgres"
  readonly url: Redacted.Redacted
}

/** The database at `url`, which may hold a password. */
export const postgresAt = (url: string): PostgresDatabase => ({
  _tag: "Postgres",
  url: Redacted.make(url),
  name: "The PostgreSQL database",
  clients: () =>
    Layer.unwrap(
      Effect.promise(async () => (await import("./postgres/PostgresClient.ts")).layer(Redacted.make(url)))
    ).pipe(Layer.merge(Layer.succeed(PostgresAddress, Redacted.make(url)))),
  migrator: () =>
    Layer.unwrap(
      Effect.promise(async () => (await import("./postgres/PostgresClient.ts")).layerMigrator(Redacted.make(url)))
    ),
  alone: null,
  adviceOn: () => null
})

/** `postgres://…` and `postgresql://…`. */
const postgres: DatabaseKind<PostgresDatabase> = {
  form: "postgres://USER:PASSWORD@HOST:PORT/DATABASE",
  parse: (url) => (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url) ? postgresAt(url) : null)
}

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
