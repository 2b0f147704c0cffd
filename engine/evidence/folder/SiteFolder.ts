import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { closeSync, type Dirent, fstatSync, openSync, readSync } from "node:fs"
import { readdir, realpath, stat } from "node:fs/promises"
import { join, relative, sep } from "node:path"

/** The folder cannot be audited. */
export class FolderError extends Schema.TaggedError<FolderError>()("FolderError", {
  /** One plain clause, without the path. */
  message: Schema.String
}) {}

/** The beginning of a file, and how long the file is. */
interface FileBeginning {
  readonly body: Uint8Array
  readonly bytes: number
}

/** The files of a static build. */
export interface SiteFolder {
  /** Paths of all files, sorted. */
  readonly files: ReadonlyArray<string>
  /** Whether there is a file of that path, relative to the folder, with `/` between its parts. */
  readonly has: (file: string) => boolean
  /** The beginning of a file, and its length; `null` if it cannot be read. */
  readonly read: (file: string, limitBytes: number) => Effect.Effect<FileBeginning | null>
}

/** The largest builds that we know of have some 100,000 files. */
const MOST_FILES = 500_000

/** What no host publishes. */
const PRIVATE = new Set([".git", "node_modules"])

/** Lists the files of a folder. Links that leave it are left out, so that nothing outside the build is read. */
export const openFolder = Effect.fn("SiteFolder.open")(function* (
  path: string
): Effect.fn.Return<SiteFolder, FolderError> {
  const root = yield* Effect.tryPromise({
    try: () => realpath(path),
    catch: () => new FolderError({ message: "there is no such folder" })
  })
  const files = yield* Effect.tryPromise({
    try: () => filesOf(root),
    catch: (error) =>
      error instanceof FolderError
        ? error
        : new FolderError({ message: isNoFolder(error) ? "this is a file, not a folder" : "the folder cannot be read" })
  })
  return {
    files: [...files].sort(),
    has: (file) => files.has(file),
    read: (file, limitBytes) =>
      Effect.orElseSucceed(
        Effect.try(() => beginningOf(join(root, ...file.split("/")), limitBytes)),
        () => null
      )
  }
})

const isNoFolder = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOTDIR"

const filesOf = async (root: string): Promise<ReadonlySet<string>> => {
  const files = new Set<string>()
  // `open`: the real paths of the folders around this one, so that links in a circle end.
  const visit = async (folder: string, open: ReadonlySet<string>): Promise<void> => {
    const real = await realpath(folder)
    if (open.has(real)) return
    const inside = new Set([...open, real])
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (PRIVATE.has(entry.name)) continue
      const path = join(folder, entry.name)
      const kind = await kindOf(root, path, entry)
      if (kind === "folder") await visit(path, inside)
      if (kind === "file") files.add(relative(root, path).split(sep).join("/"))
      if (files.size > MOST_FILES)
        throw new FolderError({ message: `the folder has more than ${MOST_FILES.toLocaleString("en")} files` })
    }
  }
  await visit(root, new Set())
  if (files.size === 0) throw new FolderError({ message: "the folder is empty" })
  return files
}

type Kind = "file" | "folder" | null

/** `null`: anything else, a link that leads nowhere, and one that leaves the root. */
const kindOf = async (root: string, path: string, entry: Dirent): Promise<Kind> => {
  if (!entry.isSymbolicLink()) return kindIn(entry)
  try {
    return (await realpath(path)).startsWith(root + sep) ? kindIn(await stat(path)) : null
  } catch {
    return null
  }
}

const kindIn = (of: Pick<Dirent, "isFile" | "isDirectory">): Kind =>
  of.isDirectory() ? "folder" : of.isFile() ? "file" : null

/** At once: four trips to another thread cost more than reading a page that was just built. */
const beginningOf = (path: string, limitBytes: number): FileBeginning => {
  const file = openSync(path, "r")
  try {
    const { size } = fstatSync(file)
    const buffer = Buffer.alloc(Math.min(size, limitBytes))
    let length = 0
    while (length < buffer.length) {
      const bytesRead = readSync(file, buffer, length, buffer.length - length, null)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return { body: buffer.subarray(0, length), bytes: size }
  } finally {
    closeSync(file)
  }
}
