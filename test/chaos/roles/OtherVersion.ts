import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"

const ROOT = resolve(import.meta.dirname, "../../..")

const git = (args: ReadonlyArray<string>): Buffer => execFileSync("git", args, { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1024 ** 3 })

/** The commit that a revision names; `null` where git or that part of its history is missing. */
export const commitOf = (revision: string): string | null => {
  try {
    return git(["rev-parse", "--verify", "--quiet", `${revision}^{commit}`]).toString().trim()
  } catch {
    return null
  }
}

/** The commit before the one that last changed a file; `null` as above. */
export const commitBeforeChangeOf = (path: string): string | null => {
  try {
    const [last = ""] = git(["log", "-1", "--format=%H", "--", path]).toString().split("\n")
    return commitOf(`${last}~1`)
  } catch {
    return null
  }
}

/** Whether a file is as it was at a commit. */
export const isUnchangedSince = (commit: string, path: string): boolean => {
  try {
    git(["diff", "--quiet", commit, "--", path])
    return true
  } catch {
    return false
  }
}

/** A build of another version in a temporary folder, with the packages of this one. */
export interface OtherVersion {
  /** Its first file. */
  readonly program: string
  readonly remove: () => void
}

const PACKAGES = join(ROOT, "node_modules")

export const makeOtherVersion = (commit: string): OtherVersion => {
  const root = mkdtempSync(join(tmpdir(), "docgauge-version-"))
  execFileSync("tar", ["-x", "-C", root], { input: git(["archive", "--format=tar", commit]) })
  mkdirSync(join(root, "node_modules"))
  // Not the cache, which has the build.
  for (const name of readdirSync(PACKAGES)) if (name !== ".cache") symlinkSync(join(PACKAGES, name), join(root, "node_modules", name))
  execFileSync(process.execPath, [join(root, "test/harness/program/writeProgram.ts")])
  return { program: join(root, "node_modules/.cache/docgauge-build/lib/main.js"), remove: () => rmSync(root, { recursive: true }) }
}
