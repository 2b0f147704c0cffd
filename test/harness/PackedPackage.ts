import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
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

const tarballIn = (folder: string): string | null => {
  const name = readdirSync(folder).find((file) => file.endsWith(".tgz"))
  return name === undefined ? null : join(folder, name)
}

const packedIn = (folder: string): string => {
  const packed = tarballIn(folder)
  if (packed !== null) return packed
  execFileSync("npm", ["pack", "--pack-destination", folder], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: NODE_FIRST
  })
  return tarballIn(folder) ?? ""
}

/** Puts the packed package into a folder, and returns its tarball. It is built once for a run of vitest that has a folder for it (PackOnce.ts). */
export const packInto = (folder: string): string => {
  while (!isMine()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  try {
    const packed = packedIn(process.env["DOCGAUGE_TEST_PACKED"] ?? folder)
    const own = join(folder, basename(packed))
    if (own !== packed) copyFileSync(packed, own)
    return own
  } finally {
    rmSync(LOCK, { recursive: true, force: true })
  }
}
