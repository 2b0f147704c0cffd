import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import { SqlClient } from "effect/sql/SqlClient"
import { MOST_OF_DOMAIN } from "../../../engine/store/archives/ArchiveRetention.ts"
import { ArchiveSpace, FreeSpace, LEAST_FREE_BYTES } from "../../../engine/store/archives/ArchiveSpace.ts"
import { ArchiveStore, type Proof } from "../../../engine/store/archives/ArchiveStore.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { type Backend, dialects, onFresh } from "../Databases.ts"
import { newRun } from "../SampleRuns.ts"
import {
  type ArchiveNeeds,
  archivesIn,
  ownFolder,
  put,
  readable,
  readWhole,
  runOf,
  settled,
  silent,
  until,
  withArchives
} from "./Archives.ts"

const KB = 1024

const putBytes = ({ id, site }: Run, bytes: number, proof: Proof = "report") =>
  ArchiveStore.use((archives) => archives.put({ id, site, attempt: 1 }, new Uint8Array(bytes), proof))

/** The runs that have an archive, with its size, oldest first. */
const kept = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly run_id: string; readonly bytes: number | bigint }>`
      SELECT run_id, bytes FROM objects WHERE state = 'kept' ORDER BY run_id`,
    (rows) => rows.map(({ bytes, run_id }) => ({ id: run_id, bytes: Number(bytes) }))
  )
)

const sum = (sizes: ReadonlyArray<{ readonly bytes: number }>): number =>
  sizes.reduce((total, { bytes }) => total + bytes, 0)

const backends = dialects.filter(({ available }) => available)

const inFolder =
  (backend: Backend) =>
  <E>(test: (folder: string) => Effect.Effect<unknown, E, ArchiveNeeds>) =>
    Effect.flatMap(ownFolder, (folder) => Effect.asVoid(onFresh(backend, test(folder)))).pipe(
      Effect.scoped,
      Effect.provide(silent)
    )

interface Written {
  readonly domain: number
  readonly path: number
  readonly isReport: boolean
  readonly bytes: number
}

const aWrite: fc.Arbitrary<Written> = fc.record({
  domain: fc.nat(2),
  path: fc.nat(3),
  isReport: fc.boolean(),
  bytes: fc.integer({ min: 1, max: 40 * KB })
})

/** Runs in the order of their ids, and their writes in another one. */
const inSomeOrder = (writes: ReadonlyArray<Written>, seed: number): ReadonlyArray<number> =>
  writes
    .map((_, index) => index)
    .toSorted((one, other) => ((one * 7_919 + seed) % 101) - ((other * 7_919 + seed) % 101))

/** What the rule keeps of what was written until then: the newest of a site and proof, and then of a domain, reports first. */
const expected = (writes: ReadonlyArray<Written & { readonly id: string }>, keep: number): ReadonlyArray<string> => {
  const newestFirst = writes.toSorted((one, other) => (one.id < other.id ? 1 : -1))
  const ofSites = [
    ...Map.groupBy(newestFirst, ({ domain, isReport, path }) => `${domain}/${path}/${isReport}`).values()
  ].flatMap((all) => all.slice(0, keep))
  return [...Map.groupBy(ofSites, ({ domain }) => domain).values()]
    .flatMap((all) =>
      all
        .toSorted((one, other) => Number(other.isReport) - Number(one.isReport) || (one.id < other.id ? 1 : -1))
        .slice(0, MOST_OF_DOMAIN)
    )
    .map(({ id }) => id)
    .toSorted()
}

const acceptedRuns = (writes: ReadonlyArray<Written>) =>
  RunStore.use((store) =>
    Effect.forEach(writes, ({ domain, path }) =>
      store.accept(newRun(`docs.example${domain}.com`, { site: `docs.example${domain}.com/${path}` }))
    )
  )

