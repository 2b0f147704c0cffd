import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { expect, it } from "vitest"
import type { AuditProcess } from "../../engine/process/AuditProcess.ts"
import { makeSuccessor } from "../../engine/process/AuditProcesses.ts"

/** Processes that only count their starts and ends. */
const counted = () => {
  const running = new Set<number>()
  let started = 0
  const start: Effect.Effect<AuditProcess, never, Scope.Scope> = Effect.acquireRelease(
    Effect.sync(() => {
      const pid = ++started
      running.add(pid)
      return { pid, isRunning: () => running.has(pid), audits: () => 0, growth: () => 0, audit: () => Effect.never }
    }),
    ({ pid }) =>
      Effect.sync(() => {
        running.delete(pid)
      })
  )
  return { running, start, started: () => started }
}

it("has one process ready, hands it out once, and ends all with the scope", async () => {
  const { running, start, started } = counted()
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { prepare, take } = yield* makeSuccessor(start)
        yield* Effect.andThen(prepare, prepare)
        expect(started()).toBe(1)
        expect((yield* take).pid).toBe(1)
        expect((yield* take).pid).toBe(2)
        yield* prepare
        expect([...running]).toEqual([1, 2, 3])
      })
    )
  )
  expect([...running]).toEqual([])
})

it("starts another if the waiting one has ended", async () => {
  const { running, start } = counted()
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { prepare, take } = yield* makeSuccessor(start)
        yield* prepare
        running.delete(1)
        expect((yield* take).pid).toBe(2)
      })
    )
  )
})
