import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { gunzipSync } from "node:zlib"
import type { Database } from "../../engine/store/Database.ts"
import type { Backend } from "../store/Databases.ts"

/** A folder for each version of the schema, named by its number: the databases that a service of that version left behind, and its files. */
export const SAVED = join(import.meta.dirname, "databases")

/** What a service said of its runs and settings before it was killed. */
export interface Told {
  /** The JSON of runs that were over, by id. */
  readonly runs: Readonly<Record<string, unknown>>
  /** SHA-256 of the archives of those that have one. */
  readonly archives: Readonly<Record<string, string>>
  /** Runs that waited or were audited. */
  readonly unfinished: ReadonlyArray<string>
  /** What the admin API said, by path. */
  readonly admin: Readonly<Record<string, unknown>>
}

export const folderOf = (version: string, { kind }: Pick<Backend, "kind">): string =>
  join(SAVED, version, kind.toLowerCase())

/** The versions of the schema that databases were saved of, such as `0001`. */
export const savedVersions: ReadonlyArray<string> = existsSync(SAVED) ? readdirSync(SAVED).sort() : []

const savedFile = (folder: string, name: string): Buffer => gunzipSync(readFileSync(join(folder, `${name}.gz`)))

export const toldBy = (folder: string): Told => JSON.parse(savedFile(folder, "told.json").toString())

/** The URL of a database, as `DOCGAUGE_DATABASE_URL` takes it. */
export const urlOf = (database: Database): string =>
  database._tag === "Sqlite" ? `file:${database.path}` : Redacted.value(database.url)

/** A temporary folder, gone with the scope. */
export const temporaryFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docgauge-upgrade-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** A copy of a saved database, which no version of today has opened. */
export const savedDatabase = Effect.fnUntraced(function* (backend: Backend, version: string) {
  const database = yield* backend.empty
  const folder = folderOf(version, backend)
  if (database._tag === "Sqlite") {
    writeFileSync(database.path, savedFile(folder, "runs.db"), { mode: 0o600 })
    return database
  }
  const dump = join(yield* temporaryFolder, "runs.sql")
  writeFileSync(dump, savedFile(folder, "runs.sql"))
  yield* Effect.promise(() =>
    promisify(execFile)("psql", ["-XqAt", "-v", "ON_ERROR_STOP=1", "--single-transaction", "-f", dump, urlOf(database)])
  )
  return database
})

/** A copy of the archives that a service with that database left in its folder. */
export const savedArchives = Effect.fnUntraced(function* (backend: Backend, version: string) {
  const folder = yield* temporaryFolder
  cpSync(join(folderOf(version, backend), "archives"), folder, { recursive: true })
  return folder
})
