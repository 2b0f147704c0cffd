import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { orUnavailable } from "../store/Availability.ts"
import { currentMicros, formatInstant } from "../store/Instant.ts"
import { ReadClient } from "../store/ReadClient.ts"
import type { Int } from "../store/RunRows.ts"
import type { StoreUnavailable } from "../store/RunStore.ts"

/** Since when no audit is begun, and who said so. */
export interface Pause {
  readonly by: string
  /** RFC 3339. */
  readonly since: string
}

type Stored<A> = Effect.Effect<A, StoreUnavailable>

/** Whether audits are begun: in all processes, and over restarts. Runs are accepted in any case, and wait. */
export class QueuePause extends Context.Service<QueuePause, {
  /** `null`: audits are begun. */
  readonly look: Stored<Pause | null>
  /** A pause that there is already stays as it is. */
  readonly pause: (by: string) => Stored<void>
  readonly resume: Stored<void>
}>()("docgauge/schedule/QueuePause") {
  /** Without a database there is nobody to pause it. */
  static readonly layerNever: Layer.Layer<QueuePause> = Layer.succeed(QueuePause, {
    look: Effect.succeed(null),
    pause: () => Effect.void,
    resume: Effect.void
  })

  static readonly layerSql: Layer.Layer<QueuePause, never, SqlClient | ReadClient> = Layer.effect(
    QueuePause,
    Effect.gen(function*() {
      const sql = yield* SqlClient
      const read = yield* ReadClient
      return {
        look: orUnavailable(Effect.map(
          read<{ readonly paused_at: Int; readonly paused_by: string }>`SELECT paused_at, paused_by FROM queue_pause`,
          ([row]) => row === undefined ? null : { by: row.paused_by, since: formatInstant(Number(row.paused_at)) }
        )),
        pause: (by) =>
          Effect.asVoid(orUnavailable(Effect.flatMap(currentMicros, (now) =>
            sql`INSERT INTO queue_pause ${sql.insert({ one: 1, paused_at: now, paused_by: by })} ON CONFLICT (one) DO NOTHING`))),
        resume: Effect.asVoid(orUnavailable(sql`DELETE FROM queue_pause`))
      }
    })
  )
}
