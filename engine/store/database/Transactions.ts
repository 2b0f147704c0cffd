import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { Statement } from "effect/sql/Statement"
import { inTransaction, orUnavailable } from "./SqlDatabase.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Atomic transactions over the stores. */
export class Transactions extends Context.Service<
  Transactions,
  {
    /** Atomic. */
    readonly atomic: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StoreUnavailable, R>
    /**
     * Atomic, and one at a time per `key` over all processes. A holder of a domain's key must not request another key; operators'
     * changes and the scheduler's, which have their own keys, may request a domain's.
     */
    readonly alone: <A, E, R>(key: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StoreUnavailable, R>
  }
>()("docgauge/store/Transactions") {
  static readonly layerSql: Layer.Layer<Transactions, never, SqlClient> = Layer.effect(
    Transactions,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const lock = sql.onDialectOrElse({
        pg: () => (key: string) => sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.pipe(Effect.asVoid),
        // SQLite has one writer, and our transactions lock it from their first statement.
        orElse: () => () => Effect.void
      })
      const atomic = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.catchIf(inTransaction(sql, effect), isSqlError, (error) => orUnavailable(Effect.fail(error)))
      return {
        atomic,
        alone: (key, effect) => atomic(Effect.andThen(orUnavailable(lock(key)), effect))
      }
    })
  )

  /** Without a database: one at a time in this process, without rollback. */
  static readonly layerMemory: Layer.Layer<Transactions> = Layer.sync(Transactions, () => {
    const semaphore = Semaphore.makeUnsafe(1)
    return { atomic: (effect) => semaphore.withPermit(effect), alone: (_key, effect) => semaphore.withPermit(effect) }
  })
}

/**
 * Runs statements that change rows: on PostgreSQL as one statement, in one round trip, so that none may read what another one writes,
 * or change the same row.
 */
export const inOneRoundTrip = (
  sql: SqlClient,
  last: Statement<object>,
  ...others: ReadonlyArray<Statement<object>>
): Effect.Effect<void, SqlError> => {
  const asOne = () =>
    sql`WITH ${sql.csv(others.map((statement, index) => sql`${sql(`step_${index}`)} AS (${statement})`))} ${last}`
  const inTurn = (): Effect.Effect<void, SqlError> => Effect.all([...others, last], { discard: true })
  return sql.onDialectOrElse({ pg: (): Effect.Effect<void, SqlError> => Effect.asVoid(asOne()), orElse: inTurn })
}
