import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type ArchiveRule, parseArchiveRule } from "../../../engine/store/archives/ArchiveRule.ts"
import { ArchiveStore, type Proof } from "../../../engine/store/archives/ArchiveStore.ts"
import { layerFolder } from "../../../engine/store/archives/FolderArchiveStore.ts"
import { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"

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

const START = Date.UTC(2026, 10, 21)

/** A UUIDv7 of a time. */
const idAt = (millis: number, last = "000000000001"): string => {
  const time = millis.toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${last}`
}

const readWhole = (id: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const archive = yield* (yield* ArchiveStore).read(id)
      if (archive === null) return null
      const pieces = yield* Stream.runCollect(archive.content)
      const bytes = Buffer.concat([...pieces])
      expect(bytes.length).toBe(archive.size)
      return bytes.toString()
    })
  )

const on = <E>(
  name: string,
  rule: Partial<ArchiveRule>,
  test: (folder: string) => Effect.Effect<unknown, E, ArchiveStore | Scope.Scope>
) =>
  it.effect(name, () => {
    const folder = mkdtempSync(join(tmpdir(), "docgauge-archives-"))
    return TestClock.setTime(START).pipe(
      Effect.andThen(
        Effect.scoped(
          Effect.provide(
            Effect.suspend(() => test(folder)),
            layerFolder({ folder, keep: 2, days: null, totalBytes: 1024 ** 3, ...rule })
          )
        )
      ),
      Effect.ensuring(Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
    )
  })

const files = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort()

const put = Effect.fnUntraced(function* (
  id: string,
  site = "docs.example.com",
  content = `archive of ${id}`,
  proof: Proof = "report",
  attempt = 1
) {
  yield* (yield* ArchiveStore).put({ id, site, attempt }, new TextEncoder().encode(content), proof)
})

/** Archives that could not be written, as `/metrics` has it. */
const failedWrites = Effect.map(PrometheusMetrics.format(), (text) =>
  Number(/^docgauge_archives_not_kept_total\{reason="write_failed"\} (\d+)$/mu.exec(text)?.[1])
)

/**
 * From now on, who writes to the ledger of sizes waits, which is after the temporary file and before the archive is in its place: opening a
 * FIFO waits for a reader. Returns what lets all others write, which returns what lets those go on that wait.
 */
const holdLedger = (folder: string) => {
  const [ledger, aside, fifo] = [join(folder, "ledger"), join(folder, "aside"), join(folder, "fifo")]
  renameSync(ledger, aside)
  execFileSync("mkfifo", [ledger])
  return () => {
    renameSync(ledger, fifo)
    renameSync(aside, ledger)
    return () => readFile(fifo)
  }
}

describe("archives in a folder", () => {
  on("are read as they were written", {}, () =>
    Effect.gen(function* () {
      const [id, content] = [idAt(START), "x".repeat(300_000)]
      yield* put(id, "docs.example.com/../../etc", content)
      expect(yield* readWhole(id)).toBe(content)
      expect(yield* readWhole(id.toUpperCase())).toBe(content)
    })
  )

  on("of an attempt are replaced by those of a later one, never by those of an earlier one", {}, () =>
    Effect.gen(function* () {
      const id = idAt(START)
      const putAttempt = (attempt: number, proof: Proof) =>
        put(id, "docs.example.com", `attempt ${attempt}`, proof, attempt)
      yield* putAttempt(1, "failure")
      yield* putAttempt(3, "report")
      expect(yield* readWhole(id)).toBe("attempt 3")
      for (const proof of ["report", "failure"] as const) {
        yield* putAttempt(2, proof)
        expect(yield* readWhole(id)).toBe("attempt 3")
      }
      yield* putAttempt(4, "failure")
      expect(yield* readWhole(id)).toBe("attempt 4")
    })
  )

  on(
    "of an attempt that is stopped while it writes never replace those of a later one, in a folder that two processes share",
    {},
    (folder) =>
      Effect.gen(function* () {
        const id = idAt(START)
        const other = yield* Layer.build(
          Layer.fresh(layerFolder({ folder, keep: 2, days: null, totalBytes: 1024 ** 3 }))
        )
        yield* put(idAt(START - 1))
        const goOn = holdLedger(folder)
        const early = yield* Effect.forkChild(put(id, "docs.example.com", "attempt 1", "failure", 1), {
          startImmediately: true
        })
        yield* Effect.promise(() => expect.poll(() => readdirSync(join(folder, "parts"))).toHaveLength(1))
        yield* TestClock.withLive(Effect.sleep(200))
        const release = goOn()
        yield* Effect.provide(put(id, "docs.example.com", "attempt 2", "report", 2), other)
        expect(early.pollUnsafe()).toBeUndefined()
        yield* Effect.promise(release)
        yield* Fiber.join(early)
        expect(yield* readWhole(id)).toBe("attempt 2")
        expect(files(folder).filter((name) => name.startsWith(id))).toEqual([`${id}.2`, `${id}.2`, `${id}.2.warc.gz`])
      })
  )

  on("are not stored if the write is interrupted", {}, (folder) =>
    Effect.gen(function* () {
      const id = idAt(START)
      const keeping = yield* Effect.forkChild(put(id, "docs.example.com", "x".repeat(5_000_000)), {
        startImmediately: true
      })
      yield* Fiber.interrupt(keeping)
      // What is under way in the file system comes to its end all the same.
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 500)))
      yield* Effect.promise(() => expect.poll(() => files(folder).filter((name) => name.includes("warc"))).toEqual([]))
      expect(yield* readWhole(id)).toBeNull()
    })
  )

  on("of a site are deleted beyond the newest two, in whatever order they are written", {}, (folder) =>
    Effect.gen(function* () {
      const ids = [3, 1, 4, 2, 0].map((hour) => idAt(START + hour * 3_600_000))
      for (const id of ids) yield* put(id)
      yield* put(idAt(START - 1), "other.example.com")
      const kept = yield* Effect.forEach(ids, readWhole)
      expect(kept.map((content) => content !== null)).toEqual([true, false, true, false, false])
      const [three, , four] = ids
      // Each archive with the marks of its site and its domain.
      expect(files(folder).filter((name) => !name.endsWith(".gz"))).toEqual([
        ...[idAt(START - 1), idAt(START - 1), three, three, four, four].map((id) => `${id}.1`),
        "ledger"
      ])
      expect(files(folder)).toHaveLength(10)
    })
  )

  on("of failures never displace the archive of a report", {}, () =>
    Effect.gen(function* () {
      const [report, ...failures] = [0, 1, 2, 3].map((hour) => idAt(START + hour * 3_600_000))
      yield* put(report ?? "")
      for (const id of failures) yield* put(id, "docs.example.com", "what was tried", "failure")
      expect(
        (yield* Effect.forEach([report ?? "", ...failures], readWhole)).map((content) => content !== null)
      ).toEqual([true, false, true, true])
    })
  )

  on("can be kept by age instead, and expire without new writes", { keep: null, days: 2 }, () =>
    Effect.gen(function* () {
      const ids = [0, 1, 2, 3].map((hour) => idAt(START + hour * 3_600_000))
      for (const id of ids) yield* put(id)
      expect(yield* Effect.forEach(ids, readWhole)).not.toContain(null)
      // The sweep works on real files, in real time: a day more is let pass until it has been round.
      for (
        let day = 0;
        day < 100 && (yield* Effect.forEach(ids, readWhole)).some((content) => content !== null);
        day++
      ) {
        yield* TestClock.adjust("1 day")
        yield* TestClock.withLive(Effect.sleep(50))
      }
      expect(yield* Effect.forEach(ids, readWhole)).toEqual([null, null, null, null])
    })
  )

  on("stay readable while they are open", { keep: 1 }, () =>
    Effect.gen(function* () {
      const [older, newer] = [idAt(START), idAt(START + 1)]
      yield* put(older)
      const opened = yield* (yield* ArchiveStore).read(older)
      yield* put(newer)
      expect(yield* readWhole(older)).toBeNull()
      const pieces = opened === null ? [] : yield* Stream.runCollect(opened.content)
      expect(Buffer.concat([...pieces]).toString()).toBe(`archive of ${older}`)
    })
  )

  on("are not found under names that are not ids of runs", {}, (folder) =>
    Effect.gen(function* () {
      writeFileSync(join(folder, "secret.warc.gz"), "secret")
      for (const id of [
        "",
        "..",
        "../secret",
        "runs/../../secret",
        "%2e%2e%2fsecret",
        idAt(START),
        `${idAt(START)}\0`
      ]) {
        expect(yield* readWhole(id)).toBeNull()
      }
      expect(yield* Effect.flip(put("../secret"))).toBeInstanceOf(StoreUnavailable)
      expect(files(folder).filter((name) => name !== "ledger")).toEqual(["secret.warc.gz"])
    })
  )

  on("that cannot be written leave nothing behind, are counted, and can be written later", {}, (folder) =>
    Effect.gen(function* () {
      writeFileSync(join(folder, "runs"), "in the way")
      const before = yield* failedWrites
      expect(before).toBeGreaterThanOrEqual(0)
      expect(yield* Effect.flip(put(idAt(START)))).toBeInstanceOf(StoreUnavailable)
      expect(yield* failedWrites).toBe(before + 1)
      expect(existsSync(join(folder, "parts")) ? readdirSync(join(folder, "parts")) : []).toEqual([])
      rmSync(join(folder, "runs"))
      yield* put(idAt(START))
      expect(yield* readWhole(idAt(START))).not.toBeNull()
      expect(yield* failedWrites).toBe(before + 1)
    })
  )

  on("of an earlier attempt never replace that of a later one", {}, () =>
    Effect.gen(function* () {
      const id = idAt(START)
      yield* put(id, "docs.example.com", "second", "report", 2)
      yield* put(id, "docs.example.com", "first", "failure", 1)
      expect(yield* readWhole(id)).toBe("second")
      yield* put(id, "docs.example.com", "third", "report", 3)
      expect(yield* readWhole(id)).toBe("third")
    })
  )

  on("may be handed over as files, which are moved", {}, (folder) =>
    Effect.gen(function* () {
      const [id, path] = [idAt(START), join(folder, "made-elsewhere")]
      writeFileSync(path, "x".repeat(300_000))
      yield* (yield* ArchiveStore).put({ id, site: "docs.example.com", attempt: 1 }, { path }, "report")
      expect(yield* readWhole(id)).toBe("x".repeat(300_000))
      expect(existsSync(path)).toBe(false)
      writeFileSync(path, "x".repeat(10 * 1024 * 1024 + 1))
      yield* (yield* ArchiveStore).put(
        { id: idAt(START + 1), site: "docs.example.com", attempt: 1 },
        { path },
        "report"
      )
      expect([existsSync(path), yield* readWhole(idAt(START + 1))]).toEqual([false, null])
      writeFileSync(path, "of an earlier attempt")
      yield* (yield* ArchiveStore).put({ id, site: "docs.example.com", attempt: 0 }, { path }, "report")
      expect([existsSync(path), yield* readWhole(id)]).toEqual([false, "x".repeat(300_000)])
      expect(
        yield* Effect.flip((yield* ArchiveStore).put({ id, site: "docs.example.com", attempt: 1 }, { path }, "report"))
      ).toBeInstanceOf(StoreUnavailable)
    })
  )

  on("and the files next to them can be read by their owner only", {}, (folder) =>
    Effect.gen(function* () {
      yield* put(idAt(START))
      yield* Effect.sync(() => writeFileSync(join(folder, "made-elsewhere"), "archive", { mode: 0o644 }))
      yield* (yield* ArchiveStore).put(
        { id: idAt(START + 1), site: "docs.example.com", attempt: 1 },
        { path: join(folder, "made-elsewhere") },
        "report"
      )
      const modes = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
        const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777
        return `${entry.isDirectory() ? "folder" : "file"} ${mode.toString(8)}`
      })
      expect([...new Set(modes)].sort()).toEqual(["file 600", "folder 700"])
    })
  )

  it.effect("are not stored if they are off", () =>
    Effect.provide(
      Effect.gen(function* () {
        yield* put(idAt(START))
        expect(yield* readWhole(idAt(START))).toBeNull()
      }),
      ArchiveStore.layerOff
    )
  )
})
