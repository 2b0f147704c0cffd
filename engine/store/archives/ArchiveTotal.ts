import { unlink } from "node:fs/promises"
import { archiveNames, archivePath, isFileMissing, partPaths, sizeOf } from "./ArchiveFolder.ts"
import { makeSizeLedger } from "./SizeLedger.ts"

/**
 * The bounded total size of the archives in a folder. Counting reads each file's size, so it is done rarely; in between, each
 * change is a line in a ledger file, which all processes that use the folder write and read.
 */
export interface ArchiveTotal {
  /** In bytes, as of the last read. */
  readonly bytes: () => number
  /**
   * Reserves bytes for an archive whose temporary file has been written, and deletes the oldest archives until there is room.
   * False, without a reservation, if the archive would itself be the oldest. `now` in milliseconds.
   */
  readonly reserve: (name: string, bytes: number, now: number) => Promise<boolean>
  /** Releases a reservation that is not needed. */
  readonly release: (bytes: number) => Promise<void>
  /** Deletes an archive, if it exists. */
  readonly drop: (name: string) => Promise<void>
  /** Recounts when that is due, and reads the changes of other processes. */
  readonly refresh: (now: number) => Promise<void>
}

/** Interval between recounts: the ledger misses changes by people, and those of processes that are killed while writing. */
const COUNT_INTERVAL_MS = 60 * 60_000

/** Extra room to free at once, as a share of the limit, so that a full folder is not searched for each new archive. */
const SPARE_SHARE = 0.02

/** Files read in parallel: the thread pool has four threads, and other work needs some of them. */
const AT_ONCE = 2

export const makeArchiveTotal = (folder: string, mostBytes: number): ArchiveTotal => {
  const ledger = makeSizeLedger(folder)
  let total = 0
  let countedAt = -Infinity

  const count = async (now: number): Promise<void> => {
    await ledger.skip()
    // Temporary files before archives, so that a file moved meanwhile counts twice rather than not at all.
    let sum = await sumOfSizes(await partPaths(folder))
    for await (const names of archiveNames(folder)) {
      const size = await sumOfSizes(names.map((name) => archivePath(folder, name)))
      sum += size
    }
    total = sum
    countedAt = now
  }

  /** Reads new lines of the ledger; recounts when that is due. */
  const refresh = async (now: number): Promise<void> => {
    const change = now - countedAt >= COUNT_INTERVAL_MS ? null : await ledger.read()
    if (change === null) return count(now)
    total += change
  }

  const drop = async (name: string): Promise<void> => {
    const path = archivePath(folder, name)
    const size = await sizeOf(path)
    if (size === null || !(await wasRemoved(path))) return
    await ledger.note(-size)
  }

  /** Deletes archives older than `name`, the oldest first, until `bytes` are freed. */
  const dropOldest = async (name: string, bytes: number): Promise<void> => {
    let left = bytes
    const names = (await Array.fromAsync(archiveNames(folder))).flat().sort()
    for (const oldest of names) {
      if (left <= 0 || oldest >= name) return
      left -= (await sizeOf(archivePath(folder, oldest))) ?? 0
      await drop(oldest)
    }
  }

  const reserve = async (name: string, bytes: number, now: number): Promise<boolean> => {
    // Written before the total is read, so that two concurrent processes see each other's reservations.
    await ledger.note(bytes)
    await refresh(now)
    if (total <= mostBytes) return true
    await count(now)
    await dropOldest(name, total - mostBytes * (1 - SPARE_SHARE))
    await refresh(now)
    if (total <= mostBytes) return true
    await ledger.note(-bytes)
    return false
  }

  return {
    bytes: () => total,
    reserve,
    release: (bytes) => ledger.note(-bytes),
    drop,
    refresh
  }
}

/** Whether this call removed the file: of two processes that drop the same archive, one subtracts its size. */
const wasRemoved = (path: string): Promise<boolean> =>
  unlink(path).then(
    () => true,
    (error: unknown) => {
      if (isFileMissing(error)) return false
      throw error
    }
  )

const sumOfSizes = async (paths: ReadonlyArray<string>): Promise<number> => {
  const left = paths.values()
  let sum = 0
  const lane = async (): Promise<void> => {
    for (const path of left) {
      const size = (await sizeOf(path)) ?? 0
      sum += size
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return sum
}
