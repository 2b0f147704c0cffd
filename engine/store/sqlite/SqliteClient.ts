import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type { Acquirer, Borrower, Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import * as Statement from "effect/sql/Statement"
import { DatabaseHealth, makeHealth, orUnavailable, ReadClient } from "../database/SqlDatabase.ts"
import { StoreUnavailable } from "../database/StoreUnavailable.ts"
import { type DriverConnection, sqlErrorOf, type SqliteDriver } from "./SqliteDriver.ts"
import { chmod, mkdir, open, stat } from "node:fs/promises"
import { dirname } from "node:path"
import process from "node:process"

/** The package `sqlite3` runs on four threads, and the writer needs one; with `node:sqlite` each connection has a thread. */
const READERS = 3

/** How long a statement waits for another process's lock, in milliseconds. */
const BUSY_TIMEOUT = 5_000

/**
 * An SQLite file: one connection that writes and several that read, closed with the scope. Creates the file's folders. Only the
 * user of the process can read what it creates.
 */
export const layer = (
  path: string,
  driver: Effect.Effect<SqliteDriver, SqlError>
): Layer.Layer<SqlClient.SqlClient | ReadClient | DatabaseHealth, SqlError> =>
  Layer.effectContext(Effect.flatMap(driver, (driver) => clients(path, driver))).pipe(Layer.provide(Reactivity.layer))

/** Ends the name of a file that is empty, beside the database. */
const LOCK_FILE = "-lock"

/**
 * Fails with `LockTimeoutError` while another process holds the database at `path`; holds it else, until the scope closes. It is a lock of
 * SQLite's on a file beside it, which the system frees when the process dies, and which commands and backups do not meet.
 */
export const layerAlone = (path: string, driver: Effect.Effect<SqliteDriver, SqlError>): Layer.Layer<never, SqlError> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { open } = yield* driver
      yield* makePrivate(path + LOCK_FILE)
      const lock = yield* open(path + LOCK_FILE, "write")
      yield* lock.all("BEGIN EXCLUSIVE", [], false)
    })
  )

const clients = Effect.fnUntraced(function* (path: string, driver: SqliteDriver) {
  yield* makePrivate(path)
  yield* narrow(path)
  const writer = yield* writeClient(path, driver)
  const reader = yield* readClient(path, driver, writer)
  return Context.make(SqlClient.SqlClient, writer).pipe(
    Context.add(ReadClient, reader),
    Context.add(DatabaseHealth, makeHealth(probeSqlite(path, driver)))
  )
})

const writeClient = Effect.fnUntraced(function* (path: string, driver: SqliteDriver) {
  const connection = yield* openSqlite(driver, path, "write")
  yield* setWal(connection)
  yield* setUp(connection, [
    "synchronous = NORMAL",
    "foreign_keys = ON",
    "cache_size = -16000",
    "journal_size_limit = 67108864"
  ])
  const shared = SqlClient.makeSqliteAcquirers({
    connection: Effect.succeed(connection),
    semaphore: Semaphore.makeUnsafe(1)
  })
  return yield* SqlClient.make({
    ...shared,
    ...dialect,
    // A transaction that began with a read could not start to write while another one writes.
    beginTransaction: "BEGIN IMMEDIATE"
  })
})

const readClient = Effect.fnUntraced(function* (path: string, driver: SqliteDriver, writer: SqlClient.SqlClient) {
  const idle = yield* Queue.unbounded<Connection>()
  for (let reader = 0; reader < READERS; reader++) {
    const connection = yield* openSqlite(driver, path, "read")
    yield* setUp(connection, ["cache_size = -16000", "query_only = ON"])
    yield* Queue.offer(idle, connection)
  }
  const acquirer: Acquirer = Effect.acquireRelease(Queue.take(idle), (connection) => Queue.offer(idle, connection), {
    interruptible: true
  })
  const borrower: Borrower = (use) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(Queue.take(idle)), (connection) =>
        Effect.ensuring(restore(use(connection)), Queue.offer(idle, connection))
      )
    )
  return yield* SqlClient.make({ acquirer, borrower, ...dialect, transactionService: writer.transactionService })
})

const dialect = {
  compiler: Statement.makeCompilerSqlite(),
  driver: "sqlite3",
  prepareTransactionControls: false,
  releaseSavepoint: (name: string) => `RELEASE SAVEPOINT ${name}`,
  spanAttributes: [["db.system.name", "sqlite"]]
} as const

/** Two processes that change the mode at once would wait for each other, so SQLite refuses one of them without waiting: that one tries again. */
const setWal = (connection: Connection): Effect.Effect<void, SqlError> =>
  setUp(connection, ["journal_mode = WAL"]).pipe(
    Effect.retry({
      while: ({ reason }) => reason._tag === "LockTimeoutError",
      schedule: Schedule.spaced("20 millis").pipe(Schedule.upTo({ duration: BUSY_TIMEOUT }))
    })
  )

