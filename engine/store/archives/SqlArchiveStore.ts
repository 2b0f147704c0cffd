import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { SqlClient } from "effect/sql/SqlClient"
import { readFile, rm, stat } from "node:fs/promises"
import { basename } from "node:path"
import { MOST_ARCHIVE_BYTES } from "../../evidence/archive/ArchiveCuts.ts"
import {
  dropBlobsOf,
  findArchive,
  findBlob,
  keysKnownBelow,
  type KnownBlob,
  makeBlobDeletion,
  makeFailureLog,
  noteArchive,
  noteSent,
  oldestStore
} from "../blobs/BlobRows.ts"
import {
  attempt,
  blobDigest,
  type BlobStore,
  dropOldParts,
  folderBlobs,
  makeFolder,
  namesIn,
  onDisk
} from "../blobs/BlobStore.ts"
import { announceObjectMetrics, noteBacklog } from "../blobs/S3Blobs.ts"
import { DatabaseHealth, inTransaction, ReadClient } from "../database/SqlDatabase.ts"
import { StoreUnavailable } from "../database/StoreUnavailable.ts"
import { storedId } from "../runs/Run.ts"
import {
  archiveKey,
  archivePart,
  ARCHIVES,
  databaseFolder,
  isDatabaseFolder,
  parseArchiveKey,
  partsOf,
  takeInOldFolder
} from "./ArchiveFolder.ts"
import {
  announceArchiveMetrics,
  ArchiveSpace,
  countNotKept,
  makeArchiveSpace,
  noteArchiveBytes,
  type NotKept
} from "./ArchiveSpace.ts"
import { type ArchiveRule, dropBeyondRule, dropOldest } from "./ArchiveRetention.ts"
import {
  type ArchiveContent,
  type ArchivedAttempt,
  ArchiveStore,
  type Proof,
  type StoredArchive
} from "./ArchiveStore.ts"

/** How often a process does what no new archive makes it do. */
export const ArchivePace = Context.Reference<{
  /** Tries again what failed, deletes what was dropped, and sends what others left in the folder. */
  readonly retry: Duration.Input
  /** Applies the rule to sites without new runs; without an object store, looks for archives that are not in the index. */
  readonly rule: Duration.Input
  /** How long a process that stops may take to send what is left: it is ended 3.5 seconds after the grace period of its audits. */
  readonly last: Duration.Input
}>("docgauge/store/ArchivePace", {
  defaultValue: () => ({ retry: "15 seconds", rule: "5 minutes", last: "2 seconds" })
})

/** Archives of an object store that are in memory at the same time, each of up to `MOST_ARCHIVE_BYTES`, until their digest has been compared. */
const READS_AT_ONCE = 4

/** Archives that are brought into the index at the same time: each takes several round trips to the database. */
const INDEXED_AT_ONCE = 4

/** Archives that were found and are not yet in the index or the object store; the search goes on when there are fewer. */
const MOST_FOUND = 1_000

/**
 * The archives of a database, in a folder, with their index in the database. With an object store, each is written to the folder first, and
 * deleted there once the object store has it: so audits do not depend on it, and what it cannot take waits. Several processes may share a folder.
 */
