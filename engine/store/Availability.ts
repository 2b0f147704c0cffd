import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { StoreUnavailable } from "./RunStore.ts"

/**
 * What a database says no with: `StoreUnavailable` where it can be otherwise in a moment (a full disk, a lost
 * connection, a lock), a defect where the statement itself is wrong and always will be.
 */
export const orUnavailable = <A, E, R>(effect: Effect.Effect<A, E | SqlError, R>): Effect.Effect<A, Exclude<E, SqlError> | StoreUnavailable, R> =>
  Effect.catch(effect, (error): Effect.Effect<never, Exclude<E, SqlError> | StoreUnavailable> => {
    if (isOther(error)) return Effect.fail(error)
    return isSqlError(error) && isOurMistake(error) ? Effect.die(error) : Effect.fail(new StoreUnavailable({ cause: error }))
  })

const isOther = <E>(error: E): error is Exclude<E, SqlError> => !isSqlError(error)

/** Whether a database said that its files are damaged, which does not pass by itself: SQLite, then PostgreSQL. */
export const isDamage = ({ message }: StoreUnavailable): boolean => DAMAGE.test(message)

const DAMAGE = /SQLITE_CORRUPT|SQLITE_NOTADB|the database is damaged|invalid page in block|could not read block/

/**
 * `sql.withTransaction`, but for one thing: a transaction whose connection is lost can be neither committed nor rolled
 * back, of which `SqlClient` makes a defect. Here it fails, as whatever else needs the connection does.
 */
export const inTransaction = <A, E, R>(sql: SqlClient, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
  Effect.catchCause(sql.withTransaction(effect), (cause): Effect.Effect<never, E | SqlError> => {
    const lost = cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect).find(isSqlError)
    return lost === undefined || Cause.hasInterrupts(cause) ? Effect.failCause(cause) : Effect.fail(lost)
  })

const isOurMistake = ({ reason }: SqlError): boolean =>
  reason._tag === "SqlSyntaxError" || reason._tag === "UniqueViolation" || reason._tag === "ConstraintError"
