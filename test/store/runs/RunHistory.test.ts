import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import { type HistoryPage, RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { backends, onFresh, type Stores } from "../Databases.ts"
import { audited, fail, newRun, outcomesOf } from "../SampleRuns.ts"

const NOON = Date.UTC(2026, 10, 21, 12)

for (const backend of backends) {
  const on = <E>(name: string, test: Effect.Effect<unknown, E, Stores>) =>
    it.live(name, () =>
      onFresh(backend, Effect.provide(Effect.andThen(TestClock.setTime(NOON), test), TestClock.layer()))
    )

  describe.skipIf(!backend.available)(`history on ${backend.name}`, () => {
    on(
      "comes in pages, newest first, strictly older than the cursor, ties and all",
      Effect.gen(function* () {
        const [store, history] = [yield* RunStore, yield* RunHistory]
        const accepted = []
        for (let index = 0; index < 11; index++) {
          accepted.push(yield* store.accept(newRun("a.example.com")))
          yield* store.accept(newRun("other.example.com"))
          if (index % 3 === 0) yield* TestClock.adjust("1 millis")
        }
        const seen: Array<string> = []
        let cursor: string | null = null
        for (let pages = 0; pages < 10; pages++) {
          const page: HistoryPage = yield* history.page("a.example.com", cursor, 4)
          expect(page.runs.length).toBeLessThanOrEqual(4)
          seen.push(...page.runs.map(({ id }) => id))
          if (page.next === null) break
          cursor = page.next
        }
        expect(seen).toEqual(accepted.map(({ id }) => id).reverse())
      })
    )

    on(
      "has no next page after a last page that is exactly full",
      Effect.gen(function* () {
        const [store, history] = [yield* RunStore, yield* RunHistory]
        const [first, second] = [
          yield* store.accept(newRun("a.example.com")),
          yield* store.accept(newRun("a.example.com"))
        ]
        expect((yield* history.page("a.example.com", null, 2)).next).toBeNull()
        expect(yield* history.page("a.example.com", null, 1)).toEqual({ runs: [second], next: second.startedAt })
        expect(yield* history.page("a.example.com", second.startedAt, 1)).toEqual({ runs: [first], next: null })
      })
    )

    on(
      "reads cursors of every shape",
      Effect.gen(function* () {
        const [store, history] = [yield* RunStore, yield* RunHistory]
        const run = yield* store.accept(newRun("a.example.com"))
        const found = (before: string) =>
          Effect.map(history.page("a.example.com", before, 5), ({ runs }) => runs.length)
        expect(yield* found(run.startedAt)).toBe(0)
        expect(yield* found("2026-11-21T12:00:00.000000001Z")).toBe(1)
        expect(yield* found("2026-11-21T13:00:00+01:00")).toBe(0)
        expect(yield* found("2026-11-21T13:00:01+01:00")).toBe(1)
        expect(yield* found("1969-12-31T23:59:59Z")).toBe(0)
        expect(yield* found("0001-01-01T00:00:00Z")).toBe(0)
        expect(yield* found("9999-12-31T23:59:59Z")).toBe(1)
        expect(yield* history.page("nobody.example.com", null, 5)).toEqual({ runs: [], next: null })
      })
    )

    on(
      "has the outcomes of a site's finished runs, newest first",
      Effect.gen(function* () {
        const history = yield* RunHistory
        const first = yield* audited(newRun("a.example.com"), 40)
        yield* RunStore.use((store) => store.accept(newRun("a.example.com")))
        const last = yield* audited(newRun("a.example.com"), 71, false)
        yield* audited(newRun("b.example.com"), 90)
        const judged = yield* history.judged("a.example.com", 5)
        expect(judged).toEqual([
          { run: last, outcomes: outcomesOf(71) },
          { run: first, outcomes: outcomesOf(40) }
        ])
        expect(yield* history.judged("a.example.com", 1)).toEqual(judged.slice(0, 1))
        // Runs that were accepted later do not count.
        expect(yield* history.judged("a.example.com", 5, first.startedAt)).toEqual(judged.slice(1))
        expect(yield* history.judged("a.example.com", 5, last.startedAt)).toEqual(judged)
        expect(yield* history.judged("nobody.example.com", 1)).toEqual([])
      })
    )

    on(
      "knows the newest run before another that is done",
      Effect.gen(function* () {
        const [store, history] = [yield* RunStore, yield* RunHistory]
        const first = yield* audited(newRun("a.example.com"), 10)
        const second = yield* audited(newRun("www.a.example.com"), 20)
        const failed = yield* store.accept(newRun("a.example.com"))
        yield* fail(failed.id, { code: null, message: "unreachable" })
        const last = yield* store.accept(newRun("a.example.com"))
        yield* audited(newRun("other.example.com"), 30)
        expect(yield* history.before("a.example.com", last.startedAt)).toEqual(second)
        expect(yield* history.before("a.example.com", second.startedAt)).toEqual(first)
        expect(yield* history.before("a.example.com", first.startedAt)).toBeNull()
        expect([yield* history.newest("a.example.com"), yield* history.newest("nobody.example.com")]).toEqual([
          second,
          null
        ])
      })
    )

    on(
      "of URLs longer than an index entry is stored like others",
      Effect.gen(function* () {
        const [store, history, corpus] = [yield* RunStore, yield* RunHistory, yield* Corpus]
        const path = "%E2%9C%93/".repeat(1_400)
        const long = newRun("long.example.com", {
          url: `https://long.example.com/${path}`,
          site: `long.example.com/${path}`
        })
        const run = yield* audited(long, 61)
        expect(yield* store.latest(long.url, long.rubricDigest, run.finishedAt)).toEqual(run)
        expect((yield* history.page(long.site, null, 5)).runs).toEqual([run])
        expect((yield* corpus.search("%e2%9c%93/%e2", 5)).map(({ site }) => site)).toEqual([long.site])
      })
    )
  })
}
