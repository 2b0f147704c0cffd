import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { inTransaction } from "../database/Availability.ts"
import {
  archiveBytesKept,
  archivesOfDomain,
  archivesOfSite,
  dropObjects,
  type KeptObject,
  oldestArchives
} from "../objects/ObjectRows.ts"
import { isTooOld, MOST_OF_DOMAIN } from "./ArchiveRetention.ts"
import type { ArchiveRule } from "./ArchiveRule.ts"

/** Drops what exceeds the rule among the archives of the site and of the domain of a run. */
export const dropBeyondRule = Effect.fnUntraced(function* (
  sql: SqlClient,
  rule: ArchiveRule,
  id: string
): Effect.fn.Return<void, SqlError> {
  const now = yield* Clock.currentTimeMillis
  const ofSite = yield* archivesOfSite(sql, id)
  for (const kind of ["report", "failure"] as const) {
    const archives = ofSite.filter((archive) => archive.kind === kind)
    yield* dropObjects(
      sql,
      keysOf(
        archives.filter(
          (archive, index) => (rule.keep !== null && index >= rule.keep) || isTooOld(rule, archive.id, now)
        )
      )
    )
  }
  const ofDomain = yield* archivesOfDomain(sql, id)
  const reportsFirst = ofDomain.toSorted(
    (one, other) => Number(other.kind === "report") - Number(one.kind === "report")
  )
  yield* dropObjects(sql, keysOf(reportsFirst.slice(MOST_OF_DOMAIN)))
})

/** Archives looked at together. */
const BATCH = 500

/**
 * Drops the oldest archives: those that are too old, and those beyond the total size. Returns how many. Processes do so one at a time:
 * two that saw the same excess would drop it twice.
 */
export const dropOldestBeyondRule = (sql: SqlClient, rule: ArchiveRule): Effect.Effect<number, SqlError> =>
  inTransaction(
    sql,
    Effect.andThen(
      sql.onDialectOrElse({
        pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(hashtextextended('docgauge archives', 0))`),
        orElse: () => Effect.void
      }),
      dropOldest(sql, rule)
    )
  )

const dropOldest = Effect.fnUntraced(function* (sql: SqlClient, rule: ArchiveRule): Effect.fn.Return<number, SqlError> {
  const now = yield* Clock.currentTimeMillis
  let excess = (yield* archiveBytesKept(sql)) - rule.totalBytes
  let dropped = 0
  while (true) {
    const oldest = yield* oldestArchives(sql, BATCH)
    const expired: Array<KeptObject> = []
    for (const archive of oldest) {
      if (excess <= 0 && !isTooOld(rule, archive.id, now)) break
      expired.push(archive)
      excess -= archive.bytes
    }
    yield* dropObjects(sql, keysOf(expired))
    dropped += expired.length
    if (expired.length < BATCH) return dropped
  }
})

const keysOf = (archives: ReadonlyArray<KeptObject>): ReadonlyArray<string> => archives.map(({ key }) => key)
