import { describe, expect, it } from "@effect/vitest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { layerMemory } from "../../engine/store/MemoryRunStore.ts"
import { RunStore } from "../../engine/store/RunStore.ts"
import { audited, holdOf, newRun, resultOf } from "./SampleRuns.ts"

const on = <E>(name: string, test: Effect.Effect<unknown, E, RunStore>) =>
  it.effect(name, () => Effect.provide(test, Layer.provide(layerMemory, SecureRandom.layerWebCrypto)))

describe("runs without a database", () => {
  on("live as others do", Effect.gen(function*() {
    const store = yield* RunStore
    const run = yield* store.accept(newRun("a.example.com"))
    expect((yield* store.accept(newRun("a.example.com"))).startedAt > run.startedAt).toBe(true)
    expect(yield* store.find(run.id.toUpperCase())).toEqual(run)
    expect(yield* store.latest(run.url, run.rubricDigest, null)).toMatchObject({ status: "pending" })
    expect(yield* store.begin(run.id, "w")).toMatchObject({ status: "running", attempts: 1 })
    expect(yield* store.begin(run.id, "v")).toBeNull()
    expect(yield* store.progress(holdOf(run.id, "w"), { done: 3, total: 30 })).toBe(true)
    expect(yield* store.release(holdOf(run.id, "w"))).toBe(true)
    expect(yield* store.begin(run.id, "v")).toMatchObject({ attempts: 1, progress: { done: 0, total: 30 }, hold: { worker: "v", attempt: 2 } })
    for (const old of [holdOf(run.id, "w", 1), holdOf(run.id, "w", 2), holdOf(run.id, "v", 1)]) {
      expect(yield* store.isCurrent(old)).toBe(false)
      expect(yield* store.finish(old, resultOf(1))).toBe(false)
      expect(yield* store.release(old)).toBe(false)
    }
    expect(yield* store.unfinished(5)).toHaveLength(2)
    const hold = holdOf(run.id, "v", 2)
    expect(yield* store.isCurrent(hold)).toBe(true)
    expect(yield* store.finish(hold, resultOf(42))).toBe(true)
    expect(yield* store.finish(hold, resultOf(43))).toBe(false)
    expect(yield* store.fail(hold, { code: null, message: "late" })).toBe(false)
    expect(yield* store.report(run.id)).toMatchObject({ encoded: resultOf(42).encoded, run: { status: "done", totalScore: 42, error: null } })
    expect(yield* store.begin(run.id, "v")).toBeNull()
  }))

  on("are replayed within the window", Effect.gen(function*() {
    const store = yield* RunStore
    const done = yield* audited(newRun("a.example.com"), 42)
    yield* TestClock.adjust("1 minute")
    expect(yield* store.latest(done.url, done.rubricDigest, done.finishedAt)).toEqual(done)
    expect(yield* store.latest(done.url, done.rubricDigest, "1970-01-01T00:00:01Z")).toBeNull()
    expect(yield* store.latest(done.url, done.rubricDigest, null)).toBeNull()
  }))

  on("leave nothing to browse", Effect.gen(function*() {
    const store = yield* RunStore
    const done = yield* audited(newRun("a.example.com"), 42)
    expect(yield* store.history(done.site, "2100-01-01T00:00:00Z", 5)).toEqual({ runs: [], next: null })
    expect(yield* store.previousDone(done.site, "2100-01-01T00:00:00Z")).toBeNull()
    expect(yield* store.summary).toEqual({ sites: 0, runs: 0, averageScore: 0, latestRunAt: null })
    expect((yield* store.stats).scores.reduce((sum, { count }) => sum + count, 0)).toBe(0)
    expect([...(yield* store.top("all", "best", 5)), ...(yield* store.search("a", 5))]).toEqual([])
  }))

  on("are forgotten once many more are over, never while they are under way", Effect.gen(function*() {
    const store = yield* RunStore
    const underWay = yield* store.accept(newRun("slow.example.com"))
    const first = yield* audited(newRun("a.example.com"), 1)
    for (let index = 0; index < 600; index++) yield* audited(newRun("b.example.com"), index % 100)
    expect(yield* store.find(first.id)).toBeNull()
    expect(yield* store.find(underWay.id)).toEqual(underWay)
  }))
})
