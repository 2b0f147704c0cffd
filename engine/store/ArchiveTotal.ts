import { rm } from "node:fs/promises"
import { archiveIds, archivePath, partPaths, sizeOf } from "./ArchiveFolder.ts"
import { makeSizeLedger } from "./SizeLedger.ts"

/**
 * The size of all archives in a folder, bounded. To count means to look at each file, so that is done now and then only;
 * in between each change is a line of a ledger beside the archives, which all processes that use the folder write and read.
 */
export interface ArchiveTotal {
  /** In bytes, as read last. */
  readonly bytes: () => number
  /**
   * Sets so many bytes aside for an archive, whose part has been written, and drops the oldest until there is room; false,
   * with nothing set aside, where the archive would itself be the oldest. `now` in milliseconds.
   */
  readonly reserve: (id: string, bytes: number, now: number) => Promise<boolean>
  /** Gives back what was set aside and is not needed. */
  readonly release: (bytes: number) => Promise<void>
  /** Drops an archive, where it is kept. */
  readonly drop: (id: string) => Promise<void>
  /** Counts where that is due, and takes in what other processes changed. */
  readonly refresh: (now: number) => Promise<void>
}

/** Counted again after so long: what people do to the folder, and what becomes of a process that is killed while it writes, is not in the ledger. */
const COUNT_INTERVAL_MS = 60 * 60_000

/** Room for so much more is made at once, as a share of the bound, so that a full folder is not searched for each archive. */
const SPARE_SHARE = 0.02

/** Files looked at in parallel: the thread pool has four threads, and others need them. */
const AT_ONCE = 2

export const makeArchiveTotal = (folder: string, mostBytes: number): ArchiveTotal => {
  const ledger = makeSizeLedger(folder)
  let total = 0
  let countedAt = -Infinity

  const count = async (now: number): Promise<void> => {
    await ledger.skip()
    // Parts before archives: what another process moves meanwhile counts twice rather than not at all.
    let sum = await sumOfSizes(await partPaths(folder))
    for await (const ids of archiveIds(folder)) {
      const size = await sumOfSizes(ids.map((id) => archivePath(folder, id)))
      sum += size
    }
    total = sum
    countedAt = now
  }

  /** Reads what is new in the ledger; counts where that is due. */
  const refresh = async (now: number): Promise<void> => {
    const change = now - countedAt >= COUNT_INTERVAL_MS ? null : await ledger.read()
    if (change === null) return count(now)
    total += change
  }

  const drop = async (id: string): Promise<void> => {
    const path = archivePath(folder, id)
    const size = await sizeOf(path)
    if (size === null) return
    await rm(path, { force: true })
    await ledger.note(-size)
  }

  /** Drops archives older than `id`, the oldest first, until `bytes` are gone. */
  const dropOldest = async (id: string, bytes: number): Promise<void> => {
    let left = bytes
    // UUIDv7 sort by time.
    const ids = (await Array.fromAsync(archiveIds(folder))).flat().sort()
    for (const oldest of ids) {
      if (left <= 0 || oldest >= id) return
      left -= await sizeOf(archivePath(folder, oldest)) ?? 0
      await drop(oldest)
    }
  }

  const reserve = async (id: string, bytes: number, now: number): Promise<boolean> => {
    // Noted before the total is read: of two processes at once, each sees the other's.
    await ledger.note(bytes)
    await refresh(now)
    if (total <= mostBytes) return true
    await count(now)
    await dropOldest(id, total - mostBytes * (1 - SPARE_SHARE))
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

const sumOfSizes = async (paths: ReadonlyArray<string>): Promise<number> => {
  const left = paths.values()
  let sum = 0
  const lane = async (): Promise<void> => {
    for (const path of left) {
      const size = await sizeOf(path) ?? 0
      sum += size
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return sum
}

