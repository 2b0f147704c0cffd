import { randomUUID } from "node:crypto"
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { ArchiveContent, Proof } from "./ArchiveStore.ts"
import { keyOf, storedId } from "./RunRows.ts"

/*
 * The layout of the archive folder: `runs/NN/ID.warc.gz`, with two marks beside each for rules to count by,
 * `sites/KEY/ID` and `domains/KEY/ID`. Ids are UUIDs and keys are digests, so that no name comes from outside; ids also
 * tell the time of their runs. Files are written to `parts` first. Only the user of the process can read what it makes.
 */

export const RUNS = "runs"
export const SITES = "sites"
export const DOMAINS = "domains"
export const PARTS = "parts"

const FOLDER_MODE = 0o700
export const FILE_MODE = 0o600

const ENDING = ".warc.gz"

export const archivePath = (folder: string, id: string): string => join(folder, RUNS, id.slice(-2), `${id}${ENDING}`)

/** Where the archives of a site are counted: those of its reports, or those of its failures. */
export const siteKey = (site: string, proof: Proof): string => (proof === "report" ? keyOf(site) : keyOf(site, proof))

export const siteMark = (folder: string, key: string, id: string): string => join(folder, SITES, key, id)

export const domainMark = (folder: string, domain: string, id: string): string => join(folder, DOMAINS, keyOf(domain), id)

/** The ids of all archives, folder by folder. */
export async function* archiveIds(folder: string): AsyncGenerator<ReadonlyArray<string>, void, undefined> {
  for (const part of await namesIn(join(folder, RUNS))) {
    const names = await namesIn(join(folder, RUNS, part))
    yield names.flatMap((name) => (name.endsWith(ENDING) ? storedId(name.slice(0, -ENDING.length)) ?? [] : []))
  }
}


export const makeFolder = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE })
}

/** Writes a mark. It need not last over a power failure: the archive is what counts. */
export const writeMark = async (path: string, text: string): Promise<void> => {
  await makeFolder(dirname(path))
  await writeFile(path, text, { mode: FILE_MODE })
}

/** Writes a part, which is renamed to what it becomes: that is there whole or not at all. */
export const writePart = async (folder: string, content: ArchiveContent): Promise<string> => {
  const part = join(folder, PARTS, randomUUID())
  await makeFolder(dirname(part))
  try {
    if (content instanceof Uint8Array) await writeFile(part, content, { flush: true, mode: FILE_MODE })
    else await moveTo(part, content.path)
    return part
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Parts that are being written, or were left behind. */
export const partPaths = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await namesIn(join(folder, PARTS))).map((name) => join(folder, PARTS, name))

const moveTo = async (part: string, path: string): Promise<void> => {
  try {
    await rename(path, part)
  } catch (error) {
    // Another file system.
    if (!hasCode(error, "EXDEV")) throw error
    await copyFile(path, part)
    await rm(path)
  }
  await chmod(part, FILE_MODE)
  const handle = await open(part, "r+")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Length of a file in bytes, `null` where there is none. */
export const sizeOf = async (path: string): Promise<number | null> => {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** The names in a folder, none where there is no such folder. */
export const namesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error) || hasCode(error, "ENOTDIR")) return []
    throw error
  }
}

export const isMissing = (error: unknown): boolean => hasCode(error, "ENOENT")

const hasCode = (error: unknown, code: string): boolean => error instanceof Error && "code" in error && error.code === code
