import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { Run } from "../runs/Run.ts"
import type { StoreUnavailable } from "../database/StoreUnavailable.ts"

/** A stored archive, open for reading. */
export interface StoredArchive {
  /** In bytes. */
  readonly size: number
  readonly content: Stream.Stream<Uint8Array, StoreUnavailable>
}

/** What an archive is evidence for: the report of a run, or its failure. */
export type Proof = "report" | "failure"

/** An archive's bytes, or the path of its file, which is deleted. */
export type ArchiveContent = Uint8Array | { readonly path: string }

export interface ArchivedAttempt extends Pick<Run, "id" | "site"> {
  /** From its `FencingToken`. */
  readonly attempt: number
}

/** The archives of runs: gzipped WARC files under a retention rule. */
export class ArchiveStore extends Context.Service<
  ArchiveStore,
  {
    /**
     * Stores the archive of a run atomically, and drops archives of its site that exceed the rule. Failures count separately, so
     * that a site that is down for a while does not lose the evidence of its reports. An earlier attempt never replaces the
     * archive of a later one; if interrupted, it stores nothing. If there is no room (free space, maximum size of one archive and
     * of all), it is not stored, which is logged and counted. While the database cannot be used, it is stored and can be read later.
     */
    readonly put: (run: ArchivedAttempt, content: ArchiveContent, proof: Proof) => Effect.Effect<void, StoreUnavailable>
    /** Readable until the scope ends, even if it is deleted meanwhile; `null` if there is none. */
    readonly read: (id: string) => Effect.Effect<StoredArchive | null, StoreUnavailable, Scope.Scope>
    /** Whether there is one to read. */
    readonly has: (id: string) => Effect.Effect<boolean, StoreUnavailable>
    /** Deletes the archives of a run. Those of a deleted run need no call: they are dropped with it, and of none that is deleted is one stored. */
    readonly remove: (id: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("docgauge/store/ArchiveStore") {
  /** Stores nothing. */
  static readonly layerOff: Layer.Layer<ArchiveStore> = Layer.succeed(ArchiveStore, {
    put: () => Effect.void,
    read: () => Effect.succeed(null),
    has: () => Effect.succeed(false),
    remove: () => Effect.void
  })
}
