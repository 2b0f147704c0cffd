import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { inTransaction, orUnavailable } from "./Availability.ts"
import { currentMicros, formatInstant } from "./Instant.ts"
import { ReadClient } from "./ReadClient.ts"
import type { Int } from "./RunRows.ts"
import type { StoreUnavailable } from "./RunStore.ts"

/** What someone changed. */
export interface AdminChange {
  /** Whoever the token was made for, or the part of the service that did it by itself. */
  readonly who: string
  /** Such as `run.hide`. */
  readonly action: string
  /** What it was done to: the id of a run, a site, a slug. */
  readonly subject: string
  /** In brief; `null` where there was nothing. */
  readonly before: string | null
  readonly after: string | null
}

/** A change as the log has it. */
export interface AdminLogEntry extends AdminChange {
  /** Rises from entry to entry. */
  readonly serial: number
  /** RFC 3339. */
  readonly at: string
}

type Stored<A> = Effect.Effect<A, StoreUnavailable>

/** Everything that operators changed, for good. */
export class AdminLog extends Context.Service<AdminLog, {
  /** Part of the transaction that it is called in, as its last statement: later entries wait for that to end. */
  readonly write: (change: AdminChange) => Stored<void>
  /** Newest first, only those before the serial number `before`; `null`: from the newest on. */
  readonly page: (before: number | null, limit: number) => Stored<ReadonlyArray<AdminLogEntry>>
  /** The newest entry's serial number, 0 where there is none: whoever sees it rise knows that something was changed. */
  readonly newest: Stored<number>
}>()("docgauge/store/AdminLog") {
  /** Without a database nothing is changed. */
  static readonly layerEmpty: Layer.Layer<AdminLog> = Layer.succeed(AdminLog, {
    write: () => Effect.void,
    page: () => Effect.succeed([]),
    newest: Effect.succeed(0)
  })

  static readonly layerSql: Layer.Layer<AdminLog, never, SqlClient | ReadClient> = Layer.effect(
    AdminLog,
    Effect.gen(function*() {
      const sql = yield* SqlClient
      const read = yield* ReadClient
      // Numbers become visible in their order, so that none is overlooked by those who only look at the newest.
      const inTurn = sql.onDialectOrElse({
        pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(hashtextextended('admin_log', 0))`),
        orElse: () => Effect.void
      })
      const write = Effect.fnUntraced(function*(change: AdminChange) {
        yield* inTurn
        const at = yield* currentMicros
        yield* sql`INSERT INTO admin_log ${sql.insert({ at, ...change })}`
      })
      return {
        write: (change) => orUnavailable(inTransaction(sql, write(change))),
        page: (before, limit) =>
          orUnavailable(Effect.map(
            read<LogRow>`
              SELECT * FROM admin_log ${before === null ? read.literal("") : read`WHERE serial < ${before}`} ORDER BY serial DESC LIMIT ${limit}`,
            (rows) => rows.map(({ at, serial, ...change }) => ({ ...change, serial: Number(serial), at: formatInstant(Number(at)) }))
          )),
        newest: orUnavailable(Effect.map(
          read<{ readonly newest: Int | null }>`SELECT MAX(serial) AS newest FROM admin_log`,
          ([row]) => Number(row?.newest ?? 0)
        ))
      }
    })
  )
}

interface LogRow extends AdminChange {
  readonly serial: Int
  readonly at: Int
}
