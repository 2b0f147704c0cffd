import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { Int } from "../database/ColumnValues.ts"
import { databaseNow } from "../database/DatabaseClock.ts"
import type { ObjectDigest } from "./ObjectStore.ts"

/** What an object is: the archive of a report, the archive of a failure, or the report itself. */
export type ObjectKind = "report" | "failure" | "document"

/** An object that the database knows. */
export interface StoredObject extends ObjectDigest {
  readonly key: string
  readonly attempt: number
  readonly kind: ObjectKind
}

interface ObjectRow {
  readonly key: string
  readonly attempt: Int
  readonly bytes: Int
  readonly sha256: string
  readonly kind: ObjectKind
}

const objectOf = ({ attempt, bytes, ...row }: ObjectRow): StoredObject => ({
  ...row,
  attempt: Number(attempt),
  bytes: Number(bytes)
})

/**
 * Notes that an object is being written, and returns its key; `null` if its run does not exist any more. What was sent before without a
 * result is sent again under its key; everything else gets `newKey`, because an earlier object may just be being deleted.
 */
export const noteSent = Effect.fnUntraced(function* (
  sql: SqlClient,
  id: string,
  { attempt, bytes, kind, sha256 }: Omit<StoredObject, "key">,
  newKey: string
) {
  const now = yield* databaseNow(sql)
  const [before] = yield* sql<{ readonly key: string }>`
    UPDATE objects SET changed_at = ${now} WHERE run_id = ${id} AND kind = ${kind} AND attempt = ${attempt} AND sha256 = ${sha256} AND state = 'sent' RETURNING key`
  if (before !== undefined) return before.key
  // PostgreSQL would not see a deletion of the run that is not committed; SQLite has one writer.
  const whileUndeleted = sql.onDialectOrElse({ pg: () => sql`FOR KEY SHARE OF runs`, orElse: () => sql`` })
  const rows = yield* sql`
    INSERT INTO objects (key, run_id, site, domain, kind, attempt, bytes, sha256, state, changed_at)
    SELECT ${newKey}, runs.id, runs.site, sites.domain, ${kind}, ${attempt}, ${bytes}, ${sha256}, 'sent', ${now}
    FROM runs JOIN sites ON sites.serial = runs.site WHERE runs.id = ${id} ${whileUndeleted}
    RETURNING key`
  return rows.length > 0 ? newKey : null
})

/** What the object store has of a run, the latest attempt first. */
export const keptObjects = (sql: SqlClient, id: string): Effect.Effect<ReadonlyArray<StoredObject>, SqlError> =>
  Effect.map(
    sql<ObjectRow>`SELECT key, attempt, bytes, sha256, kind FROM objects WHERE run_id = ${id} AND state = 'kept' ORDER BY attempt DESC`,
    (rows) => rows.map(objectOf)
  )

/**
 * Notes that the object store has an object of a run, and drops what it replaces: of a run one report is kept, and the archive of its
 * latest attempt. False if the object was dropped meanwhile. Call it in a transaction.
 */
export const noteKept = Effect.fnUntraced(function* (
  sql: SqlClient,
  id: string,
  key: string
): Effect.fn.Return<boolean, SqlError> {
  // The run is locked first, as its deletion does, so that two processes that keep an object of it see each other's.
  yield* sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`SELECT 1 FROM runs WHERE id = ${id} FOR NO KEY UPDATE`),
    orElse: () => Effect.void
  })
  const [kept] = yield* sql<{
    readonly kind: ObjectKind
  }>`UPDATE objects SET state = 'kept' WHERE key = ${key} AND state <> 'dropped' RETURNING kind`
  if (kept === undefined) return false
  const [, ...replaced] = (yield* keptObjects(sql, id)).filter(
    ({ kind }) => (kind === "document") === (kept.kind === "document")
  )
  yield* dropObjects(
    sql,
    replaced.map((object) => object.key)
  )
  return true
})

/** An object as retention rules see it. */
export interface KeptObject {
  readonly key: string
  readonly id: string
  readonly kind: ObjectKind
  readonly bytes: number
}

const keptWhere = (sql: SqlClient, rest: Fragment): Effect.Effect<ReadonlyArray<KeptObject>, SqlError> =>
  Effect.map(
    sql<{ readonly key: string; readonly run_id: string; readonly kind: ObjectKind; readonly bytes: Int }>`
      SELECT key, run_id, kind, bytes FROM objects WHERE state = 'kept' AND ${rest}`,
    (rows) => rows.map(({ bytes, key, kind, run_id }) => ({ key, id: run_id, kind, bytes: Number(bytes) }))
  )

