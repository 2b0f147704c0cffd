import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { DatabaseHealth } from "../database/SqlDatabase.ts"
import { blobsToDelete, forgetBlob, postponeDeletion, type StoreName } from "./BlobRows.ts"
import type { BlobStore } from "./BlobStore.ts"

/** Blobs deleted between two reads of the list. */
const BATCH = 100

/** Deletes what was dropped in these stores. A blob may be in both, if a process died while it was sent. */
export const makeBlobDeletion = Effect.fnUntraced(function* (stores: Readonly<Partial<Record<StoreName, BlobStore>>>) {
  const sql = yield* SqlClient
  const { watch } = yield* DatabaseHealth
  const names = (["folder", "objects"] as const).filter((name) => stores[name] !== undefined)
  const remove = (key: string) =>
    Effect.forEach(names, (name) => stores[name]?.remove(key) ?? Effect.void, { discard: true }).pipe(
      Effect.tapError(() => Effect.ignore(watch(postponeDeletion(sql, key)))),
      Effect.andThen(watch(forgetBlob(sql, key)))
    )
  const log = makeFailureLog(
    "Archives of deleted runs are still stored, because they could not be deleted. They are not served, and are deleted later.",
    "Archives are deleted again."
  )
  return log(
    Effect.gen(function* () {
      for (let count = BATCH; count === BATCH;) {
        const keys = yield* watch(blobsToDelete(sql, names, BATCH))
        // One that cannot be deleted does not keep the others.
        yield* Effect.validate(keys, remove, { discard: true }).pipe(Effect.mapError(([first]) => first))
        count = keys.length
      }
    })
  )
})

/** Deletes in the object store what is dropped while the service keeps no archives. */
export const layerBlobDeletion = (objects: BlobStore): Layer.Layer<never, never, SqlClient | DatabaseHealth> =>
  Layer.effectDiscard(
    Effect.flatMap(makeBlobDeletion({ objects }), (deletion) =>
      Effect.forkScoped(Effect.forever(Effect.andThen(deletion, Effect.sleep("15 seconds"))))
    )
  )

/** For an effect that is repeated: logs its first failure with the cause, and the first success after it. */
export const makeFailureLog = (failed: string, recovered: string) => {
  let isFailing = false
  const change = (to: boolean, log: Effect.Effect<void>): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (isFailing === to) return Effect.void
      isFailing = to
      return log
    })
  return <A, E extends { readonly message: string }, R>(
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<void, never, R> =>
    Effect.matchEffect(effect, {
      onFailure: ({ message }) => change(true, Effect.logWarning(`${failed} ${message}`)),
      onSuccess: () => change(false, Effect.logInfo(recovered))
    })
}
