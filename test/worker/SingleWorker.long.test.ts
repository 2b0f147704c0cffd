import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { makeSingleWorker } from "../../engine/worker/SingleWorker.ts"

/** Several times the CPU time in which a slow machine starts a thread. */
const LIMIT_MS = 4_000

/** Where no message is answered. */
const SHORT_MS = 300

/** A thread that replies to each number with itself, after it has slept for that many milliseconds; to -1 never, working all the time. */
const SLEEPER = new URL(
  `data:text/javascript,${encodeURIComponent(`
import { parentPort } from "node:worker_threads"
const still = new Int32Array(new SharedArrayBuffer(4))
parentPort.on("message", (number) => {
  while (number < 0);
  Atomics.wait(still, 0, 0, number)
  parentPort.postMessage(number)
})`)}`
)

const ask = (number: number) =>
  Effect.gen(function* () {
    const worker = yield* makeSingleWorker<number, number>({
      thread: { entry: SLEEPER, limits: {} },
      milliseconds: SHORT_MS
    })
    return yield* worker.ask(() => ({ message: number, transfer: [], last: false }))
  }).pipe(Effect.scoped, Effect.timed, Effect.result)

describe("the time limit of a message to a worker", () => {
  it.live("is CPU time, so that a message which waits for its turn on a busy machine is answered", () =>
    Effect.gen(function* () {
      const worker = yield* makeSingleWorker<number, number>({
        thread: { entry: SLEEPER, limits: {} },
        milliseconds: LIMIT_MS
      })
      expect(yield* worker.ask(() => ({ message: 1.5 * LIMIT_MS, transfer: [], last: false }))).toBe(1.5 * LIMIT_MS)
    }).pipe(Effect.scoped)
  )

  it.live("ends a worker that works all the time", () =>
    Effect.map(ask(-1), (result) => expect(result).toMatchObject({ _tag: "Failure", failure: "timed_out" }))
  )

  it.live("ends a worker that does not work at all", () =>
    Effect.map(ask(60_000), (result) => expect(result).toMatchObject({ _tag: "Failure", failure: "timed_out" }))
  )
})

