import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Stream from "effect/Stream"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { ArchiveStore } from "../../../engine/store/archives/ArchiveStore.ts"
import { Moderation } from "../../../engine/store/operators/Moderation.ts"
import { type ObjectFault, type S3Server } from "../blobs/S3Server.ts"
import { dialects, onFresh } from "../Databases.ts"
import {
  type ArchiveNeeds,
  archivesIn,
  isEmpty,
  ownFolder,
  ownServer,
  type Place,
  put,
  readable,
  readWhole,
  rows,
  runOf,
  settled,
  until,
  withArchives
} from "./Archives.ts"

/** Ways to fail: the same for every database, so the others are tried with one alone. */
const FAULTS = [
  "answers_500",
  "hangs",
  "refuses_connections",
  "breaks_off_uploads",
  "changes_uploads",
  "refuses_expired_credentials"
] satisfies ReadonlyArray<ObjectFault>

const SITE = "docs.example.com"

interface Objects extends Place {
  readonly server: S3Server
}

/** Collects lines of the log. */
const loggedTo = (logs: Array<string>) =>
  Logger.layer([
    Logger.map(Logger.formatLogFmt, (line) => {
      logs.push(line)
    })
  ])

const available = dialects.filter((backend) => backend.available)

// Each test has an object store of its own, because most of them wait for it.
describe.each(available)("archives in an object store, with $name", { concurrent: true }, (backend) => {
  const on = <E>(
    name: string,
    effect: (place: Objects, logs: ReadonlyArray<string>) => Effect.Effect<unknown, E, ArchiveNeeds>
  ) => {
    const logs: Array<string> = []
    return it.live(name, () =>
      Effect.gen(function* () {
        const place = { folder: yield* ownFolder, server: yield* ownServer }
        yield* onFresh(backend, effect(place, logs))
      }).pipe(Effect.scoped, Effect.provide(loggedTo(logs)))
    )
  }

  const threeRuns = Effect.forEach(["a", "b", "c"], (name) => runOf(`${name}.example.com`))

  on("are read by way of a file without a name, which a process that dies does not leave behind", (place) =>
    withArchives(
      place,
      Effect.gen(function* () {
        const run = yield* runOf(SITE)
        const content = "x".repeat(200_000)
        yield* Effect.andThen(put(run, content), settled(place))
        const archive = yield* (yield* ArchiveStore).read(run.id)
        place.server.fault("refuses_connections")
        expect(readdirSync(join(place.folder, "parts"))).toEqual([])
        const pieces = archive === null ? [] : yield* Stream.runCollect(archive.content)
        expect(Buffer.concat([...pieces]).toString()).toBe(content)
      })
    )
  )

  on("are sent at the end of the process although it interrupts an upload", (place) =>
    Effect.gen(function* () {
      const { server } = place
      const run = yield* runOf(SITE)
      server.fault("hangs")
      const before = server.requests.length
      yield* withArchives(
        place,
        Effect.gen(function* () {
          yield* put(run)
          yield* until(
            "the upload has begun",
            Effect.sync(() => server.requests.length > before)
          )
          server.fault("none")
        })
      )
      expect(archivesIn(place.folder)).toEqual([])
      expect(yield* rows).toMatchObject([{ store: "objects", state: "kept" }])
    })
  )

  for (const fault of backend.kind === "SQLite" ? FAULTS : FAULTS.slice(0, 1)) {
    on(`wait in the folder while the object store ${fault}, and are sent once it works again`, (place, logs) =>
      withArchives(
        place,
        Effect.gen(function* () {
          const { folder, server } = place
          const runs = yield* threeRuns
          server.fault(fault)
          yield* Effect.forEach(runs, (run) => put(run))
          // Nothing waits for its request: the last one is sent only once those of the others have timed out.
          if (fault === "hangs")
            expect(server.requests.filter((request) => request.includes(runs.at(-1)?.id ?? ""))).toEqual([])
          yield* Effect.sleep(400)
          expect(archivesIn(folder)).toHaveLength(3)
          // Also by another process with that folder.
          yield* withArchives(
            { folder, server: null },
            Effect.flatMap(readable(runs), (found) => Effect.sync(() => expect(found).toEqual([true, true, true])))
          )
          for (const run of runs) expect(yield* readWhole(run.id)).toBe(`archive of ${run.id}`)
          server.fault("none")
          yield* settled(place)
          for (const run of runs) expect(yield* readWhole(run.id)).toBe(`archive of ${run.id}`)
          expect(yield* rows).toHaveLength(3)
          if (fault === "answers_500")
            expect(logs.filter((line) => line.includes("The object store cannot be used"))).toHaveLength(1)
        }),
        {},
        fault === "hangs" ? "5 seconds" : "20 seconds"
      )
    )
  }

  on("are kept and sent, and hold up no audit, while the object store is slow", (place) =>
    withArchives(
      place,
      Effect.gen(function* () {
        const runs = yield* threeRuns
        place.server.fault("answers_slowly")
        yield* Effect.forEach(runs, (run) => put(run))
        // The last is not sent yet: nothing waited for that.
        expect(archivesIn(place.folder)).not.toEqual([])
        expect(yield* readable(runs)).toEqual([true, true, true])
        yield* settled(place)
        expect(yield* readable(runs)).toEqual([true, true, true])
      })
    )
  )

  on("of a later attempt that wait are read, not those that the object store has of an earlier one", (place) =>
    withArchives(
      place,
      Effect.gen(function* () {
        const run = yield* runOf(SITE)
        yield* Effect.andThen(put(run, "attempt 1"), settled(place))
        place.server.fault("answers_500")
        yield* put(run, "attempt 2", 2)
        expect(yield* readWhole(run.id)).toBe("attempt 2")
        place.server.fault("none")
        yield* settled(place)
        expect(yield* readWhole(run.id)).toBe("attempt 2")
      })
    )
  )

  on("of before there was an object store are sent, also by a process that has been running for a while", (place) =>
    Effect.gen(function* () {
      const [before, beside] = [yield* runOf(SITE), yield* runOf(SITE)]
      yield* withArchives({ ...place, server: null }, put(before))
      yield* withArchives(
        place,
        Effect.gen(function* () {
          yield* settled(place)
          yield* withArchives({ ...place, server: null }, put(beside))
          yield* settled(place)
          expect(yield* readable([before, beside])).toEqual([true, true])
        })
      )
      expect(yield* rows).toMatchObject([{ store: "objects" }, { store: "objects" }])
    })
  )

  on("are not served while the setting is missing, which is logged, and served again once it is set", (place, logs) =>
    Effect.gen(function* () {
      const run = yield* runOf(SITE)
      yield* withArchives(place, Effect.andThen(put(run), settled(place)))
      yield* withArchives(
        { ...place, server: null },
        Effect.gen(function* () {
          expect(yield* readWhole(run.id)).toBeNull()
          expect(yield* (yield* ArchiveStore).has(run.id)).toBe(false)
          expect(logs.filter((line) => line.includes("DOCGAUGE_OBJECT_STORE is not set"))).toHaveLength(1)
          yield* (yield* ArchiveStore).remove(run.id)
          yield* Effect.sleep(300)
          expect(yield* rows).toMatchObject([{ state: "dropped" }])
        })
      )
      yield* withArchives(place, settled(place))
      expect(place.server.keys()).toEqual([])
    })
  )

  on(
    "of a run that was deleted while they waited are not sent, also from a folder that no other process has",
    (place) =>
      Effect.gen(function* () {
        const run = yield* runOf(SITE)
        place.server.fault("answers_500")
        // It ends before the database does.
        yield* Effect.forkScoped(withArchives(place, Effect.andThen(put(run), Effect.never)))
        yield* until(
          "it waits",
          Effect.map(rows, (known) => known.length === 1)
        )
        yield* Effect.provide(
          Moderation.use((moderation) => moderation.drop([run.id])),
          Moderation.layerSql
        )
        // A process without that folder forgets the row first.
        const elsewhere = { ...place, folder: yield* ownFolder }
        place.server.fault("none")
        yield* withArchives(elsewhere, settled(elsewhere))
        yield* isEmpty(place.folder)
        yield* until(
          "the object is gone, if it was sent",
          Effect.sync(() => place.server.keys().length === 0)
        )
      }).pipe(Effect.scoped)
  )

  on(
    "of a run that are removed while they wait do not come back, although another process forgets them first",
    (place) =>
      withArchives(
        place,
        Effect.gen(function* () {
          const run = yield* runOf(SITE)
          const elsewhere = { ...place, folder: yield* ownFolder }
          place.server.fault("hangs")
          yield* put(run)
          yield* withArchives(
            elsewhere,
            ArchiveStore.use((archives) => archives.remove(run.id))
          )
          yield* (yield* ArchiveStore).remove(run.id)
          expect(archivesIn(place.folder)).toEqual([])
          place.server.fault("none")
          yield* settled(place)
          expect([yield* rows, yield* readWhole(run.id)]).toEqual([[], null])
        }),
        {},
        "5 seconds"
      )
  )

  on("that cannot be deleted there are logged once, and so is that they can be again", (place, logs) => {
    const logged = (level: string) => logs.filter((line) => line.includes(`level=${level}`))
    return withArchives(
      place,
      Effect.gen(function* () {
        const run = yield* runOf(SITE)
        yield* Effect.andThen(put(run), settled(place))
        place.server.fault("answers_404_NoSuchBucket")
        yield* (yield* ArchiveStore).remove(run.id)
        expect(yield* readWhole(run.id)).toBeNull()
        yield* until(
          "that is logged",
          Effect.sync(() => logged("WARN").length > 0)
        )
        yield* Effect.sleep(500)
        expect(logged("WARN")).toEqual([
          expect.stringContaining("are deleted later. the object store answered 404 NoSuchBucket")
        ])
        place.server.fault("none")
        yield* settled(place)
        yield* until(
          "that is logged",
          Effect.sync(() => logged("INFO").some((line) => line.includes("Archives are deleted again")))
        )
      })
    )
  })

  on("fail to be read while the object store cannot be reached, rather than being told missing", (place) =>
    withArchives(
      place,
      Effect.gen(function* () {
        const run = yield* runOf(SITE)
        yield* Effect.andThen(put(run), settled(place))
        place.server.fault("answers_500")
        expect((yield* Effect.flip(readWhole(run.id))).message).toContain("answered 500")
        expect(yield* (yield* ArchiveStore).has(run.id)).toBe(true)
      })
    )
  )
})
