/*
 * Loaded into a process of the service before the service itself (`--import`): runs statements on the connections that
 * its SQLite driver opened for writing, as they come over IPC. `max_page_count` and `query_only` are a connection's own,
 * and cannot be set from anywhere else.
 */
import process from "node:process"
import sqlite3 from "sqlite3"

const opened: Array<sqlite3.Database> = []

Object.assign(sqlite3, {
  Database: class extends sqlite3.Database {
    constructor(path: string, mode: number, done: (error: Error | null) => void) {
      super(path, mode, done)
      if ((mode & sqlite3.OPEN_CREATE) !== 0) opened.push(this)
    }
  }
})

process.on("message", (statement) => {
  for (const database of opened) {
    database.all(String(statement), (error, rows) => process.send?.({ error: error?.message ?? null, rows }))
  }
})
process.channel?.unref()
