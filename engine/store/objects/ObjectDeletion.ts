import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { DatabaseHealth } from "../database/DatabaseHealth.ts"
import { makeFailureLog } from "./FailureLog.ts"
import { forgetObject, objectsToDelete, postponeDeletion } from "./ObjectRows.ts"
import { ObjectStore } from "./ObjectStore.ts"

/** Objects deleted between two reads of the list. */
const BATCH = 100

/** Deletes all objects that were dropped, or left behind. */
export const makeObjectDeletion = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { watch } = yield* DatabaseHealth
  const objects = yield* ObjectStore
  const remove = (key: string) =>
    objects.remove(key).pipe(
      Effect.tapError(() => Effect.ignore(watch(postponeDeletion(sql, key)))),
      Effect.andThen(watch(forgetObject(sql, key)))
    )
  return Effect.gen(function* () {
    for (let count = BATCH; count === BATCH;) {
      const keys = yield* watch(objectsToDelete(sql, BATCH))
      // One that cannot be deleted does not keep the others.
      yield* Effect.validate(keys, remove, { discard: true }).pipe(Effect.mapError(([first]) => first))
      count = keys.length
    }
  })
})

/** The same for a service, which repeats it. */
export const makeLoggedDeletion = Effect.map(makeObjectDeletion, (deletion) =>
  makeFailureLog(
    "Objects of deleted runs are still in the object store, which could not delete them. They are not served, and are deleted later.",
    "The object store deletes objects again."
  )(deletion)
)
