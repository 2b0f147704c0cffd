import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { lstat, mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join, resolve as absolute, sep } from "node:path"
import { plainText } from "../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"

/** Why a file of a folder cannot be written, as a clause with the file as its subject; `null`: it can. Links that lead out of the folder are not followed. */
export const whyNotWritable = (folder: string, path: string): Effect.Effect<string | null, CliFailure> =>
  Effect.tryPromise({ try: () => obstacle(folder, path), catch: (error) => failure(folder, path, error) })

/** Writes a file of a folder in one step: a reader sees the old file or the new one. */
export const writeInto = (folder: string, path: string, body: Uint8Array): Effect.Effect<void, CliFailure> =>
  Effect.tryPromise({ try: () => replaceFile(folder, path, body), catch: (error) => failure(folder, path, error) })

const failure = (folder: string, path: string, error: unknown): CliFailure =>
  wrongUsage(`cannot write ${plainText(path, 200)} in ${plainText(folder, 200)}: ${error instanceof Error ? plainText(error.message, 200) : "unknown error"}.`)

const obstacle = async (folder: string, path: string): Promise<string | null> => {
  const root = await realpath(folder)
  const parts = path.split("/")
  for (const [index] of parts.entries()) {
    const here = join(root, ...parts.slice(0, index + 1))
    // Nothing is there, so nothing of the path below is.
    if ((await lstat(here).catch(() => null)) === null) return null
    const real = await realpath(here).catch(() => null)
    if (real === null || !real.startsWith(root + sep)) return `${real === null ? "is a link that leads nowhere" : "is or is below a link that leads out of the folder"}. Put a file there instead of the link.`
    const isFolder = (await stat(real)).isDirectory()
    const isLast = index === parts.length - 1
    if (isFolder === isLast) return isLast ? "is a folder. Rename it, or publish the file another way." : "is below a file. Rename that file, or publish this one another way."
  }
  return null
}

const replaceFile = async (folder: string, path: string, body: Uint8Array): Promise<void> => {
  const refusal = await obstacle(folder, path)
  if (refusal !== null) throw new Error(`it ${refusal}`)
  const target = join(await realpath(folder), ...path.split("/"))
  await mkdir(dirname(target), { recursive: true })
  const there = await realpath(target).catch(() => target)
  const mode = await stat(there).then((found) => found.mode, () => 0o644)
  const temporary = join(dirname(there), `.docgauge-${randomUUID()}`)
  try {
    await writeFile(temporary, body, { mode })
    await rename(temporary, there)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Output of git that is read: one changed file is enough to know. */
const MOST_OUTPUT = 1_048_576

/** Why a folder should not be written to, with what to do: changes that are not committed, or that git cannot tell; `null`: it is no git repository or has no changes. Ignored files do not count. */
export const uncommitted = (folder: string): Effect.Effect<string | null> =>
  Effect.promise(() => new Promise((resolve) => {
    const options = { maxBuffer: MOST_OUTPUT, env: { ...process.env, LC_ALL: "C" } }
    execFile("git", ["-C", folder, "status", "--porcelain", "--untracked-files=normal", "--", "."], options, (error, stdout, stderr) => {
      if (stdout.trim() !== "") resolve("The folder has changes that are not committed to git. Commit them, or add --force.")
      else if (error === null || stderr.includes("not a git repository") || (error.code === "ENOENT" && !isInRepository(folder))) resolve(null)
      else resolve(`git could not tell whether the folder has changes that are not committed (${plainText(stderr.trim() === "" ? error.message : stderr.trim().split("\n")[0] ?? "", 200)}). Run git status there, or add --force.`)
    })
  }))

/** Without git itself, a repository is told by its folder. */
const isInRepository = (folder: string): boolean => {
  const path = absolute(folder)
  return existsSync(join(path, ".git")) || (dirname(path) !== path && isInRepository(dirname(path)))
}
