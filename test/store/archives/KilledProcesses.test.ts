import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { archiveKey, databaseFolder } from "../../../engine/store/archives/ArchiveFolder.ts"
import { ArchiveStore } from "../../../engine/store/archives/ArchiveStore.ts"
import { blobDigest } from "../../../engine/store/blobs/BlobStore.ts"
import { makeS3 } from "../../../engine/store/blobs/S3Blobs.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { dialects, onFresh } from "../Databases.ts"
import {
  type ArchiveNeeds,
  archivesIn,
  isEmpty,
  ownFolder,
  ownServer,
  put,
  readWhole,
  rows,
  runOf,
  settled,
  silent,
  until,
  withArchives
} from "./Archives.ts"

/*
 * What a process that is killed leaves behind, at each point between two of its writes, and what the next one makes of it.
 */

const SITE = "docs.example.com"

describe.each(dialects.filter(({ available }) => available))(
  "a process that is killed, with $name",
  { concurrent: true },
  (backend) => {
    const on = <E>(name: string, test: (folder: string) => Effect.Effect<unknown, E, ArchiveNeeds>) =>
      it.live(name, () =>
        Effect.flatMap(ownFolder, (folder) => onFresh(backend, test(folder))).pipe(
          Effect.scoped,
          Effect.provide(silent)
        )
      )

    const pathOf = (folder: string, { id }: Pick<Run, "id">) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        return join(yield* databaseFolder(sql, folder), archiveKey({ id, attempt: 1 }, "report"))
      })

    const writeFile = (path: string, content: string): void => {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
    }

    on("before an archive is in the index leaves one that is served later", (folder) =>
      Effect.gen(function* () {
        const run = yield* runOf(SITE)
        writeFile(yield* pathOf(folder, run), "archive")
        yield* withArchives(
          { folder, server: null },
          until(
            "it is read",
            Effect.map(readWhole(run.id), (content) => content === "archive")
          )
        )
        expect(yield* rows).toMatchObject([{ state: "kept", store: "folder" }])
      })
    )

    on("before the archive of a deleted run is in the index leaves nothing", (folder) =>
      Effect.gen(function* () {
        writeFile(yield* pathOf(folder, { id: "01936d5e-1000-7000-8000-000000000001" }), "archive")
        yield* withArchives({ folder, server: null }, isEmpty(folder))
        expect(yield* rows).toEqual([])
      })
    )

    on("while it writes leaves a temporary file that is deleted a day later", (folder) =>
      Effect.gen(function* () {
        for (const name of ["old", "new"]) writeFile(join(folder, "parts", name), "half of an arch")
        utimesSync(join(folder, "parts", "old"), 0, Date.now() / 1_000 - 86_401)
        yield* withArchives(
          { folder, server: null },
          until(
            "the old one is deleted",
            Effect.sync(() => !isThere(join(folder, "parts", "old")))
          )
        )
        expect(isThere(join(folder, "parts", "new"))).toBe(true)
      })
    )

    const isThere = (path: string): boolean => {
      try {
        readFileSync(path)
        return true
      } catch {
        return false
      }
    }

    on("after an archive was sent, before the index says so, sends it again", (folder) =>
      Effect.gen(function* () {
        const place = { folder, server: yield* ownServer }
        const run = yield* runOf(SITE)
        yield* withArchives({ folder, server: null }, put(run))
        const [row] = yield* rows
        const content = new TextEncoder().encode(`archive of ${run.id}`)
        const s3 = yield* makeS3(place.server.location)
        yield* s3.put(row?.key ?? "", content, yield* blobDigest(content))
        yield* withArchives(
          place,
          Effect.gen(function* () {
            yield* settled(place)
            expect(yield* readWhole(run.id)).toBe(`archive of ${run.id}`)
          })
        )
      })
    )

    on("after an archive was sent, before the index says so, leaves no object if the run is deleted then", (folder) =>
      Effect.gen(function* () {
        const place = { folder, server: yield* ownServer }
        const run = yield* runOf(SITE)
        yield* withArchives({ folder, server: null }, put(run))
        const [row] = yield* rows
        const content = new TextEncoder().encode(`archive of ${run.id}`)
        const s3 = yield* makeS3(place.server.location)
        yield* s3.put(row?.key ?? "", content, yield* blobDigest(content))
        const sql = yield* SqlClient
        yield* sql`UPDATE objects SET state = 'dropped'`
        yield* withArchives(
          place,
          until(
            "it is deleted",
            Effect.map(rows, (known) => known.length === 0)
          )
        )
        expect([archivesIn(folder), place.server.keys()]).toEqual([[], []])
      })
    )

    on("before it deletes the file of an archive that was sent leaves it to the next one", (folder) =>
      Effect.gen(function* () {
        const place = { folder, server: yield* ownServer }
        const run = yield* runOf(SITE)
        yield* withArchives(place, Effect.andThen(put(run), settled(place)))
        writeFile(yield* pathOf(folder, run), `archive of ${run.id}`)
        const requests = place.server.requests.length
        yield* withArchives(place, isEmpty(folder))
        expect(place.server.requests.slice(requests)).toEqual([])
        expect(yield* rows).toMatchObject([{ state: "kept", store: "objects" }])
      })
    )

    on("after an archive was dropped leaves it to the next one, also if the file is gone already", (folder) =>
      Effect.gen(function* () {
        const [run, other] = [yield* runOf(SITE), yield* runOf(SITE)]
        yield* withArchives({ folder, server: null }, Effect.andThen(put(run), put(other)))
        const sql = yield* SqlClient
        yield* sql`UPDATE objects SET state = 'dropped'`
        rmSync(yield* pathOf(folder, other))
        yield* withArchives(
          { folder, server: null },
          until(
            "both are forgotten",
            Effect.map(rows, (known) => known.length === 0)
          )
        )
        expect(archivesIn(folder)).toEqual([])
      })
    )

    on("is never the reason for a failure: an archive whose file is gone is not kept", (folder) =>
      Effect.gen(function* () {
        const run = yield* runOf(SITE)
        yield* withArchives(
          { folder, server: null },
          Effect.gen(function* () {
            yield* put(run)
            rmSync(yield* pathOf(folder, run))
            expect(yield* readWhole(run.id)).toBeNull()
            expect(yield* (yield* ArchiveStore).has(run.id)).toBe(false)
          })
        )
      })
    )
  }
)
