import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type { DriverConnection, SqliteDriver } from "./SqliteDriver.ts"

/** A connection to an SQLite file, closed with the scope. */
export const openSqlite = (
  driver: SqliteDriver,
  path: string,
  access: "read" | "write"
): Effect.Effect<Connection, SqlError, Scope.Scope> => Effect.map(driver.open(path, access), connectionOf)

const connectionOf = (opened: DriverConnection): Connection => {
  const all = (sql: string, params: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<object>, SqlError> =>
    opened.all(sql, params, true)

  const allOnce = (sql: string, params: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<object>, SqlError> => {
    const run = opened.all(sql, params, false)
    // SQLite rolls back by itself when the disk is full, so there is nothing left to roll back.
    return sql === "ROLLBACK" ? Effect.catchIf(run, isNoTransaction, () => Effect.succeed([])) : run
  }

  return {
    execute: (sql, params, transform) => transformed(all(sql, params), transform),
    executeRaw: all,
    executeStream: (sql, params, transform) => Stream.fromIterableEffect(transformed(all(sql, params), transform)),
    executeValues: (sql, params) => Effect.map(all(sql, params), (rows) => rows.map((row) => Object.values(row))),
    executeValuesUnprepared: (sql, params) =>
      Effect.map(allOnce(sql, params), (rows) => rows.map((row) => Object.values(row))),
    executeUnprepared: (sql, params, transform) => transformed(allOnce(sql, params), transform)
  }
}

type Transform = Parameters<Connection["execute"]>[2]

const transformed = (rows: Effect.Effect<ReadonlyArray<object>, SqlError>, transform: Transform) =>
  transform === undefined ? rows : Effect.map(rows, (found) => transform(found))

const isNoTransaction = (error: SqlError): boolean => /no transaction is active/.test(error.message)
