import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { orUnavailable } from "../store/database/Availability.ts"
import { currentMicros, formatInstant } from "../store/database/Instant.ts"
import { ReadClient } from "../store/database/ReadClient.ts"
import type { Int } from "../store/database/ColumnValues.ts"
import type { Stored } from "../store/database/StoreUnavailable.ts"

/** A pause of the queue. */
export interface Pause {
  readonly by: string
  /** RFC 3339. */
  readonly since: string
}

/** Pauses the queue for all processes, also after restarts. Runs are still accepted, and wait. */
export class QueuePause extends Context.Service<
  QueuePause,
  {
    /** `null`: not paused. */
    readonly look: Stored<Pause | null>
    /** Leaves an existing pause unchanged. */
    readonly pause: (by: string) => Stored<void>
    readonly resume: Stored<void>
  }
>()("docgauge/schedule/QueuePause") {
  /** For a service without a database, which has no admin API to pause the queue. */
  static readonly layerNever: Layer.Layer<QueuePause> = Layer.succeed(QueuePause, {
    look: Effect.succeed(null),
    pause: () => Effect.void,
    resume: Effect.void
  })

  static readonly layerSql: Layer.Layer<QueuePause, never, SqlClient | ReadClient> = Layer.effect(
    QueuePause,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const read = yield* ReadClient
      return {
        look: orUnavailable(
          Effect.map(
            read<{ readonly paused_at: Int; readonly paused_by: string }>`SELECT paused_at, paused_by FROM queue_pause`,
            ([row]) => (row === undefined ? null : { by: row.paused_by, since: formatInstant(Number(row.paused_at)) })
          )
        ),
        pause: (by) =>
          Effect.asVoid(
            orUnavailable(
              Effect.flatMap(
                currentMicros,
                (now) =>
                  sql`INSERT INTO queue_pause ${sql.insert({ one: 1, paused_at: now, paused_by: by })} ON CONFLICT (one) DO NOTHING`
              )
            )
          ),
        resume: Effect.asVoid(orUnavailable(sql`DELETE FROM queue_pause`))
      }
    })
  )
}
