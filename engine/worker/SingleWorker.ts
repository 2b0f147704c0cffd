import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Worker } from "node:worker_threads"
import { makeThreadMessages, type WorkerFailure, type WorkerMessage } from "./ThreadMessages.ts"
import type { WorkerThread } from "./WorkerThread.ts"

export interface WorkerOptions {
  readonly thread: WorkerThread
  /**
   * Time limit per message: CPU time of the thread where this Node tells it (24.6 and later), else wall time. On a busy machine
   * a harmless message waits for its CPU time, which is no reason to give it up.
   */
  readonly milliseconds: number
  /**
   * Messages that the worker has beside the one that it processes, so that it goes on while this thread is busy; 0 unless given. A worker
   * that ends takes them with it: they are copied and sent again.
   */
  readonly ahead?: number
}

/** A message gets this many times its limit of wall time, however little CPU time it got. */
const PATIENCE = 6

/** Milliseconds for a thread to tell its CPU time; one that is stuck outside JavaScript does not. */
const TELLING_MS = 1_000

/**
 * One worker thread, started on first use and replaced after a fault. It processes one message at a time; others wait in order.
 * Interrupting a request terminates its worker, because there is no other way to stop it.
 */
export interface SingleWorker<Request, Response> {
  /** Starts the worker if it is not running, without waiting for it. */
  readonly start: Effect.Effect<void>
  /** `wrap` is called when the message is sent, so that waiting messages are not copied yet. */
  readonly ask: (wrap: () => WorkerMessage<Request>) => Effect.Effect<Response, WorkerFailure>
}

/** The worker is terminated when the scope closes. */
export const makeSingleWorker = Effect.fnUntraced(function*<Request, Response>(
  { ahead = 0, milliseconds, thread }: WorkerOptions
): Effect.fn.Return<SingleWorker<Request, Response>, never, Scope.Scope> {
  const turn = yield* Semaphore.make(1 + ahead)
  const messages = makeThreadMessages<Request, Response>(thread)
  yield* Effect.addFinalizer(() => messages.end)
  return {
    start: Effect.sync(() => {
      messages.worker()
    }),
    ask: (wrap) => turn.withPermit(Effect.suspend(() => {
      const message = messages.send(wrap)
      return Deferred.await(message.reply).pipe(
        Effect.raceFirst(Effect.andThen(message.isFirst.await, overdue(milliseconds, messages.worker))),
        Effect.onExit((exit) => exit._tag === "Failure" ? messages.forget(message) : Effect.void)
      )
    }))
  }
})

/** Fails once the message that the worker processes has used up its time. */
const overdue = Effect.fnUntraced(function*(milliseconds: number, started: () => Worker): Effect.fn.Return<never, WorkerFailure> {
  const worker = started()
  // A thread that is only starting does not tell it.
  const before = (yield* cpuTime(worker)) ?? 0
  let waited = 0
  for (let wait = milliseconds; ;) {
    yield* Effect.sleep(wait)
    waited += wait
    const now = yield* cpuTime(worker)
    const used = now === null ? milliseconds : now - before
    if (used >= milliseconds || waited >= PATIENCE * milliseconds) return yield* Effect.fail<WorkerFailure>("timed_out")
    wait = Math.max(milliseconds - used, milliseconds / 4)
  }
})

/** CPU time of a thread in milliseconds; `null` where it is not told. */
const cpuTime = (worker: Worker): Effect.Effect<number | null> => {
  if (typeof worker.cpuUsage !== "function") return Effect.succeed(null)
  return Effect.tryPromise(() => worker.cpuUsage()).pipe(
    Effect.map(({ system, user }) => (system + user) / 1_000),
    Effect.timeoutOrElse({ duration: TELLING_MS, orElse: () => Effect.succeed(null) }),
    Effect.orElseSucceed(() => null)
  )
}