const archivesOf = (sql: SqlClient, column: "site" | "domain", id: string) =>
  keptWhere(
    sql,
    sql`
    ${sql(column)} = (SELECT other.${sql(column)} FROM objects other WHERE other.run_id = ${id} LIMIT 1) AND kind <> 'document' ORDER BY run_id DESC`
  )

/** The archives of the site of a run, newest first. */
export const archivesOfSite = (sql: SqlClient, id: string) => archivesOf(sql, "site", id)

/** The archives of the registrable domain of a run, newest first. */
export const archivesOfDomain = (sql: SqlClient, id: string) => archivesOf(sql, "domain", id)

/** The oldest archives. */
export const oldestArchives = (sql: SqlClient, limit: number) =>
  keptWhere(sql, sql`kind <> 'document' ORDER BY run_id LIMIT ${limit}`)

/** The oldest reports. */
export const oldestDocuments = (sql: SqlClient, limit: number) =>
  keptWhere(sql, sql`kind = 'document' ORDER BY run_id LIMIT ${limit}`)

/** The size of all archives in the object store. */
export const archiveBytesKept = (sql: SqlClient): Effect.Effect<number, SqlError> =>
  Effect.map(
    sql<{
      readonly total: Int | null
    }>`SELECT SUM(bytes) AS total FROM objects WHERE state = 'kept' AND kind <> 'document'`,
    ([row]) => Number(row?.total ?? 0)
  )

/** How many archives of one kind the site with the most of them has. */
export const mostArchivesOfSite = (sql: SqlClient): Effect.Effect<number, SqlError> =>
  Effect.map(
    sql<{ readonly archives: Int }>`
      SELECT COUNT(*) AS archives FROM objects WHERE state = 'kept' AND kind <> 'document' GROUP BY site, kind ORDER BY archives DESC LIMIT 1`,
    ([row]) => Number(row?.archives ?? 0)
  )

/** From now on these are not read, and are deleted from the object store as soon as it can be reached. */
export const dropObjects = Effect.fnUntraced(function* (
  sql: SqlClient,
  keys: ReadonlyArray<string>
): Effect.fn.Return<void, SqlError> {
  if (keys.length === 0) return
  const now = yield* databaseNow(sql)
  yield* sql`UPDATE objects SET state = 'dropped', changed_at = ${now} WHERE ${sql.in("key", keys)}`
})

/** The same for everything of a run. */
export const dropObjectsOf = Effect.fnUntraced(function* (
  sql: SqlClient,
  id: string
): Effect.fn.Return<void, SqlError> {
  const now = yield* databaseNow(sql)
  yield* sql`UPDATE objects SET state = 'dropped', changed_at = ${now} WHERE run_id = ${id}`
})

/** What is still being written after this time was left behind by a process that died, in milliseconds. */
const LONGEST_WRITE = 24 * 60 * 60_000

/** Keys of objects to delete: the dropped ones, and what was left behind, which is dropped first so that it is not sent again. */
export const objectsToDelete = Effect.fnUntraced(function* (
  sql: SqlClient,
  limit: number
): Effect.fn.Return<ReadonlyArray<string>, SqlError> {
  const now = yield* databaseNow(sql)
  yield* sql`UPDATE objects SET state = 'dropped' WHERE state <> 'kept' AND state = 'sent' AND changed_at < ${now} - ${LONGEST_WRITE}`
  const rows = yield* sql<{ readonly key: string }>`
    SELECT key FROM objects WHERE state <> 'kept' AND state = 'dropped' ORDER BY changed_at LIMIT ${limit}`
  return rows.map(({ key }) => key)
})

/** An object that could not be deleted comes after all others, so that it does not hold them up. */
export const postponeDeletion = Effect.fnUntraced(function* (
  sql: SqlClient,
  key: string
): Effect.fn.Return<void, SqlError> {
  const now = yield* databaseNow(sql)
  yield* sql`UPDATE objects SET changed_at = ${now} WHERE key = ${key} AND state = 'dropped'`
})

/** Forgets a deleted object. */
export const forgetObject = (sql: SqlClient, key: string): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`DELETE FROM objects WHERE key = ${key} AND state = 'dropped'`)
