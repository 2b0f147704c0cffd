import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/**
 * Runs one effect for each key at a time. Not Effect's `Cache`, which interrupts an effect with its last caller, and does not tell how many
 * are running, and for whom.
 */
interface SingleFlight<A, E> {
  readonly has: (key: string) => boolean
  readonly size: () => number
  /** How many effects were begun for this owner. */
  readonly sizeOf: (owner: string) => number
  /**
   * Concurrent calls with one key share one effect, which continues if they are interrupted, and ends with the scope of the map.
   * The owners are those of the call that began it.
   */
  readonly run: (key: string, effect: Effect.Effect<A, E>, owners?: ReadonlyArray<string>) => Effect.Effect<A, E>
}

export const makeSingleFlight = <A, E>(): Effect.Effect<SingleFlight<A, E>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const underWay = new Map<
      string,
      { readonly over: Deferred.Deferred<A, E>; readonly owners: ReadonlyArray<string> }
    >()

    const begun = (
      key: string,
      effect: Effect.Effect<A, E>,
      owners: ReadonlyArray<string>
    ): Effect.Effect<Deferred.Deferred<A, E>> => {
      const over = Deferred.makeUnsafe<A, E>()
      underWay.set(key, { over, owners })
      const work = Effect.onExit(Effect.interruptible(effect), (exit) =>
        Effect.sync(() => {
          underWay.delete(key)
          Deferred.doneUnsafe(over, exit)
        })
      )
      return Effect.as(Effect.forkIn(work, scope), over)
    }

    return {
      has: (key) => underWay.has(key),
      size: () => underWay.size,
      sizeOf: (owner) =>
        underWay
          .values()
          .filter(({ owners }) => owners.includes(owner))
          .toArray().length,
      // Nothing can come between the look and the beginning.
      run: (key, effect, owners = []) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.suspend(() => {
            const known = underWay.get(key)
            return Effect.flatMap(
              known === undefined ? begun(key, effect, owners) : Effect.succeed(known.over),
              (over) => restore(Deferred.await(over))
            )
          })
        )
    }
  })