const setUp = (connection: Connection, settings: ReadonlyArray<string>): Effect.Effect<void, SqlError> =>
  Effect.forEach(
    [`busy_timeout = ${BUSY_TIMEOUT}`, "temp_store = MEMORY", ...settings],
    (setting) => connection.executeUnprepared(`PRAGMA ${setting}`, [], undefined),
    { discard: true }
  )

/** Files up to this size are checked completely, in bytes: that takes about 20 ms. */
const MOST_CHECKED_BYTES = 10 * 1_024 * 1_024

/**
 * Reads an SQLite file over a new connection, because open ones answer from their caches even if the file is damaged. It reads
 * the schema and the first and last runs, and all of a small file.
 */
const probeSqlite = (path: string, driver: SqliteDriver): Effect.Effect<void, StoreUnavailable> =>
  Effect.gen(function* () {
    const connection = yield* openSqlite(driver, path, "read")
    const read = (sql: string) => Effect.map(connection.executeValuesUnprepared(sql, []), ([row]) => row?.[0])
    yield* read("SELECT count(*) FROM sqlite_schema")
    yield* read("SELECT * FROM runs ORDER BY rowid ASC LIMIT 1")
    yield* read("SELECT * FROM runs ORDER BY rowid DESC LIMIT 1")
    const bytes = yield* read("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    if (Number(bytes) > MOST_CHECKED_BYTES) return
    const verdict = yield* read("PRAGMA quick_check(1)")
    if (verdict !== "ok")
      return yield* new StoreUnavailable({ cause: new Error(`the database is damaged: ${String(verdict)}`) })
  }).pipe(orUnavailable, Effect.scoped)

/** A connection to an SQLite file, closed with the scope: what asks it after that fails. */
export const openSqlite = Effect.fnUntraced(function* (
  driver: SqliteDriver,
  path: string,
  access: "read" | "write"
): Effect.fn.Return<Connection, SqlError, Scope.Scope> {
  const opened = yield* driver.open(path, access)
  let isOpen = true
  // Before it is closed: from then on no driver answers.
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      isOpen = false
    })
  )
  return connectionOf({
    all: (sql, params, reusable) =>
      Effect.suspend(() => (isOpen ? opened.all(sql, params, reusable) : Effect.fail(sqlErrorOf(CLOSED, "execute"))))
  })
})

const CLOSED = new Error("the connection is closed")

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

/** Permission bits of others; their write bit; the sticky bit. */
const OTHERS = 0o007
const OTHERS_WRITE = 0o002
const STICKY = 0o1000

/** Suffixes of SQLite's files next to a database. */
const BESIDE = ["", "-wal", "-shm", "-journal"]

/**
 * Creates a database file and its folders for the user of this process only, because the database contains keys. SQLite gives
 * `-wal` and `-shm` the mode of the database. If the file cannot be created, opening it fails with the reason.
 */
const makePrivate = (path: string): Effect.Effect<void> =>
  Effect.ignore(
    Effect.tryPromise(async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const handle = await open(path, "ax", 0o600)
      await handle.close()
    })
  )

/**
 * Restricts the permissions of existing files. A file that everyone can read, as versions up to 0.1 created it, becomes readable
 * by its owner only; a file that only its group can read was made so on purpose, for example for a backup, and is not changed. A
 * folder may be shared with other programs, so it is never changed, but a warning says if others could replace the database.
 */
const narrow = Effect.fn("SqliteClient.narrow")(function* (path: string) {
  // Windows does not have these modes.
  if (process.platform === "win32") return
  for (const file of BESIDE.map((ending) => path + ending)) {
    // A path that names a folder by mistake ("file:///") must not lock everyone out of that folder.
    const mode = yield* modeOf(file, "file")
    if (mode === null || (mode & OTHERS) === 0) continue
    yield* Effect.tryPromise(() => chmod(file, 0o600)).pipe(
      Effect.andThen(
        Effect.logInfo(`${file} was readable by every user of this machine. Now only its owner can read it.`)
      ),
      Effect.catch(() =>
        Effect.logWarning(
          `${file} contains keys and is readable by every user of this machine. As its owner, run: chmod 600 ${file}`
        )
      )
    )
  }
  const folder = dirname(path)
  const mode = yield* modeOf(folder, "folder")
  if (mode !== null && (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0) {
    yield* Effect.logWarning(
      `Every user of this machine can write to ${folder}, and so can replace the database. Run: chmod o-w ${folder}`
    )
  }
})

/** `null` if it is missing or not a file: a folder given as a database, such as `/`, must keep its mode. */
const modeOf = (path: string, kind: "file" | "folder"): Effect.Effect<number | null> =>
  Effect.orElseSucceed(
    Effect.tryPromise(async () => {
      const found = await stat(path)
      return (kind === "file" ? found.isFile() : found.isDirectory()) ? found.mode : null
    }),
    () => null
  )
