import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { DashboardStore } from "../../../engine/store/operators/DashboardStore.ts"
import { dialectsOfSeveral, storeAt } from "../Databases.ts"

const BOARD = { slug: "apis", title: "Our APIs", isPublic: true, definition: '{"sites":["a.dev"]}' }

/** The board as it is stored now. */
const stored = DashboardStore.use((store) =>
  Effect.map(store.find("apis"), (found) => {
    if (found === null) throw new Error("there is no such dashboard")
    return found
  })
)

const figures = DashboardStore.use((store) => store.result("apis", "90d"))

const created = Effect.tap(DashboardStore, (store) => store.put(BOARD))

for (const backend of dialectsOfSeveral) {
  describe.skipIf(!backend.available)(`dashboards on ${backend.name}`, () => {
    const layerAt = Effect.map(backend.fresh, (address) =>
      DashboardStore.layerSql.pipe(Layer.provideMerge(storeAt(address)))
    )
    const on = (name: string, test: Effect.Effect<unknown, unknown, DashboardStore>) =>
      it.live(name, () => Effect.scoped(Effect.flatMap(layerAt, (layer) => Effect.provide(test, layer))))

    on(
      "are stored by slug, with the figures computed for each bucket",
      Effect.gen(function* () {
        const dashboards = yield* DashboardStore
        expect(yield* dashboards.find("apis")).toBeNull()
        expect(yield* dashboards.remove("apis")).toBe(false)
        yield* dashboards.put(BOARD)
        yield* dashboards.put({ ...BOARD, slug: "other", isPublic: false })
        expect(yield* dashboards.find("apis")).toMatchObject(BOARD)
        expect(yield* dashboards.find("APIS")).toBeNull()
        expect((yield* dashboards.list).map(({ isPublic, slug }) => [slug, isPublic])).toEqual([
          ["apis", true],
          ["other", false]
        ])
        expect(yield* dashboards.result("apis", "30d")).toBeNull()
        yield* dashboards.keepResult(yield* stored, "30d", '{"n":1}')
        yield* dashboards.keepResult(yield* stored, "30d", '{"n":2}')
        yield* dashboards.put({ ...BOARD, isPublic: false })
        expect(yield* dashboards.result("apis", "30d")).toEqual({
          content: '{"n":2}',
          computedAt: expect.stringMatching(/^20.*Z$/)
        })
        yield* dashboards.put({ ...BOARD, definition: '{"sites":[]}' })
        expect(yield* dashboards.result("apis", "30d")).toBeNull()
        yield* dashboards.keepResult(yield* stored, "12m", "{}")
        yield* dashboards.put({ ...BOARD, title: "APIs", definition: '{"sites":[]}' })
        expect(yield* dashboards.result("apis", "12m"), "the title is part of what was computed").toBeNull()
        yield* dashboards.keepResult(yield* stored, "12m", "{}")
        yield* dashboards.dropResults
        expect(yield* dashboards.result("apis", "12m")).toBeNull()
        expect(yield* dashboards.remove("apis")).toBe(true)
        expect(yield* dashboards.find("apis")).toBeNull()
      })
    )

    on(
      "do not keep figures that were computed for another definition",
      Effect.gen(function* () {
        const dashboards = yield* created
        const before = yield* stored
        yield* dashboards.put({ ...BOARD, definition: '{"sites":[]}' })
        yield* dashboards.keepResult(before, "90d", "{}")
        expect(yield* figures).toBeNull()
      })
    )

    on(
      "do not keep the figures of a dashboard that was deleted and created again",
      Effect.gen(function* () {
        const dashboards = yield* created
        const before = yield* stored
        yield* dashboards.remove("apis")
        yield* dashboards.put(BOARD)
        yield* dashboards.keepResult(before, "90d", "{}")
        expect(yield* figures).toBeNull()
      })
    )

    it.live("do not keep figures that one process computed before another took a site down", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const address = yield* backend.fresh
          const processes = DashboardStore.layerSql.pipe(Layer.provideMerge(storeAt(address)))
          const [one, other] = [yield* Layer.build(processes), yield* Layer.build(Layer.fresh(processes))]
          yield* Effect.provide(created, one)
          const before = yield* Effect.provide(stored, one)
          yield* Effect.provide(
            DashboardStore.use((store) => store.dropResults),
            other
          )
          yield* Effect.provide(
            DashboardStore.use((store) => store.keepResult(before, "90d", "{}")),
            one
          )
          expect(yield* Effect.provide(figures, other)).toBeNull()
          const after = yield* Effect.provide(stored, one)
          yield* Effect.provide(
            DashboardStore.use((store) => store.keepResult(after, "90d", "{}")),
            one
          )
          expect(yield* Effect.provide(figures, other)).not.toBeNull()
        })
      )
    )

    it.live("do not keep them either while the other process is committing", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const address = yield* backend.fresh
          const processes = DashboardStore.layerSql.pipe(Layer.provideMerge(storeAt(address)))
          const [one, other] = [yield* Layer.build(processes), yield* Layer.build(Layer.fresh(processes))]
          yield* Effect.provide(created, one)
          const before = yield* Effect.provide(stored, one)
          const keep = Effect.provide(
            DashboardStore.use((store) => store.keepResult(before, "90d", "{}")),
            one
          )
          const keeping = yield* Effect.provide(
            Effect.gen(function* () {
              const sql = yield* SqlClient
              const { dropResults } = yield* DashboardStore
              return yield* sql.withTransaction(
                Effect.gen(function* () {
                  yield* dropResults
                  const fiber = yield* Effect.forkDetach(keep)
                  yield* Effect.sleep(300)
                  return fiber
                })
              )
            }),
            other
          )
          yield* Fiber.join(keeping)
          expect(yield* Effect.provide(figures, other)).toBeNull()
        })
      )
    )
  })
}
