import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { createHash } from "node:crypto"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { ArchiveStore } from "../../../engine/store/archives/ArchiveStore.ts"
import { layerFolder } from "../../../engine/store/archives/FolderArchiveStore.ts"
import type { Database } from "../../../engine/store/Database.ts"
import { sqliteAt } from "../../../engine/store/sqlite/SqliteDatabase.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { runHere } from "../../cli/RunHere.ts"
import { postgres, storeAt } from "../Databases.ts"
import { audited, newRun } from "../SampleRuns.ts"
import { S3_SECRET_KEY, type S3Server, startS3 } from "../objects/S3Server.ts"

const RUNS = 12

let server: S3Server
let folder: string
beforeAll(async () => {
  server = await startS3()
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-move-"))
})
afterEach(() => {
  server.fault("none")
  rmSync(folder, { recursive: true, force: true })
})
afterAll(() => server.stop())

const archivesIn = (path: string): ReadonlyArray<string> =>
  existsSync(path)
    ? readdirSync(path, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".gz"))
        .sort()
    : []

/** What each archive in the folder contains. */
const digests = (): ReadonlyArray<string> => {
  const archives = join(folder, "archives")
  return archivesIn(archives).map(
    (name) =>
      `${name} ${createHash("sha256")
        .update(readFileSync(join(archives, name)))
        .digest("hex")}`
  )
}

const sqliteFile = (): Database => sqliteAt(join(folder, "runs.db"))

const stores = (database: Database) =>
  Layer.merge(
    storeAt(database),
    layerFolder({ folder: join(folder, "archives"), keep: 9, days: null, totalBytes: 1024 ** 3 })
  )

/** A run of each of 12 sites, with an archive in the folder. */
const seed = (database = sqliteFile()) =>
  Effect.gen(function* () {
    const archives = yield* ArchiveStore
    for (let number = 0; number < RUNS; number++) {
      const run = yield* audited(newRun(`docs${number}.example${number}.com`), 50)
      yield* archives.put(
        { ...run, attempt: 2 },
        Buffer.from(`archive ${number} `.repeat(number * 1_000 + 1)),
        number % 3 === 0 ? "failure" : "report"
      )
    }
  }).pipe(Effect.provide(stores(database)), Effect.runPromise)

/** Another attempt at a run writes its archive to the folder. */
const putAgain = (id: string, content: string) =>
  Effect.gen(function* () {
    const run = yield* (yield* RunStore).find(id)
    if (run === null) throw new Error(`there is no run ${id}`)
    yield* (yield* ArchiveStore).put({ id, site: run.site, attempt: 3 }, Buffer.from(content), "report")
  }).pipe(Effect.provide(stores(sqliteFile())), Effect.runPromise)

const move = (to: string, environment: Readonly<Record<string, string>> = {}) =>
  runHere(["store", "move", "--to", to], {
    cwd: folder,
    env: {
      ...process.env,
      DOCGAUGE_DATABASE_URL: `file:${join(folder, "runs.db")}`,
      DOCGAUGE_ARCHIVES: join(folder, "archives"),
      DOCGAUGE_OBJECT_STORE: `s3://${server.location.bucket}/${server.location.prefix}`,
      AWS_ENDPOINT_URL_S3: server.location.endpoint,
      AWS_ACCESS_KEY_ID: server.location.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3_SECRET_KEY,
      ...environment
    }
  })

