import { describe, expect, it } from "@effect/vitest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import type { FencingToken } from "../../../engine/store/runs/Run.ts"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import { layerMemory } from "../../../engine/store/runs/MemoryRunStore.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { backends, onFresh } from "../Databases.ts"
import { audited, fail, finish, holdOf, newRun, resultOf } from "../SampleRuns.ts"

const NOON = Date.UTC(2026, 10, 21, 12)
const UNKNOWN_RUN = "01a1fde6-6aa7-7666-8f65-e13ea68a1233"
const GONE = { code: null, message: "gone" }

/** Every write that an attempt at a run can make. */
const writesOf = (store: RunStore["Service"], hold: FencingToken) => [
  store.progress(hold, { done: 1, total: 30 }),
  store.finish(hold, resultOf(99)),
  store.fail(hold, GONE),
  store.release(hold)
]

/** The `done` runs, one of each site, that the corpus counts, where the layer has a corpus. */
const expectCounted = Effect.fnUntraced(function* (scores: ReadonlyArray<number>) {
  const corpus = yield* Effect.serviceOption(Corpus)
  if (Option.isNone(corpus)) return
  const averageScore = scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length
  yield* corpus.value.fold
  expect(yield* corpus.value.summary).toMatchObject({ sites: scores.length, runs: scores.length, averageScore })
})

/** Every layer of the store keeps one contract. */
const layers = [
  {
    name: "memory",
    available: true,
    provide: <E>(test: Effect.Effect<unknown, E, RunStore>) =>
      // Without its corpus, which has no figures.
      Effect.provide(
        test,
        Layer.effect(RunStore, RunStore).pipe(Layer.provide(layerMemory), Layer.provide(SecureRandom.layerWebCrypto))
      )
  },
  ...backends.map((backend) => ({
    ...backend,
    provide: <E>(test: Effect.Effect<unknown, E, RunStore>) => onFresh(backend, test)
  }))
]

