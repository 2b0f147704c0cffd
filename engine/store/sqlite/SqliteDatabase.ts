import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseKind, SqlDatabase } from "../database/SqlDatabase.ts"
import { databaseFile } from "./DatabaseFile.ts"
import { holdAlone } from "./OnlyProcess.ts"
import type { SqliteDriver } from "./SqliteDriver.ts"
import { NO_SQLITE, sqliteDriver } from "./SqliteDrivers.ts"

/** A database in a file. */
export interface SqliteDatabase extends SqlDatabase {
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
  clients: () => Layer.unwrap(Effect.promise(async () => (await import("./SqliteClient.ts")).layer(path, driver))),
  migrator: null,
  alone: () => Layer.effectDiscard(holdAlone(path, driver)),
  adviceOn: (message) => (message.includes(NO_SQLITE) ? ADD_SQLITE3 : null)
})

/** `file:PATH` and `file:///PATH`. */
export const sqlite: DatabaseKind<SqliteDatabase> = {
  form: "file:PATH",
  parse: (url) => {
    const path = databaseFile(url)
    return path === null ? null : sqliteAt(path)
  }
}

const ADD_SQLITE3 = `${NO_SQLITE}: run "npm install sqlite3" beside docgauge, or set DOCGAUGE_DATABASE_URL to postgres://… or memory:`
