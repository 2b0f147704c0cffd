import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { statfs } from "node:fs/promises"
import * as Metric from "effect/Metric"

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

/** Why an archive is not to be kept. */
export type NotKept = "low_space" | "too_large" | "too_old"

const notKept = Metric.counter("docgauge_archives_not_kept_total", {
  description: "Archives that were not kept, by reason.",
  incremental: true
})

const REASONS = {
  low_space: Metric.withAttributes(notKept, { reason: "low_space" }),
  too_large: Metric.withAttributes(notKept, { reason: "too_large" }),
  too_old: Metric.withAttributes(notKept, { reason: "too_old" }),
  write_failed: Metric.withAttributes(notKept, { reason: "write_failed" })
}

const bytes = Metric.gauge("docgauge_archives_bytes", {
  attributes: { unit: "bytes" },
  description: "Size of all archives at the last count."
})

const freeBytes = Metric.gauge("docgauge_archives_free_bytes", {
  attributes: { unit: "bytes" },
  description: "Free space of the archive folder's file system."
})

const lowSpace = Metric.gauge("docgauge_archives_low_space", {
  description: "1 while free space is below 500 MB and no archives are kept, else 0."
})

/** Registers all series at zero, before anything has been counted. */
export const announceArchiveMetrics: Effect.Effect<void> = Effect.all(
  Object.values(REASONS).map((reason) => Metric.update(reason, 0)),
  { discard: true }
)

/** `write_failed`: the file system failed. */
export const countNotKept = (reason: NotKept | "write_failed"): Effect.Effect<void> => Metric.update(REASONS[reason], 1)

export const noteArchiveBytes = (count: number): Effect.Effect<void> => Metric.update(bytes, count)

const noteFreeSpace = (free: number, isLow: boolean): Effect.Effect<void> =>
  Effect.andThen(Metric.update(freeBytes, free), Metric.update(lowSpace, isLow ? 1 : 0))
