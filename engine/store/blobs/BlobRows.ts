import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import * as Layer from "effect/Layer"
import type { Int } from "../database/ColumnValues.ts"
import { databaseNow } from "../database/SqlDialect.ts"
import type { BlobDigest, BlobStore } from "./BlobStore.ts"
import { DatabaseHealth } from "../database/SqlDatabase.ts"

/*
 * The table `objects`: the index of all archives, in the folder and in the object store, and of reports that an earlier version moved there.
 * A row is `kept`, or `dropped` from when its blob is not to be read any more until it has been deleted: then the row is, too. So a process that
 * dies leaves blobs that a later one finds: by their row, or in the folder, where the name of a file has all that its row needs.
 */

type StoreName = "folder" | "objects"

/** What a blob is: the archive of a report, the archive of a failure, or the report itself. */
type BlobKind = "report" | "failure" | "document"

/** A blob that the database knows. */
export interface KnownBlob extends BlobDigest {
  readonly key: string
  readonly store: StoreName
  readonly isKept: boolean
}

interface BlobRow {
  readonly key: string
  readonly bytes: Int
  readonly sha256: string
  readonly state: string
  readonly store: StoreName
}

const firstBlob = ([row]: ReadonlyArray<BlobRow>): KnownBlob | null => {
  if (row === undefined) return null
  const { bytes, key, sha256, state, store } = row
  return { key, store, sha256, bytes: Number(bytes), isKept: state === "kept" }
}

const knownWhere = (sql: SqlClient, condition: Fragment): Effect.Effect<KnownBlob | null, SqlError> =>
  Effect.map(sql<BlobRow>`SELECT key, bytes, sha256, state, store FROM objects WHERE ${condition}`, firstBlob)

export const findBlob = (sql: SqlClient, key: string) => knownWhere(sql, sql`key = ${key}`)

/** The archive of the latest attempt at a run. */
export const findArchive = (sql: SqlClient, id: string) =>
  knownWhere(
    sql,
    sql`run_id = ${id} AND state = 'kept' AND kind <> 'document' ORDER BY attempt DESC, changed_at DESC LIMIT 1`
  )

/** The report of a run, if an earlier version moved it to the object store. */
export const findDocument = (sql: SqlClient, id: string) =>
  knownWhere(sql, sql`run_id = ${id} AND state = 'kept' AND kind = 'document' LIMIT 1`)

/** The keys in the database that begin so and with a slash. */
export const keysKnownBelow = (sql: SqlClient, key: string): Effect.Effect<ReadonlySet<string>, SqlError> =>
  Effect.map(
    // `0` comes after the slash.
    sql<{ readonly key: string }>`SELECT key FROM objects WHERE key >= ${`${key}/`} AND key < ${`${key}0`}`,
    (rows) => new Set(rows.map((row) => row.key))
  )

/** Where the oldest archive is, which shows for long that a setting was changed. */
export const oldestStore = (sql: SqlClient): Effect.Effect<StoreName | null, SqlError> =>
  Effect.map(
    sql<{ readonly store: StoreName }>`
      SELECT store FROM objects WHERE state = 'kept' AND kind <> 'document' ORDER BY run_id LIMIT 1`,
    ([row]) => row?.store ?? null
  )

/** An archive in the folder, as its name has it. */
export interface NewArchive extends BlobDigest {
  readonly key: string
  readonly id: string
  readonly attempt: number
  readonly kind: Exclude<BlobKind, "document">
}

/** A site and its registrable domain, as rows of `objects` have them. */
export interface ArchivedSite {
  readonly site: Int
  readonly domain: string
}

/**
 * Until the transaction ends, no other one notes archives of the domain: each would drop what exceeds a rule without those of the other. Nor is
 * the run deleted meanwhile, so that its deletion sees what is noted.
 */
const lockRun = Effect.fnUntraced(function* (sql: SqlClient, id: string) {
  yield* sql`
    SELECT pg_advisory_xact_lock(hashtextextended('archives ' || sites.domain, 0))
    FROM runs JOIN sites ON sites.serial = runs.site WHERE runs.id = ${id}`
  yield* sql`SELECT 1 FROM runs WHERE id = ${id} FOR NO KEY UPDATE`
})

