import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type Sqlite3 from "sqlite3"
import { PreparedStatements } from "./PreparedStatements.ts"
import { type DriverConnection, sqlErrorOf, type SqliteDriver } from "./SqliteDriver.ts"

/** The package `sqlite3`, which runs calls on threads of its own. */
export const packageDriver = (sqlite3: typeof Sqlite3): SqliteDriver => ({
  name: "sqlite3",
  open: (path, access) => Effect.map(Effect.acquireRelease(open(sqlite3, path, access), close), connectionOf)
})

interface Opened {
  readonly database: Sqlite3.Database
  readonly prepared: PreparedStatements<Sqlite3.Statement>
}

const open = (sqlite3: typeof Sqlite3, path: string, access: "read" | "write"): Effect.Effect<Opened, SqlError> =>
  call("open", (done) => {
    const mode = access === "read" ? sqlite3.OPEN_READONLY : sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE
    const database: Sqlite3.Database = new sqlite3.Database(path, mode, (error) =>
      done(error, { database, prepared: new PreparedStatements((statement) => statement.finalize()) })
    )
  })

const close = ({ database, prepared }: Opened): Effect.Effect<void> =>
  Effect.ignore(
    call<void>("close", (done) => {
      // SQLite refuses to close while statements are not finalized.
      prepared.finishAll()
      database.close((error) => done(error))
    })
  )

type Done<A> = (error: Error | null, value: A) => void

const call = <A>(operation: string, run: (done: Done<A>) => void): Effect.Effect<A, SqlError> =>
  Effect.uninterruptible(
    Effect.callback<A, SqlError>((resume) => {
      run((error, value) => resume(error === null ? Effect.succeed(value) : Effect.fail(sqlErrorOf(error, operation))))
    })
  )

const connectionOf = ({ database, prepared }: Opened): DriverConnection => {
  /** Executes in the moment in which it is prepared, so that the connection cannot be closed in between. */
  const allPrepared = (sql: string, params: ReadonlyArray<unknown>, done: Done<ReadonlyArray<object>>): void => {
    const run = (statement: Sqlite3.Statement): void => {
      // Two fibers of one transaction may have prepared it concurrently.
      prepared.use(sql, statement)
      statement.all<object>(params, (error, rows) => done(error, rows))
    }
    const kept = prepared.get(sql)
    if (kept !== undefined) return run(kept)
    const statement: Sqlite3.Statement = database.prepare(sql, (error: Error | null) =>
      error === null ? run(statement) : done(error, [])
    )
  }

  return {
    all: (sql, params, reusable) =>
      call("execute", (done) => {
        if (reusable) allPrepared(sql, params, done)
        else database.all<object>(sql, params, (error, rows) => done(error, rows))
      })
  }
}
