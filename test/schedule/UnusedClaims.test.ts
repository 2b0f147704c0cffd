import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import { layerDatabase } from "../../engine/store/Database.ts"
import { postgres } from "../store/Databases.ts"
import { makeGatedAuditor, onDatabase, start, submit, until } from "./TestService.ts"

/** Reads the run of a job that was just taken. */
const READ = /AS leased\s+FROM runs WHERE id = /

/** Holds up the statement that reads a run for which `holds`, counted from 1, until `end` is opened. */
const holdRead = (holds: number) => {
  const [reading, end] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
  let reads = 0
  const transformer: Statement.Transformer = (statement) =>
    READ.test(statement.compile()[0]) && ++reads === holds
      ? Effect.as(Effect.andThen(reading.open, end.await), statement)
      : Effect.succeed(statement)
  return { reading, end, layer: Layer.succeed(Statement.CurrentTransformer, transformer) }
}

/** The domains whose runs processes have taken. */
const takenAt = (address: Parameters<typeof layerDatabase>[0]) =>
  Effect.provide(
    Effect.flatMap(
      SqlClient,
      (sql) =>
        sql<{ readonly domain: string }>`SELECT singleton_key AS domain FROM docgauge_jobs.job WHERE state = 'active'`
    ),
    Layer.fresh(layerDatabase(address))
  )

describe.skipIf(!postgres.available)("a claim, in PostgreSQL", () => {
  it.live(
    "is given back by a process that stops while it takes the run, and that of an audit that goes on is not",
    () =>
      Effect.gen(function* () {
        const address = yield* postgres.fresh
        const { audit, begun, gate } = makeGatedAuditor()
        const { end, layer, reading } = holdRead(2)
        const { here, stop } = yield* start(
          Layer.provide(onDatabase(address, { audit, schedule: { graceMs: 60_000 } }), layer)
        )
        yield* here(submit("docs.first.com"))
        yield* until(Effect.sync(() => begun.length === 1))
        yield* here(submit("docs.second.com"))
        yield* reading.await
        assert.strictEqual((yield* takenAt(address)).length, 2)
        const stopping = yield* Effect.forkChild(stop)
        yield* end.open
        yield* until(Effect.map(takenAt(address), (taken) => taken.length === 1))
        assert.deepStrictEqual(yield* takenAt(address), [{ domain: "first.com" }])
        assert.lengthOf(begun, 1)
        yield* gate.open
        yield* Fiber.join(stopping)
        assert.deepStrictEqual(yield* takenAt(address), [])
      }).pipe(Effect.scoped)
  )
})
