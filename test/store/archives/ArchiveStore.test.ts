import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type ArchiveRule, parseArchiveRule } from "../../../engine/store/archives/ArchiveRetention.ts"
import { ArchiveStore, type Proof } from "../../../engine/store/archives/ArchiveStore.ts"
import { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { Moderation } from "../../../engine/store/operators/Moderation.ts"
import { dialects, onFresh } from "../Databases.ts"
import {
  type ArchiveNeeds,
  archivesIn,
  filesIn,
  ownFolder,
  ownServer,
  type Place,
  put,
  readable,
  readWhole,
  rows,
  runAt,
  runOf,
  settled,
  silent,
  until,
  withArchives
} from "./Archives.ts"

describe("DOCGAUGE_ARCHIVES", () => {
  it.each([
    ["", { folder: "data/archives", keep: 2, days: null, totalBytes: 5 * 1024 ** 3 }],
    ["off", null],
    ["/srv/warc", { folder: "/srv/warc", keep: 2, days: null, totalBytes: 5 * 1024 ** 3 }],
    ["keep=5", { folder: "data/archives", keep: 5, days: null, totalBytes: 5 * 1024 ** 3 }],
    ["days=30", { folder: "data/archives", keep: null, days: 30, totalBytes: 5 * 1024 ** 3 }],
    ["total=800KB", { folder: "data/archives", keep: 2, days: null, totalBytes: 800 * 1024 }],
    ["total=500MB", { folder: "data/archives", keep: 2, days: null, totalBytes: 500 * 1024 ** 2 }],
    [
      " /srv/warc , keep=3 , days=7 , total=20gb ",
      { folder: "/srv/warc", keep: 3, days: 7, totalBytes: 20 * 1024 ** 3 }
    ]
  ])("reads %j", (text, rule) => expect(parseArchiveRule(text)).toEqual(Result.succeed(rule)))

  it.each([
    "keep=0",
    "keep=-1",
    "keep=",
    "keep=two",
    "days=1.5",
    "off,keep=2",
    "a,b",
    "keep=1,keep=2",
    "weeks=2",
    "keep=9999999999",
    "total=0GB",
    "total=1GB,total=2GB"
  ])("refuses %j", (text) => expect(Result.isFailure(parseArchiveRule(text))).toBe(true))

  it.each([
    "total=5",
    "total=",
    "total=5TB",
    "total=-5GB",
    "total=5.5GB",
    "total=big",
    "total 5GB=",
    "total=9999999GB"
  ])("says what a size looks like where %j is none", (text) => {
    expect(parseArchiveRule(text)).toEqual(
      Result.fail(`${JSON.stringify(text)} is not a size: use total=500MB or total=5GB`)
    )
  })
})

const DAY = 86_400_000

/** Archives that could not be written, as `/metrics` has it. */
const failedWrites = Effect.map(PrometheusMetrics.format(), (text) =>
  Number(/^docgauge_archives_not_kept_total\{reason="write_failed"\} (\d+)$/mu.exec(text)?.[1])
)

const SITE = "docs.example.com"

const backends = dialects.filter(({ available }) => available)

const places = backends.flatMap((backend) =>
  (["folder", "object store"] as const).map((name) => ({
    name: `a ${name}, with ${backend.name}`,
    backend,
    kind: name
  }))
)

// Each test has a place of its own.
describe.each(places)("archives in $name", { concurrent: true }, ({ backend, kind }) => {
  const on = <E>(
    name: string,
    rule: Partial<ArchiveRule>,
    test: (place: Place) => Effect.Effect<unknown, E, ArchiveStore | ArchiveNeeds>
  ) =>
    it.live(name, () =>
      Effect.gen(function* () {
        const place: Place = { folder: yield* ownFolder, server: kind === "folder" ? null : yield* ownServer }
        yield* onFresh(backend, withArchives(place, test(place), rule))
      }).pipe(Effect.scoped, Effect.provide(silent))
    )

  on("are read as they were written, by every process", {}, (place) =>
    Effect.gen(function* () {
      const run = yield* runOf(SITE, "docs.example.com/../../etc")
      const content = "x".repeat(300_000)
      yield* put(run, content)
      expect(yield* readWhole(run.id)).toBe(content)
      yield* settled(place)
      expect(yield* readWhole(run.id.toUpperCase())).toBe(content)
      const elsewhere = place.server === null ? place : { ...place, folder: yield* ownFolder }
      yield* withArchives(
        elsewhere,
        Effect.gen(function* () {
          expect(yield* readWhole(run.id)).toBe(content)
          expect(yield* (yield* ArchiveStore).has(run.id)).toBe(true)
        })
      )
    })
  )

  on("of an attempt are replaced by those of a later one, never by those of an earlier one", {}, (place) =>
    Effect.gen(function* () {
      const run = yield* runOf(SITE)
      const putAttempt = (attempt: number, proof: Proof) => put(run, `attempt ${attempt}`, attempt, proof)
      yield* putAttempt(1, "failure")
      yield* putAttempt(3, "report")
      for (const proof of ["report", "failure"] as const) {
        yield* putAttempt(2, proof)
        expect(yield* readWhole(run.id)).toBe("attempt 3")
      }
      yield* settled(place)
      yield* putAttempt(4, "failure")
      expect(yield* readWhole(run.id)).toBe("attempt 4")
      yield* settled(place)
      expect(yield* rows).toHaveLength(1)
    })
  )

  on("of two attempts that are written at the same time are those of the later one", {}, (place) =>
    Effect.gen(function* () {
      const run = yield* runOf(SITE)
      yield* Effect.all(
        [1, 2, 3].map((attempt) => withArchives(place, put(run, `attempt ${attempt}`, attempt))),
        { concurrency: 3 }
      )
      yield* settled(place)
      expect(yield* readWhole(run.id)).toBe("attempt 3")
    })
  )

  on("are not stored if the write is interrupted", {}, (place) =>
    Effect.gen(function* () {
      const run = yield* runOf(SITE)
      const keeping = yield* Effect.forkChild(put(run, "x".repeat(5_000_000)), { startImmediately: true })
      yield* Fiber.interrupt(keeping)
      // What is under way in the file system comes to its end all the same.
      yield* Effect.sleep(500)
      expect([archivesIn(place.folder), yield* readWhole(run.id)]).toEqual([[], null])
    })
  )

  on("of a site are deleted beyond the newest two, in whatever order they are written", {}, (place) =>
    Effect.gen(function* () {
      const [zero, one, two, three, four] = [
        yield* runOf(SITE),
        yield* runOf(SITE),
        yield* runOf(SITE),
        yield* runOf(SITE),
        yield* runOf(SITE)
      ]
      const runs = [three, one, four, two, zero]
      for (const run of runs) yield* put(run)
      const other = yield* runOf("other.example.com")
      yield* put(other)
      expect(yield* readable([...runs, other])).toEqual([true, false, true, false, false, true])
      yield* settled(place)
      expect(yield* rows).toHaveLength(3)
    })
  )

  on("of failures never displace the archive of a report", {}, () =>
    Effect.gen(function* () {
      const runs = [yield* runOf(SITE), yield* runOf(SITE), yield* runOf(SITE), yield* runOf(SITE)]
      for (const [index, run] of runs.entries())
        yield* put(run, "what was tried", 1, index === 0 ? "report" : "failure")
      expect(yield* readable(runs)).toEqual([true, false, true, true])
    })
  )

  on("can be kept by age instead, and expire without new writes", { keep: null, days: 2 }, (place) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [first, ...young] = [yield* runOf(SITE), yield* runOf(SITE), yield* runOf(SITE)]
      const old = yield* runAt(yield* runOf(SITE), Date.now() - 3 * DAY)
      for (const run of [old, first, ...young]) yield* put(run)
      expect(yield* readable([old, first, ...young])).toEqual([false, true, true, true])
      const aged = yield* runAt(first, Date.now() - 3 * DAY)
      yield* sql`UPDATE objects SET run_id = ${aged.id} WHERE run_id = ${first.id}`
      yield* until(
        "it is deleted",
        Effect.map(rows, (known) => known.length === 2)
      )
      yield* settled(place)
    })
  )

  on("stay readable while they are open", { keep: 1 }, (place) =>
    Effect.gen(function* () {
      const [older, newer] = [yield* runOf(SITE), yield* runOf(SITE)]
      yield* put(older)
      yield* settled(place)
      const opened = yield* (yield* ArchiveStore).read(older.id)
      yield* put(newer)
      yield* settled(place)
      expect(yield* readWhole(older.id)).toBeNull()
      const pieces = opened === null ? [] : yield* Stream.runCollect(opened.content)
      expect(Buffer.concat([...pieces]).toString()).toBe(`archive of ${older.id}`)
    })
  )

  on("are not found under names that are not ids of runs", {}, ({ folder }) =>
    Effect.gen(function* () {
      const { id } = yield* runOf(SITE)
      writeFileSync(join(folder, "secret.warc.gz"), "secret")
      for (const name of ["", "..", "../secret", "runs/../../secret", "%2e%2e%2fsecret", id, `${id}\0`])
        expect(yield* readWhole(name)).toBeNull()
      expect(yield* Effect.flip(put({ id: "../secret", site: SITE }))).toBeInstanceOf(StoreUnavailable)
      expect(filesIn(folder)).toEqual(["secret.warc.gz"])
    })
  )

  on("that cannot be written leave nothing behind, are counted, and can be written later", {}, ({ folder }) =>
    Effect.gen(function* () {
      const run = yield* runOf(SITE)
      writeFileSync(join(folder, "parts"), "in the way")
      const before = yield* failedWrites
      expect(yield* Effect.flip(put(run))).toBeInstanceOf(StoreUnavailable)
      expect(yield* failedWrites).toBeGreaterThan(before)
      rmSync(join(folder, "parts"))
      yield* put(run)
      expect(yield* readWhole(run.id)).not.toBeNull()
    })
  )

  on("may be handed over as files, which are deleted", {}, ({ folder }) =>
    Effect.gen(function* () {
      const [run, other] = [yield* runOf(SITE), yield* runOf("other.example.com")]
      const path = join(folder, "made-elsewhere")
      const putFile = (id: string, attempt: number) =>
        ArchiveStore.use((archives) => archives.put({ id, site: SITE, attempt }, { path }, "report"))
      writeFileSync(path, "x".repeat(300_000), { mode: 0o644 })
      yield* putFile(run.id, 1)
      expect([existsSync(path), yield* readWhole(run.id)]).toEqual([false, "x".repeat(300_000)])
      writeFileSync(path, "x".repeat(10 * 1024 * 1024 + 1))
      yield* putFile(other.id, 1)
      expect([existsSync(path), yield* readWhole(other.id)]).toEqual([false, null])
      writeFileSync(path, "of an earlier attempt")
      yield* putFile(run.id, 0)
      expect([existsSync(path), yield* readWhole(run.id)]).toEqual([false, "x".repeat(300_000)])
      expect(yield* Effect.flip(putFile(run.id, 2))).toBeInstanceOf(StoreUnavailable)
    })
  )

  on("of a deleted run are not served from that moment on, and deleted soon", {}, (place) =>
    Effect.gen(function* () {
      const [run, kept] = [yield* runOf(SITE), yield* runOf(SITE)]
      for (const each of [run, kept]) yield* put(each)
      yield* Effect.provide(
        Moderation.use((moderation) => moderation.drop([run.id])),
        Moderation.layerSql
      )
      expect(yield* readable([run, kept])).toEqual([false, true])
      expect(yield* (yield* ArchiveStore).has(run.id)).toBe(false)
      yield* settled(place)
      expect(yield* rows).toHaveLength(1)
      yield* put(run)
      yield* settled(place)
      expect(yield* rows).toHaveLength(1)
    })
  )

  on("of a run can be removed although it stays", {}, (place) =>
    Effect.gen(function* () {
      const run = yield* runOf(SITE)
      yield* put(run)
      yield* (yield* ArchiveStore).remove(run.id)
      expect(yield* readWhole(run.id)).toBeNull()
      yield* settled(place)
      expect(yield* rows).toEqual([])
    })
  )
})

describe.each(backends.slice(0, 1))("archives, with $name", ({ ...backend }) => {
  it.live("and the files next to them can be read by their owner only", () =>
    Effect.gen(function* () {
      const folder = yield* ownFolder
      yield* onFresh(
        backend,
        withArchives(
          { folder, server: null },
          Effect.flatMap(runOf(SITE), (run) => put(run))
        )
      )
      const modes = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
        const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777
        return `${entry.isDirectory() ? "folder" : "file"} ${mode.toString(8)}`
      })
      expect([...new Set(modes)].sort()).toEqual(["file 600", "folder 700"])
    }).pipe(Effect.scoped, Effect.provide(silent))
  )

  it.effect("are not stored if they are off", () =>
    Effect.provide(
      Effect.gen(function* () {
        const id = "01893f2e-0000-7000-8000-000000000001"
        yield* put({ id, site: SITE })
        expect(yield* readWhole(id)).toBeNull()
      }),
      ArchiveStore.layerOff
    )
  )
})
