import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type { RunSource } from "../../engine/audit/StoredRun.ts"
import { runFrom } from "./ReportText.ts"

/** Sites per page. */
const PAGE = 100

/**
 * The newest finished run of every site in a database of the service (an SQLite file), in the order in which the sites were
 * first seen, each with its archive in the service's folder of archives, if that still has it. Only this module imports the
 * database driver.
 */
export async function* databaseRuns(path: string, archives: string): RunSource {
  const [SecureRandom, { archiveFile }, { layerDatabase, sqliteAt }, { newestRuns }, { RunStore }, SqlRunStore] =
    await Promise.all([
      import("effect/crypto/SecureRandom"),
      import("../../engine/store/archives/ArchiveFolder.ts"),
      import("../../engine/store/Database.ts"),
      import("../../engine/store/runs/RunHistory.ts"),
      import("../../engine/store/runs/RunStore.ts"),
      import("../../engine/store/runs/SqlRunStore.ts")
    ])
  const layer = SqlRunStore.layerSql.pipe(
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provideMerge(layerDatabase(sqliteAt(path)))
  )
  const runtime = ManagedRuntime.make(layer)
  try {
    for (let from: number | null = 0; from !== null;) {
      const at: number = from
      const page = await runtime.runPromise(newestRuns(at, PAGE))
      for (const run of page.runs) {
        const stored = await runtime.runPromise(Effect.flatMap(RunStore, (store) => store.report(run.id)))
        yield stored === null
          ? { name: run.id, unreadable: "its report is gone" }
          : runFrom(run.id, stored.encoded, await runtime.runPromise(archiveFile(archives, run.id)))
      }
      from = page.next
    }
  } finally {
    await runtime.dispose()
  }
}
