import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import { Moderation } from "../../../engine/store/operators/Moderation.ts"
import { type ExpiredRuns, parseRetentionRule, type RetentionRule } from "../../../engine/store/runs/RunRetention.ts"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { dialects, onFresh, type Stores } from "../Databases.ts"
import { naiveCorpus } from "../NaiveCorpus.ts"
import { audited, finish, newRun, resultOf } from "../SampleRuns.ts"

const DAY = 24 * 60 * 60 * 1_000_000

describe("DOCGAUGE_RETENTION", () => {
  it.each([
    ["off", null],
    ["", null],
    ["days=90", { keep: null, days: 90 }],
    ["keep=3", { keep: 3, days: null }],
    [" keep=3 , days=90 ", { keep: 3, days: 90 }]
  ])("%j is read", (text, rule) => expect(parseRetentionRule(text)).toEqual(Result.succeed(rule)))

  it.each([
    "on",
    "keep",
    "keep=0",
    "days=0",
    "keep=-1",
    "keep=1,keep=2",
    "off,keep=1",
    "keep=1.5",
    "days=99999999",
    "data/archives"
  ])("%j is refused", (text) => expect(Result.isFailure(parseRetentionRule(text))).toBe(true))
})

for (const backend of dialects) {
  describe.skipIf(!backend.available)(`runs that are no longer kept on ${backend.name}`, () => {
    /** A finished run that was accepted some days ago. */
    const auditedBefore = Effect.fnUntraced(function* (days: number, host: string, score: number) {
      const [sql, store] = [yield* SqlClient, yield* RunStore]
      const { id } = yield* store.accept(newRun(host))
      yield* sql`UPDATE runs SET started_at = started_at - ${days * DAY} WHERE id = ${id}`
      yield* finish(id, resultOf(score))
      return yield* Effect.flatMap(store.find(id), (run) => (run === null ? Effect.die("gone") : Effect.succeed(run)))
    })

    const dropExpired = Effect.fnUntraced(function* (rule: RetentionRule) {
      const moderation = yield* Moderation
      for (let from: number | null = 0; from !== null;) {
        // Few at a time: a batch may end within a site.
        const expired: ExpiredRuns = yield* moderation.expired(rule, 3, from)
        yield* moderation.drop(expired.runs.map(({ id }) => id))
        from = expired.next
      }
    })

    /** Three sites: one with six runs, one a day, one with two that are old, and one with a run of today that is not over. */
    const kept = (rule: RetentionRule) =>
      Effect.gen(function* () {
        const [store, corpus] = [yield* RunStore, yield* Corpus]
        const old = [yield* auditedBefore(6, "old.dev", 10), yield* auditedBefore(6, "old.dev", 20)]
        const daily = []
        for (const [index, score] of [90, 30, 80, 40, 70, 50].entries())
          daily.push(yield* auditedBefore(5 - index, "daily.dev", score))
        const pending = yield* store.accept(newRun("pending.dev"))
        yield* dropExpired(rule)
        const left = []
        for (const run of [...old, ...daily, pending]) if ((yield* store.find(run.id)) !== null) left.push(run)
        const naive = naiveCorpus(left)
        yield* corpus.fold
        expect(yield* corpus.summary).toEqual(naive.summary)
        expect(yield* corpus.statistics).toEqual(naive.statistics)
        expect(yield* corpus.top("all", "best", 10)).toEqual(naive.top("", "best", 10))
        return left.map((run) => `${run.site} ${run.totalScore ?? "-"}`)
      })

    const withModeration = <A, E>(test: Effect.Effect<A, E, Stores | SqlClient | Moderation>) =>
      onFresh(backend, Effect.provide(test, Moderation.layerSql.pipe(Layer.orDie)))

    const on = (name: string, rule: RetentionRule, expected: ReadonlyArray<string>) =>
      it.live(name, () => withModeration(Effect.map(kept(rule), (left) => expect(left).toEqual(expected))))

    on("keep=N keeps the newest of each site", { keep: 2, days: null }, [
      "old.dev 10",
      "old.dev 20",
      "daily.dev 70",
      "daily.dev 50",
      "pending.dev -"
    ])
    on("days=N keeps those that are recent enough", { keep: null, days: 3 }, [
      "daily.dev 40",
      "daily.dev 70",
      "daily.dev 50",
      "pending.dev -"
    ])
    on("both together delete what either deletes", { keep: 1, days: 5 }, ["daily.dev 50", "pending.dev -"])

    it.live(
      "keep=N is held again after new runs, and after N was lowered, also for runs that ended while others were unfinished",
      () =>
        withModeration(
          Effect.gen(function* () {
            const [sql, store] = [yield* SqlClient, yield* RunStore]
            const left = Effect.map(
              sql<{
                readonly total_score: number
              }>`SELECT total_score FROM runs WHERE status = 'done' ORDER BY started_at`,
              (rows) => rows.map(({ total_score }) => total_score)
            )
            const aDayPasses = sql.withTransaction(
              Effect.andThen(
                sql`UPDATE runs SET started_at = started_at - ${DAY}`,
                sql`UPDATE retention_progress SET looked_until = looked_until - ${DAY}`
              )
            )
            for (const score of [1, 2, 3]) yield* audited(newRun("a.dev"), score)
            yield* aDayPasses
            yield* dropExpired({ keep: 2, days: null })
            expect(yield* left).toEqual([2, 3])
            const late = yield* store.accept(newRun("a.dev"))
            yield* audited(newRun("a.dev"), 5)
            yield* aDayPasses
            yield* dropExpired({ keep: 2, days: null })
            expect(yield* left).toEqual([3, 5])
            yield* finish(late.id, resultOf(4))
            yield* dropExpired({ keep: 2, days: null })
            expect(yield* left).toEqual([4, 5])
            yield* dropExpired({ keep: 1, days: null })
            expect(yield* left).toEqual([5])
          })
        )
    )
  })
}
