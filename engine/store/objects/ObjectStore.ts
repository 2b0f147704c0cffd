import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../database/StoreUnavailable.ts"

/** What an object must be: it is checked whenever the object is written or read. */
export interface ObjectDigest {
  readonly bytes: number
  /** SHA-256, hexadecimal. */
  readonly sha256: string
}

/** Objects in an S3-compatible store, outside of the database. */
export class ObjectStore extends Context.Service<
  ObjectStore,
  {
    /** Writes or replaces an object; succeeds only if the store has stored exactly these bytes. `digest` is that of the content. */
    readonly put: (key: string, content: Uint8Array, digest: ObjectDigest) => Effect.Effect<void, StoreUnavailable>
    /** Reads a whole object; fails if its bytes are not those of the digest; `null` if there is none. */
    readonly read: (key: string, digest: ObjectDigest) => Effect.Effect<Uint8Array | null, StoreUnavailable>
    /** Deletes an object, if it exists. */
    readonly remove: (key: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("docgauge/store/ObjectStore") {}
