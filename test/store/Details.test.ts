import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { DashboardStore } from "../../engine/store/operators/DashboardStore.ts"
import type { StoredFacts } from "../../engine/store/runs/RunResult.ts"
import { RunDetails } from "../../engine/store/runs/RunDetails.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import { backends, onFresh } from "./Databases.ts"
import { audited, finish, newRun, resultOf } from "./SampleRuns.ts"

for (const backend of backends) {
  describe.skipIf(!backend.available)(`on ${backend.name}`, () => {
    it.live("the facts of a run are stored, with at most a thousand exchanges", () =>
      onFresh(backend, Effect.gen(function*() {
        const [store, details] = [yield* RunStore, yield* RunDetails]
        const facts: ReadonlyArray<StoredFacts> = [
          { criterion: "A1", plugin: "a1-llms-txt", revision: 3, params: { sample: 20, names: ["a", null] }, facts: { h1: 1.5, listed: false, kind: "ü\n" } },
          { criterion: "A2", plugin: "a2-sitemap", revision: 1, params: {}, facts: null }
        ]
        const exchanges = Array.from({ length: 1_200 }, (_, index) => ({ method: "GET", url: `https://a.example.com/${index}`, status: index === 0 ? null : 200, sha256: index === 0 ? null : "00".repeat(32), size: index }))
        const { id } = yield* store.accept(newRun("a.example.com"))
        expect(yield* details.facts(id)).toBeNull()
        yield* finish(id, resultOf(50, { facts, exchanges }))
        expect(yield* details.facts(id.toUpperCase())).toEqual(facts)
        expect(yield* details.exchanges(id)).toEqual(exchanges.slice(0, 1_000))
        expect(yield* details.exchanges("nobody")).toBeNull()
      }).pipe(Effect.provide(RunDetails.layerSql))))

    it.live("the corpus is read page by page, each site's newest finished run once", () =>
      onFresh(backend, Effect.gen(function*() {
        const [store, details] = [yield* RunStore, yield* RunDetails]
        const newest = []
        for (const host of ["c.dev", "a.dev", "b.dev", "d.dev", "e.dev"]) {
          yield* audited(newRun(host), 10)
          newest.push(yield* audited(newRun(host), 20))
          yield* store.accept(newRun(host))
        }
        const first = yield* details.corpus(0, 2)
        const second = yield* details.corpus(first.next ?? -1, 2)
        const third = yield* details.corpus(second.next ?? -1, 2)
        expect([first, second, third].flatMap(({ runs }) => runs.map(({ run }) => run))).toEqual(newest)
        expect(first.runs[0]?.facts).toEqual(resultOf(20).facts)
        expect(third.next).toBeNull()
      }).pipe(Effect.provide(RunDetails.layerSql))))

    it.live("dashboards are stored by slug, with their computed figures", () =>
      onFresh(backend, Effect.gen(function*() {
        const dashboards = yield* DashboardStore
        const board = { slug: "apis", title: "Our APIs", isPublic: true, definition: "{\"sites\":[\"a.dev\"]}" }
        expect(yield* dashboards.find("apis")).toBeNull()
        expect(yield* dashboards.remove("apis")).toBe(false)
        yield* dashboards.keepResult(board, "30d", "{}")
        yield* dashboards.put(board)
        yield* dashboards.put({ ...board, slug: "other", isPublic: false })
        expect(yield* dashboards.find("apis")).toEqual(board)
        expect(yield* dashboards.find("APIS")).toBeNull()
        expect((yield* dashboards.list).map(({ isPublic, slug }) => [slug, isPublic])).toEqual([["apis", true], ["other", false]])
        expect(yield* dashboards.result("apis", "30d")).toBeNull()
        yield* dashboards.keepResult(board, "30d", "{\"n\":1}")
        yield* dashboards.keepResult(board, "30d", "{\"n\":2}")
        yield* dashboards.keepResult(board, "12m", "{\"n\":3}")
        yield* dashboards.put({ ...board, isPublic: false })
        expect(yield* dashboards.result("apis", "30d")).toEqual({ content: "{\"n\":2}", computedAt: expect.stringMatching(/^20.*Z$/) })
        yield* dashboards.put({ ...board, definition: "{\"sites\":[]}" })
        expect(yield* dashboards.result("apis", "12m")).toBeNull()
        yield* dashboards.keepResult({ ...board, definition: "{\"sites\":[]}" }, "12m", "{}")
        yield* dashboards.put({ ...board, title: "APIs", definition: "{\"sites\":[]}" })
        expect(yield* dashboards.result("apis", "12m"), "the title is part of what was computed").toBeNull()
        yield* dashboards.keepResult(board, "90d", "{}")
        expect(yield* dashboards.result("apis", "90d"), "it was computed of what is no longer there").toBeNull()
        yield* dashboards.put(board)
        yield* dashboards.keepResult(board, "90d", "{}")
        yield* dashboards.dropResults
        expect(yield* dashboards.result("apis", "90d")).toBeNull()
        expect(yield* dashboards.remove("apis")).toBe(true)
        expect(yield* dashboards.find("apis")).toBeNull()
      }).pipe(Effect.provide(DashboardStore.layerSql))))
  })
}
