import { randomUUID } from "node:crypto"
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { ArchiveContent, Proof } from "./ArchiveStore.ts"
import { storedId } from "../runs/RunId.ts"
import { digestKey } from "../database/ColumnValues.ts"

/*
 * The layout of the archive folder: `runs/NN/ID.warc.gz`, with two marker files each, by which retention rules count:
 * `sites/KEY/ID` contains the attempt and `domains/KEY/ID` what the archive proves. Ids are UUIDs and keys are digests, so that no file
 * name is untrusted; an id also contains the time of its run. Files are written to `parts` first. Only the process's user can read them.
 */

export const RUNS = "runs"
export const SITES = "sites"
export const DOMAINS = "domains"
export const PARTS = "parts"

const FOLDER_MODE = 0o700
export const FILE_MODE = 0o600

const ENDING = ".warc.gz"

export const archivePath = (folder: string, id: string): string => join(folder, RUNS, id.slice(-2), `${id}${ENDING}`)

/** The folder of a site's markers: for reports or for failures. */
export const siteKey = (site: string, proof: Proof): string => (proof === "report" ? digestKey(site) : digestKey(site, proof))

export const siteMark = (folder: string, key: string, id: string): string => join(folder, SITES, key, id)

export const domainMark = (folder: string, domain: string, id: string): string => join(folder, DOMAINS, digestKey(domain), id)

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

/** Writes a marker. It need not survive a power failure, because only the archive matters. */
export const writeMark = async (path: string, text: string): Promise<void> => {
  await makeFolder(dirname(path))
  await writeFile(path, text, { mode: FILE_MODE })
}

/** Writes a temporary file to be renamed, so that the final file is complete or missing. */
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

/** Temporary files that are being written or were left behind. */
export const partPaths = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await namesIn(join(folder, PARTS))).map((name) => join(folder, PARTS, name))

const moveTo = async (part: string, path: string): Promise<void> => {
  try {
    await rename(path, part)
  } catch (error) {
    // On another file system.
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

/** Length of a file in bytes; `null` if it does not exist. */
export const sizeOf = async (path: string): Promise<number | null> => {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isFileMissing(error)) return null
    throw error
  }
}

/** The names in a folder; empty if the folder does not exist. */
export const namesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isFileMissing(error) || hasCode(error, "ENOTDIR")) return []
    throw error
  }
}

export const isFileMissing = (error: unknown): boolean => hasCode(error, "ENOENT")

const hasCode = (error: unknown, code: string): boolean => error instanceof Error && "code" in error && error.code === code
