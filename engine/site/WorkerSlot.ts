import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Worker } from "node:worker_threads"
import { startThread, type WorkerThread } from "./WorkerThread.ts"

/** Why a worker gave no answer. */
export type WorkerFailure = "out_of_memory" | "timed_out" | "crashed"

/** What is posted to a worker: the message, and the buffers that change hands with it. */
export interface Parcel<Request> {
  readonly message: Request
  readonly transfer: ReadonlyArray<ArrayBuffer>
  /** The worker is not kept after this one: it has grown. */
  readonly last: boolean
}

export interface WorkerOptions {
  readonly thread: WorkerThread
  /** A worker of that kind that was started before, for this slot alone. */
  readonly started?: Worker
  /** Longest time for one message. */
  readonly milliseconds: number
}

/**
 * One worker thread, started on first use unless before, and made anew after a fault; one message at a time, the others wait in
 * order. An interrupted asker ends the worker that is busy for it: that is the only way to stop it.
 */
export interface WorkerSlot<Request, Response> {
  /** Starts the worker, where there is none, and does not wait for it: it gets ready while something else goes on. */
  readonly start: Effect.Effect<void>
  /** `wrap` is called when it is this message's turn, so that what waits is not copied yet. */
  readonly ask: (wrap: () => Parcel<Request>) => Effect.Effect<Response, WorkerFailure>
}

/** A slot that ends its worker with the scope. */
export const makeWorkerSlot = Effect.fnUntraced(function*<Request, Response>(
  options: WorkerOptions
): Effect.fn.Return<WorkerSlot<Request, Response>, never, Scope.Scope> {
  const turn = yield* Semaphore.make(1)
  let current: Worker | null = options.started ?? null

  const end = Effect.suspend(() => {
    const worker = current
    current = null
    return worker === null ? Effect.void : Effect.promise(() => worker.terminate())
  })
  yield* Effect.addFinalizer(() => end)

  const started = (): Worker => {
    const worker = current === null || hasEnded(current) ? startThread(options.thread) : current
    current = worker
    return worker
  }

  const converse = (wrap: () => Parcel<Request>): Effect.Effect<Response, WorkerFailure> =>
    Effect.callback((resume) => {
      const worker = started()
      const settle = (outcome: Effect.Effect<Response, WorkerFailure>): void => {
        worker.off("message", onMessage).off("error", onError).off("exit", onExit)
        worker.unref()
        resume(outcome)
      }
      const onMessage = (response: Response): void => settle(Effect.succeed(response))
      const onError = (error: unknown): void => settle(Effect.fail(isOutOfMemory(error) ? "out_of_memory" : "crashed"))
      const onExit = (): void => settle(Effect.fail("crashed"))
      worker.on("message", onMessage).on("error", onError).on("exit", onExit)
      worker.ref()
      const parcel = wrap()
      worker.postMessage(parcel.message, [...parcel.transfer])
    })

  return {
    start: Effect.sync(() => {
      started()
    }),
    ask: (wrap) => {
      let last = false
      const noted = (): Parcel<Request> => {
        const parcel = wrap()
        last = parcel.last
        return parcel
      }
      const answered = converse(noted).pipe(
        Effect.timeoutOrElse({ duration: options.milliseconds, orElse: () => Effect.fail<WorkerFailure>("timed_out") }),
        Effect.onExit((exit) => exit._tag === "Failure" || last ? end : Effect.void)
      )
      return turn.withPermit(answered)
    }
  }
})

/** Node takes the number of a thread back once it has ended. */
const hasEnded = (worker: Worker): boolean => worker.threadId === -1

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