describe("docgauge store move", () => {
  it("moves a folder to the object store and back, continues where it stopped, and changes no byte", async () => {
    await seed()
    const before = digests()
    expect(before).toHaveLength(RUNS)

    server.faultAfter(20, "answers_500")
    expect(await move("objects")).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /^docgauge: Some archives were not moved: the object store answered 500\.\nRun the command again to continue\./
      )
    })
    const left = digests().length
    expect([left > 0, left < RUNS]).toEqual([true, true])

    server.fault("none")
    expect(await move("objects")).toMatchObject({
      code: 0,
      stdout: `${left} archives moved, read again and compared.\n`
    })
    expect(digests()).toEqual([])

    server.faultAfter(5, "changes_downloads")
    expect(await move("folder")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("other bytes than were stored")
    })
    server.fault("none")
    expect(await move("folder")).toMatchObject({ code: 0 })
    expect(digests()).toEqual(before)
    expect(await move("folder")).toMatchObject({ code: 0, stdout: "There were no archives to move.\n" })
    const [first = ""] = before
    const id = /[\da-f-]{36}/.exec(first)?.[0] ?? ""
    expect(server.requests.filter((request) => request.includes(id)).map((request) => request.split(" ")[0])).toContain(
      "DELETE"
    )
  }, 120_000)

  it.skipIf(!postgres.available)(
    "moves archives there and back on PostgreSQL, too",
    () =>
      Effect.runPromise(
        Effect.scoped(
          Effect.flatMap(postgres.fresh, (database) =>
            Effect.promise(async () => {
              const url = { DOCGAUGE_DATABASE_URL: database._tag === "Postgres" ? Redacted.value(database.url) : "" }
              await seed(database)
              const before = digests()
              server.faultAfter(20, "refuses_connections")
              expect(await move("objects", url)).toMatchObject({
                code: 3,
                stderr: expect.stringMatching(
                  /^docgauge: Some archives were not moved: the object store did not answer: .*\.\nRun the command again to continue\.\n$/
                )
              })
              server.fault("none")
              expect(await move("objects", url)).toMatchObject({ code: 0, stderr: "" })
              expect(digests()).toEqual([])
              expect(await move("folder", url)).toMatchObject({
                code: 0,
                stdout: `${RUNS} archives moved, read again and compared.\n`
              })
              expect(digests()).toEqual(before)
              expect(await move("folder", url)).toMatchObject({ code: 0, stdout: "There were no archives to move.\n" })
            })
          )
        )
      ),
    120_000
  )

  it.each([
    [
      "none of the archives fits",
      "total=1KB",
      /^docgauge: nothing was moved: the archives in the object store have 1,331 KB, and the folder would delete the oldest of them: DOCGAUGE_ARCHIVES allows 1 KB\. Give total=1331KB or more/
    ],
    [
      "each archive fits, but not all of them",
      "total=200KB",
      /^docgauge: nothing was moved: the archives in the object store have 1,331 KB/
    ],
    ["a site has more archives than the folder would keep", "keep=1", /^docgauge: nothing was moved: .* keep=2 or more/]
  ])(
    "to the folder is refused, and deletes nothing, if %s",
    async (_, rule, message) => {
      await seed()
      await seed()
      const before = digests()
      expect(before).toHaveLength(2 * RUNS)
      await move("objects")
      expect(await move("folder", { DOCGAUGE_ARCHIVES: `${join(folder, "archives")},${rule}` })).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(message)
      })
      expect(digests()).toEqual([])
      expect(await move("folder")).toMatchObject({ code: 0 })
      expect(digests()).toEqual(before)
    },
    120_000
  )

  it("to the folder keeps every archive, also if newer ones of the same sites wait there to be sent", async () => {
    await seed()
    await move("objects")
    await seed()
    await seed()
    expect(await move("folder")).toMatchObject({
      code: 0,
      stdout: `${RUNS} archives moved, read again and compared.\n`
    })
    expect(digests()).toHaveLength(3 * RUNS)
  }, 120_000)

  it("to the folder keeps the archive of a later attempt at a run, which waits there to be sent", async () => {
    await seed()
    const [first = ""] = digests()
    const id = /[\da-f-]{36}/.exec(first)?.[0] ?? ""
    await move("objects")
    await putAgain(id, "archive of a later attempt")
    const [later = ""] = digests()
    expect(await move("folder")).toMatchObject({ code: 0, stderr: "" })
    expect(digests()).toHaveLength(RUNS)
    expect(digests()).toContain(later)
    expect(await move("folder")).toMatchObject({ code: 0, stdout: "There were no archives to move.\n" })
  }, 120_000)

  it.each([
    ["DOCGAUGE_OBJECT_STORE is not set", { DOCGAUGE_OBJECT_STORE: "" }],
    ["DOCGAUGE_ARCHIVES is off", { DOCGAUGE_ARCHIVES: "off" }],
    ["DOCGAUGE_DATABASE_URL is memory:", { DOCGAUGE_DATABASE_URL: "memory:" }],
    ["AWS_SECRET_ACCESS_KEY: DOCGAUGE_OBJECT_STORE needs it", { AWS_SECRET_ACCESS_KEY: "" }]
  ])(
    "is refused where %s",
    async (message, environment) => {
      expect(await move("objects", environment)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
    },
    60_000
  )
})
