import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Indexes that `FirstSchema.ts` has had only since 27 November 2026: databases that it made the day before lack them. */
export const indexLists = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE INDEX IF NOT EXISTS runs_hidden ON runs (serial) WHERE hidden`
  yield* sql`CREATE INDEX IF NOT EXISTS runs_errors ON runs (serial) WHERE status = 'error'`
})
