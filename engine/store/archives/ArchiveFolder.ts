import { randomUUID } from "node:crypto"
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { ArchiveContent, Proof } from "./ArchiveStore.ts"
import { storedId } from "../runs/RunId.ts"
import { digestKey } from "../database/ColumnValues.ts"

/*
 * The layout of the archive folder: `runs/NN/NAME.warc.gz`, with two marker files each, by which retention rules count: `sites/KEY/NAME`,
 * which is empty, and `domains/KEY/NAME`, which contains what the archive proves. A name is that of an attempt: the id of its run and the
 * number of the attempt, so that an attempt that was stopped for a while cannot overwrite what a later one wrote. Ids are UUIDs and keys
 * are digests, so that no file name is untrusted; an id also contains the time of its run. Files are written to `parts` first. Only the
 * process's user can read them. With an object store, the file `database` says to which database the folder belongs (`FolderOwner`).
 */

export const RUNS = "runs"
export const SITES = "sites"
export const DOMAINS = "domains"
export const PARTS = "parts"

const FOLDER_MODE = 0o700
export const FILE_MODE = 0o600

const ENDING = ".warc.gz"

/** The name of an attempt's archive. Names sort by the time of their runs, because UUIDv7 do. */
export const archiveName = (id: string, attempt: number): string => `${id}.${attempt}`

/** What an archive belongs to. */
export interface NamedArchive {
  readonly name: string
  readonly id: string
  readonly attempt: number
}

const NAME = /^([\da-f-]{36})\.(\d+)$/u

/** `null` for a name that is not an archive's. */
export const parseArchiveName = (name: string): NamedArchive | null => {
  const [, id = "", attempt = ""] = NAME.exec(name) ?? []
  return storedId(id) === id ? { name, id, attempt: Number(attempt) } : null
}

export const archivePath = (folder: string, name: string): string => join(partOf(folder, name), `${name}${ENDING}`)

/** Those of a run, or of other runs that end alike, are in one folder. */
const partOf = (folder: string, idOrName: string): string => join(folder, RUNS, idOrName.slice(34, 36))

/** The folder of a site's markers: for reports or for failures. */
export const siteKey = (site: string, proof: Proof): string =>
  proof === "report" ? digestKey(site) : digestKey(site, proof)

export const siteMark = (folder: string, key: string, name: string): string => join(folder, SITES, key, name)

export const domainMarks = (folder: string, domain: string): string => join(folder, DOMAINS, digestKey(domain))

export const domainMark = (folder: string, domain: string, name: string): string =>
  join(domainMarks(folder, domain), name)

/** The names of all archives, folder by folder. */
export async function* archiveNames(folder: string): AsyncGenerator<ReadonlyArray<string>, void, undefined> {
  for (const part of await namesIn(join(folder, RUNS))) yield namesOfFiles(await namesIn(join(folder, RUNS, part)))
}

const namesOfFiles = (files: ReadonlyArray<string>): ReadonlyArray<string> =>
  files.flatMap((file) => (file.endsWith(ENDING) ? (parseArchiveName(file.slice(0, -ENDING.length))?.name ?? []) : []))

/** The archives of a run, that of the latest attempt first. */
export const archivesOf = async (folder: string, id: string): Promise<ReadonlyArray<NamedArchive>> =>
  attemptsOf(namesOfFiles(await namesIn(partOf(folder, id))), id)

/** The attempts at a run among these names, the latest first. */
export const attemptsOf = (names: ReadonlyArray<string>, id: string): ReadonlyArray<NamedArchive> =>
  names
    .flatMap((name) => (name.startsWith(`${id}.`) ? (parseArchiveName(name) ?? []) : []))
    .toSorted((one, other) => other.attempt - one.attempt)

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

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code
