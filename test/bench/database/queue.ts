/*
 * How long taking a run from the queue takes while many wait: on SQLite by one process, and on a PostgreSQL of its own by 1, 4 and 16
 * processes, over loopback and over a line of 2.6 ms there and back. Each takes the next run some 100 ms after the last, as a process with
 * audits of 3 seconds does that runs 32 at once.
 *
 * `node test/bench/database/queue.ts [RUNS]` (10,000 unless given).
 */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { fork } from "node:child_process"
import { once } from "node:events"
import { performance } from "node:perf_hooks"
import process from "node:process"
import { AuditQueue } from "../../../engine/schedule/AuditQueue.ts"
import { INTERNAL } from "../../../engine/schedule/Auditor.ts"
import { type Database, layerDatabase, postgresAt } from "../../../engine/store/Database.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import * as SqlRunStore from "../../../engine/store/runs/SqlRunStore.ts"
import { makeTcpProxy } from "../../chaos/TcpProxy.ts"
import { makePostgres } from "../../harness/PostgresCluster.ts"
import { type Backend, sqliteBackends } from "../../store/Databases.ts"
import { latenciesOf } from "../measure/Latencies.ts"
import { table } from "../measure/Table.ts"
import { queueRuns } from "../../schedule/QueuedJobs.ts"

const RUNS = Number(process.argv[2] ?? 10_000)

/** Runs that are taken in each scene, by all processes together. */
const TAKEN = 480

/** Runs that each process takes before, which are not counted: its connection is opened for the first, and its code is compiled. */
const FIRST = 10

/** Between two runs that a process takes, on the average, in milliseconds. */
const PAUSE_MS = 100

/** `delayMs` of the proxy, with which a statement takes about 2.6 ms longer. */
const LINES = { loopback: 0, "2.6 ms": 2.6 } as const

/** Of how many networks the waiting runs are, in turns, of which domain each is, and of how many of the first runs the domains are being audited. */
interface Scene {
  readonly networks: number
  readonly busy: number
  readonly domainOf: (index: number) => number
}

const SCENES = {
  "each of its own network": { networks: RUNS, busy: 0, domainOf: (index) => index },
  "two of each network": { networks: RUNS / 2, busy: 0, domainOf: (index) => index },
  "all of one network": { networks: 1, busy: 0, domainOf: (index) => index },
  "half of them of 100 busy domains": { networks: RUNS / 2, busy: 100, domainOf: (index) => index % 200 },
  "all but the last 1,000 of 300 busy domains": {
    networks: RUNS,
    busy: 300,
    domainOf: (index) => (index < RUNS - 1_000 ? index % 300 : index)
  }
} as const satisfies Readonly<Record<string, Scene>>

const queueOn = (address: Database) =>
  AuditQueue.layerSql.pipe(
    Layer.provideMerge(SqlRunStore.layerSql),
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provideMerge(layerDatabase(address))
  )

const idAt = (index: number): string => `01934f7a-1c2d-7e3f-8a4b-${index.toString(16).padStart(12, "0")}`