describe.each(backends)("all archives together, with $name", (backend) => {
  const inTest = inFolder(backend)

  it(
    "are those that the rule keeps of a site and of a domain, in whatever order they are written",
    { timeout: 120_000 },
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(aWrite, { minLength: 5, maxLength: 80 }),
          fc.nat(100),
          fc.integer({ min: 1, max: 9 }),
          (writes, seed, keep) =>
            Effect.runPromise(
              inTest((folder) =>
                Effect.gen(function* () {
                  const runs = yield* acceptedRuns(writes)
                  const place = { folder, server: null }
                  const all = writes.map((write, index) => ({ ...write, id: runs[index]?.id ?? "" }))
                  yield* withArchives(
                    place,
                    Effect.gen(function* () {
                      for (const index of inSomeOrder(writes, seed)) {
                        const [run, write] = [runs[index], writes[index]]
                        if (run !== undefined && write !== undefined)
                          yield* putBytes(run, write.bytes, write.isReport ? "report" : "failure")
                      }
                      yield* settled(place)
                    }),
                    { keep }
                  )
                  expect((yield* kept).map(({ id }) => id)).toEqual(expected(all, keep))
                })
              )
            )
        ),
        { numRuns: backend.cases(12) }
      )
  )

  it.live("are at most 20 of one registrable domain over all its sites, and those of failures are deleted first", () =>
    inTest((folder) =>
      withArchives(
        { folder, server: null },
        Effect.gen(function* () {
          const reports = yield* Effect.forEach(Array.from({ length: 6 }), (_, index) => runOf(`a${index}.example.com`))
          const failures = yield* Effect.forEach(Array.from({ length: 18 }), (_, index) =>
            runOf("example.com", `example.com/b${index}`)
          )
          const others = [yield* runOf("other.example"), yield* runOf("docs.github.io")]
          for (const run of [...reports.slice(0, 3), ...others]) yield* put(run)
          for (const run of failures) yield* put(run, "what was tried", 1, "failure")
          for (const run of reports.slice(3)) yield* put(run)
          expect(yield* readable([...reports, ...others])).toEqual(Array.from({ length: 8 }, () => true))
          expect((yield* readable(failures)).map((kept, index) => kept === index >= 4)).toEqual(
            failures.map(() => true)
          )
          const more = yield* Effect.forEach(Array.from({ length: 20 }), (_, index) =>
            runOf("example.com", `example.com/d${index}`)
          )
          for (const run of more) yield* put(run)
          expect(yield* readable([...reports, ...failures])).not.toContain(true)
          expect(yield* readable([...more, ...others])).not.toContain(false)
        })
      )
    )
  )

  it.live("are within the limit soon after several processes have written at the same time", () =>
    inTest((folder) =>
      Effect.gen(function* () {
        const runs = yield* Effect.forEach(Array.from({ length: 24 }), (_, index) => runOf(`docs.example${index}.com`))
        const place = { folder, server: null }
        yield* Effect.all(
          [0, 1, 2].map((process) =>
            withArchives(
              place,
              Effect.andThen(
                Effect.forEach(runs.slice(process * 8, process * 8 + 8), (run) => putBytes(run, 10 * KB)),
                Effect.andThen(
                  until(
                    "they are within the limit",
                    Effect.map(kept, (all) => sum(all) <= 100 * KB)
                  ),
                  settled(place)
                )
              ),
              { totalBytes: 100 * KB }
            )
          ),
          { concurrency: 3 }
        )
        expect((yield* kept).length).toBeGreaterThan(7)
      })
    )
  )
})

const [sqlite] = backends

