import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import { SqlClient } from "effect/sql/SqlClient"
import { inTransaction } from "../../../engine/store/database/SqlDatabase.ts"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import { Moderation } from "../../../engine/store/operators/Moderation.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { dialects, onFresh, postgres } from "../Databases.ts"
import { naiveCorpus } from "../NaiveCorpus.ts"
import { audited, newRun } from "../SampleRuns.ts"

const ROUNDS = [1, 2, 3, 4, 5, 6]

for (const backend of dialects) {
  describe.skipIf(!backend.available)(`the figures of the corpus on ${backend.name}`, () => {
    it.live("are exact after runs were finished, hidden and folded side by side", () =>
      onFresh(
        backend,
        Effect.gen(function* () {
          const [store, corpus, moderation] = [yield* RunStore, yield* Corpus, yield* Moderation]
          const finishing = Effect.forEach(
            ROUNDS,
            (round) =>
              Effect.forEach(
                ["a.dev", "b.dev", "docs.a.dev", "c.io"],
                (host, index) => audited(newRun(host), round * 13 + index),
                { concurrency: 2 }
              ),
            { concurrency: 3 }
          )
          const folding = Effect.forEach(ROUNDS, () => Effect.delay(corpus.fold, 10), { concurrency: 3 })
          const [runs] = yield* Effect.all([finishing, folding], { concurrency: 2 })
          const [one, other, ...rest] = runs.flat()
          if (one === undefined || other === undefined) return expect.fail("no runs")
          const hidden = Effect.forEach([one, other], ({ id }) => moderation.setHidden(id, true), { concurrency: 2 })
          const [last] = yield* Effect.all([audited(newRun("b.dev"), 99), hidden, corpus.fold], { concurrency: 3 })
          yield* corpus.fold

          const accepted = yield* Effect.forEach([...rest, last], ({ id }) => store.find(id))
          const naive = naiveCorpus(accepted.filter((run) => run !== null))
          expect(yield* corpus.summary).toEqual(naive.summary)
          expect(yield* corpus.statistics).toEqual(naive.statistics)
          expect(yield* corpus.adoption).toEqual(naive.adoption)
        }).pipe(Effect.provide(Moderation.layerSql))
      )
    )
  })
}

describe.skipIf(!postgres.available)("a transaction that finishes a run on PostgreSQL", () => {
  it.live("lets others finish runs and read figures before it ends, and counts once it is committed", () =>
    onFresh(
      postgres,
      Effect.gen(function* () {
        const [sql, corpus] = [yield* SqlClient, yield* Corpus]
        const [finished, end] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
        const open = inTransaction(
          sql,
          Effect.andThen(audited(newRun("a.dev"), 40), Effect.andThen(finished.open, end.await))
        )
        const slow = yield* Effect.forkChild(open)
        yield* finished.await
        yield* Effect.timeout(audited(newRun("b.dev"), 60), "30 seconds")
        yield* Effect.timeout(corpus.fold, "30 seconds")
        expect(yield* corpus.summary).toMatchObject({ sites: 1, runs: 1, averageScore: 60 })
        yield* end.open
        yield* Fiber.join(slow)
        yield* corpus.fold
        expect(yield* corpus.summary).toMatchObject({ sites: 2, runs: 2, averageScore: 50 })
      })
    )
  )
})
