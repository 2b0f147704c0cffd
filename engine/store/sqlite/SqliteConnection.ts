import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type { Database, Statement } from "sqlite3"

/** Prepared statements per connection. */
const PREPARED = 200

/** A connection to an SQLite file, closed with the scope. `sqlite3` runs calls on its own threads. */
export const openSqlite = (path: string, access: "read" | "write"): Effect.Effect<Connection, SqlError, Scope.Scope> =>
  Effect.map(Effect.acquireRelease(open(path, access), close), ({ database, prepared }) => connectionOf(database, prepared))

interface Opened {
  readonly database: Database
  /** By their SQL, least recently used first. */
  readonly prepared: Map<string, Statement>
}

const open = (path: string, access: "read" | "write"): Effect.Effect<Opened, SqlError> =>
  Effect.flatMap(
    // Imported when a database is opened, because few commands need it.
    Effect.tryPromise({ try: () => import("sqlite3"), catch: (cause) => sqlErrorOf(cause, "load") }),
    ({ default: sqlite3 }) => {
      const mode = access === "read" ? sqlite3.OPEN_READONLY : sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE
      return call<Opened>("open", (done) => {
        const database: Database = new sqlite3.Database(path, mode, (error) => done(error, { database, prepared: new Map() }))
      })
    }
  )

const close = ({ database, prepared }: Opened): Effect.Effect<void> =>
  Effect.ignore(call<void>("close", (done) => {
    // SQLite refuses to close while statements are not finalized.
    for (const statement of prepared.values()) statement.finalize()
    database.close((error) => done(error))
  }))

type Done<A> = (error: Error | null, value: A) => void

/**
 * One call into the driver. Uninterruptible: an interrupted statement would keep the connection busy, and the next caller would
 * wait forever.
 */
const call = <A>(operation: string, run: (done: Done<A>) => void): Effect.Effect<A, SqlError> =>
  Effect.uninterruptible(Effect.callback<A, SqlError>((resume) => {
    run((error, value) => resume(error === null ? Effect.succeed(value) : Effect.fail(sqlErrorOf(error, operation))))
  }))

const sqlErrorOf = (cause: unknown, operation: string): SqlError =>
  new SqlError({ reason: classifySqliteError(cause, { message: `SQLite: ${cause instanceof Error ? cause.message : String(cause)}`, operation }) })

const connectionOf = (database: Database, prepared: Map<string, Statement>): Connection => {
  const keep = (sql: string, statement: Statement): void => {
    const kept = prepared.get(sql)
    // Two fibers of one transaction may prepare the same statement concurrently.
    if (kept !== undefined && kept !== statement) kept.finalize()
    prepared.delete(sql)
    prepared.set(sql, statement)
    const [oldest] = prepared
    if (prepared.size <= PREPARED || oldest === undefined) return
    prepared.delete(oldest[0])
    oldest[1].finalize()
  }

  const prepare = (sql: string): Effect.Effect<Statement, SqlError> => {
    const kept = prepared.get(sql)
    if (kept !== undefined) return Effect.succeed(kept)
    return call("prepare", (done) => {
      const statement: Statement = database.prepare(sql, (error: Error | null) => done(error, statement))
    })
  }

  const all = (sql: string, params: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<object>, SqlError> =>
    Effect.flatMap(prepare(sql), (statement) => {
      keep(sql, statement)
      return call("execute", (done) => statement.all<object>(params, (error, rows) => done(error, rows)))
    })

  const allOnce = (sql: string, params: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<object>, SqlError> => {
    const run = call<ReadonlyArray<object>>("execute", (done) => database.all<object>(sql, params, (error, rows) => done(error, rows)))
    // SQLite rolls back by itself when the disk is full, so there is nothing left to roll back.
    return sql === "ROLLBACK" ? Effect.catchIf(run, isNoTransaction, () => Effect.succeed([])) : run
  }

  return {
    execute: (sql, params, transform) => transformed(all(sql, params), transform),
    executeRaw: all,
    executeStream: (sql, params, transform) => Stream.fromIterableEffect(transformed(all(sql, params), transform)),
    executeValues: (sql, params) => Effect.map(all(sql, params), (rows) => rows.map((row) => Object.values(row))),
    executeValuesUnprepared: (sql, params) => Effect.map(allOnce(sql, params), (rows) => rows.map((row) => Object.values(row))),
    executeUnprepared: (sql, params, transform) => transformed(allOnce(sql, params), transform)
  }
}

type Transform = Parameters<Connection["execute"]>[2]

const transformed = (rows: Effect.Effect<ReadonlyArray<object>, SqlError>, transform: Transform) =>
  transform === undefined ? rows : Effect.map(rows, (found) => transform(found))

const isNoTransaction = (error: SqlError): boolean => /no transaction is active/.test(error.message)
