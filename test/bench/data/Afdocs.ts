import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

/** The peer that the bench compares with, at the version and the pace that issue 2 names. */
export const AFDOCS_VERSION = "0.22.2"

export interface Afdocs {
  readonly program: string
  readonly argsFor: (url: string) => ReadonlyArray<string>
  readonly remove: () => Promise<void>
}

/** Installs it with npm into a temporary folder: it is no dependency of ours. */
export const installAfdocs = async (): Promise<Afdocs> => {
  const folder = await mkdtemp(join(tmpdir(), "docgauge-afdocs-"))
  await writeFile(join(folder, "package.json"), "{}")
  await promisify(execFile)(
    "npm",
    ["install", "--no-audit", "--no-fund", "--ignore-scripts", `afdocs@${AFDOCS_VERSION}`],
    { cwd: folder }
  )
  return {
    program: join(folder, "node_modules/.bin/afdocs"),
    argsFor: (url) => [
      "check",
      url,
      "--request-delay",
      "0",
      "--max-concurrency",
      "6",
      "--sampling",
      "deterministic",
      "--quiet",
      "--format",
      "json"
    ],
    remove: () => rm(folder, { recursive: true })
  }
}
