import * as Effect from "effect/Effect"
import type { Stats } from "node:fs"
import { lstat, mkdtemp, readdir, rm } from "node:fs/promises"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import process from "node:process"
import type { RunError } from "../store/runs/Run.ts"
import { RESIDENT_LIMIT } from "./ProcessLimits.ts"
import { FreeSpace, type FreeSpaceReading } from "../store/archives/ArchiveSpace.ts"

const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"])

/** Why something has no result whose temporary files could not be written, safe to show. `happened`: the beginning of the sentence. */
export const temporaryFilesError = (error: unknown, happened = "The audit failed"): RunError => ({
  code: "internal",
  message: FULL.has(errorCode(error))
    ? `${happened} because the temporary folder of this service is full. Its operator must free space there, or set TMPDIR to another folder.`
    : `${happened} because this service cannot write to its temporary folder (${errorCode(error)}). Its operator must set TMPDIR to a folder that it can write to.`
})

/** Such as `ENOSPC`. */
const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown error"

/** Why there is no process for a task: the end of a sentence, safe to show. */
export const NOT_STARTED =
  "this service could not start a process for it. Its operator must see whether it lacks memory, or may have more processes."

/** Why the process of a task was killed: the end of a sentence, and another one, safe to show. */
export const KILLED = `the system killed its process, most likely because memory was short. Allow ${RESIDENT_LIMIT / 1024 / 1024} MB for each concurrent audit and 700 MB besides, or run fewer at once (DOCGAUGE_CONCURRENT_AUDITS in a service).`

/** Names the host too, because containers that share a folder number their processes alike. */
const PREFIX = `docgauge-audit-${hostname()}-`

/** What follows the prefix. A folder of the host `web-2` also begins with the prefix of the host `web`. */
const PROCESS = /^(\d+)-[A-Za-z0-9]{6}$/

// An audit process that was just killed may still add a file to its folder.
const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 })

/** Free space that an audit or a plan of fixes needs, in bytes: more than its files may have. */
export const LEAST_TEMPORARY_BYTES = 32 * 1024 * 1024

const makeFolder = async (leastFree: number, freeSpace: FreeSpaceReading): Promise<string> => {
  const free = leastFree === 0 ? 0 : await freeSpace(tmpdir()).catch(() => leastFree)
  if (free < leastFree) throw Object.assign(new Error("too little free space"), { code: "ENOSPC" })
  return await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
}

const folderWithSpace = (leastFree: number) =>
  Effect.acquireRelease(
    Effect.flatMap(FreeSpace, (freeSpace) => Effect.tryPromise(() => makeFolder(leastFree, freeSpace))),
    (folder) => Effect.promise(() => remove(folder))
  )

/** A temporary folder, deleted when the scope closes. */
export const temporaryFolder = folderWithSpace(0)

/** One for an audit or a plan of fixes: fails if there is too little space for its files. */
export const workFolder = folderWithSpace(LEAST_TEMPORARY_BYTES)

/**
 * Deletes the temporary folders of processes that were killed. What cannot be deleted stays, and so does what others may write to: they could
 * put a link in place of a folder in it while it is deleted.
 */
export const removeAbandonedFolders: Effect.Effect<void> = Effect.promise(async () => {
  const names = await readdir(tmpdir()).catch(() => [])
  await Promise.all(
    names.map(async (name) => {
      const folder = join(tmpdir(), name)
      if (name.startsWith(PREFIX) && (await isAbandoned(folder, Number(PROCESS.exec(name.slice(PREFIX.length))?.[1]))))
        await remove(folder).catch(() => undefined)
    })
  )
})

const isAbandoned = async (folder: string, pid: number): Promise<boolean> => {
  if (!Number.isSafeInteger(pid) || pid < 1) return false
  const found = await lstat(folder).catch(() => null)
  if (found === null || !isOurs(found)) return false
  // In a container each start has the same process id, so a folder with ours may be older than we are.
  return pid === process.pid ? found.mtimeMs < performance.timeOrigin : !isRunning(pid)
}

const OTHERS_WRITE = 0o022

/** Windows tells neither owner nor mode; its users have temporary folders of their own. */
const isOurs = (found: Stats): boolean =>
  found.isDirectory() &&
  (process.geteuid === undefined || (found.uid === process.geteuid() && (found.mode & OTHERS_WRITE) === 0))

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user may not be signalled.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH")
  }
}
