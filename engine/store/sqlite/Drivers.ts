import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type Sqlite3 from "sqlite3"
import { PreparedStatements } from "./PreparedStatements.ts"
import {
  type DriverConnection,
  type OpenFile,
  sqlErrorOf,
  type SqliteDriver,
  type SqliteValue,
  type StatementMessage,
  type ThreadReply
} from "./SqliteDriver.ts"
import { resolve } from "node:path"
import { Worker } from "node:worker_threads"

/** The thread's file: `.ts` if this file runs from source, `.js` if it was built. */
const THREAD = new URL(`./SqliteThread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

/** Rows are short-lived; V8's default would keep up to 48 MB of them in each thread. */
const YOUNG_MEGABYTES = 8

/** Node's own SQLite. Its calls block, so each connection has a thread. */
export const nodeDriver: SqliteDriver = {
  name: "node:sqlite",
  open: (path, access) =>
    Effect.map(
      Effect.acquireRelease(startThread(path, access), (thread) => Effect.ignore(thread.ask(null))),
      ({ ask }) => ({
        all: (sql, params, reusable) => Effect.suspend(() => ask({ sql, params: params.map(bindable), reusable }))
      })
    )
}

interface Thread {
  readonly ask: (message: StatementMessage) => Effect.Effect<ReadonlyArray<object>, SqlError>
}

const startThread = Effect.fnUntraced(function* (
  path: string,
  access: "read" | "write"
): Effect.fn.Return<Thread, SqlError> {
  // An absolute path is never read as a URI.
  const file: OpenFile = { path: resolve(path), readOnly: access === "read" }
  // There is no listener for errors of the thread itself: they end the process, as a fault of a native driver would.
  const worker = new Worker(THREAD, {
    workerData: file,
    stderr: true,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES }
  })
  const waiting: Array<(reply: ThreadReply) => void> = []
  worker.on("message", (reply: ThreadReply) => {
    waiting.shift()?.(reply)
    // An idle connection does not keep the process alive.
    if (waiting.length === 0) worker.unref()
  })
  const replied = (operation: string, send: () => void): Effect.Effect<ReadonlyArray<object>, SqlError> =>
    Effect.uninterruptible(
      Effect.callback((resume) => {
        waiting.push((reply) =>
          resume(
            reply._tag === "Rows" ? Effect.succeed(reply.rows) : Effect.fail(sqlErrorOf(errorOf(reply), operation))
          )
        )
        worker.ref()
        send()
      })
    )
  yield* replied("open", () => undefined)
  return { ask: (message) => replied(message === null ? "close" : "execute", () => worker.postMessage(message)) }
})

const errorOf = ({ code, errno, message }: Extract<ThreadReply, { readonly _tag: "Failed" }>): Error =>
  Object.assign(new Error(message), { code, errno })

/** Values as the package `sqlite3` binds them: whole numbers are integers, and `undefined` is NULL. */
const bindable = (value: unknown): SqliteValue => {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value === "string" || typeof value === "bigint") return value
  if (typeof value === "boolean") return value ? 1n : 0n
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.getTime()
  // Copied, because a view of a pool would take the whole pool with it.
  if (value instanceof Uint8Array) return new Uint8Array(value)
  throw new TypeError(`SQLite cannot store ${typeof value}`)
}

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
