import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { inTransaction } from "../database/Availability.ts"
import { DatabaseHealth } from "../database/DatabaseHealth.ts"
import type { StoreUnavailable } from "../database/StoreUnavailable.ts"
import { newSuffix, objectDigest, readBack } from "../objects/ObjectChecks.ts"
import { keptObjects, noteKept, noteSent } from "../objects/ObjectRows.ts"
import { type ObjectDigest, ObjectStore } from "../objects/ObjectStore.ts"
import { findRun } from "../runs/RunReads.ts"
import { timeOf } from "./ArchiveRetention.ts"
import type { ArchiveRule } from "./ArchiveRule.ts"
import { wholeArchive } from "./ArchiveStore.ts"
import type { FolderArchives } from "./FolderArchiveStore.ts"
import { databaseName, ownedSince } from "./FolderOwner.ts"
import { dropBeyondRule } from "./ObjectArchiveRetention.ts"

const newKey = (id: string, attempt: number): string =>
  `archives/${id.slice(-2)}/${id}-${attempt}-${newSuffix()}.warc.gz`

/** Whether an archive is no longer in the folder, or was left there because its run may be in another database. */
export type Upload = "moved" | "left"

/**
 * Moves an archive from the local folder to the object store, and applies the retention rule there. It may be repeated at any point.
 * With `readsBack`, the archive is also read from the object store before it is deleted in the folder.
 */
export const makeArchiveUpload = Effect.fnUntraced(function* (
  local: FolderArchives,
  rule: ArchiveRule,
  readsBack: boolean
) {
  const sql = yield* SqlClient
  const { watch } = yield* DatabaseHealth
  const objects = yield* ObjectStore

  const compare = (key: string, digest: ObjectDigest) => (readsBack ? readBack(objects, key, digest) : Effect.void)

  let known: number | null = null
  const since = Effect.gen(function* () {
    return (known ??= yield* ownedSince(yield* watch(databaseName(sql)), rule.folder))
  })
  // At once, because it counts from the first time.
  yield* Effect.ignore(since)

  return Effect.fn("ArchiveUpload")(function* (id: string): Effect.fn.Return<Upload, StoreUnavailable> {
    const run = yield* watch(findRun(sql, id))
    if (run === null) {
      if (timeOf(id) < (yield* since)) return "left"
      // Its site is unknown, so its markers are left to the daily sweep.
      yield* local.remove({ id, site: "" })
      return "moved"
    }
    const latest = yield* Effect.scoped(
      Effect.flatMap(local.read(id), (archive) =>
        archive === null
          ? Effect.succeed(null)
          : Effect.map(wholeArchive(archive), (content) => ({ attempt: archive.attempt, content }))
      )
    )
    if (latest === null) return "moved"
    const { attempt, content } = latest
    const proof = yield* local.proof({ id, site: run.site, attempt })
    const kept = yield* watch(keptObjects(sql, id))
    const digest = yield* objectDigest(content)
    const stored = kept.find(
      (object) => object.kind !== "document" && (object.attempt > attempt || object.sha256 === digest.sha256)
    )
    if (stored !== undefined) {
      yield* compare(stored.key, stored)
    } else {
      const key = yield* watch(noteSent(sql, id, { attempt, kind: proof, ...digest }, newKey(id, attempt)))
      if (key === null) {
        yield* local.remove(run)
        return "moved"
      }
      yield* objects.put(key, content, digest)
      yield* compare(key, digest)
      const isKept = yield* watch(
        inTransaction(
          sql,
          Effect.gen(function* () {
            if (!(yield* noteKept(sql, id, key))) return false
            yield* dropBeyondRule(sql, rule, id)
            return true
          })
        )
      )
      // Another process may have deleted it before it was written.
      if (!isKept) yield* objects.remove(key)
    }
    yield* local.removeAttempt({ id, site: run.site, attempt })
    return "moved"
  })
})
