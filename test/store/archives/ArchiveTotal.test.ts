import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { archiveName, archivePath } from "../../../engine/store/archives/ArchiveFolder.ts"
import { makeArchiveTotal } from "../../../engine/store/archives/ArchiveTotal.ts"

const NOW = Date.parse("2026-11-27T00:00:00Z")

it("an archive that two processes drop at once is subtracted once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-total-"))
  const dropped = archiveName("019ab000-0000-7000-8000-000000000001", 1)
  const kept = archiveName("019ab000-0000-7000-8000-000000000002", 1)
  for (const name of [dropped, kept]) {
    mkdirSync(dirname(archivePath(folder, name)), { recursive: true })
    writeFileSync(archivePath(folder, name), "x".repeat(1_000))
  }
  const totals = [makeArchiveTotal(folder, 1e9), makeArchiveTotal(folder, 1e9)]
  for (const total of totals) await total.refresh(NOW)
  await Promise.all(totals.map((total) => total.drop(dropped)))
  for (const total of totals) {
    await total.refresh(NOW)
    expect(total.bytes()).toBe(1_000)
  }
  rmSync(folder, { recursive: true })
})
