import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { statfs } from "node:fs/promises"
import { noteFreeSpace } from "./ArchiveMetrics.ts"

/** Free space on the file system of a folder that this process may use, in bytes. Rejects if it cannot be read. */
export type FreeSpaceReading = (folder: string) => Promise<number>

const fromStatfs: FreeSpaceReading = async (folder) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** How free space is read: by statfs, unless a test provides something else. */
export const FreeSpace = Context.Reference<FreeSpaceReading>("docgauge/store/FreeSpace", {
  defaultValue: () => fromStatfs
})

/** Minimum free space for new archives, in bytes: the rest is reserved for the database. */
export const LEAST_FREE_BYTES = 500 * 1024 * 1024

/** Whether there is disk space for archives, for health checks. */
export class ArchiveSpace extends Context.Service<
  ArchiveSpace,
  {
    /**
     * Whether free space was below `LEAST_FREE_BYTES` at the last check, so that new archives are not kept. False if archives are
     * off.
     */
    readonly isLow: Effect.Effect<boolean>
  }
>()("docgauge/store/ArchiveSpace") {
  /** For a service that keeps no archives. */
  static readonly layerOff: Layer.Layer<ArchiveSpace> = Layer.succeed(ArchiveSpace, { isLow: Effect.succeed(false) })
}

/** Interval between reads of the free space. */
const WATCH_INTERVAL = "10 seconds"

const megabytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024)

/** Watches the free space of a folder. `hasRoomFor`: whether there is enough after that many bytes more; true if it cannot be read: then writing fails if the disk is full. */
export const makeArchiveSpace = Effect.fnUntraced(function* (folder: string) {
  const freeSpace = yield* FreeSpace
  let isLow = false

  const hasRoomFor = Effect.fnUntraced(function* (bytes: number) {
    const free = yield* Effect.orElseSucceed(
      Effect.tryPromise(() => freeSpace(folder)),
      () => null
    )
    if (free === null) return true
    const wasLow = isLow
    isLow = free < LEAST_FREE_BYTES
    yield* noteFreeSpace(free, isLow)
    if (isLow && !wasLow)
      yield* Effect.logWarning(
        `New archives are not stored: ${megabytes(free)} MB are free in ${folder}, and ${megabytes(LEAST_FREE_BYTES)} MB are needed. Audits continue.`
      )
    if (!isLow && wasLow) yield* Effect.logInfo("Archives are stored again: there is enough free space.")
    return free - bytes >= LEAST_FREE_BYTES
  })

  yield* hasRoomFor(0)
  yield* Effect.forkScoped(Effect.forever(Effect.delay(hasRoomFor(0), WATCH_INTERVAL)))
  return { hasRoomFor, isLow: Effect.sync(() => isLow) }
})
