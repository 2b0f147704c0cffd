import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ArchiveRule } from "../../../engine/store/archives/ArchiveRetention.ts"
import { ArchiveStore, type Proof } from "../../../engine/store/archives/ArchiveStore.ts"
import { ArchivePace, layerArchives } from "../../../engine/store/archives/SqlArchiveStore.ts"
import { makeS3, ObjectTimeout } from "../../../engine/store/blobs/S3Blobs.ts"
import type { DatabaseHealth, ReadClient } from "../../../engine/store/database/SqlDatabase.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { type S3Server, startS3 } from "../blobs/S3Server.ts"
import type { Stores } from "../Databases.ts"
import { audited, newRun } from "../SampleRuns.ts"

/** Where a test keeps archives: in the folder alone, or in an object store. */
export interface Place {
  readonly folder: string
  readonly server: S3Server | null
}

export type ArchiveNeeds = Stores | SqlClient | ReadClient | DatabaseHealth | Scope.Scope

/** Gone with the scope. */
export const ownFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docgauge-archives-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** An object store of one test, gone with the scope. */
export const ownServer = Effect.acquireRelease(
  Effect.promise(() => startS3()),
  (server) => Effect.promise(() => server.stop())
)

/** An archive store of one process. `timeout`: how long a request may take, which is long on a busy machine. */
export const withArchives = <A, E, R>(
  { folder, server }: Place,
  effect: Effect.Effect<A, E, R | ArchiveStore>,
  rule: Partial<ArchiveRule> = {},
  timeout: "20 seconds" | "5 seconds" = "20 seconds"
) => {
  const whole: ArchiveRule = { folder, keep: 2, days: null, totalBytes: 1024 ** 3, ...rule }
  const layer = Layer.unwrap(
    Effect.map(server === null ? Effect.succeed(null) : makeS3(server.location), (objects) =>
      layerArchives(whole, objects)
    )
  )
  return effect.pipe(
    Effect.provide(Layer.fresh(layer)),
    Effect.provideService(ObjectTimeout, timeout),
    Effect.provideService(ArchivePace, { retry: "100 millis", rule: "200 millis", last: "1 minute" })
  )
}

export const put = (
  { id, site }: Pick<Run, "id" | "site">,
  content: string | Uint8Array = `archive of ${id}`,
  attempt = 1,
  proof: Proof = "report"
) => ArchiveStore.use((archives) => archives.put({ id, site, attempt }, Buffer.from(content), proof))

export const readWhole = (id: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const archive = yield* (yield* ArchiveStore).read(id)
      if (archive === null) return null
      const content = Buffer.concat([...(yield* Stream.runCollect(archive.content))])
      return content.length === archive.size ? content.toString() : `${content.length} bytes, not ${archive.size}`
    })
  )

/** Which of these runs have an archive that can be read. */
export const readable = (runs: ReadonlyArray<Pick<Run, "id">>) =>
  Effect.map(
    Effect.forEach(runs, ({ id }) => readWhole(id)),
    (contents) => contents.map((content) => content !== null)
  )

/** All files in a folder. A folder that is deleted meanwhile ends the listing, which then begins again. */
export const filesIn = (folder: string): ReadonlyArray<string> => {
  for (;;) {
    try {
      return readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort()
    } catch (error) {
      if (!existsSync(folder) || !(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error
    }
  }
}

/** The names of the archives in a folder, with both layouts. */
export const archivesIn = (folder: string): ReadonlyArray<string> =>
  filesIn(folder).filter((name) => name.endsWith(".gz"))

export const until = <R>(what: string, condition: Effect.Effect<boolean, unknown, R>) =>
  Effect.gen(function* () {
    for (let round = 0; round < 800; round++) {
      if (yield* condition) return
      yield* Effect.sleep(25)
    }
    return yield* Effect.die(new Error(`never: ${what}`))
  })

export const isEmpty = (folder: string) =>
  until(
    "the folder is empty",
    Effect.sync(() => archivesIn(folder).length === 0)
  )

/** What the database knows, in whatever state. */
export const rows = Effect.flatMap(
  SqlClient,
  (sql) =>
    sql<{ readonly key: string; readonly state: string; readonly store: string }>`
      SELECT key, state, store FROM objects ORDER BY run_id, attempt`
)

/** Until every archive is where it is kept, and what was dropped is deleted: then blobs are those that the database knows. */
export const settled = ({ folder, server }: Place) =>
  until(
    "what is stored is what the database knows",
    Effect.map(rows, (known) => {
      const stored =
        server === null
          ? archivesIn(folder).map((name) => name.slice(name.indexOf("/") + 1))
          : archivesIn(folder).length > 0
            ? null
            : server.keys().map((key) => key.slice(key.indexOf("archives/")))
      return (
        stored !== null &&
        JSON.stringify(stored.toSorted()) === JSON.stringify(known.map(({ key }) => key).toSorted()) &&
        known.every(({ state }) => state === "kept")
      )
    })
  )

/** A finished run of a site. */
export const runOf = (host: string, site = host) => audited(newRun(host, { site }), 50)

/** The time in an id, in milliseconds since the epoch. */
const idAt = (id: string, time: number): string => {
  const hex = time.toString(16).padStart(12, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8)}${id.slice(13)}`
}

/** The same as if it had been accepted at another time. */
export const runAt = Effect.fnUntraced(function* (run: Run, time: number) {
  const sql = yield* SqlClient
  const id = idAt(run.id, time)
  yield* sql`UPDATE runs SET id = ${id} WHERE id = ${run.id}`
  return { ...run, id }
})

/** Without what the background work logs. */
export const silent = Logger.layer([])
