import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { SqlAddress } from "./DatabaseAddress.ts"
import type { DatabaseHealth } from "./DatabaseHealth.ts"
import { migrate } from "./Schema.ts"
import type { ReadClient } from "./ReadClient.ts"
import { rootMessage } from "./StoreUnavailable.ts"

/** The database cannot be opened, or its schema is not supported. `message` is one line for the operator. */
export class DatabaseError extends Schema.TaggedError<DatabaseError>()("DatabaseError", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

/** Opens the database at the URL and creates its tables. Only this module imports the drivers. */
export const layerDatabase = (address: SqlAddress): Layer.Layer<SqlClient | ReadClient | DatabaseHealth, DatabaseError> =>
  Layer.unwrap(Effect.map(driver(address), (client) =>
    Layer.effectDiscard(migrate).pipe(Layer.provideMerge(client), Layer.catch((error) => Layer.effectContext(Effect.fail(databaseError(address, error))))))
  )

const driver = (address: SqlAddress): Effect.Effect<Layer.Layer<SqlClient | ReadClient | DatabaseHealth, SqlError>> =>
  Effect.promise(async () => {
    if (address._tag === "Postgres") return (await import("./PostgresClient.ts")).layer(address.url)
    return (await import("./SqliteClient.ts")).layer(address.path)
  })

const databaseError = (address: SqlAddress, cause: Error): DatabaseError => {
  const reason = rootMessage(cause)
  if (address._tag === "Sqlite" && /bindings file|Cannot find (package|module) 'sqlite3'/.test(reason)) {
    return new DatabaseError({ cause, message: NATIVE_PART_MISSING })
  }
  const place = address._tag === "Sqlite" ? `The database ${address.path}` : "The PostgreSQL database"
  return new DatabaseError({ cause, message: `${place} cannot be used: ${reason}` })
}

const NATIVE_PART_MISSING =
  "the native part of sqlite3 is missing: allow its install script (\"allowScripts\": { \"sqlite3\": true } in package.json) and run \"npm rebuild sqlite3\"," +
  " or set DOCGAUGE_DATABASE_URL to postgres://… or memory:"
