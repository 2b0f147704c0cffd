import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { StoreUnavailable } from "../database/StoreUnavailable.ts"

/** Reads reports that are in the object store, whose rows of `reports` are empty. */
export const MovedReports = Context.Reference<{
  /** As it was in the row; `null` if the run was deleted meanwhile. */
  readonly read: (id: string) => Effect.Effect<Uint8Array | null, StoreUnavailable>
}>("docgauge/store/MovedReports", {
  defaultValue: () => ({
    read: (id) =>
      Effect.fail(
        new StoreUnavailable({
          cause: new Error(`the report of run ${id} is in an object store, and DOCGAUGE_OBJECT_STORE is not set`)
        })
      )
  })
})
