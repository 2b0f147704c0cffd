import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { Moderation } from "../../engine/store/operators/Moderation.ts"
import { parseRetentionRule, type RetentionRule } from "../../engine/store/runs/RetentionRule.ts"
import { Corpus } from "../../engine/store/corpus/Corpus.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import { backends, onFresh } from "./Databases.ts"
import { naiveCorpus } from "./NaiveCorpus.ts"
import { audited, newRun } from "./SampleRuns.ts"

const START = Date.UTC(2026, 10, 21, 12)

describe("DOCGAUGE_RETENTION", () => {
  it.each([
    ["off", null],
    ["", null],
    ["days=90", { keep: null, days: 90 }],
    ["keep=3", { keep: 3, days: null }],
    [" keep=3 , days=90 ", { keep: 3, days: 90 }]
  ])("%j is read", (text, rule) => expect(parseRetentionRule(text)).toEqual(Result.succeed(rule)))

  it.each(["on", "keep", "keep=0", "days=0", "keep=-1", "keep=1,keep=2", "off,keep=1", "keep=1.5", "days=99999999", "data/archives"])("%j is refused", (text) =>
    expect(Result.isFailure(parseRetentionRule(text))).toBe(true))
})

for (const backend of backends) {
  describe.skipIf(!backend.available)(`runs that are no longer kept on ${backend.name}`, () => {
    /** Three sites: one with six runs, one a day, one with two that are old, and one with a run of today that is not over. */
    const kept = (rule: RetentionRule) =>
      Effect.gen(function*() {
        const [store, corpus] = [yield* RunStore, yield* Corpus]
        const moderation = yield* Moderation
        yield* TestClock.setTime(START)
        const old = [yield* audited(newRun("old.dev"), 10), yield* audited(newRun("old.dev"), 20)]
        const daily = []
        for (const score of [90, 30, 80, 40, 70, 50]) {
          yield* TestClock.adjust("1 day")
          daily.push(yield* audited(newRun("daily.dev"), score))
        }
        const pending = yield* store.accept(newRun("pending.dev"))
        for (;;) {
          // Few at a time: a batch may end within a site.
          const expired = yield* moderation.expired(rule, 3)
          if (expired.length === 0) break
          yield* moderation.drop(expired.map(({ id }) => id))
        }
        const left = []
        for (const run of [...old, ...daily, pending]) if ((yield* store.find(run.id)) !== null) left.push(run)
        const naive = naiveCorpus(left)
        yield* corpus.fold
        expect(yield* corpus.summary).toEqual(naive.summary)
        expect(yield* corpus.statistics).toEqual(naive.statistics)
        expect(yield* corpus.top("all", "best", 10)).toEqual(naive.top("", "best", 10))
        return left.map((run) => `${run.site} ${run.totalScore ?? "-"}`)
      })

    const on = (name: string, rule: RetentionRule, expected: ReadonlyArray<string>) =>
      it.live(name, () =>
        onFresh(backend, Effect.provide(
          Effect.map(kept(rule), (left) => expect(left).toEqual(expected)),
          Layer.mergeAll(Moderation.layerSql.pipe(Layer.orDie), TestClock.layer())
        )))

    on("keep=N keeps the newest of each site", { keep: 2, days: null }, ["old.dev 10", "old.dev 20", "daily.dev 70", "daily.dev 50", "pending.dev -"])
    on("days=N keeps those that are recent enough", { keep: null, days: 3 }, ["daily.dev 80", "daily.dev 40", "daily.dev 70", "daily.dev 50", "pending.dev -"])
    on("both together delete what either deletes", { keep: 1, days: 5 }, ["daily.dev 50", "pending.dev -"])
  })
}
