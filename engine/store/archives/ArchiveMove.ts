import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { DatabaseHealth } from "../database/DatabaseHealth.ts"
import { StoreUnavailable } from "../database/StoreUnavailable.ts"
import { missingObject, objectDigest } from "../objects/ObjectChecks.ts"
import { makeObjectDeletion } from "../objects/ObjectDeletion.ts"
import { dropObjects, keptObjects, oldestArchives } from "../objects/ObjectRows.ts"
import { ObjectStore } from "../objects/ObjectStore.ts"
import { findRun } from "../runs/RunReads.ts"
import type { ArchiveRule } from "./ArchiveRule.ts"
import { wholeArchive } from "./ArchiveStore.ts"
import { makeArchiveUpload } from "./ArchiveUpload.ts"
import { makeFolderArchives } from "./FolderArchiveStore.ts"
import { dropOldestBeyondRule } from "./ObjectArchiveRetention.ts"

/** Called after each archive with how many were moved so far. */
type MoveObserver = (moved: number) => Effect.Effect<void>

/** Moves every archive of the folder to the object store; returns their number. Repeated after a failure, it goes on where it stopped. */
export const moveToObjects = Effect.fnUntraced(function*(rule: ArchiveRule, observe: MoveObserver) {
  const local = yield* makeFolderArchives(rule)
  const upload = yield* makeArchiveUpload(local, rule, true)
  const deleteDropped = yield* makeObjectDeletion
  let moved = 0
  // Oldest first, as the service wrote them.
  for (const id of (yield* local.ids).toSorted()) {
    yield* upload(id)
    yield* observe(++moved)
  }
  yield* deleteDropped
  return moved
}, Effect.scoped)

/** Archives read from the database together. */
const BATCH = 500

/** Moves every archive of the object store to the folder, in the same way. */
export const moveToFolder = Effect.fnUntraced(function*(rule: ArchiveRule, observe: MoveObserver) {
  const sql = yield* SqlClient
  const { watch } = yield* DatabaseHealth
  const objects = yield* ObjectStore
  const local = yield* makeFolderArchives(rule)
  const deleteDropped = yield* makeObjectDeletion

  const moveOne = Effect.fnUntraced(function*(key: string, id: string) {
    const run = yield* watch(findRun(sql, id))
    const object = (yield* watch(keptObjects(sql, id))).find((each) => each.key === key)
    if (run !== null && object !== undefined && object.kind !== "document") {
      const content = yield* objects.read(key, object)
      if (content === null) return yield* missingObject(key, id)
      yield* local.put({ id, site: run.site, attempt: object.attempt }, content, object.kind)
      const written = yield* local.read(id)
      if (written === null || (yield* objectDigest(yield* wholeArchive(written))).sha256 !== object.sha256) {
        return yield* failure(`the archive of run ${id} was not kept in ${rule.folder}. Check its free space, and whether DOCGAUGE_ARCHIVES allows as many archives and bytes as are in the object store`)
      }
    }
    yield* watch(dropObjects(sql, [key]))
  }, Effect.scoped)

  // The folder would not keep what has become too old since the service stopped.
  yield* watch(dropOldestBeyondRule(sql, { ...rule, totalBytes: Number.POSITIVE_INFINITY }))
  let moved = 0
  for (let count = BATCH; count === BATCH;) {
    const archives = yield* watch(oldestArchives(sql, BATCH))
    for (const { id, key } of archives) {
      yield* moveOne(key, id)
      yield* observe(++moved)
    }
    count = archives.length
  }
  yield* deleteDropped
  return moved
}, Effect.scoped)

const failure = (message: string) => Effect.fail(new StoreUnavailable({ cause: new Error(message) }))
