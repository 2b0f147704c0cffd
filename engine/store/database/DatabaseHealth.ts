import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { isDamage, orUnavailable } from "./Availability.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Whether the database can be used. */
export class DatabaseHealth extends Context.Service<
  DatabaseHealth,
  {
    /** Fails unless the database responds, and permanently once any statement reported damaged files. */
    readonly check: Effect.Effect<void, StoreUnavailable>
    /** `orUnavailable` that remembers a report of damage: `check` may not read the damaged page. */
    readonly watch: <A>(effect: Effect.Effect<A, SqlError>) => Effect.Effect<A, StoreUnavailable>
  }
>()("docgauge/store/DatabaseHealth") {}

export const makeHealth = (probe: Effect.Effect<void, StoreUnavailable>): DatabaseHealth["Service"] => {
  let damage: StoreUnavailable | null = null
  const note = (error: StoreUnavailable) =>
    Effect.sync(() => {
      if (isDamage(error)) damage = error
    })
  return {
    check: Effect.suspend(() => (damage === null ? probe : Effect.fail(damage))),
    watch: (effect) => Effect.tapError(orUnavailable(effect), note)
  }
}
