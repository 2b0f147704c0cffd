import * as Cause from "effect/Cause"
import type { ConfigError } from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import * as Semaphore from "effect/Semaphore"
import type { Statement } from "effect/sql/Statement"
import { StoreUnavailable } from "./StoreUnavailable.ts"

/** One database, as its URL names it. */
export interface SqlDatabase {
  /** As errors name it, without passwords: `The database data/docgauge.db`. */
  readonly name: string
  /** Opens another connection, without creating a schema. The driver is imported only then. */
  readonly clients: () => Layer.Layer<SqlClient | ReadClient | DatabaseHealth, SqlError | ConfigError>
  /** Opens a connection for migrations, which may be silent for as long as they take; `null`: the clients are as good. */
  readonly migrator: (() => Layer.Layer<SqlClient, SqlError>) | null
  /** Holds it for one service, which fails with `LockTimeoutError` while another one has it; `null`: several services may share it. */
  readonly alone: (() => Layer.Layer<never, SqlError>) | null
  /** What the operator can do about an error with this message, as a whole sentence; `null`: the message says it. */
  readonly adviceOn: (message: string) => string | null
}

/** A kind of database that the service can store runs in. */
export interface DatabaseKind<Database extends SqlDatabase> {
  /** The form of its URLs, as errors quote it. */
  readonly form: string
  /** The database of a URL; `null` for URLs of another form. */
  readonly parse: (url: string) => Database | null
}

/**
 * The client for read-only statements. It has its own connections, so that reads never wait for writers. Within a transaction of the `SqlClient` it sees that transaction's writes.
 */
export class ReadClient extends Context.Service<ReadClient, SqlClient>()("docgauge/store/ReadClient") {}

/** What other processes may have to look at: the queue, or what operators changed. */
type ChangeTopic = "queue" | "operators"

/** Tells other processes at once that something changed. It may lose a message, so those that wait for one also poll. */
export interface Changes {
  /** Tells them once the current transaction is committed; at once outside a transaction. */
  readonly notify: (topic: ChangeTopic) => Effect.Effect<void>
  /** Waits until a process, which may be this one, has told of a change. */
  readonly next: (topic: ChangeTopic) => Effect.Effect<void>
}

/** On PostgreSQL `LISTEN` and `NOTIFY`; without it nothing is told, and polling finds every change. */
export const ChangeFeed = Context.Reference<Changes>("docgauge/store/ChangeFeed", {
  defaultValue: () => ({ notify: () => Effect.void, next: () => Effect.never })
})

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
const isDamage = ({ message }: StoreUnavailable): boolean => DAMAGE.test(message)

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

/** Atomic transactions over the stores. */
export class Transactions extends Context.Service<
  Transactions,
  {
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
