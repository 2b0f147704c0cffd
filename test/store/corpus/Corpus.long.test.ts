import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import type { CriterionOutcome } from "../../../engine/store/corpus/OutcomeCounts.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import type { TopOrder, TopWindow } from "../../../engine/store/corpus/Corpus.ts"
import { dialects, onFresh, type Stores } from "../Databases.ts"
import { naiveCorpus } from "../NaiveCorpus.ts"
import { audited, fail, finish, newRun, resultOf } from "../SampleRuns.ts"

const START = Date.UTC(2026, 10, 21, 12)
const DAY = 24 * 60 * 60 * 1_000

const HOSTS = [
  "a.example.com",
  "www.a.example.com",
  "docs.b.dev",
  "api.b.dev",
  "c.io",
  "d.example.com",
  "docs.xn--mnchen-3ya.de",
  "e.co.uk"
]

/** One run: of which site, how long after the one before, what became of it, and how late that was known. */
const aRun = fc.record({
  host: fc.constantFrom(...HOSTS),
  path: fc.constantFrom("", "/docs", "/Docs/V2"),
  after: fc.oneof(fc.constant(0), fc.nat({ max: 5_000 }), fc.nat({ max: 20 * DAY })),
  end: fc.oneof(
    { weight: 8, arbitrary: fc.nat({ max: 100 }) },
    { weight: 1, arbitrary: fc.constant("error" as const) },
    { weight: 1, arbitrary: fc.constant(null) }
  ),
  delay: fc.nat({ max: 6 }),
  reliable: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) })
})

const needles = [
  "",
  " ",
  "a",
  "e",
  "z",
  "ex",
  "b.",
  "://",
  "HTTPS",
  "docs",
  "/docs/v2",
  "%",
  "_",
  "\\",
  "'",
  '"',
  "a.example",
  "nowhere",
  "é",
  "xn--",
  "*",
  "a OR b",
  "-",
  "a b",
  "\0"
]

