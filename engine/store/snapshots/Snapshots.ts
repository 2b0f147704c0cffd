import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { DAY_MICROS } from "../database/ColumnValues.ts"
import type { Stored, StoreUnavailable } from "../database/StoreUnavailable.ts"
import type { AdoptionFilter, AdoptionSeries } from "./AdoptionWeeks.ts"
import type { RubricVersions } from "./ExportedSite.ts"
import type { GzipTotals } from "./GzipParts.ts"

export const SNAPSHOT_FORMATS = ["ndjson", "csv"] as const
export type SnapshotFormat = (typeof SNAPSHOT_FORMATS)[number]

/** All sites as they were at one moment, as a file. */
export interface Snapshot extends GzipTotals {
  readonly id: string
  /** ISO 8601, such as `2026-W48`. */
  readonly week: string
  readonly format: SnapshotFormat
  /** Milliseconds since the epoch. */
  readonly madeAt: number
  readonly sites: number
}

/** How the bytes of a snapshot are read. */
export type SnapshotCoding = "gzip" | "identity"

/** What a look for work came to: the snapshot that was made, or why none was. */
export type SnapshotPass =
  | { readonly _tag: "Made"; readonly week: string; readonly sites: number }
  /** There is one of this week, or there are no sites, or another process makes it. */
  | { readonly _tag: "NothingToDo" }
  /** The corpus changed meanwhile in a way that it would not show. */
  | { readonly _tag: "Abandoned" }

/**
 * What anyone can download of the corpus: all its sites, once a week, and how many of them meet each criterion, week by week. Sites that are
 * blocked are left out, as are those without a run that counts.
 */
export class Snapshots extends Context.Service<
  Snapshots,
  {
    /** False of a service without a database, which never has any. */
    readonly areKept: boolean
    /** `null` until the first one has been made, and after `withdraw`. */
    readonly newest: (format: SnapshotFormat) => Stored<Snapshot | null>
    /** Its bytes in pieces of some 10 KB with `gzip`, 200 KB without; fails in the middle if it is withdrawn. */
    readonly content: (snapshot: Snapshot, coding: SnapshotCoding) => Stream.Stream<Uint8Array, StoreUnavailable>
    /** Makes the snapshots of this week, unless there are any. One process at a time does so. `rubrics`: by digest, read only then. */
    readonly make: (rubrics: Effect.Effect<RubricVersions>) => Stored<SnapshotPass>
    /** From now on none that was begun before is served. Call it in the transaction that takes something out of the corpus. */
    readonly withdraw: Stored<void>
    readonly adoption: (filter: AdoptionFilter) => Stored<AdoptionSeries>
  }
>()("docgauge/store/Snapshots") {
  /** For `memory:`, which by the contract has nothing to browse. */
  static readonly layerNone: Layer.Layer<Snapshots> = Layer.succeed(Snapshots, {
    areKept: false,
    newest: () => Effect.succeed(null),
    content: () => Stream.empty,
    make: () => Effect.succeed({ _tag: "NothingToDo" }),
    withdraw: Effect.void,
    adoption: () => Effect.succeed({ weeks: [], generators: [] })
  })
}

const DAY_MS = DAY_MICROS / 1_000

/** The ISO 8601 week of a time in UTC, in milliseconds: weeks begin on Monday, and belong to the year of their Thursday. They sort as text. */
export const isoWeekOf = (millis: number): string => {
  const day = Math.floor(millis / DAY_MS)
  // 1 January 1970 was a Thursday.
  const thursday = day - ((day + 3) % 7) + 3
  const year = new Date(thursday * DAY_MS).getUTCFullYear()
  const week = Math.floor((thursday - Date.UTC(year, 0, 1) / DAY_MS) / 7) + 1
  return `${year}-W${String(week).padStart(2, "0")}`
}
