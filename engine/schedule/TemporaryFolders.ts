import * as Effect from "effect/Effect"
import type { Stats } from "node:fs"
import { lstat, mkdtemp, readdir, rm } from "node:fs/promises"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import process from "node:process"
import { FreeSpace, type FreeSpaceReading } from "../store/archives/ArchiveSpace.ts"

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
