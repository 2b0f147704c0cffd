import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { ScheduleStore } from "../../../engine/store/operators/ScheduleStore.ts"
import { dialects, onFresh } from "../Databases.ts"

const HOUR = 3_600_000

for (const backend of dialects) {
  describe.skipIf(!backend.available)(`schedules on ${backend.name}`, () => {
    it.live("that were missed several times are due once, and then at their next time", () =>
      onFresh(
        backend,
        Effect.provide(
          Effect.gen(function* () {
            const sql = yield* SqlClient
            const store = yield* ScheduleStore
            const { id } = yield* store.create("https://a.dev", 6 * HOUR)
            // Ten times and an hour ago.
            const missed = Date.now() - 61 * HOUR
            yield* sql`UPDATE schedules SET next_at = ${missed}`
            expect(yield* store.lockDue).toMatchObject({ id })
            yield* store.settle(id, { _tag: "Done", run: "run-1", problem: null })
            expect(yield* store.lockDue).toBe(null)
            const settled = yield* store.find(id)
            expect(settled).toMatchObject({ lastRun: "run-1", lastProblem: null })
            expect(Math.abs(Date.parse(settled?.nextAt ?? "") - (missed + 66 * HOUR))).toBeLessThan(2)
          }),
          ScheduleStore.layerSql.pipe(Layer.orDie)
        )
      )
    )

    it.live("that are postponed are due again a little later", () =>
      onFresh(
        backend,
        Effect.provide(
          Effect.gen(function* () {
            const store = yield* ScheduleStore
            const { id } = yield* store.create("https://a.dev", 6 * HOUR)
            yield* store.settle(id, { _tag: "Later", afterMs: HOUR, problem: "spent" })
            const settled = yield* store.find(id)
            expect(settled).toMatchObject({ lastAt: null, lastRun: null, lastProblem: "spent" })
            expect(Math.abs(Date.parse(settled?.nextAt ?? "") - Date.now() - HOUR)).toBeLessThan(60_000)
            yield* store.settle("nobody", { _tag: "Done", run: null, problem: null })
          }),
          ScheduleStore.layerSql.pipe(Layer.orDie)
        )
      )
    )
  })
}
