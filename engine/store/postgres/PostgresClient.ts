import * as PgClient from "@effect/sql-pg/PgClient"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { connect, type Socket } from "node:net"
import { setting } from "../../config/Setting.ts"
import {
  ChangeFeed,
  type Changes,
  DatabaseHealth,
  makeHealth,
  orUnavailable,
  ReadClient
} from "../database/SqlDatabase.ts"

/** How long the server may be silent, in milliseconds: longer than any statement may take, see `statement_timeout`. */
export const SilenceLimit = Context.Reference<number>("docgauge/store/SilenceLimit", { defaultValue: () => 40_000 })

const [FEWEST, MOST] = [2, 200]

/** `DOCGAUGE_DATABASE_CONNECTIONS`: maximum number of connections of one process to PostgreSQL, besides the one that listens. */
const databaseConnections: Config.Config<number> = setting("DOCGAUGE_DATABASE_CONNECTIONS", "10", (text) =>
  /^\d{1,3}$/.test(text) && Number(text) >= FEWEST && Number(text) <= MOST
    ? Result.succeed(Number(text))
    : Result.fail(`give a whole number from ${FEWEST} to ${MOST}`)
)

/**
 * Two pools of connections to a PostgreSQL server, closed with the scope: half of `DOCGAUGE_DATABASE_CONNECTIONS` for reads outside
 * of transactions, so that audits that use up the others cannot starve them. Connections are opened as needed, and reopened when
 * lost.
 */
export const layer = (
  url: Redacted.Redacted
): Layer.Layer<SqlClient.SqlClient | ReadClient | DatabaseHealth, SqlError | Config.ConfigError> =>
  Layer.effectContext(Effect.flatMap(databaseConnections, (connections) => clients(url, connections))).pipe(
    Layer.provide(Reactivity.layer)
  )

/** One connection, which is not closed for its silence. */
export const layerMigrator = (url: Redacted.Redacted): Layer.Layer<SqlClient.SqlClient, SqlError> => {
  const { stream: _, ...settings } = settingsOf(url, Number.POSITIVE_INFINITY)
  return Layer.effect(SqlClient.SqlClient, PgClient.make({ ...settings, maxConnections: 1 })).pipe(
    Layer.provide(Reactivity.layer)
  )
}

const clients = Effect.fnUntraced(function* (url: Redacted.Redacted, connections: number) {
  const settings = settingsOf(url, yield* SilenceLimit)
  const reading = Math.floor(connections / 2)
  const writer = yield* PgClient.make({ ...settings, maxConnections: connections - reading })
  const readers = yield* PgClient.make({ ...settings, maxConnections: reading })
  const reader = yield* SqlClient.make({
    acquirer: readers.reserve,
    compiler: PgClient.makeCompiler(),
    driver: writer.driver,
    prepareTransactionControls: true,
    spanAttributes: [["db.system.name", "postgresql"]],
    // Within a transaction of the writer, reads use its connection.
    transactionService: writer.transactionService
  })
  const probe = orUnavailable(Effect.asVoid(reader`SELECT serial FROM runs ORDER BY serial DESC LIMIT 1`))
  // It may be silent for hours. A connection that hangs loses messages, which polling finds.
  const { stream: _, ...listening } = settings
  const changes = yield* makeChanges(writer, listening)
  return Context.make(SqlClient.SqlClient, writer).pipe(
    Context.add(ChangeFeed, changes),
    Context.add(ReadClient, reader),
    Context.add(DatabaseHealth, makeHealth(probe))
  )
})

const settingsOf = (url: Redacted.Redacted, silenceMs: number): PgClient.PgPoolConfig => {
  const stream = silenceLimited(Redacted.value(url), silenceMs)
  return {
    url,
    ...(stream === null ? {} : { stream }),
    // An idle connection is closed before its silence looks like a fault.
    idleTimeout: "20 seconds",
    connectTimeout: "5 seconds",
    keepAlive: "30 seconds",
    applicationName: "docgauge",
    startupParameters: {
      // Overrides the time zone of the role or database: a local time is ambiguous when summer time ends.
      TimeZone: "UTC",
      // Time limits for a server that does not respond, and for a process that stops within a transaction.
      statement_timeout: "30s",
      lock_timeout: "10s",
      idle_in_transaction_session_timeout: "60s",
      // As on a solid-state disk: with the default, the planner reads whole tables of sites for the fifty of a leaderboard.
      random_page_cost: "1.1",
      // No statement of ours is worth starting a parallel worker.
      max_parallel_workers_per_gather: "0"
    }
  }
}

const DEFAULT_PORT = 5432

/** Idle time before TCP keepalive probes start, in milliseconds. */
const KEEP_ALIVE_MS = 30_000

/**
 * Connects to the server of a `postgres:` URL, and closes the connection after `silenceMs` without traffic: with a network that
 * loses every packet, or a stopped server, TCP would otherwise retransmit for many minutes while a statement hangs. `null` if
 * the URL names a Unix socket, which does not lose packets.
 */
export const silenceLimited = (url: string, silenceMs: number): (() => Socket) | null => {
  const { hostname, port, searchParams } = new URL(url)
  const host = decodeURIComponent(hostname).replace(/^\[(.*)\]$/, "$1")
  if (host === "" || host.startsWith("/") || searchParams.has("host") || searchParams.has("port")) return null
  return () => {
    const socket = connect({
      host,
      port: port === "" ? DEFAULT_PORT : Number(port),
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS
    })
    return socket.setTimeout(silenceMs, () => {
      socket.destroy(new Error(`the database server was silent for ${silenceMs / 1_000} s`))
    })
  }
}

const CHANNEL = "docgauge"

const RECONNECT_DELAY = "1 second"

/**
 * Changes by `LISTEN` and `NOTIFY`, over a connection of their own that is opened for the first subscriber, and reopened when lost.
 * `NOTIFY` is sent after the transaction, because commits that contain one wait for each other.
 */
const makeChanges = Effect.fnUntraced(function* (writer: PgClient.PgClient, settings: PgClient.PgClientConfig) {
  const topics = { queue: Latch.makeUnsafe(false), operators: Latch.makeUnsafe(false) }
  const scope = yield* Effect.scope

  const listen = Effect.gen(function* () {
    const client = yield* PgClient.makeClient(settings)
    const messages = yield* client.listen(CHANNEL)
    // Changes that were sent while no connection listened are lost.
    yield* topics.queue.release
    yield* topics.operators.release
    while (true) {
      const { payload } = yield* Queue.take(messages)
      if (payload === "queue" || payload === "operators") yield* topics[payload].release
    }
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))

  const listening = Effect.ignoreCause(listen).pipe(Effect.andThen(Effect.sleep(RECONNECT_DELAY)), Effect.forever)
  const started = yield* Effect.cached(Effect.forkIn(listening, scope))

  const changes: Changes = {
    notify: (topic) =>
      writer.afterCommit(Effect.asVoid(Effect.forkIn(Effect.ignore(writer.notify(CHANNEL, topic)), scope))),
    next: (topic) => Effect.andThen(started, topics[topic].await)
  }
  return changes
})
