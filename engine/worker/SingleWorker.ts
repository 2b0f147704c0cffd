import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { makeThreadMessages, type WorkerFailure, type WorkerMessage } from "./ThreadMessages.ts"
import { exceeded } from "./ThreadTime.ts"
import type { WorkerThread } from "./WorkerThread.ts"

export interface WorkerOptions {
  readonly thread: WorkerThread
  /** Time limit per message, as `cpuMs` of a `ThreadTime`. */
  readonly milliseconds: number
  /**
   * Messages that the worker has beside the one that it processes, so that it goes on while this thread is busy; 0 unless given. A worker
   * that ends takes them with it: they are copied and sent again.
   */
  readonly ahead?: number
}

/** A message gets this many times its limit of wall time, however little CPU time it got. */
const PATIENCE = 6

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
export const makeSingleWorker = Effect.fnUntraced(function* <Request, Response>({
  ahead = 0,
  milliseconds,
  thread
}: WorkerOptions): Effect.fn.Return<SingleWorker<Request, Response>, never, Scope.Scope> {
  const turn = yield* Semaphore.make(1 + ahead)
  const messages = makeThreadMessages<Request, Response>(thread)
  const overdue = Effect.suspend(() =>
    exceeded(messages.worker(), { cpuMs: milliseconds, wallMs: PATIENCE * milliseconds })
  ).pipe(Effect.andThen(Effect.fail<WorkerFailure>("timed_out")))
  yield* Effect.addFinalizer(() => messages.end)
  return {
    start: Effect.sync(() => {
      messages.worker()
    }),
    ask: (wrap) =>
      turn.withPermit(
        Effect.suspend(() => {
          const message = messages.send(wrap)
          return Deferred.await(message.reply).pipe(
            Effect.raceFirst(Effect.andThen(message.isFirst.await, overdue)),
            Effect.onExit((exit) => (exit._tag === "Failure" ? messages.forget(message) : Effect.void))
          )
        })
      )
  }
})
