import * as Effect from "effect/Effect"
import { randomBytes } from "node:crypto"
import { sha256 } from "../../evidence/Sha256.ts"
import { StoreUnavailable } from "../database/StoreUnavailable.ts"
import type { ObjectDigest, ObjectStore } from "./ObjectStore.ts"

/** A part of a key that makes it new: see `noteSent`. */
export const newSuffix = (): string => randomBytes(8).toString("hex")

export const objectDigest = (content: Uint8Array): Effect.Effect<ObjectDigest> =>
  Effect.map(
    Effect.promise(() => sha256(content)),
    (digest) => ({ bytes: content.length, sha256: digest })
  )

/** Reads an object that was just written; fails unless its bytes are those of the digest. */
export const readBack = Effect.fnUntraced(function* (
  objects: ObjectStore["Service"],
  key: string,
  digest: ObjectDigest
) {
  if ((yield* objects.read(key, digest)) === null)
    return yield* new StoreUnavailable({ cause: new Error(`the object store has not kept ${key}`) })
})

/** An object that the database has, and the object store does not. */
export const missingObject = (key: string, id: string): StoreUnavailable =>
  new StoreUnavailable({
    cause: new Error(
      `the object store has no ${key}, which docgauge did not delete. Restore it from a backup of the bucket, or delete run ${id}`
    )
  })
