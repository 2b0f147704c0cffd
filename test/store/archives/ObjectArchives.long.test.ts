import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ArchiveStore, type Proof } from "../../../engine/store/archives/ArchiveStore.ts"
import { layerFolder } from "../../../engine/store/archives/FolderArchiveStore.ts"
import {
  LastUpload,
  layerObjectArchives,
  ObjectRetryInterval
} from "../../../engine/store/archives/ObjectArchiveStore.ts"
import { layerS3, ObjectTimeout } from "../../../engine/store/objects/S3ObjectStore.ts"
import type { DatabaseHealth } from "../../../engine/store/database/DatabaseHealth.ts"
import type { ReadClient } from "../../../engine/store/database/ReadClient.ts"
import { Moderation } from "../../../engine/store/operators/Moderation.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import type { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { dialects, onFresh, type Stores } from "../Databases.ts"
import { audited, newRun } from "../SampleRuns.ts"
import { type ObjectFault, type S3Server, startS3 } from "../objects/S3Server.ts"

const RULE = { keep: 2, days: null, totalBytes: 1024 ** 3 }

/** An archive store of one process over an object store, with a local folder of its own. `timeout`: how long a request may take, which is long on a busy machine. */
const withArchives = <A, E, R>(
  server: S3Server,
  folder: string,
  effect: Effect.Effect<A, E, R | ArchiveStore>,
  timeout: "20 seconds" | "5 seconds" = "20 seconds"
) =>
  effect.pipe(
    Effect.provide(layerObjectArchives({ folder, ...RULE }).pipe(Layer.provide(layerS3(server.location)))),
    Effect.provideService(ObjectTimeout, timeout),
    Effect.provideService(LastUpload, "1 minute"),
    Effect.provideService(ObjectRetryInterval, "100 millis")
  )

const put = (run: Run, content = `archive of ${run.id}`, attempt = 1, proof: Proof = "report") =>
  Effect.flatMap(ArchiveStore, (archives) =>
    archives.put({ ...run, attempt }, new TextEncoder().encode(content), proof)
  )

const readWhole = (id: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const archive = yield* (yield* ArchiveStore).read(id)
      return archive === null ? null : Buffer.concat([...(yield* Stream.runCollect(archive.content))]).toString()
    })
  )

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".gz"))

const until = (what: string, condition: Effect.Effect<boolean, unknown, SqlClient>) =>
  Effect.gen(function* () {
    for (let round = 0; round < 800; round++) {
      if (yield* condition) return
      yield* Effect.sleep(25)
    }
    return yield* Effect.die(new Error(`never: ${what}`))
  })

const isEmpty = (folder: string) =>
  until(
    "the folder is empty",
    Effect.sync(() => filesIn(folder).length === 0)
  )

/** The number of objects that the database knows, in whatever state. */
const knownObjects = Effect.gen(function* () {
  const sql = yield* SqlClient
  return (yield* sql`SELECT key FROM objects`).length
})

type Needs = Stores | SqlClient | ReadClient | DatabaseHealth | Scope.Scope

/** Ways to fail: the same for every database, so the others are tried with one alone. */
const FAULTS = [
  "answers_500",
  "hangs",
  "refuses_connections",
  "breaks_off_uploads",
  "changes_uploads",
  "refuses_expired_credentials"
] satisfies ReadonlyArray<ObjectFault>

/** Gone with the scope. */
const ownFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "docgauge-objects-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** An object store of one test, gone with the scope. */
const ownServer = Effect.acquireRelease(
  Effect.promise(() => startS3()),
  (server) => Effect.promise(() => server.stop())
)

const available = dialects.filter((backend) => backend.available)

