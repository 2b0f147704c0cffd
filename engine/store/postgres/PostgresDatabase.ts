import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { DatabaseKind, SqlDatabase } from "../database/SqlDatabase.ts"

/** The address of the PostgreSQL database that the `SqlClient` is connected to, for what speaks to the server by itself; `null` on SQLite. */
export const PostgresAddress = Context.Reference<Redacted.Redacted | null>("docgauge/store/PostgresAddress", {
  defaultValue: () => null
})

export interface PostgresDatabase extends SqlDatabase {
  readonly _tag: "Postgres"
  readonly url: Redacted.Redacted
}

/** The database at `url`, which may hold a password. */
export const postgresAt = (url: string): PostgresDatabase => ({
  _tag: "Postgres",
  url: Redacted.make(url),
  name: "The PostgreSQL database",
  clients: () =>
    Layer.unwrap(Effect.promise(async () => (await import("./PostgresClient.ts")).layer(Redacted.make(url)))).pipe(
      Layer.merge(Layer.succeed(PostgresAddress, Redacted.make(url)))
    ),
  migrator: () =>
    Layer.unwrap(Effect.promise(async () => (await import("./PostgresClient.ts")).layerMigrator(Redacted.make(url)))),
  alone: null,
  adviceOn: () => null
})

/** `postgres://…` and `postgresql://…`. */
export const postgres: DatabaseKind<PostgresDatabase> = {
  form: "postgres://USER:PASSWORD@HOST:PORT/DATABASE",
  parse: (url) => (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url) ? postgresAt(url) : null)
}
