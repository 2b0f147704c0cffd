import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { columnTypes } from "./ColumnTypes.ts"

/**
 * Webhooks of sites, and what is sent to them. Times of deliveries are milliseconds since the epoch, by the database's clock. A site is
 * named by the digest of its name, because it may have a webhook before its first audit.
 */
export const addWebhooks = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { serial, text, uuid } = columnTypes(sql)
  // `problem`: why nothing is sent to it any more; NULL while it is active. `failures`: deliveries in a row that failed.
  yield* sql`
    CREATE TABLE webhooks (
      serial ${serial},
      id ${uuid} NOT NULL UNIQUE,
      key ${text} NOT NULL,
      site ${text} NOT NULL,
      base_url ${text} NOT NULL,
      url ${text} NOT NULL,
      secret ${text} NOT NULL,
      events ${text} NOT NULL,
      created_at bigint NOT NULL,
      failures smallint NOT NULL DEFAULT 0,
      problem ${text}
    )`
  yield* sql`CREATE INDEX webhooks_site ON webhooks (key)`
  // Finished runs of sites with webhooks whose deliveries are not written yet.
  yield* sql`CREATE TABLE webhook_runs (run_id ${uuid} PRIMARY KEY)`
  // `attempts` with the row identifies one attempt. While one is under way, `next_at` is when it counts as lost.
  yield* sql`
    CREATE TABLE webhook_deliveries (
      serial ${serial},
      id ${uuid} NOT NULL UNIQUE,
      webhook bigint NOT NULL REFERENCES webhooks (serial) ON DELETE CASCADE,
      run_id ${uuid},
      type ${text} NOT NULL,
      body ${text} NOT NULL,
      created_at double precision NOT NULL,
      state ${text} NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed', 'dropped')),
      attempts smallint NOT NULL DEFAULT 0,
      next_at double precision NOT NULL,
      last_status smallint,
      last_problem ${text}
    )`
  yield* sql`CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE state = 'waiting'`
  yield* sql`CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook, serial)`
  yield* sql`CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at)`
})
