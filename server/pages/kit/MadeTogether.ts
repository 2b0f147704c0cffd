import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/**
 * Lets all who ask for one thing at the same time wait for one making of it. It goes on where one of them leaves, and is
 * forgotten once it is there.
 */
export const makeTogether = <A, E>() => {
  const underWay = new Map<string, Fiber.Fiber<A, E>>()

  const begin = (key: string, make: Effect.Effect<A, E>): Effect.Effect<Fiber.Fiber<A, E>> =>
    Effect.tap(Effect.forkDetach(make), (fiber) =>
      Effect.sync(() => {
        underWay.set(key, fiber)
        fiber.addObserver(() => { underWay.delete(key) })
      }))

  return (key: string, make: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const begun = underWay.get(key)
      return Effect.flatMap(begun === undefined ? begin(key, make) : Effect.succeed(begun), Fiber.join)
    })
}
