import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { SqlClient } from "effect/sql/SqlClient"
import { isDue } from "../database/BackgroundWork.ts"
import { DatabaseHealth } from "../database/DatabaseHealth.ts"
import { ReadClient } from "../database/ReadClient.ts"
import type { StoreUnavailable } from "../database/StoreUnavailable.ts"
import { makeFailureLog } from "../objects/FailureLog.ts"
import { makeLoggedDeletion } from "../objects/ObjectDeletion.ts"
import { announceObjectMetrics, noteBacklog } from "../objects/ObjectMetrics.ts"
import { dropObjectsOf, keptObjects, type StoredObject } from "../objects/ObjectRows.ts"
import { ObjectStore } from "../objects/ObjectStore.ts"
import { storedId } from "../runs/RunId.ts"
import { onDisk } from "./ArchiveFile.ts"
import { ArchiveSpace } from "./ArchiveSpace.ts"
import { ArchiveStore, type StoredArchive } from "./ArchiveStore.ts"
import type { ArchiveRule } from "./ArchiveRule.ts"
import { makeArchiveUpload } from "./ArchiveUpload.ts"
import { makeFolderArchives } from "./FolderArchiveStore.ts"
import { leftText } from "./FolderOwner.ts"
import { dropOldestBeyondRule } from "./ObjectArchiveRetention.ts"

/** How often the rule is applied to sites without new runs, in milliseconds. It reads the size of all archives, so one process does. */
const RULE_INTERVAL = 5 * 60_000

/**
 * How often what failed is tried again, and how often the folder is searched for archives that this process did not write: left by an
 * earlier one, by one that it replaces and that ends after its start, or from before there was an object store.
 */
export const ObjectRetryInterval = Context.Reference<`${number} ${"millis" | "seconds"}`>(
  "docgauge/store/ObjectRetryInterval",
  { defaultValue: () => "15 seconds" }
)

/** Archives that are in memory at the same time, each of up to `MOST_ARCHIVE_BYTES`, until their digest has been compared. */
const READS_AT_ONCE = 4

/** How long a process that stops may take to send what is left: it is ended 3.5 seconds after the grace period of its audits. */
export const LastUpload = Context.Reference<Duration.Input>("docgauge/store/LastUpload", {
  defaultValue: () => "2 seconds"
})

/**
 * Archives in an object store. Each is written to the local folder first, and deleted there once the object store has it: so audits
 * do not depend on the object store, and what it cannot take waits in the folder.
 */
export const layerObjectArchives = (
  rule: ArchiveRule
): Layer.Layer<ArchiveStore | ArchiveSpace, never, ObjectStore | SqlClient | ReadClient | DatabaseHealth> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const read = yield* ReadClient
      const { watch } = yield* DatabaseHealth
      const objects = yield* ObjectStore
      const retryInterval = yield* ObjectRetryInterval
      const lastUpload = yield* LastUpload
      const local = yield* makeFolderArchives(rule)
      const upload = yield* makeArchiveUpload(local, rule, false)
      const deleteDropped = yield* makeLoggedDeletion
      const reads = Semaphore.makeUnsafe(READS_AT_ONCE)
      const waiting = new Set<string>()
      const left = new Set<string>()
      const work = yield* Queue.sliding<void>(1)
      const wake = Queue.offer(work, undefined)

      const search = Effect.map(local.ids, (ids) => {
        for (const id of ids) if (!left.has(id)) waiting.add(id)
      })

      const sendAll = Effect.gen(function* () {
        for (const id of [...waiting]) {
          // What fails goes to the end, so that it does not hold up the others. So does what is interrupted: the last upload sends it.
          waiting.delete(id)
          const outcome = yield* Effect.onExit(upload(id), (exit) =>
            Effect.sync(() => {
              if (Exit.isFailure(exit)) waiting.add(id)
            })
          )
          if (outcome === "left") left.add(id)
          yield* noteBacklog(waiting.size)
        }
      })

      let told = 0
      const tellLeft = Effect.suspend(() => {
        if (left.size === told) return Effect.void
        told = left.size
        return Effect.logWarning(leftText(rule.folder, told))
      })

      const sent = makeFailureLog(
        `The object store cannot be used, so archives stay in ${rule.folder}. Audits continue.`,
        "The object store can be used again."
      )

      // What cannot be sent must not keep deleted runs' archives in the store.
      const pass = Effect.andThen(
        Effect.andThen(sent(sendAll), tellLeft),
        Effect.andThen(
          deleteDropped,
          Effect.suspend(() => noteBacklog(waiting.size))
        )
      )

      yield* announceObjectMetrics
      // Before the work below, so that it is interrupted before this runs.
      yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeoutOption(sendAll, lastUpload)))
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.andThen(
            Effect.timeoutOption(Queue.take(work), retryInterval),
            Effect.ignoreCause(pass, { log: "Warn", message: "could not send archives" })
          )
        )
      )
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.andThen(
            Effect.ignoreCause(search, { log: "Debug" }),
            Effect.andThen(wake, Effect.sleep(retryInterval))
          )
        )
      )
      const applyRule = Effect.flatMap(isDue(sql, "archive rule", RULE_INTERVAL / 2), (due) =>
        due ? dropOldestBeyondRule(sql, rule) : Effect.void
      )
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.delay(
            Effect.ignoreCause(watch(applyRule), { log: "Warn", message: "could not delete old archives" }),
            RULE_INTERVAL
          )
        )
      )

      const latest = (id: string) =>
        Effect.map(watch(keptObjects(read, id)), (kept) => kept.find(({ kind }) => kind !== "document") ?? null)

      const fromObjects = (object: StoredObject): Effect.Effect<StoredArchive | null, StoreUnavailable, Scope.Scope> =>
        reads.withPermit(
          Effect.flatMap(objects.read(object.key, object), (content) =>
            content === null
              ? Effect.succeed(null)
              : Effect.map(onDisk(rule.folder, content), (streamed) => ({ size: object.bytes, content: streamed }))
          )
        )

      const store: ArchiveStore["Service"] = {
        put: Effect.fnUntraced(function* (run, content, proof) {
          yield* local.put(run, content, proof)
          waiting.add(run.id)
          yield* wake
        }),
        read: Effect.fnUntraced(function* (given) {
          const id = storedId(given)
          if (id === null) return null
          const [own, object] = [yield* local.read(id), yield* latest(id)]
          // That of a later attempt, which is still to be sent.
          if (own !== null && own.attempt >= (object?.attempt ?? 0)) return own
          return object === null ? null : yield* fromObjects(object)
        }),
        has: Effect.fnUntraced(function* (given) {
          const id = storedId(given)
          return id !== null && ((yield* local.has(id)) || (yield* latest(id)) !== null)
        }),
        remove: Effect.fnUntraced(function* (run) {
          const id = storedId(run.id)
          if (id === null) return
          yield* watch(dropObjectsOf(sql, id))
          yield* local.remove(run)
        })
      }
      return Context.make(ArchiveSpace, { isLow: local.isLow }).pipe(Context.add(ArchiveStore, store))
    })
  )
