import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { Worker } from "node:worker_threads"
import { exceeded } from "./ThreadTime.ts"

interface WorkerOptions {
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
  /** Ends the worker, and its heap with it, once it has replied to all; the next message starts it again. */
  readonly rest: Effect.Effect<void>
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
    rest: turn.withPermits(1 + ahead)(messages.end),
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

/** Why a worker did not reply. */
export type WorkerFailure = "out_of_memory" | "timed_out" | "crashed"

/** A message for a worker, and the buffers that are transferred with it. */
export interface WorkerMessage<Request> {
  readonly message: Request
  readonly transfer: ReadonlyArray<ArrayBuffer>
  /** The worker is replaced after this message, because it has grown. */
  readonly last: boolean
}

/** A message of which the reply is awaited. */
interface Awaited<Request, Response> {
  readonly wrap: () => WorkerMessage<Request>
  readonly reply: Deferred.Deferred<Response, WorkerFailure>
  /** Open once the worker processes it. */
  readonly isFirst: Latch.Latch
  /** `null` until it is sent to the present worker. */
  sent: WorkerMessage<Request>["last"] | null
  /** Its reply is no longer awaited, but the worker was sent the message, behind another. */
  forgotten: boolean
}

/** The messages of one worker thread, in the order in which it processes them. A worker that ends is replaced, and gets those again that wait. */
interface ThreadMessages<Request, Response> {
  /** The worker, started if it is not running. */
  readonly worker: () => Worker
  readonly send: (wrap: () => WorkerMessage<Request>) => Awaited<Request, Response>
  /** Forgets a message. Its worker is terminated once it processes the message, because there is no other way to stop it. */
  readonly forget: (message: Awaited<Request, Response>) => Effect.Effect<void>
  readonly end: Effect.Effect<void>
}

/** A kind of worker thread. Its module replies to each message with exactly one message. */
export interface WorkerThread {
  readonly entry: URL
  /** As in Node's `ResourceLimits`, whose name is left out because authors of plugins compile this type without `@types/node`. */
  readonly limits: {
    readonly maxOldGenerationSizeMb?: number
    readonly maxYoungGenerationSizeMb?: number
  }
}

const makeThreadMessages = <Request, Response>({ entry, limits }: WorkerThread): ThreadMessages<Request, Response> => {
  let awaited: Array<Awaited<Request, Response>> = []
  let current: Worker | null = null
  /** Why the worker is about to end. Its replies from before may still be on their way; they arrive before its exit does. */
  let ending: WorkerFailure | null = null

  const worker = (): Worker => {
    if (current !== null && !hasEnded(current)) return current
    const started = new Worker(entry, { resourceLimits: limits, stdout: true, stderr: true })
    // An idle worker does not keep the process alive, and its failure while idle does not end the process.
    started.unref()
    started
      .on("message", (response: Response) => receive(started, response))
      .on("error", (error: unknown) => {
        if (started === current) ending = isOutOfMemory(error) ? "out_of_memory" : "crashed"
      })
      .on("exit", () => fail(started))
    current = started
    return started
  }

  /** Sends what the worker does not have yet; nothing is sent behind a message after which it is replaced. */
  const sendWaiting = (): void => {
    for (const message of awaited) {
      if (message.sent === null) {
        const parcel = message.wrap()
        message.sent = parcel.last
        worker().postMessage(parcel.message, [...parcel.transfer])
      }
      if (message.sent) break
    }
    awaited[0]?.isFirst.openUnsafe()
  }

  /** What waits for a worker that is about to end is sent to the next one. */
  const goOn = (): void => {
    if (ending === null) sendWaiting()
    if (awaited.length > 0) current?.ref()
    else current?.unref()
  }

  const replace = (): Promise<unknown> => {
    const ended = current?.terminate()
    current = null
    ending = null
    awaited = awaited.filter(({ forgotten }) => !forgotten)
    for (const message of awaited) message.sent = null
    return ended ?? Promise.resolve()
  }

  const receive = (from: Worker, response: Response): void => {
    const first = from === current ? awaited.shift() : undefined
    if (first === undefined) return
    if (first.sent === true || awaited[0]?.forgotten === true) void replace()
    Deferred.doneUnsafe(first.reply, Effect.succeed(response))
    goOn()
  }

  const fail = (from: Worker): void => {
    if (from !== current) return
    const reason = ending ?? "crashed"
    const first = awaited[0]?.sent === null ? undefined : awaited.shift()
    void replace()
    if (first !== undefined) Deferred.doneUnsafe(first.reply, Effect.fail(reason))
    goOn()
  }

  const forget = (message: Awaited<Request, Response>) =>
    Effect.promise(async () => {
      if (!awaited.includes(message)) return
      // The message before it goes on undisturbed.
      message.forgotten = true
      if (message.sent === null) awaited = awaited.filter((other) => other !== message)
      if (message === awaited[0]) await replace()
      goOn()
    })

  return {
    worker,
    send: (wrap) => {
      const message: Awaited<Request, Response> = {
        wrap,
        reply: Deferred.makeUnsafe(),
        isFirst: Latch.makeUnsafe(),
        sent: null,
        forgotten: false
      }
      awaited.push(message)
      goOn()
      return message
    },
    forget,
    end: Effect.promise(replace)
  }
}

/** Node resets a thread's id once it has ended. */
const hasEnded = (worker: Worker): boolean => worker.threadId === -1

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
