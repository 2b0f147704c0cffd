import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { columnTypes } from "./ColumnTypes.ts"

/** What limits and the scheduler keep. Times are milliseconds since the epoch. */
export const createLimitsAndLeases = Effect.gen(function*() {
  const sql = yield* SqlClient
  const { text } = columnTypes(sql)

  yield* sql`CREATE TABLE limit_buckets (bucket ${text} PRIMARY KEY, full_at double precision NOT NULL)`
  yield* sql`CREATE INDEX limit_buckets_idle ON limit_buckets (full_at)`
  yield* sql`CREATE TABLE limit_reservations (run_id ${text} PRIMARY KEY, bucket ${text} NOT NULL, amount integer NOT NULL)`

  yield* sql`CREATE TABLE quota_holds (run_id ${text} NOT NULL, holder ${text} NOT NULL, taken_at double precision NOT NULL, PRIMARY KEY (run_id, holder))`
  yield* sql`CREATE INDEX quota_holds_holder ON quota_holds (holder, taken_at)`
  yield* sql`CREATE INDEX quota_holds_age ON quota_holds (taken_at)`

  yield* sql`
    CREATE TABLE audit_leases (
      domain ${text} PRIMARY KEY,
      run_id ${text} NOT NULL,
      worker ${text} NOT NULL,
      expires_at double precision NOT NULL
    )`
})
