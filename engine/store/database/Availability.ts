import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { StoreUnavailable } from "./StoreUnavailable.ts"

/**
 * Maps errors of the database: `StoreUnavailable` if a retry can succeed (a full disk, a lost connection, a lock), a defect if
 * the statement itself is wrong.
 */
export const orUnavailable = <A, E, R>(
  effect: Effect.Effect<A, E | SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError> | StoreUnavailable, R> =>
  Effect.catch(effect, (error): Effect.Effect<never, Exclude<E, SqlError> | StoreUnavailable> => {
    if (isOther(error)) return Effect.fail(error)
    return isSqlError(error) && isOurMistake(error)
      ? Effect.die(error)
      : Effect.fail(new StoreUnavailable({ cause: error }))
  })

const isOther = <E>(error: E): error is Exclude<E, SqlError> => !isSqlError(error)

/** Longer than `statement_timeout` (30 s): what takes longer waits for a pool whose connections have all stalled. */
const LONGEST_WAIT = "35 seconds"

/** Fails a request that waits too long for the database. */
export const withinWait = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | StoreUnavailable, R> =>
  Effect.timeoutOrElse(effect, {
    duration: LONGEST_WAIT,
    orElse: () =>
      Effect.fail(new StoreUnavailable({ cause: new Error(`the database did not answer within ${LONGEST_WAIT}`) }))
  })

/** Whether an error of SQLite or PostgreSQL says that files are damaged, which is permanent. */
export const isDamage = ({ message }: StoreUnavailable): boolean => DAMAGE.test(message)

const DAMAGE = /SQLITE_CORRUPT|SQLITE_NOTADB|the database is damaged|invalid page in block|could not read block/

/**
 * Like `sql.withTransaction`, except that a lost connection is a failure here. `SqlClient` makes it a defect, because such a
 * transaction can be neither committed nor rolled back.
 */
export const inTransaction = <A, E, R>(
  sql: SqlClient,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R> =>
  Effect.catchCause(sql.withTransaction(effect), (cause): Effect.Effect<never, E | SqlError> => {
    const lost = cause.reasons
      .filter(Cause.isDieReason)
      .map(({ defect }) => defect)
      .find(isSqlError)
    return lost === undefined || Cause.hasInterrupts(cause) ? Effect.failCause(cause) : Effect.fail(lost)
  })

/**
 * Like `inTransaction`, but as a part of the current transaction if there is one, without a savepoint of its own, which costs two round
 * trips: a failure must fail that transaction.
 */
export const withinTransaction = <A, E, R>(
  sql: SqlClient,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R> =>
  Effect.flatMap(Effect.serviceOption(sql.transactionService), (current) =>
    Option.isSome(current) ? effect : inTransaction(sql, effect)
  )

const isOurMistake = ({ reason }: SqlError): boolean =>
  reason._tag === "SqlSyntaxError" || reason._tag === "UniqueViolation" || reason._tag === "ConstraintError"