// Each test has an object store of its own, because most of them wait for it.
describe.each(available)("archives in an object store, with $name", { concurrent: true }, (backend) => {
  const on = <E>(
    name: string,
    effect: (folder: string, server: S3Server) => Effect.Effect<unknown, E, Needs>,
    concurrent = true
  ) =>
    it.live(
      name,
      () =>
        Effect.flatMap(Effect.all([ownFolder, ownServer]), ([folder, server]) =>
          onFresh(backend, effect(folder, server))
        ).pipe(Effect.scoped, Effect.provide(Logger.layer([]))),
      { concurrent }
    )

  const oneRun: Effect.Effect<Run, unknown, RunStore> = audited(newRun("docs.example.com"), 50)

  on("are moved there from the local folder, and read by every process as they were written", (folder, server) =>
    Effect.gen(function* () {
      const run = yield* oneRun
      const content = "x".repeat(2_000_000)
      yield* withArchives(server, folder, Effect.andThen(put(run, content), isEmpty(folder)))
      const other = mkdtempSync(join(tmpdir(), "docgauge-objects-"))
      yield* withArchives(
        server,
        other,
        Effect.gen(function* () {
          expect(yield* readWhole(run.id.toUpperCase())).toBe(content)
          expect(yield* (yield* ArchiveStore).has(run.id)).toBe(true)
          expect(yield* readWhole("../secret")).toBeNull()
          expect(yield* readWhole("00000000-0000-7000-8000-000000000000")).toBeNull()
        })
      )
      rmSync(other, { recursive: true })
    })
  )

  on("are read by way of a file without a name, which a process that dies does not leave behind", (folder, server) =>
    withArchives(
      server,
      folder,
      Effect.gen(function* () {
        const run = yield* oneRun
        const content = "x".repeat(200_000)
        yield* Effect.andThen(put(run, content), isEmpty(folder))
        const archive = yield* (yield* ArchiveStore).read(run.id)
        server.fault("refuses_connections")
        expect(readdirSync(join(folder, "parts"))).toEqual([])
        expect(
          archive === null ? null : Buffer.concat([...(yield* Stream.runCollect(archive.content))]).toString()
        ).toBe(content)
      })
    )
  )

  on(
    "are sent at the end of the process although it interrupts an upload",
    (folder, server) =>
      Effect.gen(function* () {
        const run = yield* oneRun
        server.fault("hangs")
        const before = server.requests.length
        yield* withArchives(
          server,
          folder,
          Effect.gen(function* () {
            yield* put(run)
            yield* until(
              "the upload has begun",
              Effect.sync(() => server.requests.length > before)
            )
            server.fault("none")
          })
        )
        expect(filesIn(folder)).toEqual([])
        expect(yield* knownObjects).toBe(1)
      }),
    false
  )

  for (const fault of backend.kind === "SQLite" ? FAULTS : FAULTS.slice(0, 1)) {
    on(`wait in the local folder while the object store ${fault}, and are sent once it works again`, (folder, server) =>
      withArchives(
        server,
        folder,
        Effect.gen(function* () {
          const runs = yield* Effect.forEach(["a", "b", "c"], (name) => audited(newRun(`${name}.example.com`), 50))
          server.fault(fault)
          yield* Effect.forEach(runs, (run) => put(run))
          // Nothing waits for its request: the last one is sent only once those of the others have timed out.
          if (fault === "hangs")
            expect(server.requests.filter((request) => request.includes(runs.at(-1)?.id ?? ""))).toEqual([])
          yield* Effect.sleep(400)
          expect(filesIn(folder)).toHaveLength(3)
          for (const run of runs) expect(yield* readWhole(run.id)).toBe(`archive of ${run.id}`)
          server.fault("none")
          yield* isEmpty(folder)
          for (const run of runs) expect(yield* readWhole(run.id)).toBe(`archive of ${run.id}`)
          expect(yield* knownObjects).toBe(3)
        }),
        fault === "hangs" ? "5 seconds" : "20 seconds"
      )
    )
  }

  on("are kept and sent, and hold up no audit, while the object store is slow", (folder, server) =>
    withArchives(
      server,
      folder,
      Effect.gen(function* () {
        const runs = yield* Effect.forEach(["a", "b", "c"], (name) => audited(newRun(`${name}.example.com`), 50))
        server.fault("answers_slowly")
        yield* Effect.forEach(runs, (run) => put(run))
        // The last is not sent yet: nothing waited for that.
        expect(filesIn(folder)).not.toEqual([])
        for (const run of runs) expect(yield* readWhole(run.id)).toBe(`archive of ${run.id}`)
        yield* isEmpty(folder)
        for (const run of runs) expect(yield* readWhole(run.id)).toBe(`archive of ${run.id}`)
        expect(yield* knownObjects).toBe(3)
      })
    )
  )

  on(
    "of a later attempt that wait in the local folder are read, not those that the object store has of an earlier one",
    (folder, server) =>
      withArchives(
        server,
        folder,
        Effect.gen(function* () {
          const run = yield* oneRun
          yield* put(run, "attempt 1")
          yield* isEmpty(folder)
          server.fault("answers_500")
          yield* put(run, "attempt 2", 2)
          expect(yield* readWhole(run.id)).toBe("attempt 2")
          server.fault("none")
          yield* isEmpty(folder)
          expect(yield* readWhole(run.id)).toBe("attempt 2")
        })
      )
  )

  on(
    "are sent at the next start if the process died, and so are those from before there was an object store",
    (folder, server) =>
      Effect.gen(function* () {
        const run = yield* oneRun
        yield* Effect.provide(put(run), layerFolder({ folder, ...RULE }))
        expect(filesIn(folder)).toHaveLength(1)
        yield* withArchives(
          server,
          folder,
          Effect.gen(function* () {
            yield* isEmpty(folder)
            expect(yield* readWhole(run.id)).toBe(`archive of ${run.id}`)
          })
        )
      })
  )

  on(
    "that a process leaves behind as it is replaced are sent by its successor, which has been running for a while",
    (folder, server) =>
      withArchives(
        server,
        folder,
        Effect.gen(function* () {
          yield* Effect.sleep("300 millis")
          const run = yield* oneRun
          yield* Effect.provide(put(run), layerFolder({ folder, ...RULE }))
          yield* isEmpty(folder)
          expect(yield* readWhole(run.id)).toBe(`archive of ${run.id}`)
        })
      )
  )

  on("are deleted there beyond the newest of a site", (folder, server) =>
    withArchives(
      server,
      folder,
      Effect.gen(function* () {
        const runs = yield* Effect.forEach([1, 2, 3, 4], () => oneRun)
        for (const run of runs) yield* Effect.andThen(put(run), isEmpty(folder))
        yield* put(yield* audited(newRun("other.example.org"), 50))
        yield* until(
          "the oldest two are deleted",
          Effect.map(knownObjects, (count) => count === 3)
        )
        expect((yield* Effect.forEach(runs, ({ id }) => readWhole(id))).map((content) => content !== null)).toEqual([
          false,
          false,
          true,
          true
        ])
      })
    )
  )

  on("of a later attempt replace those of an earlier one, in whatever order they are sent", (folder, server) =>
    Effect.gen(function* () {
      const run = yield* oneRun
      for (const attempt of [1, 3, 2])
        yield* withArchives(
          server,
          join(folder, String(attempt)),
          Effect.andThen(put(run, `attempt ${attempt}`, attempt), isEmpty(join(folder, String(attempt))))
        )
      yield* withArchives(
        server,
        folder,
        Effect.gen(function* () {
          expect(yield* readWhole(run.id)).toBe("attempt 3")
          yield* until(
            "the others are deleted",
            Effect.map(knownObjects, (count) => count === 1)
          )
        })
      )
    })
  )

  on(
    "are not served from the moment that their run is deleted, and deleted once the object store can be reached",
    (folder, server) =>
      withArchives(
        server,
        folder,
        Effect.gen(function* () {
          const run = yield* oneRun
          yield* Effect.andThen(put(run), isEmpty(folder))
          server.fault("answers_500")
          yield* (yield* ArchiveStore).remove(run)
          expect(yield* readWhole(run.id)).toBeNull()
          expect(yield* knownObjects).toBe(1)
          server.fault("none")
          yield* until(
            "the object is deleted",
            Effect.map(knownObjects, (count) => count === 0)
          )
          expect(
            server.requests.filter((request) => request.startsWith("DELETE") && request.includes(run.id))
          ).not.toEqual([])
        })
      )
  )

  on("that cannot be deleted there are logged once, and so is that they can be again", (folder, server) => {
    const logs: Array<string> = []
    const logged = (level: string) => logs.filter((line) => line.includes(`level=${level}`))
    return withArchives(
      server,
      folder,
      Effect.gen(function* () {
        const run = yield* oneRun
        yield* Effect.andThen(put(run), isEmpty(folder))
        server.fault("answers_404_NoSuchBucket")
        yield* (yield* ArchiveStore).remove(run)
        yield* until(
          "that is logged",
          Effect.sync(() => logged("WARN").length > 0)
        )
        yield* Effect.sleep(500)
        expect(logged("WARN")).toEqual([
          expect.stringContaining("are deleted later. the object store answered 404 NoSuchBucket")
        ])
        server.fault("none")
        yield* until(
          "the object is deleted",
          Effect.map(knownObjects, (count) => count === 0)
        )
        yield* until(
          "that is logged",
          Effect.sync(() => logged("INFO").some((line) => line.includes("deletes objects again")))
        )
      })
    ).pipe(
      Effect.provide(
        Logger.layer([
          Logger.map(Logger.formatLogFmt, (line) => {
            logs.push(line)
          })
        ])
      )
    )
  })

  on("of a run that was deleted meanwhile are not sent", (folder, server) =>
    Effect.gen(function* () {
      yield* withArchives(server, folder, Effect.void)
      const run = yield* oneRun
      yield* Effect.provide(put(run), layerFolder({ folder, ...RULE }))
      yield* Effect.provide(
        Effect.flatMap(Moderation, (moderation) => moderation.drop([run.id])),
        Moderation.layerSql
      )
      yield* withArchives(server, folder, isEmpty(folder))
      expect(server.requests.filter((request) => request.includes(run.id))).toEqual([])
    })
  )

  on("of runs in another database stay in the folder, also when that database is used again", (folder, server) => {
    const logs: Array<string> = []
    const logged = Effect.sync(() =>
      logs.some((line) => line.includes("level=WARN") && line.includes(`Archives left in ${folder}: `))
    )
    return Effect.gen(function* () {
      const run = yield* oneRun
      yield* Effect.provide(put(run), layerFolder({ folder, ...RULE }))
      // As from before there was an object store.
      yield* Effect.promise(() =>
        onFresh(backend, withArchives(server, folder, until("they are told", logged))).pipe(
          Effect.provide(
            Logger.layer([
              Logger.map(Logger.formatLogFmt, (line) => {
                logs.push(line)
              })
            ])
          ),
          Effect.runPromise
        )
      )
      expect(filesIn(folder)).toHaveLength(1)
      // The folder belongs to the other database now, which has no later run of this one either.
      const later = yield* oneRun
      yield* Effect.provide(put(later), layerFolder({ folder, ...RULE }))
      yield* Effect.provide(
        Effect.flatMap(Moderation, (moderation) => moderation.drop([later.id])),
        Moderation.layerSql
      )
      logs.length = 0
      yield* withArchives(
        server,
        folder,
        Effect.gen(function* () {
          yield* until("they are told", logged)
          expect(yield* readWhole(run.id)).toBe(`archive of ${run.id}`)
        })
      )
      expect(filesIn(folder).map((name) => name.includes(later.id))).toEqual([true])
    }).pipe(
      Effect.provide(
        Logger.layer([
          Logger.map(Logger.formatLogFmt, (line) => {
            logs.push(line)
          })
        ])
      )
    )
  })

  on("fail to be read while the object store cannot be reached, rather than being told missing", (folder, server) =>
    withArchives(
      server,
      folder,
      Effect.gen(function* () {
        const run = yield* oneRun
        yield* Effect.andThen(put(run), isEmpty(folder))
        server.fault("answers_500")
        expect((yield* Effect.flip(readWhole(run.id))).message).toContain("answered 500")
        expect(yield* (yield* ArchiveStore).has(run.id)).toBe(true)
      })
    )
  )
})
