import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { inTransaction } from "../database/Availability.ts"
import type { Int } from "../database/ColumnValues.ts"
import { databaseMicros } from "../database/DatabaseClock.ts"
import { DatabaseHealth } from "../database/DatabaseHealth.ts"
import { DAY_MICROS } from "../database/Instant.ts"
import { ReadClient } from "../database/ReadClient.ts"
import { missingObject, newSuffix, objectDigest, readBack } from "./ObjectChecks.ts"
import { dropObjects, type KeptObject, keptObjects, noteKept, noteSent, oldestDocuments } from "./ObjectRows.ts"
import { ObjectStore } from "./ObjectStore.ts"

/** Rows of `reports` that one statement looks through, and reports that it reads. */
const [WINDOW, BATCH] = [10_000, 20]

const newKey = (id: string): string => `reports/${id.slice(-2)}/${id}-${newSuffix()}.json.zst`

interface ReportRow {
  readonly run: Int
  readonly id: string
  readonly content: Uint8Array
}

/** A row with an empty `content` says that the report is in the object store. */
const EMPTY = new Uint8Array()

/**
 * Moves the reports of runs that were accepted more than `days` days ago, oldest first, and returns their number; may be repeated at
 * any point. A report is read from the object store before its row is emptied. The effect remembers how far it came.
 */
export const makeReportMove = Effect.fnUntraced(function* (days: number) {
  const sql = yield* SqlClient
  const read = yield* ReadClient
  const { watch } = yield* DatabaseHealth
  const objects = yield* ObjectStore
  let passed = 0

  const oldIn = (from: number, before: Fragment): Effect.Effect<ReadonlyArray<ReportRow>, SqlError> => read<ReportRow>`
    SELECT reports.run, runs.id, reports.content FROM reports JOIN runs ON runs.serial = reports.run
    WHERE reports.run > ${from} AND reports.run <= ${from + WINDOW} AND runs.started_at < ${before} AND length(reports.content) > 0
    ORDER BY reports.run LIMIT ${BATCH}`

  const moveOne = Effect.fnUntraced(function* ({ content, id, run }: ReportRow) {
    const digest = yield* objectDigest(content)
    const key = yield* watch(noteSent(sql, id, { attempt: 1, kind: "document", ...digest }, newKey(id)))
    if (key === null) return false
    yield* objects.put(key, content, digest)
    yield* readBack(objects, key, digest)
    const emptied = yield* watch(
      inTransaction(
        sql,
        Effect.gen(function* () {
          if (!(yield* noteKept(sql, id, key))) return null
          return yield* sql`UPDATE reports SET content = ${EMPTY} WHERE run = ${Number(run)} AND length(content) > 0 RETURNING run`
        })
      )
    )
    // The run was deleted meanwhile, perhaps with the object before it was written.
    if (emptied === null) yield* objects.remove(key)
    return emptied !== null && emptied.length > 0
  })

  return Effect.gen(function* () {
    const before = sql`${yield* databaseMicros(read)} - ${days * DAY_MICROS}`
    const [last] = yield* watch(
      read<{
        readonly serial: Int
      }>`SELECT serial FROM runs WHERE started_at < ${before} ORDER BY started_at DESC LIMIT 1`
    )
    if (last === undefined) return 0
    let moved = 0
    while (passed < Number(last.serial)) {
      const rows = yield* watch(oldIn(passed, before))
      for (const row of rows) {
        if (yield* moveOne(row)) moved += 1
      }
      // A run of the window may have become old only later, so no more is passed than the last old one.
      passed = rows.length === BATCH ? Number(rows.at(-1)?.run) : Math.min(passed + WINDOW, Number(last.serial))
    }
    return moved
  })
})

/** Puts every moved report back into the database, and returns their number; may be repeated at any point. */
export const moveReportsBack = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { watch } = yield* DatabaseHealth
  const objects = yield* ObjectStore

  const moveOne = Effect.fnUntraced(function* ({ id, key }: KeptObject) {
    const object = (yield* watch(keptObjects(sql, id))).find((each) => each.key === key)
    const content = object === undefined ? null : yield* objects.read(key, object)
    if (content === null) return yield* missingObject(key, id)
    yield* watch(
      inTransaction(
        sql,
        Effect.andThen(
          sql`UPDATE reports SET content = ${content} WHERE run = (SELECT serial FROM runs WHERE id = ${id}) AND length(content) = 0`,
          dropObjects(sql, [key])
        )
      )
    )
  })

  let moved = 0
  for (let count = BATCH; count === BATCH;) {
    const documents = yield* watch(oldestDocuments(sql, BATCH))
    yield* Effect.forEach(documents, moveOne, { discard: true })
    count = documents.length
    moved += count
  }
  return moved
})