const rowsFor =
  (sql: SqlClient) =>
  ([first, ...rest]: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
    first === undefined ? sql.literal("DEFAULT VALUES") : sql.insert([first, ...rest])

const fill = Effect.fnUntraced(function* ({ domainOf, networks }: Scene) {
  const sql = yield* SqlClient
  const rows = rowsFor(sql)
  yield* sql.withTransaction(
    Effect.gen(function* () {
      for (const table of ["runs", "sites"]) yield* sql`DELETE FROM ${sql(table)}`
      for (let from = 0; from < RUNS; from += 100) {
        const part = Array.from({ length: 100 }, (_, index) => from + index)
        yield* sql`INSERT INTO sites ${rows(part.map((index) => ({ serial: index + 1, key: `k${index}`, site: `s${index}.dev`, domain: `d${domainOf(index)}.dev`, last_started_at: 1 })))}`
        yield* sql`INSERT INTO runs ${rows(
          part.map((index) => ({
            serial: index + 1,
            id: idAt(index),
            site: index + 1,
            url: `https://s${index}.dev`,
            domain: `d${domainOf(index)}.dev`,
            rubric_digest: "r",
            target: `t${index}`,
            status: "pending",
            started_at: index,
            submitter: `n${index % networks}`,
            tag: 1 + Math.floor(index / networks)
          }))
        )}`
      }
      yield* sql.onDialectOrElse({ pg: () => queueRuns(sql), orElse: () => Effect.void })
    })
  )
  yield* analyse
})

/** What the server of PostgreSQL does by itself in time. */
const analyse = Effect.flatMap(SqlClient, (sql) =>
  sql.onDialectOrElse({ pg: () => Effect.asVoid(sql.unsafe("VACUUM ANALYZE")), orElse: () => Effect.void })
)

/** Takes the first runs and keeps them. */
const takeFirst = Effect.fnUntraced(function* ({ busy }: Scene) {
  const queue = yield* AuditQueue
  for (let taken = 0; taken < busy; taken++) yield* queue.claim()
  yield* analyse
})

/** What each of `count` runs took that this process takes, in milliseconds. */
const takeRuns = Effect.fnUntraced(function* (count: number) {
  const [queue, store] = [yield* AuditQueue, yield* RunStore]
  const took: Array<number> = []
  for (let turn = 0; turn < FIRST + count; turn++) {
    yield* Effect.sleep(Math.random() * 2 * PAUSE_MS)
    const startedAt = performance.now()
    const claim = yield* queue.claim()
    if (turn >= FIRST) took.push(performance.now() - startedAt)
    const begun = yield* store.begin(claim.run.id, queue.worker)
    if (begun !== null) yield* store.fail(begun.hold, INTERNAL)
    yield* queue.complete(claim)
  }
  return took
})

/** A process of its own, which takes runs from the PostgreSQL of a URL. */
const child = async (url: string, count: number): Promise<void> => {
  process.send?.(await Effect.runPromise(Effect.provide(takeRuns(count), queueOn(postgresAt(url)))))
  process.disconnect()
}

/** What each run took, in milliseconds. */
type Taking = (scene: Scene, processes: number) => Effect.Effect<ReadonlyArray<number>>

const takingFrom =
  (direct: string, url: string): Taking =>
  (scene, processes) =>
    Effect.map(
      Effect.andThen(
        Effect.orDie(Effect.provide(takeFirst(scene), queueOn(postgresAt(direct)))),
        Effect.all(
          Array.from({ length: processes }, () =>
            Effect.promise(async () => {
              const [took]: ReadonlyArray<ReadonlyArray<number>> = await once(
                fork(import.meta.filename, [String(RUNS), url, String(TAKEN / processes)]),
                "message"
              )
              return took ?? []
            })
          ),
          { concurrency: processes }
        )
      ),
      (took) => took.flat()
    )

/** The rows of a table: each scene, with `processes` processes. */
const scenes = Effect.fnUntraced(function* (name: string, address: Database, taking: Taking, processes: number) {
  const rows: Array<ReadonlyArray<string>> = []
  for (const [scene, of] of Object.entries(SCENES)) {
    yield* Effect.provide(fill(of), queueOn(address))
    const { max, p50, p99 } = latenciesOf(yield* taking(of, processes))
    rows.push([`${name}: ${scene}`, String(processes), p50.toFixed(1), p99.toFixed(1), max.toFixed(1)])
    process.stderr.write(`${rows.at(-1)?.join(", ")}\n`)
  }
  return rows
})

const onSqlite = Effect.fnUntraced(function* ({ fresh, name }: Backend) {
  const address = yield* fresh
  return yield* scenes(
    name,
    address,
    (scene) => Effect.orDie(Effect.provide(Effect.andThen(takeFirst(scene), takeRuns(TAKEN)), queueOn(address))),
    1
  )
})

const onPostgres = Effect.fnUntraced(function* () {
  const cluster = yield* Effect.acquireRelease(
    Effect.promise(() => makePostgres({ max_connections: "300" })),
    ({ remove }) => Effect.promise(remove)
  )
  const rows: Array<ReadonlyArray<string>> = []
  for (const [line, delayMs] of Object.entries(LINES)) {
    const proxy = yield* Effect.acquireRelease(
      Effect.promise(() => makeTcpProxy(cluster.port, delayMs)),
      ({ close }) => Effect.promise(close)
    )
    const taking = delayMs === 0 ? cluster.url : cluster.url.replace(`:${cluster.port}/`, `:${proxy.port}/`)
    for (const processes of [1, 4, 16])
      rows.push(
        ...(yield* scenes(`PostgreSQL, ${line}`, postgresAt(cluster.url), takingFrom(cluster.url, taking), processes))
      )
  }
  return rows
})

const bench = Effect.gen(function* () {
  const rows: Array<ReadonlyArray<string>> = []
  for (const backend of sqliteBackends) rows.push(...(yield* onSqlite(backend)))
  rows.push(...(yield* onPostgres()))
  process.stdout.write(
    `${table([`${RUNS.toLocaleString("en-US")} waiting`, "processes", "p50, ms", "p99, ms", "most, ms"], rows)}\n`
  )
})

const [, , , url, count] = process.argv
if (url === undefined) await Effect.runPromise(Effect.scoped(bench))
else await child(url, Number(count))