describe.skipIf(sqlite === undefined)("a folder", () => {
  if (sqlite === undefined) return
  const inTest = inFolder(sqlite)

  it.live("that is already too full at the start is brought within the limit", () =>
    inTest((folder) =>
      Effect.gen(function* () {
        const runs = yield* Effect.forEach(Array.from({ length: 10 }), (_, index) => runOf(`docs.example${index}.com`))
        yield* withArchives(
          { folder, server: null },
          Effect.forEach(runs, (run) => putBytes(run, 50 * KB))
        )
        yield* withArchives({ folder, server: null }, settledWith(3, folder), { totalBytes: 200 * KB })
        expect((yield* kept).map(({ id }) => id)).toEqual(runs.slice(-3).map(({ id }) => id))
      })
    )
  )

  const settledWith = (count: number, folder: string) =>
    until(
      `there are ${count}`,
      Effect.sync(() => archivesIn(folder).length === count)
    )

  it.live("keeps no archive that is larger than the limit of one archive or of all", () =>
    inTest((folder) =>
      Effect.gen(function* () {
        const runs = [
          yield* runOf("one.example.com"),
          yield* runOf("two.example.com"),
          yield* runOf("three.example.com")
        ]
        const [one, two, three] = runs
        if (one === undefined || two === undefined || three === undefined) return
        const inAll = (effect: Effect.Effect<void, unknown, ArchiveStore>, totalBytes = 1024 ** 3) =>
          withArchives({ folder, server: null }, effect, { totalBytes })
        yield* inAll(putBytes(one, 10 * KB * KB + 1))
        yield* inAll(putBytes(two, 101 * KB), 100 * KB)
        yield* inAll(putBytes(three, 10 * KB * KB))
        expect((yield* kept).map(({ id }) => id)).toEqual([three.id])
      })
    )
  )

  it.live("says that an archive is too old if all others are newer and there is no room", () =>
    inTest((folder) =>
      Effect.gen(function* () {
        const old = yield* runOf("old.example.com")
        const runs = yield* Effect.forEach(Array.from({ length: 4 }), (_, index) => runOf(`docs.example${index}.com`))
        yield* withArchives(
          { folder, server: null },
          Effect.gen(function* () {
            for (const run of runs) yield* putBytes(run, 25 * KB)
            yield* putBytes(old, 25 * KB)
            expect(yield* readable([old, ...runs])).toEqual([false, true, true, true, true])
          }),
          { totalBytes: 104 * KB }
        )
      })
    )
  )

  const withSpace =
    <E>(
      test: (set: (bytes: number | null) => void) => Effect.Effect<void, E, ArchiveNeeds | ArchiveStore | ArchiveSpace>
    ) =>
    () => {
      let free: number | null = 2 * LEAST_FREE_BYTES
      const reading = () => (free === null ? Promise.reject(new Error("unknown")) : Promise.resolve(free))
      const set = (bytes: number | null) => {
        free = bytes
      }
      return inTest((folder) =>
        withArchives({ folder, server: null }, test(set)).pipe(Effect.provide(Layer.succeed(FreeSpace, reading)))
      )
    }
  const isLow = ArchiveSpace.use((space) => space.isLow)

  it.live(
    "with less than 500 MB of free space takes no archives, and more space allows them again",
    withSpace((set) =>
      Effect.gen(function* () {
        const runs = [
          yield* runOf("one.example.com"),
          yield* runOf("two.example.com"),
          yield* runOf("three.example.com")
        ]
        expect(yield* isLow).toBe(false)
        for (const [index, free] of [2 * LEAST_FREE_BYTES, LEAST_FREE_BYTES - 1, 2 * LEAST_FREE_BYTES].entries()) {
          set(free)
          const run = runs[index]
          if (run !== undefined) yield* put(run)
          expect(yield* isLow).toBe(index === 1)
        }
        expect(yield* readable(runs)).toEqual([true, false, true])
      })
    )
  )

  it.live(
    "is never taken below 500 MB by an archive, and takes them where free space cannot be read",
    withSpace((set) =>
      Effect.gen(function* () {
        const runs = [
          yield* runOf("one.example.com"),
          yield* runOf("two.example.com"),
          yield* runOf("three.example.com")
        ]
        for (const [index, free] of [LEAST_FREE_BYTES + KB - 1, LEAST_FREE_BYTES + KB, null].entries()) {
          set(free)
          const run = runs[index]
          if (run !== undefined) yield* putBytes(run, KB)
        }
        expect(yield* readable(runs)).toEqual([false, true, true])
        expect(yield* readWhole(runs[0]?.id ?? "")).toBeNull()
      })
    )
  )
})
