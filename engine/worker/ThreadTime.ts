import * as Effect from "effect/Effect"
import type { Worker } from "node:worker_threads"

/** Time that a thread has for something, in milliseconds. */
export interface ThreadTime {
  /**
   * CPU time of the thread where this Node tells it (24.6 and later), else wall time. On a busy machine harmless work waits for its CPU
   * time, which is no reason to end it.
   */
  readonly cpuMs: number
  /** Wall time, however little CPU time it got. */
  readonly wallMs: number
}

/** A limit that a thread exceeded. */
export interface TimeExceeded {
  readonly kind: "cpu" | "wall"
  readonly milliseconds: number
}

/**
 * Milliseconds for a thread to tell its CPU time; one that is stuck outside JavaScript does not. On a busy machine a collection of
 * garbage may take seconds.
 */
const TELLING_MS = 5_000

/** Succeeds once the thread has used up the time from now on. */
export const exceeded = Effect.fnUntraced(function* (
  worker: Worker,
  { cpuMs, wallMs }: ThreadTime
): Effect.fn.Return<TimeExceeded> {
  // A thread that is only starting does not tell it.
  const before = (yield* cpuTime(worker)) ?? 0
  let waited = 0
  for (let wait = Math.min(cpuMs, wallMs); ;) {
    yield* Effect.sleep(wait)
    waited += wait
    const now = yield* cpuTime(worker)
    if (now === null && waited >= cpuMs) return { kind: "wall", milliseconds: cpuMs }
    const used = now === null ? 0 : now - before
    if (used >= cpuMs) return { kind: "cpu", milliseconds: cpuMs }
    if (waited >= wallMs) return { kind: "wall", milliseconds: wallMs }
    wait = Math.min(Math.max(cpuMs - used, cpuMs / 4), wallMs - waited)
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
