import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { Worker } from "node:worker_threads"
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
export interface ThreadMessages<Request, Response> {
  /** The worker, started if it is not running. */
  readonly worker: () => Worker
  readonly send: (wrap: () => WorkerMessage<Request>) => Awaited<Request, Response>
  /** Forgets a message. Its worker is terminated once it processes the message, because there is no other way to stop it. */
  readonly forget: (message: Awaited<Request, Response>) => Effect.Effect<void>
  readonly end: Effect.Effect<void>
}

export const makeThreadMessages = <Request, Response>({
  entry,
  limits
}: WorkerThread): ThreadMessages<Request, Response> => {
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
