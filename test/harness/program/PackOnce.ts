import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"

/** Gives a run of vitest a folder for the packed package: the first test that needs it packs it there, and others copy it. */
export default (): (() => void) | undefined => {
  // Each project of vitest.long.config.ts calls this.
  if (process.env["DOCGAUGE_TEST_PACKED"] !== undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), "docgauge-packed-"))
  process.env["DOCGAUGE_TEST_PACKED"] = folder
  return () => rmSync(folder, { recursive: true })
}
