import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import process from "node:process"

export const ROOT = resolve(import.meta.dirname, "../..")

/** The environment with the Node of this repository first. */
export const NODE_FIRST = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` }

/** A build replaces `dist`, so that two test files must not build at once. */
const LOCK = join(tmpdir(), `docgauge-pack-${createHash("sha256").update(ROOT).digest("hex").slice(0, 12)}`)

/** A lock that is older was left by a run that was killed. */
const STALE_MS = 600_000

const isMine = (): boolean => {
  try {
    mkdirSync(LOCK)
    return true
  } catch {
    const { mtimeMs = 0 } = statSync(LOCK, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs > 0 && Date.now() - mtimeMs > STALE_MS) rmSync(LOCK, { recursive: true, force: true })
    return false
  }
}

/** Builds the package into a folder, and returns its tarball. */
export const packInto = (folder: string): string => {
  while (!isMine()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  try {
    execFileSync("npm", ["pack", "--pack-destination", folder], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"], env: NODE_FIRST })
  } finally {
    rmSync(LOCK, { recursive: true, force: true })
  }
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "")
}
