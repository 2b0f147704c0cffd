import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as fc from "fast-check"
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { SqlClient } from "effect/sql/SqlClient"
import { archiveKey, databaseFolder, takeInOldFolder } from "../../../engine/store/archives/ArchiveFolder.ts"
import { DatabaseHealth } from "../../../engine/store/database/SqlDatabase.ts"
import { dialects, onFresh } from "../Databases.ts"
import {
  type ArchiveNeeds,
  archivesIn,
  filesIn,
  ownFolder,
  ownServer,
  put,
  readable,
  readWhole,
  rows,
  runOf,
  settled,
  silent,
  until,
  withArchives
} from "./Archives.ts"
import { writeOldArchive } from "./OldLayout.ts"

const SITE = "docs.example.com"

/** Until no archive has the old layout, and all are indexed. */
const takenIn = (folder: string) =>
  Effect.andThen(
    until(
      "all are taken in",
      Effect.sync(() => filesIn(folder).every((name) => !name.startsWith("runs/")))
    ),
    settled({ folder, server: null })
  )

describe.each(dialects.filter(({ available }) => available))(
  "a folder of an earlier version, with $name",
  (backend) => {
    const on = <E>(
      name: string,
      test: (folder: string, logs: ReadonlyArray<string>) => Effect.Effect<unknown, E, ArchiveNeeds>
    ) => {
      const logs: Array<string> = []
      return it.live(name, () =>
        Effect.flatMap(ownFolder, (folder) => onFresh(backend, test(folder, logs))).pipe(
          Effect.scoped,
          Effect.provide(
            Logger.layer([
              Logger.map(Logger.formatLogFmt, (line) => {
                logs.push(line)
              })
            ])
          )
        )
      )
    }

    on("is taken in with what its archives prove, and nothing of the old layout stays", (folder) =>
      Effect.gen(function* () {
        const runs = [yield* runOf(SITE), yield* runOf(SITE), yield* runOf("other.example.com")]
        const failed = [yield* runOf(SITE), yield* runOf(SITE), yield* runOf(SITE)]
        for (const run of runs) writeOldArchive(folder, run)
        for (const run of failed) writeOldArchive(folder, run, "what was tried", 1, "failure")
        const [first] = runs
        if (first !== undefined) writeOldArchive(folder, first, "attempt 2", 2)
        yield* withArchives(
          { folder, server: null },
          Effect.gen(function* () {
            yield* takenIn(folder)
            expect(yield* readWhole(first?.id ?? "")).toBe("attempt 2")
            expect(yield* readable(runs)).toEqual([true, true, true])
            expect(yield* readable(failed)).toEqual([false, true, true])
            // The rule counts them like all others.
            yield* put(yield* runOf(SITE))
            expect(yield* readable(runs)).toEqual([false, true, true])
            yield* settled({ folder, server: null })
          })
        )
        expect(filesIn(folder).every((name) => /^[\da-f]{16}\/archives\//u.test(name))).toBe(true)
      })
    )

    on("is sent to an object store", (folder) =>
      Effect.gen(function* () {
        const place = { folder, server: yield* ownServer }
        const runs = [yield* runOf(SITE), yield* runOf("other.example.com")]
        for (const run of runs) writeOldArchive(folder, run)
        yield* withArchives(
          place,
          Effect.gen(function* () {
            yield* until(
              "both are sent",
              Effect.map(rows, (known) => known.length === 2 && known.every(({ store }) => store === "objects"))
            )
            yield* settled(place)
            for (const { id } of runs) expect(yield* readWhole(id)).toBe(`archive of ${id}`)
          })
        )
      })
    )

    on("of another database is left as it is, with one line in the log", (folder, logs) =>
      Effect.gen(function* () {
        const theirs = Array.from({ length: 3 }, (_, index) => ({
          id: `01936d5e-1000-7000-8000-00000000000${index}`,
          site: SITE
        }))
        for (const run of theirs) writeOldArchive(folder, run)
        const before = filesIn(folder)
        const ours = yield* runOf(SITE)
        writeOldArchive(folder, ours)
        const told = () => logs.filter((line) => line.includes(`Archives left in ${folder}/runs: 3`)).length
        yield* withArchives(
          { folder, server: null },
          Effect.gen(function* () {
            yield* until(
              "that is logged",
              Effect.sync(() => told() > 0)
            )
            yield* until(
              "ours is read",
              Effect.map(readWhole(ours.id), (content) => content !== null)
            )
            yield* Effect.sleep(500)
            expect(told()).toBe(1)
          })
        )
        expect(filesIn(folder).filter((name) => !name.includes("/archives/"))).toEqual(before)
      })
    )

    on("with archives of another database beside it says so once, and touches none of them", (folder, logs) =>
      Effect.gen(function* () {
        yield* Effect.promise(() =>
          Effect.runPromise(
            onFresh(
              backend,
              withArchives(
                { folder, server: null },
                Effect.flatMap(runOf(SITE), (run) => put(run))
              )
            ).pipe(Effect.provide(silent))
          )
        )
        const theirs = filesIn(folder)
        yield* withArchives(
          { folder, server: null },
          Effect.gen(function* () {
            for (let count = 0; count < 3; count++) yield* put(yield* runOf(SITE))
            yield* until(
              "one is dropped",
              Effect.map(rows, (known) => known.length === 2)
            )
          })
        )
        expect(filesIn(folder)).toEqual(expect.arrayContaining([...theirs]))
        expect(logs.filter((line) => line.includes("has archives of other databases"))).toHaveLength(1)
      })
    )

    on("keeps files that are not ours", (folder) =>
      Effect.gen(function* () {
        const run = yield* runOf(SITE)
        writeOldArchive(folder, run)
        writeFileSync(join(folder, "database"), "my own notes")
        mkdirSync(join(folder, "sites", "mine"), { recursive: true })
        for (const path of ["sites/mine/notes.txt", "runs/notes.txt"]) writeFileSync(join(folder, path), "mine")
        yield* withArchives(
          { folder, server: null },
          until(
            "it is read",
            Effect.map(readWhole(run.id), (content) => content !== null)
          )
        )
        expect(filesIn(folder).filter((name) => !name.endsWith(".gz"))).toEqual([
          "database",
          "runs/notes.txt",
          "sites/mine/notes.txt"
        ])
      })
    )

    it("is taken in whole, whatever a process that was killed had done before", () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom("old", "renamed", "without_markers", "indexed"), { minLength: 1, maxLength: 6 }),
          (states) =>
            Effect.runPromise(
              Effect.flatMap(ownFolder, (folder) =>
                onFresh(
                  backend,
                  Effect.gen(function* () {
                    const sql = yield* SqlClient
                    const own = yield* databaseFolder(sql, folder)
                    const runs = yield* Effect.forEach(states, (_, index) => runOf(`docs.example${index}.com`))
                    for (const [index, state] of states.entries()) {
                      const run = runs[index]
                      if (run === undefined) continue
                      if (state === "indexed") {
                        yield* withArchives({ folder, server: null }, put(run))
                        continue
                      }
                      writeOldArchive(folder, run)
                      if (state === "old") continue
                      const path = join(own, archiveKey({ id: run.id, attempt: 1 }, "report"))
                      mkdirSync(dirname(path), { recursive: true })
                      renameSync(join(folder, "runs", run.id.slice(-2), `${run.id}.1.warc.gz`), path)
                      if (state === "without_markers")
                        for (const kind of ["sites", "domains"]) rmSync(join(folder, kind), { recursive: true })
                    }
                    yield* withArchives(
                      { folder, server: null },
                      Effect.gen(function* () {
                        yield* takenIn(folder)
                        expect(yield* readable(runs)).toEqual(runs.map(() => true))
                      })
                    )
                    expect(archivesIn(folder)).toHaveLength(runs.length)
                    expect(filesIn(folder)).toEqual(archivesIn(folder))
                  })
                )
              ).pipe(Effect.scoped, Effect.provide(silent))
            )
        ),
        { numRuns: backend.cases(9) }
      ))

    on("is taken in by several processes at once", (folder) =>
      Effect.gen(function* () {
        const [sql, health] = [yield* SqlClient, yield* DatabaseHealth]
        const own = yield* databaseFolder(sql, folder)
        const runs = yield* Effect.forEach(Array.from({ length: 30 }), (_, index) => runOf(`docs.example${index}.com`))
        for (const run of runs) writeOldArchive(folder, run)
        yield* Effect.all(
          [1, 2, 3].map(() => takeInOldFolder(sql, health, folder, own)),
          { concurrency: 3 }
        )
        yield* withArchives(
          { folder, server: null },
          Effect.andThen(
            takenIn(folder),
            Effect.flatMap(readable(runs), (found) => Effect.sync(() => expect(found).not.toContain(false)))
          )
        )
      })
    )
  }
)