/**
 * Notes an archive in the folder, and drops those of earlier attempts, or this one if there is that of a later attempt. `null` if its run was
 * deleted. It may be repeated. Call it in a transaction.
 */
export const noteArchive = Effect.fnUntraced(function* (
  sql: SqlClient,
  { attempt, bytes, id, key, kind, sha256 }: NewArchive
): Effect.fn.Return<ArchivedSite | null, SqlError> {
  const now = yield* databaseNow(sql)
  // SQLite has one writer.
  yield* sql.onDialectOrElse({ pg: () => lockRun(sql, id), orElse: () => Effect.void })
  const [noted] = yield* sql<ArchivedSite>`
    INSERT INTO objects (key, run_id, site, domain, kind, attempt, bytes, sha256, state, store, changed_at)
    SELECT ${key}, runs.id, runs.site, sites.domain, ${kind}, ${attempt}, ${bytes}, ${sha256}, 'kept', 'folder', ${now}
    FROM runs JOIN sites ON sites.serial = runs.site WHERE runs.id = ${id}
    ON CONFLICT (key) DO NOTHING RETURNING site, domain`
  if (noted === undefined) {
    const [before] = yield* sql<ArchivedSite>`SELECT site, domain FROM objects WHERE key = ${key}`
    return before ?? null
  }
  yield* dropBlobs(
    sql,
    sql`run_id = ${id} AND state = 'kept' AND kind <> 'document' AND key <> (
      SELECT latest.key FROM objects latest WHERE latest.run_id = ${id} AND latest.state = 'kept' AND latest.kind <> 'document'
      ORDER BY latest.attempt DESC, latest.changed_at DESC LIMIT 1
    )`
  )
  return noted
})

/** Notes that an archive is in the object store now; false if it was dropped meanwhile. */
export const noteSent = (sql: SqlClient, key: string): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql`UPDATE objects SET store = 'objects' WHERE key = ${key} AND state = 'kept' RETURNING key`,
    (rows) => rows.length > 0
  )

interface DroppedBlob {
  readonly key: string
  readonly bytes: Int
}

/** From now on these are not read, and are deleted as soon as their store can be reached. */
export const dropBlobs = Effect.fnUntraced(function* (
  sql: SqlClient,
  condition: Fragment
): Effect.fn.Return<ReadonlyArray<DroppedBlob>, SqlError> {
  const now = yield* databaseNow(sql)
  return yield* sql<DroppedBlob>`
    UPDATE objects SET state = 'dropped', changed_at = ${now} WHERE ${condition} RETURNING key, bytes`
})

/** The same for everything of a run. */
export const dropBlobsOf = (sql: SqlClient, id: string): Effect.Effect<void, SqlError> =>
  Effect.asVoid(dropBlobs(sql, sql`run_id = ${id}`))

/** What a process of an earlier version still writes after this time was left behind by one that died, in milliseconds. */
const LONGEST_WRITE = 24 * 60 * 60_000

/** Keys of blobs to delete in these stores. */
export const blobsToDelete = Effect.fnUntraced(function* (
  sql: SqlClient,
  stores: ReadonlyArray<StoreName>,
  limit: number
): Effect.fn.Return<ReadonlyArray<string>, SqlError> {
  const now = yield* databaseNow(sql)
  // `state <> 'kept'` is the condition of the index.
  yield* sql`UPDATE objects SET state = 'dropped' WHERE state <> 'kept' AND state = 'sent' AND changed_at < ${now} - ${LONGEST_WRITE}`
  const rows = yield* sql<{ readonly key: string }>`
    SELECT key FROM objects WHERE state <> 'kept' AND state = 'dropped' AND ${sql.in("store", stores)} ORDER BY changed_at LIMIT ${limit}`
  return rows.map(({ key }) => key)
})

/** A blob that could not be deleted comes after all others, so that it does not hold them up. */
export const postponeDeletion = Effect.fnUntraced(function* (
  sql: SqlClient,
  key: string
): Effect.fn.Return<void, SqlError> {
  const now = yield* databaseNow(sql)
  yield* sql`UPDATE objects SET changed_at = ${now} WHERE key = ${key} AND state = 'dropped'`
})

export const forgetBlob = (sql: SqlClient, key: string): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`DELETE FROM objects WHERE key = ${key} AND state = 'dropped'`)

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
