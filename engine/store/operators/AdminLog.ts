import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { ChangeFeed, inTransaction, orUnavailable, ReadClient } from "../database/SqlDatabase.ts"
import { currentMicros, formatInstant, type Int } from "../database/ColumnValues.ts"
import type { Stored } from "../database/StoreUnavailable.ts"

interface AdminChange {
  /** The holder of the token, or the part of the service that made the change. */
  readonly who: string
  /** Such as `run.hide`. */
  readonly action: string
  /** The changed object: the id of a run, a site, a slug. */
  readonly subject: string
  /** Abridged; `null` if it did not exist. */
  readonly before: string | null
  readonly after: string | null
}

interface AdminLogEntry extends AdminChange {
  /** Increases with each entry. */
  readonly serial: number
  /** RFC 3339. */
  readonly at: string
}

/** The append-only audit log of operators' changes. */
export class AdminLog extends Context.Service<
  AdminLog,
  {
    /** Call it as the last statement of a transaction: later entries wait until that ends. */
    readonly write: (change: AdminChange) => Stored<void>
    /** Newest first, only those before the serial number `before`; `null`: from the newest on. */
    readonly page: (before: number | null, limit: number) => Stored<ReadonlyArray<AdminLogEntry>>
    /** The newest entry's serial number, 0 for an empty log. It increases with every change. */
    readonly newest: Stored<number>
    /** Waits until a process has told that it wrote an entry, which can be lost. */
    readonly told: Effect.Effect<void>
  }
>()("docgauge/store/AdminLog") {
  /** For a service without a database, which operators cannot change. */
  static readonly layerEmpty: Layer.Layer<AdminLog> = Layer.succeed(AdminLog, {
    write: () => Effect.void,
    page: () => Effect.succeed([]),
    newest: Effect.succeed(0),
    told: Effect.never
  })

  static readonly layerSql: Layer.Layer<AdminLog, never, SqlClient | ReadClient> = Layer.effect(
    AdminLog,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const read = yield* ReadClient
      const changes = yield* ChangeFeed
      // Locks the log, so that numbers become visible in order and readers of the newest entries miss none.
      const inTurn = sql.onDialectOrElse({
        pg: () => Effect.asVoid(sql`SELECT pg_advisory_xact_lock(hashtextextended('admin_log', 0))`),
        orElse: () => Effect.void
      })
      const write = Effect.fnUntraced(function* (change: AdminChange) {
        yield* inTurn
        const at = yield* currentMicros
        yield* sql`INSERT INTO admin_log ${sql.insert({ at, ...change })}`
        yield* changes.notify("operators")
      })
      return {
        write: (change) => orUnavailable(inTransaction(sql, write(change))),
        page: (before, limit) =>
          orUnavailable(
            Effect.map(
              read<LogRow>`
              SELECT * FROM admin_log ${before === null ? read.literal("") : read`WHERE serial < ${before}`} ORDER BY serial DESC LIMIT ${limit}`,
              (rows) =>
                rows.map(({ at, serial, ...change }) => ({
                  ...change,
                  serial: Number(serial),
                  at: formatInstant(Number(at))
                }))
            )
          ),
        newest: orUnavailable(
          Effect.map(read<{ readonly newest: Int | null }>`SELECT MAX(serial) AS newest FROM admin_log`, ([row]) =>
            Number(row?.newest ?? 0)
          )
        ),
        told: changes.next("operators")
      }
    })
  )
}

interface LogRow extends AdminChange {
  readonly serial: Int
  readonly at: Int
}
