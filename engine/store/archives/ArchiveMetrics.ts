import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

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

export const noteFreeSpace = (free: number, isLow: boolean): Effect.Effect<void> =>
  Effect.andThen(Metric.update(freeBytes, free), Metric.update(lowSpace, isLow ? 1 : 0))
