import { execFile } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"

/** Builds the program that tests start, once for a run of vitest, in a process of its own: vitest would transform all that the build imports. */
export default async (): Promise<void> => {
  const run = String(process.pid)
  // Each project of vitest.long.config.ts calls this.
  if (process.env["DOCGAUGE_TEST_BUILT_BY"] === run) return
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, "writeProgram.ts")])
  process.env["DOCGAUGE_TEST_BUILT_BY"] = run
}
