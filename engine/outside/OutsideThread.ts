import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Worker } from "node:worker_threads"
import { BUFFER_MEGABYTES, HEAP_MEGABYTES, LOOK_EVERY_MS, MOST_CALLS, type OutsideLimits, SILENCE_MS } from "./OutsideLimits.ts"
import { OutsideMessage, type OutsideTask } from "./OutsideMessage.ts"

/** An external plugin that cannot be loaded, or failed while measuring. `message` is one clause. */
export class OutsideFault extends Schema.TaggedError<OutsideFault>()("OutsideFault", { message: Schema.String }) {}

/** The part of the heap limit for V8's young generation: a guard, not a tuning. */
const YOUNG_MEGABYTES = 16

const MEMORY = { maxOldGenerationSizeMb: HEAP_MEGABYTES - YOUNG_MEGABYTES, maxYoungGenerationSizeMb: YOUNG_MEGABYTES }

const MEGABYTE = 2 ** 20

const entry = new URL(`./OutsideWorker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

const readMessage = Schema.decodeUnknownOption(OutsideMessage)

/** A plugin's call to the site. */
export type OutsideCall = Extract<OutsideMessage, { readonly _tag: "Call" }>

/** A thread's result, after which the thread is terminated. */
export type OutsideResult = Exclude<OutsideMessage, OutsideCall | { readonly _tag: "Loaded" }>

/**
 * Runs a task in its own thread, and answers its calls, until the thread sends its result. Fails if the thread dies, sends an
 * invalid message, exceeds a limit, or is silent for ten seconds while it waits for no reply (an endless loop). Loading counts
 * towards the overall limit only: how long that takes depends on the machine. Interrupting terminates the thread.
 */
export const runOutside = (
  task: OutsideTask,
  limits: OutsideLimits,
  answer: (call: OutsideCall) => Effect.Effect<unknown>
): Effect.Effect<OutsideResult, OutsideFault> =>
  Effect.callback((resume) => {
    const worker = new Worker(entry, { workerData: task, resourceLimits: MEMORY, stdout: true, stderr: true, env: {} })
    const answering = new Set<Fiber.Fiber<unknown>>()
    let calls = 0
    let loaded = false
    let silence: NodeJS.Timeout | undefined

    const settle = (outcome: Effect.Effect<OutsideResult, OutsideFault>): void => {
      clearTimeout(silence)
      clearTimeout(overall)
      clearInterval(looking)
      for (const fiber of answering) fiber.interruptUnsafe()
      worker.removeAllListeners()
      worker.on("error", () => undefined)
      void worker.terminate()
      resume(outcome)
    }
    const fail = (message: string): void => settle(Effect.fail(new OutsideFault({ message })))
    const expectMore = (): void => {
      clearTimeout(silence)
      if (answering.size === 0) silence = setTimeout(() => fail(`it did not respond for ${SILENCE_MS / 1_000} s`), SILENCE_MS)
    }
    const reply = (message: OutsideCall): void => {
      calls += sizeOf(message)
      if (calls > MOST_CALLS) return fail(`it made more than ${MOST_CALLS.toLocaleString("en")} calls`)
      clearTimeout(silence)
      const fiber = Effect.runFork(answer(message))
      answering.add(fiber)
      fiber.addObserver((exit) => {
        answering.delete(fiber)
        if (exit._tag === "Success") worker.postMessage({ call: message.call, value: exit.value })
        expectMore()
      })
    }

    const overall = setTimeout(() => fail(`it took more than ${limits.seconds} s`), limits.seconds * 1_000)
    const look = async (): Promise<void> => {
      if (await bufferMegabytes(worker) > BUFFER_MEGABYTES) fail(`its buffers needed more than ${BUFFER_MEGABYTES} MB of memory`)
    }
    const looking = setInterval(() => void look(), LOOK_EVERY_MS)
    worker.on("message", (received: unknown) => {
      const message = Option.getOrNull(readMessage(received))
      if (message === null || (message._tag === "Loaded" && loaded)) return fail("it sent an invalid result")
      if (message._tag === "Loaded") {
        loaded = true
        return expectMore()
      }
      return message._tag === "Call" ? reply(message) : settle(Effect.succeed(message))
    })
    worker.on("error", (error) => fail(faultOf(error)))
    worker.on("exit", () => fail("its thread ended without a result"))
    return Effect.sync(() => settle(Effect.interrupt))
  })

/** How many calls this one counts as. */
const sizeOf = ({ argument, name }: OutsideCall): number => name === "getAll" && Array.isArray(argument) ? argument.length : 1

/** Works for a busy thread, too; 0 for a thread that has ended. */
const bufferMegabytes = (worker: Worker): Promise<number> =>
  worker.getHeapStatistics().then(({ external_memory }) => external_memory / MEGABYTE, () => 0)

const faultOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "its thread failed"
  return "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY" ? `it needed more than ${HEAP_MEGABYTES} MB of memory` : error.message
}
