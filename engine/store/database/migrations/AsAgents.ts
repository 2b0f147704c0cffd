import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Whether the site's owner asked what named agents are served. Runs of before have `false`. */
export const addAsAgents = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE runs ADD COLUMN as_agents boolean NOT NULL DEFAULT FALSE`
})
