import { DatabaseSync, type StatementSync } from "node:sqlite"
import { parentPort, workerData } from "node:worker_threads"
import { PreparedStatements } from "./PreparedStatements.ts"
import type { OpenFile, SqliteValue, StatementMessage, ThreadReply } from "./SqliteDriver.ts"

/*
 * A thread with one connection of `node:sqlite`, whose calls block. It runs one statement after the other, and imports hardly
 * anything: each thread loads its own copy of its modules.
 */

/** SQLite's primary result codes, by number. */
const CODES = [
  "OK",
  "ERROR",
  "INTERNAL",
  "PERM",
  "ABORT",
  "BUSY",
  "LOCKED",
  "NOMEM",
  "READONLY",
  "INTERRUPT",
  "IOERR",
  "CORRUPT",
  "NOTFOUND",
  "FULL",
  "CANTOPEN",
  "PROTOCOL",
  "EMPTY",
  "SCHEMA",
  "TOOBIG",
  "CONSTRAINT",
  "MISMATCH",
  "MISUSE",
  "NOLFS",
  "AUTH",
  "FORMAT",
  "RANGE",
  "NOTADB"
]

const reply = (message: ThreadReply, transfer: ReadonlyArray<ArrayBuffer> = []): void =>
  parentPort?.postMessage(message, transfer)

const failureOf = (error: unknown): ThreadReply => {
  const message = error instanceof Error ? error.message : String(error)
  const extended =
    error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : null
  // Errors that are not SQLite's, such as a value of a wrong type.
  if (extended === null) return { _tag: "Failed", message, code: "", errno: undefined }
  const errno = extended & 0xff
  const code = `SQLITE_${CODES[errno] ?? errno}`
  return { _tag: "Failed", message: `${code}: ${message}`, code, errno }
}

const serve = (database: DatabaseSync): void => {
  // The garbage collector finalizes them.
  const prepared = new PreparedStatements<StatementSync>(() => undefined)

  const statementOf = (sql: string, reusable: boolean): StatementSync => {
    if (!reusable) return database.prepare(sql)
    const statement = prepared.get(sql) ?? database.prepare(sql)
    prepared.use(sql, statement)
    return statement
  }

  parentPort?.on("message", (message: StatementMessage) => {
    try {
      if (message === null) {
        database.close()
        reply({ _tag: "Rows", rows: [] })
        return parentPort?.close()
      }
      const rows = statementOf(message.sql, message.reusable).all(...message.params)
      reply({ _tag: "Rows", rows }, blobsOf(rows))
    } catch (error) {
      reply(failureOf(error))
    }
  })
}

/** Buffers of blobs, which are moved rather than copied. */
const blobsOf = (rows: ReadonlyArray<Readonly<Record<string, SqliteValue>>>): ReadonlyArray<ArrayBuffer> =>
  rows.flatMap((row) => Object.values(row).flatMap((value) => (value instanceof Uint8Array ? [value.buffer] : [])))

try {
  const { path, readOnly }: OpenFile = workerData
  // As SQLite itself does: foreign keys are checked where a connection asks for it.
  serve(new DatabaseSync(path, { readOnly, enableForeignKeyConstraints: false }))
  reply({ _tag: "Rows", rows: [] })
} catch (error) {
  reply(failureOf(error))
}
