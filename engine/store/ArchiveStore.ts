import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { Run } from "./Run.ts"
import type { StoreUnavailable } from "./RunStore.ts"

/** An archive that is kept, opened for reading. */
export interface StoredArchive {
  /** In bytes. */
  readonly size: number
  readonly content: Stream.Stream<Uint8Array, StoreUnavailable>
}

/** What an archive proves: the report of a run, or why there is none. */
export type Proof = "report" | "failure"

/** An archive's bytes, or the path of its file, which is moved: kept or not, it is gone from there unless that fails. */
export type ArchiveContent = Uint8Array | { readonly path: string }

/** The attempt at a run that an archive is of. */
export interface ArchivedAttempt extends Pick<Run, "id" | "site"> {
  /** As its `Hold` has it. */
  readonly attempt: number
}

/** The archives of runs: gzipped WARC files, kept by a retention rule. */
export class ArchiveStore extends Context.Service<ArchiveStore, {
  /**
   * Keeps the archive of a run, whole or not at all, and drops what the rule no longer keeps of its site. Failures are
   * counted apart, so that a site that is down for a while does not lose what its reports stand on. An earlier attempt
   * never replaces the archive of a later one; interrupted, it keeps nothing. Where there is no room for it (free space,
   * the bounds of an archive and of all of them), it is not kept, and log and metrics say so.
   */
  readonly put: (run: ArchivedAttempt, content: ArchiveContent, proof: Proof) => Effect.Effect<void, StoreUnavailable>
  /** Stays readable until the scope ends, even where it is dropped meanwhile; `null` where it is not kept. */
  readonly read: (id: string) => Effect.Effect<StoredArchive | null, StoreUnavailable, Scope.Scope>
  /** Drops the archive of a run, where it is kept. */
  readonly remove: (run: Pick<Run, "id" | "site">) => Effect.Effect<void, StoreUnavailable>
}>()("docgauge/store/ArchiveStore") {
  /** Keeps nothing. */
  static readonly layerOff: Layer.Layer<ArchiveStore> = Layer.succeed(ArchiveStore, {
    put: () => Effect.void,
    read: () => Effect.succeed(null),
    remove: () => Effect.void
  })
}
