import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { layerDatabase } from "../../../engine/store/Database.ts"
import { ChangeFeed } from "../../../engine/store/database/SqlDatabase.ts"
import { backends, postgres, sqliteBackends } from "../Databases.ts"

/** Two processes on one database, and the fiber of the one that waits for operators' changes. */
const waiting = Effect.fnUntraced(function* () {
  const address = yield* postgres.fresh
  const [listener, teller] = [yield* Layer.build(layerDatabase(address)), yield* Layer.build(layerDatabase(address))]
  const next = yield* Effect.forkChild(
    Effect.provide(
      Effect.flatMap(ChangeFeed, (feed) => feed.next("operators")),
      listener
    )
  )
  const sql = Context.get(teller, SqlClient)
  const listeners = sql<{
    readonly pid: number
  }>`SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()`
  yield* Effect.repeat(Effect.delay(listeners, 50), { until: (rows) => rows.length > 0 })
  // The first connection wakes those that wait, because it may have missed something.
  yield* Fiber.join(next)
  return { listener, teller, sql, listeners }
})

const nextIn = (context: Context.Context<never>) =>
  Effect.provide(
    Effect.flatMap(ChangeFeed, (feed) => feed.next("operators")),
    context
  )
const notifyFrom = (context: Context.Context<never>) =>
  Effect.provide(
    Effect.flatMap(ChangeFeed, (feed) => feed.notify("operators")),
    context
  )

describe.skipIf(!postgres.available)("changes told by PostgreSQL", () => {
  it.live("reach other processes once the transaction is committed", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { listener, sql, teller } = yield* waiting()
        const next = yield* Effect.forkChild(nextIn(listener))
        yield* sql.withTransaction(
          Effect.andThen(notifyFrom(teller), Effect.sleep(700)).pipe(
            Effect.tap(() => Effect.sync(() => expect(next.pollUnsafe()).toBeUndefined()))
          )
        )
        yield* Effect.timeout(Fiber.join(next), "30 seconds")
      })
    )
  )

  it.live("reach a process again that lost its connection, which is woken once it has another", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { listener, listeners, sql, teller } = yield* waiting()
        const [lost] = yield* listeners
        const woken = yield* Effect.forkChild(nextIn(listener))
        yield* sql`SELECT pg_terminate_backend(${lost?.pid ?? 0}::int)`
        yield* Effect.timeout(Fiber.join(woken), "30 seconds")
        const next = yield* Effect.forkChild(nextIn(listener))
        yield* Effect.sleep(100)
        yield* notifyFrom(teller)
        yield* Effect.timeout(Fiber.join(next), "30 seconds")
      })
    )
  )
})

describe("a database that tells nothing", () => {
  it.live.each(backends.filter((backend) => sqliteBackends.includes(backend)))(
    "leaves it to polling: $name",
    ({ fresh }) =>
      Effect.scoped(
        Effect.gen(function* () {
          const context = yield* Layer.build(layerDatabase(yield* fresh))
          yield* notifyFrom(context)
          expect(yield* Effect.timeoutOption(nextIn(context), 200)).toMatchObject({ _tag: "None" })
        })
      )
  )
})