for (const { available, name: layer, provide } of layers) {
  const on = <E>(name: string, test: Effect.Effect<unknown, E, RunStore>) =>
    it.live(name, () => provide(Effect.provide(Effect.andThen(TestClock.setTime(NOON), test), TestClock.layer())))

  describe.skipIf(!available)(`runs in ${layer}`, () => {
    on(
      "are found as they were accepted",
      Effect.gen(function* () {
        const store = yield* RunStore
        const run = yield* store.accept(newRun("docs.example.com"))
        expect(run).toMatchObject({
          status: "pending",
          startedAt: "2026-11-21T12:00:00.000000Z",
          finishedAt: null,
          attempts: 0,
          totalScore: null,
          error: null
        })
        expect(run.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
        expect(yield* store.find(run.id)).toEqual(run)
        expect(yield* store.find(run.id.toUpperCase())).toEqual(run)
      })
    )

    on(
      "are not found under unknown ids",
      Effect.gen(function* () {
        const store = yield* RunStore
        for (const id of [UNKNOWN_RUN, "", "not-a-uuid", `${UNKNOWN_RUN}0`, "' OR 1=1 --"]) {
          expect(yield* store.find(id)).toBeNull()
          expect(yield* store.report(id)).toBeNull()
          expect(yield* store.begin(id, "w")).toBeNull()
          for (const write of writesOf(store, holdOf(id))) expect(yield* write).toBe(false)
          expect(yield* store.giveUp(id, GONE)).toBe(false)
        }
        yield* expectCounted([])
      })
    )

    on(
      "have unique start times, even if many are accepted concurrently",
      Effect.gen(function* () {
        const store = yield* RunStore
        const runs = yield* Effect.all(
          Array.from({ length: 40 }, (_, index) =>
            store.accept(newRun(index % 4 === 0 ? "b.example.com" : "a.example.com"))
          ),
          { concurrency: 20 }
        )
        expect(new Set(runs.map(({ id }) => id)).size).toBe(40)
        for (const site of ["a.example.com", "b.example.com"]) {
          const starts = runs
            .filter((run) => run.site === site)
            .map(({ startedAt }) => startedAt)
            .sort()
          // The clock stands still: ties are moved by a microsecond each.
          expect(starts).toEqual(starts.map((_, index) => `2026-11-21T12:00:00.${String(index).padStart(6, "0")}Z`))
        }
      })
    )

    on(
      "never start before an earlier run of their site, even if the clock went back",
      Effect.gen(function* () {
        const store = yield* RunStore
        yield* store.accept(newRun("a.example.com"))
        yield* TestClock.setTime(NOON - 60_000)
        expect((yield* store.accept(newRun("a.example.com"))).startedAt).toBe("2026-11-21T12:00:00.000001Z")
      })
    )

    on(
      "are begun by one worker only",
      Effect.gen(function* () {
        const store = yield* RunStore
        const { id } = yield* store.accept(newRun("a.example.com"))
        const begun = yield* Effect.all(
          Array.from({ length: 10 }, (_, index) => store.begin(id, `w${index}`)),
          { concurrency: 10 }
        )
        expect(begun.filter((run) => run !== null)).toEqual([
          expect.objectContaining({ id, status: "running", attempts: 1 })
        ])
      })
    )

    on(
      "have progress while they run, which is dropped when they are handed back",
      Effect.gen(function* () {
        const store = yield* RunStore
        const { id } = yield* store.accept(newRun("a.example.com"))
        yield* store.progress(holdOf(id), { done: 1, total: 30 })
        expect((yield* store.find(id))?.progress).toEqual({ done: 0, total: 0 })
        yield* store.begin(id, "worker")
        const progress = { done: 2, total: 30, criteria: ["A1", "D3"], urls: ["https://docs.example.com/a"] }
        expect(yield* store.progress(holdOf(id), progress)).toBe(true)
        expect((yield* store.find(id))?.progress).toEqual(progress)
        expect(yield* store.release(holdOf(id))).toBe(true)
        expect(yield* store.find(id)).toMatchObject({
          status: "pending",
          progress: { done: 0, total: 30 },
          attempts: 0
        })
        expect(yield* store.begin(id, "w")).toMatchObject({
          status: "running",
          attempts: 1,
          hold: { id, worker: "w", attempt: 2 }
        })
      })
    )

    on(
      "are changed by their current attempt only",
      Effect.gen(function* () {
        const store = yield* RunStore
        const { id } = yield* store.accept(newRun("a.example.com"))
        yield* store.begin(id, "one")
        yield* store.release(holdOf(id, "one"))
        yield* store.begin(id, "one")
        const before = yield* store.find(id)
        for (const old of [holdOf(id, "one", 1), holdOf(id, "two", 2), holdOf(id, "one", 3)]) {
          expect(yield* store.isCurrent(old)).toBe(false)
          for (const write of writesOf(store, old)) expect(yield* write).toBe(false)
        }
        expect(yield* store.giveUp(id, GONE)).toBe(false)
        expect(yield* store.find(id)).toEqual(before)
        yield* expectCounted([])
        const current = holdOf(id.toUpperCase(), "one", 2)
        expect([yield* store.isCurrent(current), yield* store.finish(current, resultOf(55))]).toEqual([true, true])
        expect(yield* store.find(id)).toMatchObject({ status: "done", totalScore: 55 })
      })
    )

    on(
      "keep the report byte for byte",
      Effect.gen(function* () {
        const store = yield* RunStore
        const { id } = yield* store.accept(newRun("a.example.com"))
        expect(yield* store.report(id)).toBeNull()
        yield* TestClock.adjust("90 seconds")
        const result = resultOf(73, { encoded: `{"text":"${"ü\\u0000🦊".repeat(50_000)}"}` })
        yield* finish(id, result)
        const report = yield* store.report(id)
        expect(report?.encoded === result.encoded).toBe(true)
        expect(report).toMatchObject({ durationMs: 12_345, requests: 67, bytes: 8_900_000_000 })
        expect(report?.run).toMatchObject({ status: "done", totalScore: 73, finishedAt: "2026-11-21T12:01:30.000000Z" })
      })
    )

    on(
      "finish once, whatever comes after",
      Effect.gen(function* () {
        const store = yield* RunStore
        const { id } = yield* store.accept(newRun("a.example.com"))
        yield* store.begin(id, "worker")
        const finished = yield* Effect.all(
          [10, 20, 30, 40].map((score) => store.finish(holdOf(id), resultOf(score))),
          { concurrency: 4 }
        )
        expect(finished.filter((changed) => changed)).toHaveLength(1)
        const first = yield* store.find(id)
        for (const write of writesOf(store, holdOf(id))) expect(yield* write).toBe(false)
        expect(yield* store.begin(id, "w")).toBeNull()
        expect(yield* store.find(id)).toEqual(first)
        yield* expectCounted([first?.totalScore ?? -1])
      })
    )

    on(
      "fail with a reason, and are in no figures",
      Effect.gen(function* () {
        const store = yield* RunStore
        const { id } = yield* store.accept(newRun("a.example.com"))
        yield* store.begin(id, "worker")
        expect(yield* store.fail(holdOf(id), { code: "audit_failed", message: "no page could be read" })).toBe(true)
        expect(yield* store.finish(holdOf(id), resultOf(99))).toBe(false)
        expect(yield* store.find(id)).toMatchObject({
          status: "error",
          error: { code: "audit_failed", message: "no page could be read" },
          totalScore: null
        })
        expect(yield* store.report(id)).toBeNull()
        yield* expectCounted([])
        const other = yield* store.accept(newRun("a.example.com"))
        expect(yield* store.giveUp(other.id, { code: null, message: "unreachable" })).toBe(true)
        expect((yield* store.find(other.id))?.error).toEqual({ code: null, message: "unreachable" })
      })
    )

    on(
      "that are unfinished are listed, oldest first",
      Effect.gen(function* () {
        const store = yield* RunStore
        yield* audited(newRun("done.example.com"), 50)
        const [first, second, third] = [
          yield* store.accept(newRun("a.example.com")),
          yield* store.accept(newRun("a.example.com")),
          yield* store.accept(newRun("b.example.com"))
        ]
        yield* TestClock.adjust("1 second")
        yield* store.begin(third.id, "worker 7")
        const unfinished = yield* store.unfinished(10)
        expect(unfinished.map(({ run, worker }) => [run.id, worker])).toEqual(
          expect.arrayContaining([
            [first.id, null],
            [second.id, null],
            [third.id, "worker 7"]
          ])
        )
        expect(unfinished.map(({ run }) => run.startedAt)).toEqual(unfinished.map(({ run }) => run.startedAt).sort())
        expect(yield* store.unfinished(2)).toHaveLength(2)
      })
    )

    on(
      "are joined or returned as cached reports by their exact URL and rubric",
      Effect.gen(function* () {
        const store = yield* RunStore
        const [url, digest] = ["https://a.example.com", "sha256:first"]
        expect(yield* store.latest(url, digest, "1970-01-01T00:00:00Z")).toBeNull()
        const old = yield* audited(newRun("a.example.com"), 40)
        yield* TestClock.adjust("10 minutes")
        const since = "2026-11-21T12:05:00Z"
        expect(yield* store.latest(url, digest, since)).toBeNull()
        expect(yield* store.latest(url, digest, old.finishedAt)).toEqual(old)
        expect(yield* store.latest(url, digest, "2026-11-21T13:00:00.000000001+01:00")).toBeNull()
        expect(yield* store.latest(url, digest, null)).toBeNull()
        const underWay = yield* store.accept(newRun("a.example.com"))
        expect(yield* store.latest(url, digest, old.finishedAt)).toEqual(underWay)
        expect(yield* store.latest(url, digest, null)).toEqual(underWay)
        expect(yield* store.latest(`${url}/v2`, digest, null)).toBeNull()
        expect(yield* store.latest("https://www.a.example.com", digest, null)).toBeNull()
        expect(yield* store.latest(url, "sha256:second", null)).toBeNull()
        yield* fail(underWay.id, { code: null, message: "unreachable" })
        expect(yield* store.latest(url, digest, since)).toBeNull()
      })
    )

    on(
      "that ask as named agents are not joined or returned for requests that do not, nor the other way round",
      Effect.gen(function* () {
        const store = yield* RunStore
        const [url, digest, second] = ["https://a.example.com", "sha256:first", "sha256:second"]
        const owners = yield* store.accept(newRun("a.example.com", { asAgents: true }))
        expect(owners.asAgents).toBe(true)
        expect(yield* store.find(owners.id)).toEqual(owners)
        expect(yield* store.latest(url, digest, null)).toBeNull()
        expect(yield* store.latest(url, digest, null, true)).toEqual(owners)
        const others = yield* store.accept(newRun("a.example.com"))
        expect(others.asAgents).toBe(false)
        expect(yield* store.latest(url, digest, null)).toEqual(others)
        expect(yield* store.latest(url, digest, null, true)).toEqual(owners)
        // Begun by a process that judges by another rubric, it is still the owner's.
        const begun = yield* store.begin(owners.id, "worker", second)
        expect(begun?.asAgents).toBe(true)
        expect(yield* store.latest(url, second, null)).toBeNull()
        expect((yield* store.latest(url, second, null, true))?.id).toBe(owners.id)
        if (begun !== null) yield* store.finish(begun.hold, resultOf(40))
        expect(yield* store.latest(url, second, "1970-01-01T00:00:00Z")).toBeNull()
        expect((yield* store.latest(url, second, "1970-01-01T00:00:00Z", true))?.asAgents).toBe(true)
      })
    )
  })
}
