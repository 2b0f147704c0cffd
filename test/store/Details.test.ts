import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { unpack } from "../../engine/store/database/ColumnValues.ts"
import { RunStore, type StoredFacts } from "../../engine/store/runs/RunStore.ts"
import { newestRuns } from "../../engine/store/runs/RunHistory.ts"
import { dialects, onFresh } from "./Databases.ts"
import { audited, finish, newRun, resultOf } from "./SampleRuns.ts"

for (const backend of dialects) {
  describe.skipIf(!backend.available)(`on ${backend.name}`, () => {
    it.live("the facts of a run are stored, with at most a thousand exchanges", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const [store, sql] = [yield* RunStore, yield* SqlClient]
          const facts: ReadonlyArray<StoredFacts> = [
            {
              criterion: "A1",
              plugin: "a1-llms-txt",
              revision: 3,
              params: { sample: 20, names: ["a", null] },
              facts: { h1: 1.5, listed: false, kind: "ü\n" }
            },
            { criterion: "A2", plugin: "a2-sitemap", revision: 1, params: {}, facts: null }
          ]
          const exchanges = Array.from({ length: 1_200 }, (_, index) => ({
            method: "GET",
            url: `https://a.example.com/${index}`,
            status: index === 0 ? null : 200,
            sha256: index === 0 ? null : "00".repeat(32),
            size: index
          }))
          const { id } = yield* store.accept(newRun("a.example.com"))
          expect((yield* newestRuns(0, 10)).runs).toEqual([])
          yield* finish(id, resultOf(50, { facts, exchanges }))
          const stored = Effect.fnUntraced(function* (table: string) {
            const rows = yield* sql<{ readonly content: Uint8Array }>`SELECT content FROM ${sql(table)}`
            return rows.map(({ content }): unknown => JSON.parse(unpack(content)))
          })
          expect(yield* stored("facts")).toEqual([facts])
          expect(yield* stored("exchanges")).toEqual([exchanges.slice(0, 1_000)])
        })
      )
    )

    it.live("the corpus is read page by page, each site's newest finished run once", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const store = yield* RunStore
          const newest = []
          for (const host of ["c.dev", "a.dev", "b.dev", "d.dev", "e.dev"]) {
            yield* audited(newRun(host), 10)
            newest.push(yield* audited(newRun(host), 20))
            yield* store.accept(newRun(host))
          }
          const first = yield* newestRuns(0, 2)
          const second = yield* newestRuns(first.next ?? -1, 2)
          const third = yield* newestRuns(second.next ?? -1, 2)
          expect([first, second, third].flatMap(({ runs }) => runs)).toEqual(newest)
          expect(third.next).toBeNull()
        })
      )
    )
  })
}
