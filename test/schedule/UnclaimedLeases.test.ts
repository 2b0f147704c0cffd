import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import { layerDatabase } from "../../engine/store/Database.ts"
import { backends } from "../store/Databases.ts"
import { audited, awaitDone, idOf, makeGatedAuditor, onDatabase, start, submit } from "./TestService.ts"

/** Reads the run whose domain was just leased. */
const READ = /FROM runs WHERE serial = /

/** Calls `instead` for the first statement that reads a run that was taken. */
const atFirstRead = (instead: Statement.Transformer) => {
  let reads = 0
  const transformer: Statement.Transformer = (...args) => READ.test(args[0].compile()[0]) && ++reads === 1 ? instead(...args) : Effect.succeed(args[0])
  return Layer.succeed(Statement.CurrentTransformer, transformer)
}

const OUTCOMES: ReadonlyArray<readonly [string, Statement.Transformer]> = [
  ["fails", (_, sql) => Effect.succeed(sql`SELECT nothing FROM nowhere`)],
  ["finds nothing", (_, sql) => Effect.succeed(sql`SELECT 1 AS one WHERE 1 = 0`)]
]

describe.each(backends.filter(({ available }) => available))("the lease of a domain on $name", ({ fresh }) => {
  it.live("is free as soon as a process has stopped that was just claiming a run", () =>
    Effect.gen(function*() {
      const address = yield* fresh
      const [reading, end] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
      const { audit } = makeGatedAuditor()
      const hold = atFirstRead((statement) => Effect.as(Effect.andThen(reading.open, end.await), statement))
      const { here, stop } = yield* start(Layer.provide(onDatabase(address, { audit }), hold))
      yield* here(submit("docs.example.com"))
      yield* reading.await
      const stopping = yield* Effect.forkChild(stop)
      yield* Effect.sleep(100)
      yield* end.open
      yield* Fiber.join(stopping)
      const leases = yield* Effect.provide(Effect.flatMap(SqlClient, (sql) => sql`SELECT domain FROM audit_leases`), layerDatabase(address))
      assert.deepStrictEqual(leases, [])
    }).pipe(Effect.scoped), 60_000)

  it.live.each(OUTCOMES)("is freed if the statement that reads the run %s", ([, instead]) =>
    Effect.gen(function*() {
      const { here } = yield* start(Layer.provide(onDatabase(yield* fresh, { audit: (run) => Effect.succeed(audited(run)) }), atFirstRead(instead)))
      const id = idOf(yield* here(submit("docs.example.com")))
      const run = yield* Effect.timeout(here(awaitDone(id)), "40 seconds")
      assert.strictEqual(run?.status, "done")
    }).pipe(Effect.scoped), 60_000)
})
