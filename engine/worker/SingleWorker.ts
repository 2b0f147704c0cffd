import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { Worker } from "node:worker_threads"
import { startThread } from "./StartThread.ts"
import type { WorkerThread } from "./WorkerThread.ts"

/** Why a worker did not reply. */
export type WorkerFailure = "out_of_memory" | "timed_out" | "crashed"

/** A message for a worker, and the buffers that are transferred with it. */
export interface WorkerMessage<Request> {
  readonly message: Request
  readonly transfer: ReadonlyArray<ArrayBuffer>
  /** The worker is replaced after this message, because it has grown. */
  readonly last: boolean
}

export interface WorkerOptions {
  readonly thread: WorkerThread
  /**
   * Time limit per message: CPU time of the thread where this Node tells it (24.6 and later), else wall time. On a busy machine
   * a harmless message waits for its CPU time, which is no reason to give it up.
   */
  readonly milliseconds: number
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
  /** `wrap` is called when it is this message's turn, so that waiting messages are not copied yet. */
  readonly ask: (wrap: () => WorkerMessage<Request>) => Effect.Effect<Response, WorkerFailure>
}

/** The worker is terminated when the scope closes. */
export const makeSingleWorker = Effect.fnUntraced(function*<Request, Response>(
  options: WorkerOptions
): Effect.fn.Return<SingleWorker<Request, Response>, never, Scope.Scope> {
  const turn = yield* Semaphore.make(1)
  let current: Worker | null = null

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

  const converse = (wrap: () => WorkerMessage<Request>): Effect.Effect<Response, WorkerFailure> =>
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
      const noted = (): WorkerMessage<Request> => {
        const parcel = wrap()
        last = parcel.last
        return parcel
      }
      const answered = converse(noted).pipe(
        Effect.raceFirst(overdue(options.milliseconds, started)),
        Effect.onExit((exit) => exit._tag === "Failure" || last ? end : Effect.void)
      )
      return turn.withPermit(answered)
    }
  }
})

/** Fails once the message that is sent now has used up its time. */
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

/** Node resets a thread's id once it has ended. */
const hasEnded = (worker: Worker): boolean => worker.threadId === -1

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