describe("a worker that has the next message in advance", () => {
  const make = (milliseconds = 60_000) =>
    makeSingleWorker<number, number>({ thread: { entry: SLEEPER, limits: {} }, milliseconds, ahead: 1 })
  const message =
    (number: number, last = false) =>
    () => ({ message: number, transfer: [], last })

  it.live("goes on with it while this thread is busy", () =>
    Effect.gen(function* () {
      const counting = `data:text/javascript,${encodeURIComponent(`
        import { parentPort } from "node:worker_threads"
        parentPort.on("message", (done) => { Atomics.add(done, 0, 1); parentPort.postMessage(null) })`)}`
      const worker = yield* makeSingleWorker<Int32Array, null>({
        thread: { entry: new URL(counting), limits: {} },
        milliseconds: 60_000,
        ahead: 1
      })
      const done = new Int32Array(new SharedArrayBuffer(4))
      const ask = worker.ask(() => ({ message: done, transfer: [], last: false }))
      yield* ask
      const replies = yield* Effect.forkChild(Effect.all([ask, ask], { concurrency: 2 }), { startImmediately: true })
      // This thread takes no reply before it has the processor back.
      const busyUntil = Date.now() + 30_000
      while (Atomics.load(done, 0) < 3 && Date.now() < busyUntil);
      expect(done[0]).toBe(3)
      yield* Fiber.join(replies)
    }).pipe(Effect.scoped)
  )

  it.live("is replaced where the first message brings it down, and the next is replied to", () =>
    Effect.gen(function* () {
      const worker = yield* make(LIMIT_MS)
      const replies = yield* Effect.all(
        [Effect.result(worker.ask(message(-1))), worker.ask(message(7)), worker.ask(message(8))],
        { concurrency: 3 }
      )
      expect(replies).toMatchObject([{ _tag: "Failure", failure: "timed_out" }, 7, 8])
    }).pipe(Effect.scoped)
  )

  it.live("loses no reply that was sent before the next message brought it down", () =>
    Effect.gen(function* () {
      const thrower = `data:text/javascript,${encodeURIComponent(`
        import { parentPort } from "node:worker_threads"
        parentPort.on("message", (number) => { if (number < 0) throw new Error("no number"); parentPort.postMessage(new Uint8Array(number)) })`)}`
      const worker = yield* makeSingleWorker<number, Uint8Array>({
        thread: { entry: new URL(thrower), limits: {} },
        milliseconds: 60_000,
        ahead: 1
      })
      // Of a hundred rounds, in some three the error of the second message arrives before the reply to the first.
      for (let round = 0; round < 70; round++) {
        const replies = yield* Effect.forkChild(
          Effect.all([worker.ask(message(round % 3 === 0 ? 10 : 1e6)), Effect.result(worker.ask(message(-1)))], {
            concurrency: 2
          }),
          { startImmediately: true }
        )
        yield* Effect.sleep(round % 40)
        const busyUntil = Date.now() + (round % 25)
        while (Date.now() < busyUntil);
        expect(yield* Fiber.join(replies)).toMatchObject([{}, { _tag: "Failure", failure: "crashed" }])
      }
    }).pipe(Effect.scoped)
  )

  it.live("is replaced where the first message is given up, and the next is replied to", () =>
    Effect.gen(function* () {
      const worker = yield* make()
      const first = yield* Effect.forkChild(worker.ask(message(-1)), { startImmediately: true })
      const second = yield* Effect.forkChild(worker.ask(message(7)), { startImmediately: true })
      yield* Fiber.interrupt(first)
      expect(yield* Fiber.join(second)).toBe(7)
    }).pipe(Effect.scoped)
  )

  it.live("is not replaced where a message behind the first is given up, until it would process that", () =>
    Effect.gen(function* () {
      const counting = `data:text/javascript,${encodeURIComponent(`
        import { parentPort } from "node:worker_threads"
        const still = new Int32Array(new SharedArrayBuffer(4))
        parentPort.on("message", ({ begun, number }) => {
          Atomics.add(begun, 0, 1)
          while (number < 0);
          Atomics.wait(still, 0, 0, number)
          parentPort.postMessage(number)
        })`)}`
      const worker = yield* makeSingleWorker<{ readonly begun: Int32Array; readonly number: number }, number>({
        thread: { entry: new URL(counting), limits: {} },
        milliseconds: 60_000,
        ahead: 1
      })
      const cell = () => new Int32Array(new SharedArrayBuffer(4))
      const ask = (number: number, begun = cell()) =>
        Effect.forkChild(
          worker.ask(() => ({ message: { begun, number }, transfer: [], last: false })),
          { startImmediately: true }
        )
      const begun = cell()
      const first = yield* ask(500, begun)
      const second = yield* ask(-1)
      while (begun[0] === 0) yield* Effect.sleep(10)
      yield* Fiber.interrupt(second)
      const third = yield* ask(7)
      expect(yield* Fiber.join(first)).toBe(500)
      expect(begun[0]).toBe(1)
      expect(yield* Fiber.join(third)).toBe(7)
    }).pipe(Effect.scoped)
  )

  it.live("gets no message behind one after which it is replaced", () =>
    Effect.gen(function* () {
      const worker = yield* make()
      let replied = false
      const first = Effect.tap(worker.ask(message(50, true)), () =>
        Effect.sync(() => {
          replied = true
        })
      )
      const second = worker.ask(() => {
        expect(replied).toBe(true)
        return message(7)()
      })
      expect(yield* Effect.all([first, second], { concurrency: 2 })).toEqual([50, 7])
    }).pipe(Effect.scoped)
  )

  it.live("rests once it has replied to all, and is started again by the next message", () =>
    Effect.gen(function* () {
      const counting = `data:text/javascript,${encodeURIComponent(`
        import { parentPort } from "node:worker_threads"
        let number = 0
        parentPort.on("message", () => parentPort.postMessage(++number))`)}`
      const worker = yield* makeSingleWorker<null, number>({
        thread: { entry: new URL(counting), limits: {} },
        milliseconds: 60_000,
        ahead: 1
      })
      const ask = worker.ask(() => ({ message: null, transfer: [], last: false }))
      const two = yield* Effect.forkChild(Effect.all([ask, ask], { concurrency: 2 }), { startImmediately: true })
      yield* worker.rest
      expect(yield* Fiber.join(two)).toEqual([1, 2])
      expect(yield* ask).toBe(1)
    }).pipe(Effect.scoped)
  )
})
