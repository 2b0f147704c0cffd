import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { SqlClient } from "effect/sql/SqlClient"
import { archiveKey } from "../../../engine/store/archives/ArchiveFolder.ts"
import { dropBeyondRule } from "../../../engine/store/archives/ArchiveRetention.ts"
import { noteArchive } from "../../../engine/store/blobs/BlobRows.ts"
import { inTransaction } from "../../../engine/store/database/SqlDatabase.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { dialects, onFresh } from "../Databases.ts"
import { rows, runOf } from "./Archives.ts"

const RULE = { folder: "", keep: 1, days: null, totalBytes: 1_000 }

/** Notes the archive of a run as a process does, and ends the transaction after `last`. */
const note = (run: Run, last: Effect.Effect<unknown> = Effect.void) =>
  SqlClient.use((sql) => {
    const archive = { id: run.id, attempt: 1, kind: "report", bytes: 1, sha256: "" } as const
    const noted = noteArchive(sql, { ...archive, key: archiveKey(archive, "report") }).pipe(
      Effect.tap((site) => (site === null ? Effect.void : dropBeyondRule(sql, RULE, site))),
      Effect.andThen(last)
    )
    return inTransaction(sql, noted)
  })

describe.each(dialects.filter(({ available }) => available))("the archives of a site, in $name", (backend) => {
  it.live("are as many as the rule says where two processes note theirs at the same time", () =>
    onFresh(
      backend,
      Effect.gen(function* () {
        const [older, newer] = [yield* runOf("docs.example.com"), yield* runOf("docs.example.com")]
        const [isNoted, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const first = yield* Effect.forkChild(
          note(older, Effect.andThen(Deferred.succeed(isNoted, undefined), Deferred.await(mayEnd)))
        )
        yield* Deferred.await(isNoted)
        const second = yield* Effect.forkChild(note(newer))
        // Without a lock, it would end before the first one.
        yield* Effect.timeoutOption(Fiber.await(second), "300 millis")
        yield* Deferred.succeed(mayEnd, undefined)
        yield* Fiber.join(first)
        yield* Fiber.join(second)
        const kept = (yield* rows).filter(({ state }) => state === "kept")
        expect(kept.map(({ key }) => key)).toEqual([archiveKey({ id: newer.id, attempt: 1 }, "report")])
      })
    )
  )
})
