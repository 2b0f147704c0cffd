import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import * as TestClock from "effect/testing/TestClock"
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { archiveName, archivePath } from "../../engine/store/archives/ArchiveFolder.ts"
import type { ArchiveRule } from "../../engine/store/archives/ArchiveRule.ts"
import { ArchiveSpace, LEAST_FREE_BYTES } from "../../engine/store/archives/ArchiveSpace.ts"
import { ArchiveStore, type Proof } from "../../engine/store/archives/ArchiveStore.ts"
import { makeArchiveTotal } from "../../engine/store/archives/ArchiveTotal.ts"
import { layerFolder } from "../../engine/store/archives/FolderArchiveStore.ts"
import { FreeSpace } from "../../engine/store/archives/FreeSpace.ts"

const KB = 1024
const START = Date.UTC(2026, 10, 21)

/** A UUIDv7 of that number of minutes after the start. */
const idAt = (minute: number): string => {
  const time = (START + minute * 60_000).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${minute.toString(16).padStart(12, "0")}`
}

const inFolder = async (test: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-archives-"))
  try {
    await test(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Put {
  readonly id: string
  readonly site: string
  readonly bytes: number
  readonly proof?: Proof
}

const put = ({ bytes, id, proof = "report", site }: Put) =>
  ArchiveStore.use((store) => store.put({ id, site, attempt: 1 }, new Uint8Array(bytes), proof))

/** Sizes of archives by id, the oldest first. */
const keptIn = (folder: string): ReadonlyMap<string, number> => {
  const entries = readdirSync(join(folder, "runs"), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile()
  )
  return new Map(
    entries
      .map((entry) => [entry.name.slice(0, 36), statSync(join(entry.parentPath, entry.name)).size] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1))
  )
}

const sum = (sizes: Iterable<number>): number => [...sizes].reduce((total, size) => total + size, 0)

const storeAt = (folder: string, rule: Partial<ArchiveRule> = {}) =>
  layerFolder({ folder, keep: null, days: null, totalBytes: 1024 ** 3, ...rule })

describe("all archives together", () => {
  const aPut = fc.record({ domain: fc.nat(9), path: fc.nat(2), bytes: fc.integer({ min: 0, max: 40 * KB }) })

  it("never exceed the limit, keep the newest, and delete no more than necessary", { timeout: 120_000 }, () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(aPut, { minLength: 5, maxLength: 40 }),
        fc.integer({ min: 60, max: 300 }),
        (puts, boundKb) =>
          inFolder(async (folder) => {
            const totalBytes = boundKb * KB
            await Effect.runPromise(
              Effect.forEach(puts, ({ bytes, domain, path }, index) =>
                Effect.gen(function* () {
                  yield* put({ id: idAt(index), site: `docs.example-${domain}.com/${path}`, bytes })
                  const kept = keptIn(folder)
                  expect(sum(kept.values())).toBeLessThanOrEqual(totalBytes)
                  // In order of time, those that are kept are the last.
                  const ids = puts.slice(0, index + 1).map((_, one) => idAt(one))
                  expect([...kept.keys()]).toEqual(ids.slice(ids.length - kept.size))
                  const newestDropped = puts[index - kept.size]
                  if (newestDropped !== undefined)
                    expect(sum(kept.values()) + newestDropped.bytes).toBeGreaterThan(totalBytes * 0.97)
                })
              ).pipe(Effect.provide(storeAt(folder, { totalBytes })), Effect.asVoid)
            )
          })
      ),
      { numRuns: 15 }
    )
  )

  it("never exceed the limit, in any order and with two concurrent processes", { timeout: 120_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(aPut, fc.nat(500), fc.boolean()), { minLength: 5, maxLength: 40 }), (puts) =>
        inFolder(async (folder) => {
          const totalBytes = 100 * KB
          const one = Layer.build(storeAt(folder, { totalBytes }))
          await Effect.runPromise(
            Effect.scoped(
              Effect.gen(function* () {
                const processes = [yield* one, yield* one] as const
                for (const [{ bytes, domain, path }, minute, second] of puts) {
                  yield* put({ id: idAt(minute), site: `docs.example-${domain}.com/${path}`, bytes }).pipe(
                    Effect.provide(second ? processes[1] : processes[0])
                  )
                  expect(sum(keptIn(folder).values())).toBeLessThanOrEqual(totalBytes)
                }
              })
            )
          )
        })
      ),
      { numRuns: 10 }
    )
  )

  it("are limited from the start if the folder is already too full", () =>
    inFolder(async (folder) => {
      const fill = Effect.forEach(Array.from({ length: 10 }), (_, index) =>
        put({ id: idAt(index), site: `example-${index}.com`, bytes: 50 * KB })
      )
      await Effect.runPromise(Effect.provide(fill, storeAt(folder)))
      await Effect.runPromise(
        Effect.provide(
          put({ id: idAt(20), site: "example-20.com", bytes: 50 * KB }),
          storeAt(folder, { totalBytes: 200 * KB })
        )
      )
      expect([...keptIn(folder).keys()]).toEqual([idAt(8), idAt(9), idAt(20)])
    }))

  it("exclude an archive that is larger than the limit of one archive or of all", () =>
    inFolder(async (folder) => {
      await Effect.runPromise(
        Effect.provide(put({ id: idAt(1), site: "example.com", bytes: 10 * KB * KB + 1 }), storeAt(folder))
      )
      await Effect.runPromise(
        Effect.provide(
          put({ id: idAt(2), site: "example.com", bytes: 101 * KB }),
          storeAt(folder, { totalBytes: 100 * KB })
        )
      )
      await Effect.runPromise(
        Effect.provide(put({ id: idAt(3), site: "example.com", bytes: 10 * KB * KB }), storeAt(folder))
      )
      expect([...keptIn(folder).keys()]).toEqual([idAt(3)])
    }))

  it("are counted at intervals, not for each new archive", () =>
    inFolder(async (folder) => {
      const total = makeArchiveTotal(folder, 1_000 * KB)
      const foreign = (minute: number) => {
        const path = archivePath(folder, archiveName(idAt(minute), 1))
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, new Uint8Array(5 * KB))
      }
      await total.refresh(0)
      foreign(1)
      for (let index = 0; index < 90; index++) expect(await total.reserve(idAt(100 + index), 10 * KB, 1)).toBe(true)
      // What came from elsewhere was not looked at.
      expect(total.bytes()).toBe(900 * KB)
      // An hour later it is, and what was set aside but never written no longer counts.
      expect(await total.reserve(idAt(200), 10 * KB, 60 * 60_000)).toBe(true)
      expect(total.bytes()).toBe(5 * KB)
    }))

  it("are counted again if the ledger of their sizes is missing or has become long", () =>
    inFolder(async (folder) => {
      const [one, other] = [makeArchiveTotal(folder, 1_000 * KB), makeArchiveTotal(folder, 1_000 * KB)]
      for (const total of [one, other]) await total.refresh(0)
      for (const total of [one, other]) expect(await total.reserve(idAt(1), 10 * KB, 0)).toBe(true)
      expect(other.bytes()).toBe(20 * KB)
      mkdirSync(join(folder, "parts"), { recursive: true })
      writeFileSync(join(folder, "parts", "one"), new Uint8Array(30 * KB))
      rmSync(join(folder, "ledger"))
      expect(await one.reserve(idAt(2), 30 * KB, 1)).toBe(true)
      expect(one.bytes()).toBe(30 * KB)
      appendFileSync(join(folder, "ledger"), "0\n".repeat(600 * KB))
      await one.refresh(2 * 60 * 60_000)
      expect(statSync(join(folder, "ledger")).size).toBeLessThan(100)
      expect(await other.reserve(idAt(3), 40 * KB, 1)).toBe(true)
      expect(other.bytes()).toBe(30 * KB)
    }))
})

describe("archives of one registrable domain", () => {
  it("are at most 20 over all its sites, and those of failures are deleted first", () =>
    inFolder(async (folder) => {
      const puts: ReadonlyArray<Put> = [
        ...Array.from({ length: 5 }, (_, index) => ({ id: idAt(index), site: `a${index}.example.com`, bytes: 10 })),
        ...Array.from({ length: 30 }, (_, index) => ({
          id: idAt(10 + index),
          site: `example.com/b${index}`,
          bytes: 10,
          proof: "failure" as const
        })),
        ...Array.from({ length: 3 }, (_, index) => ({
          id: idAt(50 + index),
          site: `c${index}.example.com:8443`,
          bytes: 10
        })),
        { id: idAt(5), site: "other.example", bytes: 10 },
        { id: idAt(6), site: "docs.github.io", bytes: 10 }
      ]
      await Effect.runPromise(Effect.provide(Effect.forEach(puts, put), storeAt(folder, { keep: 2 })))
      const failures = Array.from({ length: 12 }, (_, index) => idAt(10 + 18 + index))
      expect([...keptIn(folder).keys()]).toEqual([
        ...[0, 1, 2, 3, 4, 5, 6].map(idAt),
        ...failures,
        ...[50, 51, 52].map(idAt)
      ])
      const more = Array.from({ length: 20 }, (_, index) => ({
        id: idAt(60 + index),
        site: `example.com/d${index}`,
        bytes: 10
      }))
      await Effect.runPromise(Effect.provide(Effect.forEach(more, put), storeAt(folder, { keep: 2 })))
      expect([...keptIn(folder).keys()]).toEqual([idAt(5), idAt(6), ...more.map(({ id }) => id)])
    }))

  it("leave no marker behind when their run is deleted", () =>
    inFolder(async (folder) => {
      const run = { id: idAt(1), site: "docs.example.com/v2", bytes: 10 }
      await Effect.runPromise(
        Effect.provide(
          Effect.andThen(
            put(run),
            ArchiveStore.use((store) => store.remove(run))
          ),
          storeAt(folder)
        )
      )
      expect(
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ name }) => name)
      ).toEqual(["ledger"])
    }))
})

describe("free space", () => {
  const withSpace =
    <E>(
      test: (folder: string, set: (bytes: number | null) => void) => Effect.Effect<void, E, ArchiveStore | ArchiveSpace>
    ) =>
    () =>
      inFolder((folder) => {
        let free: number | null = 2 * LEAST_FREE_BYTES
        const reading = Layer.succeed(FreeSpace, () =>
          free === null ? Promise.reject(new Error("unknown")) : Promise.resolve(free)
        )
        const running = Effect.suspend(() =>
          test(folder, (bytes) => {
            free = bytes
          })
        )
        return Effect.runPromise(
          running.pipe(Effect.provide(storeAt(folder).pipe(Layer.provide(reading))), Effect.provide(TestClock.layer()))
        )
      })
  const isLow = ArchiveSpace.use((space) => space.isLow)
  const one = (minute: number): Put => ({ id: idAt(minute), site: `example-${minute}.com`, bytes: KB })

  it(
    "below 500 MB stops new archives with a log line, and more space allows them again",
    withSpace((folder, set) =>
      Effect.gen(function* () {
        yield* put(one(1))
        expect(yield* isLow).toBe(false)
        set(LEAST_FREE_BYTES - 1)
        yield* put(one(2))
        expect(yield* isLow).toBe(true)
        expect([...keptIn(folder).keys()]).toEqual([idAt(1)])
        set(2 * LEAST_FREE_BYTES)
        yield* put(one(3))
        expect(yield* isLow).toBe(false)
        expect([...keptIn(folder).keys()]).toEqual([idAt(1), idAt(3)])
      })
    )
  )

  it(
    "is never taken below 500 MB by an archive",
    withSpace((folder, set) =>
      Effect.gen(function* () {
        set(LEAST_FREE_BYTES + KB - 1)
        yield* put(one(1))
        set(LEAST_FREE_BYTES + KB)
        yield* put(one(2))
        expect([...keptIn(folder).keys()]).toEqual([idAt(2)])
      })
    )
  )

  it(
    "is checked even if no archive is written",
    withSpace((_, set) =>
      Effect.gen(function* () {
        set(0)
        yield* Effect.andThen(TestClock.adjust("10 seconds"), TestClock.withLive(Effect.sleep(1))).pipe(
          Effect.repeat({ until: () => isLow, times: 1_000 })
        )
        expect(yield* isLow).toBe(true)
        set(2 * LEAST_FREE_BYTES)
        yield* Effect.andThen(TestClock.adjust("10 seconds"), TestClock.withLive(Effect.sleep(1))).pipe(
          Effect.repeat({ while: () => isLow, times: 1_000 })
        )
        expect(yield* isLow).toBe(false)
      })
    )
  )

  it(
    "that cannot be read does not stop archives",
    withSpace((folder, set) =>
      Effect.gen(function* () {
        set(null)
        yield* put(one(1))
        expect([...keptIn(folder).keys()]).toEqual([idAt(1)])
      })
    )
  )
})
