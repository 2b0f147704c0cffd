/*
 * As `DatabaseFaults.ts`, where SQLite is Node's own: each connection is in a thread, which loads this module too. The statements go
 * there by a channel.
 */
import { createRequire, syncBuiltinESMExports } from "node:module"
import process from "node:process"
import type * as NodeSqlite from "node:sqlite"
import { BroadcastChannel, isMainThread } from "node:worker_threads"

await import("./WithoutSqlite3.ts")

/** What the listeners of a channel are given; Node's types say less. */
const dataOf = (event: Event): unknown => ("data" in event ? event.data : null)

const statements = new BroadcastChannel("docgauge-test-statements")
const results = new BroadcastChannel("docgauge-test-results")

if (isMainThread) {
  process.on("message", (statement) => statements.postMessage(String(statement)))
  results.addEventListener("message", (event) => {
    process.send?.(dataOf(event))
  })
  process.channel?.unref()
} else {
  const sqlite: typeof NodeSqlite = createRequire(import.meta.url)("node:sqlite")
  Object.assign(sqlite, {
    DatabaseSync: class extends sqlite.DatabaseSync {
      constructor(path: string, options: NodeSqlite.DatabaseSyncOptions) {
        super(path, options)
        if (options.readOnly === true) return
        statements.addEventListener("message", (event) => results.postMessage(this.#run(String(dataOf(event)))))
        statements.unref()
      }

      #run(statement: string): { readonly error: string | null; readonly rows?: unknown } {
        try {
          return { error: null, rows: this.prepare(statement).all() }
        } catch (error) {
          return { error: String(error) }
        }
      }
    }
  })
  syncBuiltinESMExports()
}
statements.unref()
results.unref()
