import * as Effect from "effect/Effect"
import { type ChildProcess, fork } from "node:child_process"
import { join } from "node:path"
import type { AuditEvent, Told } from "./WaitingWorker.ts"

/** A process of `WaitingWorker.ts`, and what it has told. */
export interface WaitingWorker {
  readonly child: ChildProcess
  readonly events: Array<AuditEvent>
}

export interface WaitingWorkerOptions {
  readonly slots: number
  /** How many times as long as usual an audit lasts. */
  readonly slowness?: number
  /** Whether it tells of each request. */
  readonly tellsRequests?: boolean
}

/** Starts a worker, which takes runs once this is over. It ends with the scope. */
export const startWaitingWorker = (url: string, { slots, slowness = 1, tellsRequests = false }: WaitingWorkerOptions) =>
  Effect.acquireRelease(
    Effect.promise(async (): Promise<WaitingWorker> => {
      const arguments_ = [url, String(slots), String(slowness), tellsRequests ? "requests" : ""]
      const child = fork(join(import.meta.dirname, "WaitingWorker.ts"), arguments_)
      const events: Array<AuditEvent> = []
      await new Promise<void>((resolve, reject) => {
        child.once("exit", (code) => reject(new Error(`the worker ended with ${code}`)))
        child.on("message", (told: Told) => {
          if (told === "ready") resolve()
          else events.push(told)
        })
      })
      return { child, events }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )
