import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { resolve } from "node:path"
import { Worker } from "node:worker_threads"
import {
  type OpenFile,
  sqlErrorOf,
  type SqliteDriver,
  type SqliteValue,
  type StatementMessage,
  type ThreadReply
} from "./SqliteDriver.ts"

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
