import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { AuditProcess } from "./AuditProcess.ts"
import { IDLE_MS } from "./ProcessLimits.ts"

/** An idle process that waits for its first audit. */
interface Waiting {
  readonly process: AuditProcess
  readonly scope: Scope.Closeable
}

/** Starts at most one process in advance, to replace a process that is about to be discarded. */
export interface Successor {
  /** Starts one unless one is waiting already. It ends if it is not taken within `IDLE_MS`. */
  readonly prepare: Effect.Effect<void>
  /** The waiting process, or a new one; it ends with the scope. */
  readonly take: Effect.Effect<AuditProcess, never, Scope.Scope>
}

export const makeSuccessor = Effect.fnUntraced(function* (
  start: Effect.Effect<AuditProcess, never, Scope.Scope>
): Effect.fn.Return<Successor, never, Scope.Scope> {
  const parent = yield* Scope.Scope
  let waiting: Waiting | null = null

  const drop = (one: Waiting): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (waiting !== one) return Effect.void
      waiting = null
      return Scope.close(one.scope, Exit.void)
    })

  const prepare = Effect.gen(function* () {
    if (waiting !== null) return
    const scope = yield* Scope.fork(parent)
    const one = { process: yield* Scope.provide(start, scope), scope }
    waiting = one
    yield* Effect.forkIn(Effect.andThen(Effect.sleep(IDLE_MS), drop(one)), parent)
  }).pipe(Effect.uninterruptible)

  const take = Effect.suspend((): Effect.Effect<AuditProcess, never, Scope.Scope> => {
    const taken = waiting
    waiting = null
    if (taken === null) return start
    // A process that ended while it waited must not count as an attempt of an audit.
    if (!taken.process.isRunning()) return Effect.andThen(Scope.close(taken.scope, Exit.void), start)
    return Effect.as(
      Effect.addFinalizer((exit) => Scope.close(taken.scope, exit)),
      taken.process
    )
  }).pipe(Effect.uninterruptible)

  return { prepare, take }
})
