import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { execFile, execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import type { Database } from "../../../engine/store/Database.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { isAvailable } from "../../harness/Availability.ts"
import { postgres, storeAt } from "../Databases.ts"
import { audited, newRun, resultOf } from "../SampleRuns.ts"

const DOCS = readFileSync(new URL("../../../docs/operating.md", import.meta.url), "utf8")

/** The commands that operators read. */
const [, COMMANDS = ""] = /<!-- backup:begin -->\n```sh\n([^`]+)```/.exec(DOCS) ?? []

const hasTools = isAvailable(
  "pg_dump and pg_restore",
  (() => {
    try {
      execFileSync("pg_restore", ["--version"])
      return execFileSync("pg_dump", ["--version"]).length > 0
    } catch {
      return false
    }
  })()
)

const urlOf = (address: Database): string => (address._tag === "Postgres" ? Redacted.value(address.url) : "")

describe.skipIf(!postgres.available || !hasTools)("a backup as docs/operating.md describes it", () => {
  it.live("restores runs, reports, figures and search into an empty database, which then goes on", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const [original, copy] = [yield* postgres.empty, yield* postgres.empty]
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "docgauge-backup-"))),
          (path) => Effect.sync(() => rmSync(path, { recursive: true }))
        )
        const done = yield* Effect.provide(audited(newRun("docs.example.com"), 70), storeAt(original))
        const waiting = yield* Effect.provide(
          RunStore.use((store) => store.accept(newRun("api.example.com"))),
          storeAt(original)
        )
        const env = { ...process.env, DOCGAUGE_DATABASE_URL: urlOf(original), NEW_DATABASE_URL: urlOf(copy) }
        yield* Effect.promise(() => promisify(execFile)("sh", ["-ec", COMMANDS], { cwd: folder, env }))

        yield* Effect.provide(
          Effect.gen(function* () {
            const [store, corpus] = [yield* RunStore, yield* Corpus]
            expect(yield* store.find(done.id)).toEqual(done)
            expect((yield* store.report(done.id))?.encoded).toBe(resultOf(70).encoded)
            expect(yield* store.waiting).toMatchObject({ count: 1 })
            expect((yield* corpus.search("docs.ex", 10)).map(({ site }) => site)).toEqual(["docs.example.com"])
            const begun = yield* store.begin(waiting.id, "worker")
            if (begun === null) return expect.fail("not begun")
            yield* store.finish(begun.hold, resultOf(50))
            yield* corpus.fold
            expect(yield* corpus.summary).toMatchObject({ sites: 2, runs: 2, averageScore: 60 })
          }),
          storeAt(copy)
        )
      })
    )
  )
})
