import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { type Database, layerDatabase } from "../../../engine/store/Database.ts"
import { SilenceLimit } from "../../../engine/store/postgres/PostgresClient.ts"
import { MIGRATIONS } from "../../../engine/store/database/Migrations.ts"
import { Migrations } from "../../../engine/store/database/Schema.ts"
import { postgres } from "../Databases.ts"

const NEXT = String(Object.keys(MIGRATIONS).length + 1).padStart(4, "0")

/** A process whose connections are closed after a while of silence, in milliseconds, and whose version may have further migrations. */
const startAt = (address: Database, silenceMs = 40_000, further: Context.Service.Shape<typeof Migrations> = {}) =>
  Layer.build(
    layerDatabase(address).pipe(
      Layer.fresh,
      Layer.provide(
        Layer.mergeAll(Layer.succeed(SilenceLimit, silenceMs), Layer.succeed(Migrations, { ...MIGRATIONS, ...further }))
      )
    )
  ).pipe(Effect.map((context) => Context.get(context, SqlClient)))

/** A process on a new database, whose pool is closed with the test. */
const prepared = Effect.fnUntraced(function* () {
  const address = yield* postgres.empty
  return { address, sql: yield* startAt(address) }
})

/** Keeps what the statement has locked, until it is told to end. */
const holding = Effect.fnUntraced(function* <A, E>(sql: SqlClient, statement: Effect.Effect<A, E>) {
  const [locked, end] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
  const beating = Effect.forever(Effect.delay(sql`SELECT 1`, 200))
  const fiber = yield* Effect.forkChild(
    sql.withTransaction(Effect.andThen(statement, Effect.andThen(locked.open, Effect.raceFirst(end.await, beating))))
  )
  yield* locked.await
  return Effect.andThen(end.open, Fiber.join(fiber))
})

const onPostgres = (name: string, test: () => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(test()))

describe.skipIf(!postgres.available)("a migration on PostgreSQL", { concurrent: true }, () => {
  onPostgres(
    "may take longer than the server may be silent otherwise",
    Effect.fnUntraced(function* () {
      const { address, sql } = yield* prepared()
      const end = yield* holding(sql, sql`SELECT pg_advisory_xact_lock(hashtextextended('docgauge schema', 0))`)
      const start = yield* Effect.forkChild(startAt(address, 5_000))
      yield* Effect.sleep(8_000)
      expect(start.pollUnsafe()).toBeUndefined()
      yield* end
      yield* Fiber.join(start)
    })
  )

  onPostgres(
    "waits for a table that is in use without keeping others from it, and is done once the table is free",
    Effect.fnUntraced(function* () {
      const { address, sql } = yield* prepared()
      const addColumn = Effect.flatMap(SqlClient, (client) =>
        Effect.asVoid(client`ALTER TABLE runs ADD COLUMN added text`)
      )
      const end = yield* holding(sql, sql`SELECT 1 FROM runs LIMIT 1`)
      const start = yield* Effect.forkChild(startAt(address, 40_000, { [`${NEXT}_added`]: addColumn }))
      const waiting = sql`SELECT 1 FROM pg_locks JOIN pg_class ON pg_class.oid = relation WHERE relname = 'runs' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
      yield* Effect.repeat(Effect.delay(waiting, 20), { until: (rows) => rows.length > 0 })
      yield* Effect.timeout(sql`SELECT 1 FROM runs LIMIT 1`, "30 seconds")
      expect(start.pollUnsafe()).toBeUndefined()
      yield* end
      yield* Fiber.join(start)
      yield* sql`SELECT added FROM runs`
    })
  )
})
