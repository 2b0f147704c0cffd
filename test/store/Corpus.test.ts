import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import type { Run } from "../../engine/store/Run.ts"
import { RunStore, type TopOrder, type TopWindow } from "../../engine/store/RunStore.ts"
import { backends, onFresh } from "./Databases.ts"
import { naiveCorpus } from "./NaiveCorpus.ts"
import { audited, fail, finish, newRun, resultOf } from "./SampleRuns.ts"

const START = Date.UTC(2026, 10, 21, 12)
const DAY = 24 * 60 * 60 * 1_000

const HOSTS = ["a.example.com", "www.a.example.com", "docs.b.dev", "api.b.dev", "c.io", "d.example.com", "docs.xn--mnchen-3ya.de", "e.co.uk"]

/** One run: of which site, how long after the one before, what became of it, and how late that was known. */
const aRun = fc.record({
  host: fc.constantFrom(...HOSTS),
  path: fc.constantFrom("", "/docs", "/Docs/V2"),
  after: fc.oneof(fc.constant(0), fc.nat({ max: 5_000 }), fc.nat({ max: 20 * DAY })),
  end: fc.oneof({ weight: 8, arbitrary: fc.nat({ max: 100 }) }, { weight: 1, arbitrary: fc.constant("error" as const) }, { weight: 1, arbitrary: fc.constant(null) }),
  delay: fc.nat({ max: 6 })
})

const needles = ["", " ", "a", "e", "z", "ex", "b.", "://", "HTTPS", "docs", "/docs/v2", "%", "_", "\\", "'", "\"", "a.example", "nowhere", "é", "xn--", "*", "a OR b", "-", "a b", "\0"]

for (const backend of backends) {
  const on = <E>(name: string, test: Effect.Effect<unknown, E, RunStore>) =>
    it.live(name, () => onFresh(backend, Effect.provide(Effect.andThen(TestClock.setTime(START), test), TestClock.layer())))

  describe.skipIf(!backend.available)(`the corpus on ${backend.name}`, () => {
    it.live("equals what all runs come to, whatever the order in which they finish", () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(aRun, { maxLength: 60 }), (planned) =>
            Effect.runPromise(onFresh(backend, Effect.provide(
              Effect.gen(function*() {
                yield* TestClock.setTime(START)
                const store = yield* RunStore
                const accepted: Array<Run> = []
                const pending: Array<{ readonly id: string; readonly end: number | "error"; readonly due: number }> = []
                for (const [index, { after, delay, end, host, path }] of planned.entries()) {
                  yield* TestClock.adjust(after)
                  const run = yield* store.accept(newRun(host, { url: `https://${host}${path}`, site: `${host.replace(/^www\./, "")}${path === "" ? "" : "/docs"}` }))
                  accepted.push(run)
                  if (end !== null) pending.push({ id: run.id, end, due: index + delay })
                  const due = pending.filter((one) => one.due <= index).reverse()
                  pending.splice(0, pending.length, ...pending.filter((one) => one.due > index))
                  for (const { end, id } of due) {
                    yield* end === "error" ? fail(id, { code: null, message: "unreachable" }) : finish(id, resultOf(end))
                  }
                }
                for (const { end, id } of pending) {
                  yield* end === "error" ? fail(id, { code: null, message: "unreachable" }) : finish(id, resultOf(end))
                }
                const runs = yield* Effect.forEach(accepted, ({ id }) => Effect.map(store.find(id), (run) => run ?? accepted[0]))
                const naive = naiveCorpus(runs.filter((run) => run !== undefined))
                const now = START + planned.reduce((sum, { after }) => sum + after, 0)
                expect(yield* store.summary).toEqual(naive.summary)
                expect(yield* store.stats).toEqual(naive.stats)
                for (const [window, days] of [["7d", 7], ["30d", 30], ["all", 100_000]] as const satisfies ReadonlyArray<readonly [TopWindow, number]>) {
                  const since = days === 100_000 ? "" : new Date(now - days * DAY).toISOString().replace("Z", "000Z")
                  for (const order of ["best", "worst"] as const satisfies ReadonlyArray<TopOrder>) {
                    for (const limit of [1, 3, 50]) expect(yield* store.top(window, order, limit)).toEqual(naive.top(since, order, limit))
                  }
                }
                for (const needle of needles) expect(yield* store.search(needle, 4)).toEqual(naive.search(needle, 4))
              }),
              TestClock.layer()
            )))
          ),
          { numRuns: backend.name === "SQLite" ? 40 : 8 }
        )
      ), 120_000)

    on("is empty to begin with", Effect.gen(function*() {
      const store = yield* RunStore
      const naive = naiveCorpus([])
      expect(yield* store.summary).toEqual(naive.summary)
      expect(yield* store.stats).toEqual(naive.stats)
      expect(yield* store.top("all", "best", 50)).toEqual([])
      expect(yield* store.search("a", 50)).toEqual([])
    }))

    on("ranks by the best score of the window, to the microsecond", Effect.gen(function*() {
      const store = yield* RunStore
      yield* audited(newRun("a.dev"), 90)
      yield* TestClock.adjust("1 second")
      yield* audited(newRun("b.dev"), 80)
      yield* audited(newRun("a.dev"), 70)
      const tops = Effect.map(store.top("7d", "best", 10), (sites) => sites.map(({ bestScore, runCount, site }) => [site, bestScore, runCount]))
      yield* TestClock.setTime(START + 7 * DAY)
      expect(yield* tops).toEqual([["a.dev", 90, 2], ["b.dev", 80, 1]])
      yield* TestClock.adjust(1)
      expect(yield* tops).toEqual([["b.dev", 80, 1], ["a.dev", 70, 1]])
      yield* TestClock.adjust("1 second")
      expect(yield* tops).toEqual([])
      expect(yield* store.top("all", "worst", 1)).toEqual([expect.objectContaining({ site: "a.dev", bestScore: 90, worstScore: 70, averageScore: 80 })])
    }))

    it.live("keeps of each site no more runs for ranking than can still be its best or worst", () =>
      onFresh(backend, Effect.gen(function*() {
        const sql = yield* SqlClient
        for (const score of [50, 50, 90, 70, 70, 60, 60]) yield* audited(newRun("a.dev"), score)
        const rows = yield* sql<{ readonly ranking: number; readonly score: number }>`SELECT ranking, score FROM standings ORDER BY ranking, started_at`
        expect(rows).toEqual([{ ranking: 0, score: 90 }, { ranking: 0, score: 70 }, { ranking: 0, score: 60 }, { ranking: 1, score: 50 }, { ranking: 1, score: 60 }])
      })))

    on("stays right when many runs finish at once", Effect.gen(function*() {
      const store = yield* RunStore
      const accepted = yield* Effect.forEach(Array.from({ length: 60 }, (_, index) => index), (index) => store.accept(newRun(HOSTS[index % 6] ?? "")))
      yield* Effect.forEach(accepted, ({ id }, index) => finish(id, resultOf((index * 37) % 101)), { concurrency: 20 })
      const runs = yield* Effect.forEach(accepted, ({ id }) => store.find(id))
      const naive = naiveCorpus(runs.filter((run) => run !== null))
      expect(yield* store.summary).toEqual(naive.summary)
      expect(yield* store.stats).toEqual(naive.stats)
      expect(yield* store.top("30d", "worst", 50)).toEqual(naive.top("", "worst", 50))
    }))
  })
}
