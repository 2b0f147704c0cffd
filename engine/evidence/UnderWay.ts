import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** Called by a transport over the network once the connection of a request is open. */
export const ConnectionOpened = Context.Reference<() => void>("docgauge/evidence/ConnectionOpened", {
  defaultValue: () => () => {}
})

/**
 * Starts a request, and goes on once its connection is open or its answer is there. What comes next may then keep this thread
 * busy, such as loading code, while the site answers.
 */
export const underWay = Effect.fnUntraced(function* <A, E, R>(
  request: Effect.Effect<A, E, R>
): Effect.fn.Return<Fiber.Fiber<A, E>, never, R> {
  const opened = Deferred.makeUnsafe<void>()
  const fiber = yield* request.pipe(
    Effect.provideService(ConnectionOpened, () => Deferred.doneUnsafe(opened, Effect.void)),
    Effect.forkChild({ startImmediately: true })
  )
  yield* Effect.raceFirst(Deferred.await(opened), Fiber.await(fiber))
  // The request is written in this turn of the event loop.
  yield* Effect.yieldNow
  return fiber
})
