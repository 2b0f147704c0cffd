import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import { layerDatabase } from "../../engine/store/Database.ts"
import { dialectsOfSeveral } from "../store/Databases.ts"
import { makeGatedAuditor, onDatabase, start, submit, until } from "./TestService.ts"

/** Reads the run whose domain was just leased. */
const READ = /rubric_digest[^]*FROM runs WHERE serial = /

/** Holds up the statement that reads a run for which `holds`, counted from 1, until `end` is opened. */
const holdRead = (holds: number) => {
  const [reading, end] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
  let reads = 0
  const transformer: Statement.Transformer = (statement) =>
    READ.test(statement.compile()[0]) && ++reads === holds
      ? Effect.as(Effect.andThen(reading.open, end.await), statement)
      : Effect.succeed(statement)
  return { reading, layer: Layer.succeed(Statement.CurrentTransformer, transformer) }
}

const leasesAt = (address: Parameters<typeof layerDatabase>[0]) =>
  Effect.provide(
    Effect.flatMap(SqlClient, (sql) => sql<{ readonly domain: string }>`SELECT domain FROM audit_leases`),
    Layer.fresh(layerDatabase(address))
  )

describe.each(dialectsOfSeveral.filter(({ available }) => available))("the lease of a domain on $name", ({ fresh }) => {
  it.live(
    "is free as soon as a process stops that was just claiming a run, and that of an audit that goes on is not",
    () =>
      Effect.gen(function* () {
        const address = yield* fresh
        const { audit, begun, gate } = makeGatedAuditor()
        const { layer, reading } = holdRead(2)
        const { here, stop } = yield* start(
          Layer.provide(onDatabase(address, { audit, schedule: { graceMs: 60_000 } }), layer)
        )
        yield* here(submit("docs.first.com"))
        yield* until(Effect.sync(() => begun.length === 1))
        yield* here(submit("docs.second.com"))
        yield* reading.await
        assert.strictEqual((yield* leasesAt(address)).length, 2)
        const stopping = yield* Effect.forkChild(stop)
        yield* until(Effect.map(leasesAt(address), (leases) => leases.length === 1))
        assert.deepStrictEqual(yield* leasesAt(address), [{ domain: "first.com" }])
        yield* gate.open
        yield* Fiber.join(stopping)
        assert.deepStrictEqual(yield* leasesAt(address), [])
      }).pipe(Effect.scoped),
    60_000
  )
})
