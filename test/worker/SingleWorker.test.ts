import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeSingleWorker } from "../../engine/worker/SingleWorker.ts"

const LIMIT_MS = 300

/** A thread that replies to each number with itself, after it has slept for so many milliseconds; to -1 never, working all the time. */
const SLEEPER = new URL(`data:text/javascript,${encodeURIComponent(`
import { parentPort } from "node:worker_threads"
const still = new Int32Array(new SharedArrayBuffer(4))
parentPort.on("message", (number) => {
  while (number < 0);
  Atomics.wait(still, 0, 0, number)
  parentPort.postMessage(number)
})`)}`)

const ask = (number: number) =>
  Effect.gen(function*() {
    const worker = yield* makeSingleWorker<number, number>({ thread: { entry: SLEEPER, limits: {} }, milliseconds: LIMIT_MS })
    return yield* worker.ask(() => ({ message: number, transfer: [], last: false }))
  }).pipe(Effect.scoped, Effect.timed, Effect.result)

describe("the time limit of a message to a worker", () => {
  it.live("is CPU time, so that a message which waits for its turn on a busy machine is answered", () =>
    Effect.gen(function*() {
      const worker = yield* makeSingleWorker<number, number>({ thread: { entry: SLEEPER, limits: {} }, milliseconds: LIMIT_MS })
      expect(yield* worker.ask(() => ({ message: 3 * LIMIT_MS, transfer: [], last: false }))).toBe(3 * LIMIT_MS)
    }).pipe(Effect.scoped))

  it.live("ends a worker that works all the time", () =>
    Effect.map(ask(-1), (result) => expect(result).toMatchObject({ _tag: "Failure", failure: "timed_out" })))

  it.live("ends a worker that neither works nor tells its CPU time", () =>
    Effect.map(ask(60_000), (result) => expect(result).toMatchObject({ _tag: "Failure", failure: "timed_out" })))
})
