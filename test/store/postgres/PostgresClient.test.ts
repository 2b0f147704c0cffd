import { describe, expect, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { SqlClient } from "effect/sql/SqlClient"
import { layerDatabase } from "../../../engine/store/Database.ts"
import { MIGRATIONS } from "../../../engine/store/database/Migrations.ts"
import { Migrations } from "../../../engine/store/database/Schema.ts"
import { ReadClient } from "../../../engine/store/database/SqlDatabase.ts"
import { postgres } from "../Databases.ts"

const NEXT = String(Object.keys(MIGRATIONS).length + 1).padStart(4, "0")

const withConnections = (count: string) =>
  ConfigProvider.layer(ConfigProvider.fromEnvRecord({ DOCGAUGE_DATABASE_CONNECTIONS: count }))

describe.skipIf(!postgres.available)("the connections of a process to PostgreSQL", () => {
  it.live("serve reads while writers have taken all of theirs, and are never more than the setting allows", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* postgres.empty
        yield* Effect.gen(function* () {
          const [sql, read] = [yield* SqlClient, yield* ReadClient]
          const end = Latch.makeUnsafe()
          yield* Effect.forkChild(
            Effect.forEach([1, 2, 3, 4, 5], () => sql.withTransaction(Effect.andThen(sql`SELECT 1`, end.await)), {
              concurrency: 5
            })
          )
          yield* Effect.sleep(300)
          const reads = Effect.forEach(
            [1, 2, 3, 4, 5],
            () =>
              read<{
                readonly open: number
              }>`SELECT COUNT(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`,
            { concurrency: 5 }
          )
          const counts = (yield* Effect.timeout(reads, "30 seconds")).flat()
          expect(Math.max(...counts.map(({ open }) => open))).toBeLessThanOrEqual(4)
          yield* end.open
        }).pipe(Effect.provide(layerDatabase(address)), Effect.provide(withConnections("4")))
      })
    )
  )

  it.live("let a read in a transaction see what that transaction wrote", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* postgres.empty
        yield* Effect.gen(function* () {
          const [sql, read] = [yield* SqlClient, yield* ReadClient]
          yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`UPDATE corpus SET runs = 7`
              expect(yield* read`SELECT runs FROM corpus`).toEqual([{ runs: 7n }])
            })
          )
        }).pipe(Effect.provide(layerDatabase(address)))
      })
    )
  )

  it.live(
    "end statements, waits for locks and idle transactions after a time, and only that of migrations has as long as it takes",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const address = yield* postgres.empty
          const limits = (sql: SqlClient) =>
            Effect.map(
              sql<{ readonly name: string; readonly setting: string }>`
        SELECT name, setting FROM pg_settings WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') ORDER BY name`,
              (rows) => rows.map(({ name, setting }) => [name, Number(setting)])
            )
          const usual = [
            ["idle_in_transaction_session_timeout", 60_000],
            ["lock_timeout", 10_000],
            ["statement_timeout", 30_000]
          ]
          let migrating: ReadonlyArray<ReadonlyArray<string | number>> = []
          const look = Effect.flatMap(SqlClient, (sql) =>
            Effect.map(limits(sql), (found) => {
              migrating = found
            })
          )
          yield* Effect.gen(function* () {
            expect(yield* limits(yield* SqlClient)).toEqual(usual)
            expect(yield* limits(yield* ReadClient)).toEqual(usual)
          }).pipe(
            Effect.provide(layerDatabase(address)),
            Effect.provideService(Migrations, { ...MIGRATIONS, [`${NEXT}_look`]: look })
          )
          expect(migrating).toEqual([
            ["idle_in_transaction_session_timeout", 60_000],
            ["lock_timeout", 2_000],
            ["statement_timeout", 0]
          ])
        })
      )
  )

  it.live("are refused in one line if the setting is no number from 2 to 200", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const address = yield* postgres.empty
        const error = yield* Effect.flip(
          Effect.provide(Effect.void, layerDatabase(address)).pipe(Effect.provide(withConnections("1")))
        )
        expect(error.message).toBe("DOCGAUGE_DATABASE_CONNECTIONS: give a whole number from 2 to 200")
      })
    )
  )
})
