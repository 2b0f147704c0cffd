import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { columnTypes } from "./ColumnTypes.ts"

/** Dashboards that operators provision, and what was computed for each of their buckets. */
export const createDashboards = Effect.gen(function*() {
  const sql = yield* SqlClient
  const { serial, text } = columnTypes(sql)
  yield* sql`
    CREATE TABLE dashboards (
      serial ${serial},
      slug ${text} NOT NULL UNIQUE,
      title ${text} NOT NULL,
      is_public boolean NOT NULL,
      definition ${text} NOT NULL,
      created_at bigint NOT NULL,
      updated_at bigint NOT NULL
    )`
  yield* sql`
    CREATE TABLE dashboard_results (
      dashboard bigint NOT NULL REFERENCES dashboards (serial) ON DELETE CASCADE,
      bucket ${text} NOT NULL,
      computed_at bigint NOT NULL,
      content ${text} NOT NULL,
      PRIMARY KEY (dashboard, bucket)
    )`
})
