import type * as Cause from "effect/Cause"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Semaphore from "effect/Semaphore"

/**
 * A read of the database that fails after `limit`, one at a time. The end of an interrupted statement is not awaited: SQLite's has none while
 * its disk stalls. Until then, there is no other.
 */
export const makeDatabaseCheck = <A, E>(
  read: Effect.Effect<A, E>,
  limit: Duration.Input
): Effect.Effect<A, E | Cause.TimeoutError> =>
  Semaphore.makeUnsafe(1)
    .withPermit(read)
    .pipe(
      Effect.forkDetach,
      Effect.flatMap((fiber) => Effect.onInterrupt(Fiber.join(fiber), () => Effect.forkDetach(Fiber.interrupt(fiber)))),
      Effect.timeout(limit)
    )
