import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import { orUnavailable, ReadClient } from "../database/SqlDatabase.ts"
import { databaseNow } from "../database/SqlDialect.ts"
import { formatMillis, type Int } from "../database/ColumnValues.ts"
import type { Stored } from "../database/StoreUnavailable.ts"

/** A site that is audited regularly. */
export interface AuditSchedule {
  readonly id: string
  /** The audited site. */
  readonly url: string
  /** Interval in milliseconds. */
  readonly everyMs: number
  /** When the next one is due, RFC 3339. */
  readonly nextAt: string
  /** The last due time that was handled; `null` if none was yet. */
  readonly lastAt: string | null
  /** The run accepted then; `null` if none was. */
  readonly lastRun: string | null
  /** Why none was accepted. */
  readonly lastProblem: string | null
}

export type Firing =
  /** Handled: the next audit is due at the next scheduled time in the future; missed ones are skipped. */
  | { readonly _tag: "Done"; readonly run: string | null; readonly problem: string | null }
  /** Postponed by `afterMs` milliseconds. */
  | { readonly _tag: "Later"; readonly afterMs: number; readonly problem: string }

/** Scheduled audits. Times are by the database's clock. */
export class ScheduleStore extends Context.Service<
  ScheduleStore,
  {
    /** Ordered by URL, starting after `after`. */
    readonly list: (after: string, limit: number) => Stored<ReadonlyArray<AuditSchedule>>
    readonly find: (id: string) => Stored<AuditSchedule | null>
    readonly findUrl: (url: string) => Stored<AuditSchedule | null>
    /** The first audit is due at once. */
    readonly create: (url: string, everyMs: number) => Stored<AuditSchedule>
    /** The next audit is due one new interval after the last. */
    readonly change: (id: string, everyMs: number) => Stored<void>
    readonly remove: (id: string) => Stored<void>
    /**
     * The most overdue schedule, locked until the transaction ends; `null` if none is due. It skips those that other transactions
     * have locked. Call it in the transaction that settles it.
     */
    readonly lockDue: Stored<AuditSchedule | null>
    readonly settle: (id: string, firing: Firing) => Stored<void>
  }
>()("docgauge/store/ScheduleStore") {
  static readonly layerSql: Layer.Layer<ScheduleStore, never, SqlClient | ReadClient> = Layer.effect(
    ScheduleStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const read = yield* ReadClient
      const first = (rows: Effect.Effect<ReadonlyArray<ScheduleRow>, SqlError>): Stored<AuditSchedule | null> =>
        orUnavailable(Effect.map(rows, (found) => found.map(scheduleOf)[0] ?? null))
      const all = (rows: Effect.Effect<ReadonlyArray<ScheduleRow>, SqlError>) =>
        orUnavailable(Effect.map(rows, (found) => found.map(scheduleOf)))

      // SQLite's transactions lock the database.
      const skipLocked = sql.onDialectOrElse({ pg: () => sql`FOR UPDATE SKIP LOCKED`, orElse: () => sql`` })

      const create = Effect.fnUntraced(function* (url: string, everyMs: number) {
        const now = yield* databaseNow(sql)
        const [row] = yield* sql<ScheduleRow>`
          INSERT INTO schedules (id, url, every_ms, next_at) VALUES (${randomUUID()}, ${url}, ${everyMs}, ${now}) RETURNING *`
        return row === undefined ? yield* Effect.die(new Error("an insert returned no row")) : scheduleOf(row)
      })

      const settle = Effect.fnUntraced(function* (id: string, firing: Firing) {
        const now = yield* databaseNow(sql)
        if (firing._tag === "Later") {
          yield* sql`UPDATE schedules SET next_at = ${now} + ${firing.afterMs}, last_problem = ${firing.problem} WHERE id = ${id}`
          return
        }
        const [row] = yield* sql<
          ScheduleRow & { readonly now: number }
        >`SELECT schedules.*, ${now} AS now FROM schedules WHERE id = ${id}`
        if (row === undefined) return
        yield* sql`
          UPDATE schedules SET next_at = ${nextAfter(row.now, row)}, last_at = ${row.now}, last_run = ${firing.run}, last_problem = ${firing.problem}
          WHERE id = ${id}`
      })

      const change = Effect.fnUntraced(function* (id: string, everyMs: number) {
        const now = yield* databaseNow(sql)
        yield* sql`UPDATE schedules SET every_ms = ${everyMs}, next_at = COALESCE(last_at + ${everyMs}, ${now}) WHERE id = ${id}`
      })

      return {
        list: (after, limit) =>
          all(read<ScheduleRow>`SELECT * FROM schedules WHERE url > ${after} ORDER BY url LIMIT ${limit}`),
        find: (id) => first(read<ScheduleRow>`SELECT * FROM schedules WHERE id = ${id}`),
        findUrl: (url) => first(read<ScheduleRow>`SELECT * FROM schedules WHERE url = ${url}`),
        create: (url, everyMs) => orUnavailable(create(url, everyMs)),
        change: (id, everyMs) => orUnavailable(change(id, everyMs)),
        remove: (id) => Effect.asVoid(orUnavailable(sql`DELETE FROM schedules WHERE id = ${id}`)),
        lockDue: Effect.flatMap(databaseNow(sql), (now) =>
          first(
            sql<ScheduleRow>`SELECT * FROM schedules WHERE next_at <= ${now} ORDER BY next_at, id LIMIT 1 ${skipLocked}`
          )
        ),
        settle: (id, firing) => orUnavailable(settle(id, firing))
      }
    })
  )

  /** For a service without a database, which has no schedules. */
  static readonly layerNone: Layer.Layer<ScheduleStore> = Layer.succeed(ScheduleStore, {
    list: () => Effect.succeed([]),
    find: () => Effect.succeed(null),
    findUrl: () => Effect.succeed(null),
    create: () => Effect.die(new Error("there is no database to keep schedules in")),
    change: () => Effect.void,
    remove: () => Effect.void,
    lockDue: Effect.succeed(null),
    settle: () => Effect.void
  })
}

interface ScheduleRow {
  readonly id: string
  readonly url: string
  readonly every_ms: Int
  readonly next_at: number
  readonly last_at: number | null
  readonly last_run: string | null
  readonly last_problem: string | null
}

/** The next scheduled time in the future. */
const nextAfter = (now: number, { every_ms, next_at }: ScheduleRow): number => {
  const every = Number(every_ms)
  return next_at + every * (Math.floor((now - next_at) / every) + 1)
}

const scheduleOf = (row: ScheduleRow): AuditSchedule => ({
  id: row.id,
  url: row.url,
  everyMs: Number(row.every_ms),
  nextAt: formatMillis(row.next_at),
  lastAt: row.last_at === null ? null : formatMillis(row.last_at),
  lastRun: row.last_run,
  lastProblem: row.last_problem
})