for (const backend of dialects) {
  const on = <E>(name: string, test: Effect.Effect<unknown, E, Stores>) =>
    it.live(name, () =>
      onFresh(backend, Effect.provide(Effect.andThen(TestClock.setTime(START), test), TestClock.layer()))
    )

  describe.skipIf(!backend.available)(`the corpus on ${backend.name}`, () => {
    it.live("equals the figures computed from all runs, in whatever order they finish", () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(aRun, { maxLength: 60 }), (planned) =>
            Effect.runPromise(
              onFresh(
                backend,
                Effect.provide(
                  Effect.gen(function* () {
                    yield* TestClock.setTime(START)
                    const [store, corpus] = [yield* RunStore, yield* Corpus]
                    const accepted: Array<Run> = []
                    const pending: Array<{
                      readonly id: string
                      readonly end: number | "error"
                      readonly reliable: boolean
                      readonly due: number
                    }> = []
                    for (const [index, { after, delay, end, host, path, reliable }] of planned.entries()) {
                      yield* TestClock.adjust(after)
                      const run = yield* store.accept(
                        newRun(host, {
                          url: `https://${host}${path}`,
                          site: `${host.replace(/^www\./, "")}${path === "" ? "" : "/docs"}`
                        })
                      )
                      accepted.push(run)
                      if (end !== null) pending.push({ id: run.id, end, reliable, due: index + delay })
                      const due = pending.filter((one) => one.due <= index).reverse()
                      pending.splice(0, pending.length, ...pending.filter((one) => one.due > index))
                      for (const { end, id, reliable } of due) {
                        yield* end === "error"
                          ? fail(id, { code: null, message: "unreachable" })
                          : finish(id, resultOf(end, { reliable }))
                      }
                    }
                    for (const { end, id, reliable } of pending) {
                      yield* end === "error"
                        ? fail(id, { code: null, message: "unreachable" })
                        : finish(id, resultOf(end, { reliable }))
                    }
                    const runs = yield* Effect.forEach(accepted, ({ id }) =>
                      Effect.map(store.find(id), (run) => run ?? accepted[0])
                    )
                    const naive = naiveCorpus(runs.filter((run) => run !== undefined))
                    const now = START + planned.reduce((sum, { after }) => sum + after, 0)
                    yield* corpus.fold
                    expect(yield* corpus.summary).toEqual(naive.summary)
                    expect(yield* corpus.statistics).toEqual(naive.statistics)
                    expect(yield* corpus.adoption).toEqual(naive.adoption)
                    for (const [window, days] of [
                      ["7d", 7],
                      ["30d", 30],
                      ["all", 100_000]
                    ] as const satisfies ReadonlyArray<readonly [TopWindow, number]>) {
                      const since =
                        days === 100_000 ? "" : new Date(now - days * DAY).toISOString().replace("Z", "000Z")
                      for (const order of ["best", "worst"] as const satisfies ReadonlyArray<TopOrder>) {
                        for (const limit of [1, 3, 50])
                          expect(yield* corpus.top(window, order, limit)).toEqual(naive.top(since, order, limit))
                        const middle = naive
                          .top(since, order, 100)
                          .filter(({ latestScore }) => latestScore >= 30 && latestScore <= 60)
                        expect(yield* corpus.top(window, order, 50, { from: 30, to: 60 })).toEqual(middle)
                      }
                    }
                    for (const limit of [1, 4]) expect(yield* corpus.recent(limit)).toEqual(naive.recent(limit))
                    for (const needle of needles)
                      expect(yield* corpus.search(needle, 4)).toEqual(naive.search(needle, 4))
                    const asked = ["c.io", "a.example.com/docs", "docs.b.dev", "nowhere.dev"]
                    const named = yield* corpus.sites(asked)
                    expect(new Set(named)).toEqual(new Set(naive.named(asked)))
                  }),
                  TestClock.layer()
                )
              )
            )
          ),
          { numRuns: backend.cases(14) }
        )
      )
    )

    on(
      "is empty at first",
      Effect.gen(function* () {
        const corpus = yield* Corpus
        const naive = naiveCorpus([])
        yield* corpus.fold
        expect(yield* corpus.summary).toEqual(naive.summary)
        expect(yield* corpus.statistics).toEqual(naive.statistics)
        expect(yield* corpus.top("all", "best", 50)).toEqual([])
        expect([...(yield* corpus.recent(50)), ...(yield* corpus.search("a", 50))]).toEqual([])
      })
    )

    on(
      "ranks by the newest score of the window, to the microsecond",
      Effect.gen(function* () {
        const corpus = yield* Corpus
        yield* audited(newRun("a.dev"), 90)
        yield* audited(newRun("b.dev"), 80)
        yield* TestClock.adjust("1 second")
        yield* audited(newRun("a.dev"), 70)
        const tops = Effect.map(corpus.top("7d", "best", 10), (sites) =>
          sites.map(({ bestScore, latestScore, runCount, site }) => [site, latestScore, bestScore, runCount])
        )
        expect(yield* tops).toEqual([
          ["b.dev", 80, 80, 1],
          ["a.dev", 70, 90, 2]
        ])
        yield* TestClock.setTime(START + 7 * DAY)
        expect(yield* tops).toEqual([
          ["b.dev", 80, 80, 1],
          ["a.dev", 70, 90, 2]
        ])
        yield* TestClock.adjust(1)
        expect(yield* tops).toEqual([["a.dev", 70, 70, 1]])
        yield* TestClock.adjust("1 second")
        expect(yield* tops).toEqual([])
        expect(yield* corpus.top("all", "worst", 1)).toEqual([
          expect.objectContaining({ site: "a.dev", latestScore: 70, bestScore: 90, worstScore: 70, averageScore: 80 })
        ])
      })
    )

    on(
      "counts of each criterion how many sites meet it by their newest reliable run",
      Effect.gen(function* () {
        const corpus = yield* Corpus
        const met = { id: "A1", state: "present", score: 2, max: 2 } as const
        const missed = { id: "A1", state: "absent", score: 0, max: 2 } as const
        const auditedAs = Effect.fnUntraced(function* (
          host: string,
          outcomes: ReadonlyArray<CriterionOutcome>,
          reliable = true
        ) {
          const { id } = yield* RunStore.use((store) => store.accept(newRun(host)))
          yield* finish(id, resultOf(50, { outcomes, reliable }))
          yield* TestClock.adjust("1 second")
        })
        yield* auditedAs("a.dev", [missed])
        yield* auditedAs("b.dev", [met])
        yield* auditedAs("c.dev", [met], false)
        yield* corpus.fold
        expect(yield* corpus.adoption).toEqual([
          {
            id: "A1",
            sites: { present: 1, partial: 0, absent: 1, inconclusive: 0, not_applicable: 0 },
            points: 2,
            maxPoints: 4
          }
        ])
        yield* auditedAs("a.dev", [met])
        yield* auditedAs("a.dev", [missed], false)
        yield* corpus.fold
        expect(yield* corpus.adoption).toEqual([
          {
            id: "A1",
            sites: { present: 2, partial: 0, absent: 0, inconclusive: 0, not_applicable: 0 },
            points: 4,
            maxPoints: 4
          }
        ])
      })
    )

    on(
      "keeps unreliable runs out of leaderboards, statistics and the best score, and counts them where a site has no other",
      Effect.gen(function* () {
        const corpus = yield* Corpus
        yield* audited(newRun("a.dev"), 60)
        yield* TestClock.adjust("1 second")
        yield* audited(newRun("a.dev"), 95, false)
        yield* audited(newRun("b.dev"), 90, false)
        const first = yield* corpus.search("dev", 10)
        expect(
          first.map(({ bestScore, latestScore, reliable, runCount, site }) => ({
            site,
            reliable,
            runCount,
            bestScore,
            latestScore
          }))
        ).toEqual([
          { site: "b.dev", reliable: false, runCount: 1, bestScore: 90, latestScore: 90 },
          { site: "a.dev", reliable: true, runCount: 1, bestScore: 60, latestScore: 60 }
        ])
        expect((yield* corpus.top("7d", "best", 10)).map(({ site }) => site)).toEqual(["a.dev"])
        yield* corpus.fold
        expect(yield* corpus.summary).toMatchObject({ sites: 2, runs: 3, averageScore: 60 })
        expect((yield* corpus.statistics).organisations).toEqual([{ organisation: "a.dev", count: 1 }])

        yield* audited(newRun("b.dev"), 40)
        expect(yield* corpus.search("b.dev", 10)).toMatchObject([
          { site: "b.dev", reliable: true, runCount: 1, bestScore: 40, worstScore: 40, latestScore: 40 }
        ])
        yield* corpus.fold
        expect(yield* corpus.summary).toMatchObject({ sites: 2, runs: 4, averageScore: 50 })
      })
    )

    on(
      "stays right when many runs finish at once",
      Effect.gen(function* () {
        const [store, corpus] = [yield* RunStore, yield* Corpus]
        const accepted = yield* Effect.forEach(
          Array.from({ length: 60 }, (_, index) => index),
          (index) => store.accept(newRun(HOSTS[index % 6] ?? ""))
        )
        yield* Effect.forEach(accepted, ({ id }, index) => finish(id, resultOf((index * 37) % 101)), {
          concurrency: 20
        })
        const runs = yield* Effect.forEach(accepted, ({ id }) => store.find(id))
        const naive = naiveCorpus(runs.filter((run) => run !== null))
        yield* corpus.fold
        expect(yield* corpus.summary).toEqual(naive.summary)
        expect(yield* corpus.statistics).toEqual(naive.statistics)
        expect(yield* corpus.top("30d", "worst", 50)).toEqual(naive.top("", "worst", 50))
      })
    )
  })
}
