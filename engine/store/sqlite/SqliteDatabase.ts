import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fileURLToPath } from "node:url"
import type { DatabaseKind, SqlDatabase } from "../database/SqlDatabase.ts"

/** A database in a file. */
export interface SqliteDatabase extends SqlDatabase {
  readonly _tag: "Sqlite"
  readonly path: string
}

/** The database in the file at `path`. */
export const sqliteAt = (path: string): SqliteDatabase => ({
  _tag: "Sqlite",
  path,
  name: `The database ${path}`,
  clients: () => Layer.unwrap(Effect.promise(async () => (await import("./SqliteClient.ts")).layer(path))),
  adviceOn: (message) => (/bindings file|Cannot find (package|module) 'sqlite3'/.test(message) ? NATIVE_PART_MISSING : null)
})

/** `file:PATH` and `file:///PATH`. */
export const sqlite: DatabaseKind<SqliteDatabase> = {
  form: "file:PATH",
  parse: (url) => {
    const path = url.startsWith("file:") ? filePath(url) : null
    return path === null ? null : sqliteAt(path)
  }
}

const filePath = (url: string): string | null => {
  if (/[?#\0]/.test(url)) return null
  const path = url.slice("file:".length)
  if (!path.startsWith("//")) return path === "" || path.endsWith("/") ? null : path
  try {
    return url.endsWith("/") ? null : fileURLToPath(url)
  } catch {
    return null
  }
}

const NATIVE_PART_MISSING =
  "the native part of sqlite3 is missing: allow its install script (\"allowScripts\": { \"sqlite3\": true } in package.json) and run \"npm rebuild sqlite3\"," +
  " or set DOCGAUGE_DATABASE_URL to postgres://… or memory:"
