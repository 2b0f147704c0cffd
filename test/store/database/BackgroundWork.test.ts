import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isDue, renewing } from "../../../engine/store/database/SqlDialect.ts"
import { dialectsOfSeveral, onFresh } from "../Databases.ts"

const HOUR = 3_600_000

describe.each(dialectsOfSeveral.filter(({ available }) => available))(
  "work that processes share on $name",
  (backend) => {
    it.live("is due once in an interval, however many ask at once, and each work on its own", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const answers = yield* Effect.forEach(Array.from({ length: 8 }), () => isDue(sql, "one", HOUR), {
            concurrency: "unbounded"
          })
          expect(answers.filter((due) => due)).toHaveLength(1)
          expect(yield* isDue(sql, "one", HOUR)).toBe(false)
          expect(yield* isDue(sql, "other", HOUR)).toBe(true)
          yield* Effect.sleep(20)
          expect(yield* isDue(sql, "one", 10)).toBe(true)
        })
      )
    )

    it.live("is not due again while it is still done, however long that takes", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* isDue(sql, "long", HOUR)
          const begunAt = Effect.map(
            sql<{ readonly begun_at: number }>`SELECT begun_at FROM background_work WHERE name = 'long'`,
            ([row]) => row?.begun_at ?? 0
          )
          const before = yield* begunAt
          const renewed = Effect.repeat(Effect.delay(begunAt, 10), { until: (now) => now > before })
          expect(yield* Effect.raceFirst(renewed, renewing(sql, "long", 30))).toBeGreaterThan(before)
        })
      )
    )
  }
)
