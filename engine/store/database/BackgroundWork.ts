import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { databaseNow } from "./DatabaseClock.ts"

/** Whether work is due that the processes of a service do once in `intervalMs` milliseconds, together. Only one of them is told so. */
export const isDue = Effect.fnUntraced(function* (
  sql: SqlClient,
  name: string,
  intervalMs: number
): Effect.fn.Return<boolean, SqlError> {
  const now = yield* databaseNow(sql)
  const rows = yield* sql`
    INSERT INTO background_work (name, begun_at) VALUES (${name}, ${now})
    ON CONFLICT (name) DO UPDATE SET begun_at = excluded.begun_at WHERE background_work.begun_at <= excluded.begun_at - ${intervalMs}
    RETURNING name`
  return rows.length > 0
})

/** Keeps other processes from work that was due while this one still does it, however long that takes. For a race with the work: it never ends. */
export const renewing = (sql: SqlClient, name: string, intervalMs: number): Effect.Effect<never> =>
  Effect.flatMap(
    databaseNow(sql),
    (now) => sql`UPDATE background_work SET begun_at = ${now} WHERE name = ${name}`
  ).pipe(Effect.ignore, Effect.delay(intervalMs / 3), Effect.forever)