export const layerArchives = (
  rule: ArchiveRule,
  objects: BlobStore | null
): Layer.Layer<ArchiveStore | ArchiveSpace, StoreUnavailable, SqlClient | ReadClient | DatabaseHealth> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const read = yield* ReadClient
      const health = yield* DatabaseHealth
      const { watch } = health
      const pace = yield* ArchivePace
      const { folder } = rule
      const parts = partsOf(folder)
      const own = yield* watch(databaseFolder(sql, folder))
      const files = folderBlobs(own, parts)
      const deleteDropped = yield* makeBlobDeletion({ folder: files, ...(objects === null ? {} : { objects }) })
      const reads = Semaphore.makeUnsafe(READS_AT_ONCE)
      const [writing, settling] = [Semaphore.makeUnsafe(1), Semaphore.makeUnsafe(1)]
      const waiting = new Set<string>()
      const work = yield* Queue.sliding<void>(1)
      const wake = Queue.offer(work, undefined)

      /** The size of all archives when they were last counted, and of those that this process wrote since. */
      let bytes = Number.POSITIVE_INFINITY
      const dropOld = Effect.gen(function* () {
        const result = yield* watch(dropOldest(sql, rule))
        bytes = result.bytes
        yield* noteArchiveBytes(bytes)
        return result.dropped
      })

      /** False if its run was deleted. */
      const index = Effect.fnUntraced(function* (key: string, content: Uint8Array) {
        const archive = parseArchiveKey(key)
        if (archive === null) return true
        const noted = noteArchive(sql, { ...archive, ...(yield* blobDigest(content)) }).pipe(
          Effect.tap((site) => (site === null ? Effect.void : dropBeyondRule(sql, rule, site)))
        )
        return (yield* watch(inTransaction(sql, noted))) !== null
      })

      /** Brings an archive of the folder into the index, and from there to the object store. It may be repeated at any point. */
      const settle = Effect.fnUntraced(function* (key: string) {
        if ((yield* watch(findBlob(sql, key))) === null) {
          const content = yield* files.whole(key)
          if (content === null) return
          if (!(yield* index(key, content))) return yield* files.remove(key)
        }
        const blob = objects === null ? null : yield* watch(findBlob(sql, key))
        if (objects === null || blob === null || !blob.isKept) return
        if (blob.store === "folder") {
          const content = yield* files.read(key, blob)
          if (content === null) return
          yield* objects.put(key, content, blob)
          // It was dropped, perhaps with the object before that was written.
          if (!(yield* watch(noteSent(sql, key)))) return yield* objects.remove(key)
        }
        yield* files.remove(key)
      })

      const settleNext = (key: string) => {
        // What fails goes to the end, so that it does not hold up the others. So does what is interrupted: the last pass settles it.
        waiting.delete(key)
        return Effect.onExit(settle(key), (exit) => {
          if (Exit.isFailure(exit)) waiting.add(key)
          return objects === null ? Effect.void : noteBacklog(waiting.size)
        })
      }

      const settleAll = settling.withPermit(
        Effect.suspend(() =>
          Effect.forEach([...waiting], settleNext, {
            concurrency: objects === null ? INDEXED_AT_ONCE : 1,
            discard: true
          })
        )
      )

      let [left, nextTakeIn] = [0, 0]
      /** Archives with the layout of earlier versions, also those that a process of one still writes beside this one. */
      const takeIn = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (now < nextTakeIn) return
        const before = left
        left = yield* takeInOldFolder(read, health, folder, own)
        if (left > 0) nextTakeIn = now + Duration.toMillis(pace.rule)
        if (left > 0 && left !== before) yield* Effect.logWarning(leftText(folder, left))
      })

      /**
       * Looks in the folder for archives that are not in the index, or not in the object store: left by a process that died or is being
       * replaced, or from before there was an object store.
       */
      const search = Effect.gen(function* () {
        yield* takeIn
        for (const part of yield* files.keysBelow(ARCHIVES)) {
          const known = objects === null ? yield* watch(keysKnownBelow(read, part)) : new Set<string>()
          for (const key of yield* files.keysBelow(part))
            if (parseArchiveKey(key) !== null && !known.has(key)) waiting.add(key)
          if (waiting.size > 0) yield* wake
          while (waiting.size > MOST_FOUND) yield* Effect.sleep("1 second")
        }
      })

      const sent = makeFailureLog(
        objects === null
          ? `Archives in ${folder} are not in the index yet, and are not served until they are.`
          : `The object store cannot be used, so archives stay in ${folder}. Audits continue.`,
        objects === null ? "All archives are in the index again." : "The object store can be used again."
      )

      const searched = makeFailureLog(
        `${folder} cannot be searched for archives that are not in the index.`,
        `${folder} can be searched for archives again.`
      )

      /** Repeats background work until the scope ends. */
      const repeat = <E, R>(effect: Effect.Effect<unknown, E, R>, pause: Effect.Effect<unknown>) =>
        Effect.forkScoped(
          Effect.forever(
            Effect.andThen(Effect.ignoreCause(effect, { log: "Warn", message: "archives were not tidied" }), pause)
          )
        )

      yield* announceArchiveMetrics
      if (objects !== null) yield* announceObjectMetrics
      // If the folder cannot be created, writing fails with the reason.
      yield* Effect.ignore(attempt(() => makeFolder(folder)))
      const space = yield* makeArchiveSpace(folder)
      yield* Effect.ignore(
        warnOfOthers(folder, own, objects === null && (yield* watch(oldestStore(read))) === "objects")
      )
      // Before the work below, so that it is interrupted before this runs.
      yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeoutOption(settleAll, pace.last)))
      // What cannot be sent must not keep deleted runs' archives in the store.
      yield* repeat(Effect.andThen(sent(settleAll), deleteDropped), Effect.timeoutOption(Queue.take(work), pace.retry))
      yield* repeat(searched(search), Effect.sleep(objects === null ? pace.rule : pace.retry))
      yield* repeat(
        Effect.andThen(
          dropOld,
          Effect.flatMap(Clock.currentTimeMillis, (now) => dropOldParts(parts, now))
        ),
        Effect.sleep(pace.rule)
      )

      const keep = Effect.fnUntraced(function* (key: string, content: ArchiveContent, size: number) {
        const all = content instanceof Uint8Array ? content : yield* attempt(() => readFile(content.path))
        yield* files.put(key, all, yield* blobDigest(all))
        const indexed = yield* index(key, all).pipe(
          Effect.onInterrupt(() => Effect.ignore(files.remove(key))),
          Effect.tap((isKept) => (isKept ? Effect.void : files.remove(key))),
          // The database cannot be used: the archive is noted later.
          Effect.catch(() => Effect.succeed(false))
        )
        if (objects !== null || !indexed) waiting.add(key)
        yield* wake
        bytes += size
        if (!indexed || bytes <= rule.totalBytes) return null
        const dropped = yield* Effect.orElseSucceed(dropOld, () => new Set())
        return dropped.has(key) ? ("too_old" as const) : null
      })

      const put = Effect.fnUntraced(function* (
        { attempt: number, id }: ArchivedAttempt,
        content: ArchiveContent,
        proof: Proof
      ) {
        const stored = storedId(id)
        if (stored === null) return yield* new StoreUnavailable({ cause: new Error("a run's id is a UUID") })
        const size = content instanceof Uint8Array ? content.length : (yield* attempt(() => stat(content.path))).size
        const wrong: NotKept | null = !(yield* space.hasRoomFor(size))
          ? "low_space"
          : size > Math.min(MOST_ARCHIVE_BYTES, rule.totalBytes)
            ? "too_large"
            : yield* keep(archiveKey({ id: stored, attempt: number }, proof), content, size)
        if (!(content instanceof Uint8Array)) yield* attempt(() => rm(content.path, { force: true }))
        if (wrong === null) return
        yield* countNotKept(wrong)
        yield* Effect.logWarning(`archive of run ${id} not kept: ${NOT_KEPT[wrong]}`)
      })

      const contentOf = (blob: KnownBlob): Effect.Effect<StoredArchive | null, StoreUnavailable, Scope.Scope> => {
        if (blob.store === "folder") return files.open(blob.key)
        if (objects === null) return Effect.succeed(null)
        return reads.withPermit(
          Effect.flatMap(objects.read(blob.key, blob), (content) =>
            content === null ? Effect.succeed(null) : onDisk(parts, content)
          )
        )
      }

      const archiveOf = <A>(
        given: string,
        found: (blob: KnownBlob) => Effect.Effect<A | null, StoreUnavailable, Scope.Scope>
      ) => {
        const id = storedId(given)
        const once = Effect.flatMap(id === null ? Effect.succeed(null) : watch(findArchive(read, id)), (blob) =>
          blob === null ? Effect.succeed(null) : found(blob)
        )
        // It may have been sent to the object store since its row was read.
        return Effect.flatMap(once, (archive) => (archive === null ? once : Effect.succeed(archive)))
      }

      const store: ArchiveStore["Service"] = {
        put: (run, content, proof) =>
          Effect.tapError(writing.withPermit(put(run, content, proof)), () => countNotKept("write_failed")),
        read: (id) => archiveOf(id, contentOf),
        has: (id) =>
          Effect.scoped(
            archiveOf<unknown>(id, ({ key, store }) => (store === "folder" ? files.open(key) : Effect.succeed(objects)))
          ).pipe(Effect.map((found) => found !== null)),
        remove: Effect.fnUntraced(function* (given) {
          const id = storedId(given)
          if (id === null) return
          yield* watch(dropBlobsOf(sql, id))
          // At once: a process without this folder may forget the rows, and what is in no row is taken for new.
          for (const key of yield* files.keysBelow(archivePart(id)))
            if (parseArchiveKey(key)?.id === id) yield* files.remove(key)
          yield* wake
        })
      }
      return Context.make(ArchiveSpace, space).pipe(Context.add(ArchiveStore, store))
    })
  )

const NOT_KEPT: Readonly<Record<NotKept, string>> = {
  low_space: "there is not enough free space",
  too_large: "it exceeds the maximum size of an archive",
  too_old: "all stored archives are newer, and there is no room for more"
}

const leftText = (folder: string, count: number): string =>
  `Archives left in ${folder}/runs: ${count}. This database does not have their runs, but another may. If DOCGAUGE_DATABASE_URL is right, delete them.`

/** Says once at the start which archives this service neither reads nor deletes. */
const warnOfOthers = Effect.fnUntraced(function* (folder: string, own: string, inObjects: boolean) {
  const others = (yield* attempt(() => namesIn(folder))).filter(
    (name) => isDatabaseFolder(name) && name !== basename(own)
  )
  if (others.length > 0)
    yield* Effect.logWarning(
      `${folder} has archives of other databases in ${others.join(", ")}. If DOCGAUGE_DATABASE_URL is right and no other service uses them, delete them.`
    )
  if (inObjects)
    yield* Effect.logWarning(
      "Archives of this database are in an object store, and DOCGAUGE_OBJECT_STORE is not set: they are not served."
    )
})
