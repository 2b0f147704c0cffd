import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { backends, onServer, storeAt } from "../Databases.ts"

const postgres = backends.find(({ available, name }) => available && name === "PostgreSQL")

describe.skipIf(postgres === undefined)("sessions on PostgreSQL", () => {
  if (postgres === undefined) return

  it.live("run in UTC, whatever time zone the database is set to", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* postgres.fresh
        const database = address._tag === "Postgres" ? new URL(Redacted.value(address.url)).pathname.slice(1) : ""
        yield* onServer(
          Effect.flatMap(SqlClient, (sql) =>
            sql.unsafe(`ALTER DATABASE ${database} SET timezone TO 'America/New_York'`)
          )
        )
        yield* Effect.provide(
          Effect.gen(function* () {
            const sql = yield* SqlClient
            expect(yield* sql`SHOW timezone`).toEqual([{ TimeZone: "UTC" }])
            // What a column without a zone takes for the hour that comes twice in New York differs by that hour.
            const [hours] = yield* sql<{ readonly apart: number }>`
          SELECT EXTRACT(EPOCH FROM '2026-11-01T06:30:00Z'::timestamptz::timestamp - '2026-11-01T05:30:00Z'::timestamptz::timestamp)::integer AS apart`
            expect(hours?.apart).toBe(3_600)
          }),
          storeAt(address)
        )
      })
    )
  )
})
