import * as Effect from "effect/Effect"
import { sha256 } from "../../evidence/LargeBytes.ts"
import type { StoreUnavailable } from "../database/StoreUnavailable.ts"

/** What the bytes of a blob must be. */
export interface BlobDigest {
  readonly bytes: number
  /** SHA-256, hexadecimal. */
  readonly sha256: string
}

/** Bytes by key, outside of the database: a folder or an S3-compatible store. The table `objects` says which there are. */
export interface BlobStore {
  /** Writes or replaces a blob; succeeds only if the store has exactly these bytes. `digest` is theirs. */
  readonly put: (key: string, content: Uint8Array, digest: BlobDigest) => Effect.Effect<void, StoreUnavailable>
  /** Reads a whole blob; fails if its bytes are not those of the digest; `null` if there is none. */
  readonly read: (key: string, digest: BlobDigest) => Effect.Effect<Uint8Array | null, StoreUnavailable>
  /** Deletes a blob, if it exists. */
  readonly remove: (key: string) => Effect.Effect<void, StoreUnavailable>
}

export const blobDigest = (content: Uint8Array): Effect.Effect<BlobDigest> =>
  Effect.map(
    Effect.promise(() => sha256(content)),
    (digest) => ({ bytes: content.length, sha256: digest })
  )
