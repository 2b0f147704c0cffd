import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join, sep } from "node:path"
import { promisify } from "node:util"
import { plainText } from "../../engine/text/PlainText.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"

/** Writes a file of a folder in one step: a reader sees the old file or the new one. Links that lead out of the folder are not followed. */
export const writeInto = (folder: string, path: string, body: Uint8Array): Effect.Effect<void, CliFailure> =>
  Effect.tryPromise({
    try: () => replaceFile(folder, path, body),
    catch: (error) => wrongUsage(`cannot write ${plainText(path, 200)} in ${plainText(folder, 200)}: ${error instanceof Error ? plainText(error.message, 200) : "unknown error"}.`)
  })

const replaceFile = async (folder: string, path: string, body: Uint8Array): Promise<void> => {
  const root = await realpath(folder)
  const target = join(root, ...path.split("/"))
  await mkdir(dirname(target), { recursive: true })
  const parent = await realpath(dirname(target))
  const there = await realpath(target).catch(() => target)
  if ((parent !== root && !parent.startsWith(root + sep)) || !there.startsWith(root + sep)) throw new Error("it is a link that leads out of the folder")
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

/** Whether a folder is in a git repository and has changes that are not committed; ignored files do not count. */
export const isDirty = (folder: string): Effect.Effect<boolean> =>
  Effect.promise(() => promisify(execFile)("git", ["-C", folder, "status", "--porcelain", "--", "."]).then(({ stdout }) => stdout.trim() !== "", () => false))
