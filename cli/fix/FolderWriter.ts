import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import {
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync
} from "node:fs"
import { dirname, join, resolve as absolute, sep } from "node:path"
import { plainText } from "../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"

/**
 * Writes files of a folder. Links that lead out of it are not followed. Each of its folders is looked at once: a build has thousands of
 * pages in a few of them.
 */
interface FolderWriter {
  /** Why a file cannot be written, as a clause with the file as its subject; `null`: it can. */
  readonly whyNot: (path: string) => Effect.Effect<string | null, CliFailure>
  /** Writes a file in one step, so that a reader sees the old file or the new one; as `whyNot` if it cannot be written. */
  readonly write: (path: string, body: Uint8Array) => Effect.Effect<string | null, CliFailure>
}

/** What is at the path of a folder: `absent` is made when a file is written below it. */
type Place = "folder" | "absent" | { readonly refusal: string }

export const folderWriter = (folder: string): FolderWriter => {
  const places = new Map<string, Place>([["", "folder"]])
  let root: string | null = null
  const rooted = (): string => (root ??= realpathSync(folder))
  const placeOf = (path: string): Place => {
    const known = places.get(path)
    if (known !== undefined) return known
    const above = placeOf(parentOf(path))
    const place = above === "folder" ? placeAt(rooted(), path) : above
    places.set(path, place)
    return place
  }
  const whyNot = (path: string): string | null => {
    const above = placeOf(parentOf(path))
    return above === "folder" ? whyNotFile(rooted(), path) : above === "absent" ? null : above.refusal
  }
  const attempt = <A>(path: string, act: () => A): Effect.Effect<A, CliFailure> =>
    Effect.try({
      try: act,
      catch: (error) =>
        wrongUsage(
          `cannot write ${plainText(path, 200)} in ${plainText(folder, 200)}: ${error instanceof Error ? plainText(error.message, 200) : "unknown error"}.`
        )
    })
  return {
    whyNot: (path) => attempt(path, () => whyNot(path)),
    write: (path, body) =>
      attempt(path, () => {
        const refusal = whyNot(path)
        if (refusal !== null) return refusal
        const above = parentOf(path)
        if (placeOf(above) === "absent") {
          mkdirSync(join(rooted(), ...above.split("/")), { recursive: true })
          for (let made = above; places.get(made) === "absent"; made = parentOf(made)) places.set(made, "folder")
        }
        replaceFile(join(rooted(), ...path.split("/")), body)
        return null
      })
  }
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")))

const placeAt = (root: string, path: string): Place => {
  const here = join(root, ...path.split("/"))
  if (statOf(here) === null) return "absent"
  const real = realOf(here)
  const refusal = whyOutside(root, real)
  if (refusal !== null) return { refusal }
  return real !== null && statSync(real).isDirectory()
    ? "folder"
    : { refusal: "is below a file. Rename that file, or publish this one another way." }
}

const whyNotFile = (root: string, path: string): string | null => {
  const here = join(root, ...path.split("/"))
  const there = statOf(here)
  if (there === null || there.isFile()) return null
  const real = realOf(here)
  const refusal = whyOutside(root, real)
  if (refusal !== null) return refusal
  return real !== null && statSync(real).isDirectory()
    ? "is a folder. Rename it, or publish the file another way."
    : null
}

/** `real`: the real path; `null`: it leads nowhere. */
const whyOutside = (root: string, real: string | null): string | null =>
  real !== null && real.startsWith(root + sep)
    ? null
    : `${real === null ? "is a link that leads nowhere" : "is or is below a link that leads out of the folder"}. Put a file there instead of the link.`

/** Of the path itself, not of what a link leads to; `null`: nothing is there. */
const statOf = (path: string): Stats | null => lstatSync(path, { throwIfNoEntry: false }) ?? null

/** The path without links; `null`: it leads nowhere. */
export const realOf = (path: string): string | null => {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

const replaceFile = (path: string, body: Uint8Array): void => {
  const target = statOf(path)?.isSymbolicLink() === true ? realpathSync(path) : path
  const mode = statOf(target)?.mode ?? 0o644
  const temporary = join(dirname(target), `.docgauge-${randomUUID()}`)
  try {
    writeFileSync(temporary, body, { mode })
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Output of git that is read: one changed file is enough to know. */
const MOST_OUTPUT = 1_048_576

/** Why a folder should not be written to, with what to do: changes that are not committed, or that git cannot tell; `null`: it is no git repository or has no changes. Ignored files do not count. */
export const uncommitted = (folder: string): Effect.Effect<string | null> =>
  Effect.promise(
    () =>
      new Promise((resolve) => {
        const options = { maxBuffer: MOST_OUTPUT, env: { ...process.env, LC_ALL: "C" } }
        execFile(
          "git",
          ["-C", folder, "status", "--porcelain", "--untracked-files=normal", "--", "."],
          options,
          (error, stdout, stderr) => {
            if (stdout.trim() !== "")
              resolve("The folder has changes that are not committed to git. Commit them, or add --force.")
            else if (
              error === null ||
              stderr.includes("not a git repository") ||
              (error.code === "ENOENT" && !isInRepository(folder))
            )
              resolve(null)
            else
              resolve(
                `git could not tell whether the folder has changes that are not committed (${plainText(stderr.trim() === "" ? error.message : (stderr.trim().split("\n")[0] ?? ""), 200)}). Run git status there, or add --force.`
              )
          }
        )
      })
  )

/** Without git itself, a repository is told by its folder. */
const isInRepository = (folder: string): boolean => {
  const path = absolute(folder)
  return existsSync(join(path, ".git")) || (dirname(path) !== path && isInRepository(dirname(path)))
}
