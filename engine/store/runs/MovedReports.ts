import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { findDocument } from "../blobs/BlobRows.ts"
import type { BlobStore } from "../blobs/BlobStore.ts"
import { DatabaseHealth, ReadClient } from "../database/SqlDatabase.ts"
import { type Stored, StoreUnavailable } from "../database/StoreUnavailable.ts"

/** Reads reports that an earlier version moved to the object store, whose rows of `reports` are empty. */
export const MovedReports = Context.Reference<{
  /** As it was in the row; `null` if the run was deleted meanwhile. */
  readonly read: (id: string) => Stored<Uint8Array | null>
}>("docgauge/store/MovedReports", {
  defaultValue: () => ({
    read: (id) => unavailable(`the report of run ${id} is in an object store, and DOCGAUGE_OBJECT_STORE is not set`)
  })
})

const unavailable = (message: string) => Effect.fail(new StoreUnavailable({ cause: new Error(message) }))

export const layerMovedReports = (objects: BlobStore): Layer.Layer<never, never, ReadClient | DatabaseHealth> =>
  Layer.effect(
    MovedReports,
    Effect.gen(function* () {
      const read = yield* ReadClient
      const { watch } = yield* DatabaseHealth
      return {
        read: Effect.fnUntraced(function* (id: string) {
          const document = yield* watch(findDocument(read, id))
          if (document === null) return null
          const content = yield* objects.read(document.key, document)
          return (
            content ??
            (yield* unavailable(
              `the object store has no ${document.key}, which docgauge did not delete. Restore it from a backup of the bucket, or delete run ${id}`
            ))
          )
        })
      }
    })
  )
