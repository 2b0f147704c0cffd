import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { DatabaseHealth } from "../database/DatabaseHealth.ts"
import { StoreUnavailable } from "../database/StoreUnavailable.ts"
import { missingObject, objectDigest } from "../objects/ObjectChecks.ts"
import { makeObjectDeletion } from "../objects/ObjectDeletion.ts"
import {
  archiveBytesKept,
  dropObjects,
  keptObjects,
  mostArchivesOfSite,
  oldestArchives
} from "../objects/ObjectRows.ts"
import { ObjectStore } from "../objects/ObjectStore.ts"
import { moveReportsBack } from "../objects/ReportMove.ts"
import type { Run } from "../runs/Run.ts"
import { findRun } from "../runs/RunReads.ts"
import type { ArchiveRule } from "./ArchiveRule.ts"
import { wholeArchive } from "./ArchiveStore.ts"
import { makeArchiveUpload } from "./ArchiveUpload.ts"
import { makeFolderArchives } from "./FolderArchiveStore.ts"
import { dropOldestBeyondRule } from "./ObjectArchiveRetention.ts"

/** Called after each archive with how many were moved so far. */
type MoveObserver = (moved: number) => Effect.Effect<void>

/**
 * Moves every archive of the folder to the object store; returns how many, and how many were left because their runs may be in another
 * database. Repeated after a failure, it goes on where it stopped.
 */
export const moveToObjects = Effect.fnUntraced(function* (rule: ArchiveRule, observe: MoveObserver) {
  const local = yield* makeFolderArchives(rule)
  const upload = yield* makeArchiveUpload(local, rule, true)
  const deleteDropped = yield* makeObjectDeletion
  let [archives, left] = [0, 0]
  // Oldest first, as the service wrote them.
  for (const id of (yield* local.ids).toSorted()) {
    if ((yield* upload(id)) === "left") left++
    else yield* observe(++archives)
  }
  yield* deleteDropped
  return { archives, left }
}, Effect.scoped)

/** Archives read from the database together. */
const BATCH = 500

/** The folder would soon delete what is moved there. `message` says which setting allows it. */
export class FolderTooSmall extends Schema.TaggedError<FolderTooSmall>()("FolderTooSmall", {
  message: Schema.String
}) {}

/**
 * Moves every archive of the object store to the folder, in the same way, and every moved report back to the database. Nothing is moved
 * if the folder's rule does not allow all archives.
 */
export const moveToFolder = Effect.fnUntraced(function* (rule: ArchiveRule, observe: MoveObserver) {
  const sql = yield* SqlClient
  const { watch } = yield* DatabaseHealth
  const objects = yield* ObjectStore
  // Without limits, so that no archive in the folder makes room for another: the service applies the rule when it starts.
  const local = yield* makeFolderArchives(
    { ...rule, keep: null, days: null, totalBytes: Number.POSITIVE_INFINITY },
    Number.POSITIVE_INFINITY
  )
  const deleteDropped = yield* makeObjectDeletion

  /** Whether the archive of a later attempt waits in the folder to be sent: it replaces that in the object store, as it would if it were sent. */
  const isReplaced = Effect.fnUntraced(function* (run: Run, attempt: number) {
    const latest = yield* local.read(run.id)
    return latest !== null && latest.attempt > attempt
  })

  const moveOne = Effect.fnUntraced(function* (key: string, id: string) {
    const run = yield* watch(findRun(sql, id))
    const object = (yield* watch(keptObjects(sql, id))).find((each) => each.key === key)
    if (
      run !== null &&
      object !== undefined &&
      object.kind !== "document" &&
      !(yield* isReplaced(run, object.attempt))
    ) {
      const content = yield* objects.read(key, object)
      if (content === null) return yield* missingObject(key, id)
      yield* local.put({ id, site: run.site, attempt: object.attempt }, content, object.kind)
      const written = yield* local.read(id)
      if (written === null || (yield* objectDigest(yield* wholeArchive(written))).sha256 !== object.sha256) {
        return yield* new StoreUnavailable({
          cause: new Error(`the archive of run ${id} was not kept in ${rule.folder}. Check its free space`)
        })
      }
    }
    yield* watch(dropObjects(sql, [key]))
  }, Effect.scoped)

  // The folder would not keep what has become too old since the service stopped.
  yield* watch(dropOldestBeyondRule(sql, { ...rule, totalBytes: Number.POSITIVE_INFINITY }))
  yield* refuseBeyond(rule, yield* watch(archiveBytesKept(sql)), yield* watch(mostArchivesOfSite(sql)))
  let archives = 0
  for (let count = BATCH; count === BATCH;) {
    const oldest = yield* watch(oldestArchives(sql, BATCH))
    for (const { id, key } of oldest) {
      yield* moveOne(key, id)
      yield* observe(++archives)
    }
    count = oldest.length
  }
  const reports = yield* moveReportsBack
  yield* deleteDropped
  return { archives, reports }
}, Effect.scoped)

const refuseBeyond = (
  { keep, totalBytes }: ArchiveRule,
  bytes: number,
  mostOfSite: number
): Effect.Effect<void, FolderTooSmall> => {
  const refuse = (what: string) => Effect.fail(new FolderTooSmall({ message: `nothing was moved: ${what}` }))
  const kilobytes = Math.ceil(bytes / 1024)
  if (bytes > totalBytes)
    return refuse(
      `the archives in the object store have ${kilobytes.toLocaleString("en-US")} KB, and the folder would delete the oldest of them: DOCGAUGE_ARCHIVES allows ${Math.floor(totalBytes / 1024).toLocaleString("en-US")} KB. Give total=${kilobytes}KB or more`
    )
  if (keep !== null && mostOfSite > keep)
    return refuse(
      `a site has ${mostOfSite} archives in the object store, and the folder would delete the oldest of them: DOCGAUGE_ARCHIVES allows ${keep}. Give keep=${mostOfSite} or more`
    )
  return Effect.void
}
