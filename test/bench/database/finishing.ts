/*
 * How many runs a second two processes finish on one PostgreSQL of its own, over loopback and over a line of 2.6 ms there and back: report,
 * facts, figures, budget and job, as `RunWorker` writes them. Prints the share of the rate over loopback, the CPU of a finish in the
 * process and in PostgreSQL, and how often a statement was seen to wait for a row. Linux only (/proc).
 *
 * `node test/bench/database/finishing.ts [RUNS]` (1,000 of each process unless given).
 */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { fork } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { performance } from "node:perf_hooks"
import process from "node:process"
import { Limits } from "../../../engine/limit/Limits.ts"
import * as LimitStore from "../../../engine/limit/LimitStore.ts"
import { outcomeOf } from "../../../engine/process/AuditResult.ts"
import { AuditQueue } from "../../../engine/schedule/AuditQueue.ts"
import { JOB_SCHEMA } from "../../../engine/schedule/queue/JobEngine.ts"
import { layerDatabase, postgresAt } from "../../../engine/store/Database.ts"
import { Transactions } from "../../../engine/store/database/SqlDatabase.ts"
import { type RunResult, RunStore, type UnfinishedRun } from "../../../engine/store/runs/RunStore.ts"
import * as SqlRunStore from "../../../engine/store/runs/SqlRunStore.ts"
import { goldenReport } from "../../browser/SeededRuns.ts"
import { makeTcpProxy, type TcpProxy } from "../../chaos/TcpProxy.ts"
import { makePostgres, type PostgresCluster } from "../../harness/PostgresCluster.ts"
import { LIMITLESS } from "../../schedule/TestService.ts"
import { cpuOf, mainProcessOf } from "../measure/ProcessCpu.ts"
import { heldAtLeast, table } from "../measure/Table.ts"
import { queueRuns } from "../../schedule/QueuedJobs.ts"

const RUNS = Number(process.argv[2] ?? 1_000)
const PROCESSES = 2

/** Runs that one process finishes at once. */
const AT_ONCE = 16

/** `DOCGAUGE_DATABASE_CONNECTIONS` of each process, unless it is given: half of them write, so that each run has its own. */
const CONNECTIONS = "32"

const idAt = (of: number, index: number): string =>
  `01934f7a-1c2d-7e3f-8a4b-${(of * 1_000_000 + index).toString(16).padStart(12, "0")}`

/** A run to finish, and by which process. */
interface Begun {
  readonly of: number
  readonly serial: number
  readonly id: string
}

const rowsFor =
  (sql: SqlClient, [first, ...rest]: ReadonlyArray<Begun>) =>
  (row: (run: Begun) => Readonly<Record<string, unknown>>) =>
    first === undefined ? sql.literal("DEFAULT VALUES") : sql.insert([row(first), ...rest.map(row)])

/** Begun runs of each process: of `RUNS` domains, each with its job and its share of the domain's budget. */
const seed = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const table of [
    "corpus_changes",
    "site_figures",
    "reports",
    "facts",
    "exchanges",
    "limit_reservations",
    "limit_buckets",
    "runs",
    "sites"
  ])
    yield* sql`DELETE FROM ${sql(table)}`
  const all = Array.from({ length: PROCESSES }, (_, of) =>
    Array.from({ length: RUNS }, (_, index) => ({ of, serial: of * RUNS + index + 1, id: idAt(of, index) }))
  ).flat()
  for (let from = 0; from < all.length; from += 500) {
    const rows = rowsFor(sql, all.slice(from, from + 500))
    yield* sql`INSERT INTO sites ${rows(({ serial }) => ({ serial, key: `k${serial}`, site: `docs.s${serial}.dev`, domain: `s${serial}.dev`, last_started_at: 1 }))}`
    yield* sql`INSERT INTO runs ${rows(({ id, of, serial }) => ({
      serial,
      id,
      site: serial,
      domain: `s${serial}.dev`,
      url: `https://docs.s${serial}.dev`,
      rubric_digest: "r",
      target: `t${serial}`,
      status: "running",
      started_at: serial,
      attempts: 1,
      begun: 1,
      begun_at: serial,
      worker: `w${of}`,
      submitter: `n${serial}`,
      tag: 1
    }))}`
    yield* sql`INSERT INTO limit_buckets ${rows(({ serial }) => ({ bucket: `host s${serial}.dev`, full_at: 0 }))}`
    yield* sql`INSERT INTO limit_reservations ${rows(({ id, serial }) => ({ run_id: id, bucket: `host s${serial}.dev`, amount: 200 }))}`
  }
  yield* queueRuns(sql)
  yield* sql`UPDATE ${sql.literal(`${JOB_SCHEMA}.job`)} SET state = 'active', started_on = now(), heartbeat_on = now()`
  yield* sql.unsafe("ANALYZE")
})

const REPORT = goldenReport("typical")

/** The result of a real audit, with what 73 requests left. */
const result: RunResult = {
  encoded: `${JSON.stringify(REPORT)}\n`,
  totalScore: REPORT.total_score,
  reliable: true,
  outcomes: REPORT.criteria.map(outcomeOf),
  generator: null,
  facts: REPORT.criteria.map(({ id }) => ({
    criterion: id,
    plugin: id,
    revision: 1,
    params: { sample: 16 },
    facts: { share: 0.5, count: 16, listed: true, kind: "index" }
  })),
  exchanges: Array.from({ length: 73 }, (_, index) => ({
    method: "GET",
    url: `https://docs.example.dev/reference/page-${index}`,
    status: 200,
    sha256: randomBytes(32).toString("hex"),
    size: 12_345
  })),
  durationMs: 12_000,
  requests: 73,
  bytes: 277_000
}

/** What a process tells of its runs: seconds in all, and its CPU of a run in milliseconds. */
interface Told {
  readonly seconds: number
  readonly cpuMs: number
}

const finishAll = Effect.fnUntraced(function* (of: number) {
  const [store, queue, limits, transactions] = [yield* RunStore, yield* AuditQueue, yield* Limits, yield* Transactions]
  const runs = (yield* store.unfinished(RUNS * PROCESSES)).slice(of * RUNS, (of + 1) * RUNS)
  const finish = ({ run }: UnfinishedRun) => {
    const { domain, id } = run
    return transactions.alone(
      domain,
      Effect.gen(function* () {
        if (!(yield* store.finish({ id, worker: `w${of}`, attempt: 1 }, result)))
          return yield* Effect.die("a run was not finished")
        yield* limits.hostBudget.settle(id, 73)
        yield* queue.complete({ run, number: 0, endsAt: Infinity })
      })
    )
  }
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
  yield* Effect.forEach(runs, finish, { concurrency: AT_ONCE, discard: true })
  const { system, user } = process.cpuUsage(cpu)
  return { seconds: (performance.now() - startedAt) / 1_000, cpuMs: (system + user) / 1_000 / RUNS }
})

const servicesOn = (url: string) =>
  Layer.mergeAll(
    SqlRunStore.layerSql,
    AuditQueue.layerSql,
    Transactions.layerSql,
    Limits.layerOf({ ...LIMITLESS, hostBudget: { amount: 600, windowMs: 3_600_000 } }).pipe(
      Layer.provide(LimitStore.layerSql)
    )
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto), Layer.provideMerge(layerDatabase(postgresAt(url))))

/** One of the processes: finishes its runs when it is told to. */
const child = async (url: string, of: number): Promise<void> => {
  await Effect.runPromise(
    Effect.provide(
      Effect.gen(function* () {
        process.send?.("ready")
        yield* Effect.promise(() => once(process, "message"))
        process.send?.(yield* finishAll(of))
      }),
      servicesOn(url)
    )
  )
  process.disconnect()
}

/** How many statements wait for a row at the moment; not those that wait until a file has grown. */
const waiting = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ readonly count: number }>`
  SELECT COUNT(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event IN ('transactionid', 'tuple')`
)

const measured = async (cluster: PostgresCluster, url: string) => {
  const database = layerDatabase(postgresAt(cluster.url))
  await Effect.runPromise(Effect.provide(seed, servicesOn(cluster.url)))
  const children = Array.from({ length: PROCESSES }, (_, of) =>
    fork(import.meta.filename, [String(RUNS), url, String(of)], {
      env: { DOCGAUGE_DATABASE_CONNECTIONS: CONNECTIONS, ...process.env }
    })
  )
  await Promise.all(children.map((process) => once(process, "message")))
  const server = await mainProcessOf(cluster)
  const before = cpuOf(server)
  const told = Promise.all(
    children.map(async (process): Promise<Told> => {
      const [message]: ReadonlyArray<Told> = await once(process, "message")
      if (message === undefined) throw new Error("a process told nothing")
      return message
    })
  )
  for (const process of children) process.send("go")
  let [looks, waits] = [0, 0]
  const look = Effect.map(waiting, ([row]) => {
    looks++
    waits += row?.count ?? 0
  })
  const looking = Effect.forever(Effect.delay(look, 20))
  const results = await Effect.runPromise(
    Effect.provide(
      Effect.raceFirst(
        Effect.promise(() => told),
        looking
      ),
      database
    )
  )
  return {
    rate: results.reduce((sum, { seconds }) => sum + RUNS / seconds, 0),
    cpuMs: results.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / PROCESSES,
    serverMs: ((cpuOf(server) - before) * 1_000) / (RUNS * PROCESSES),
    waits,
    looks
  }
}

const bench = async (): Promise<void> => {
  const cluster = await makePostgres()
  // Both lines are of a proxy, so that its processor time is in both.
  const [near, far] = [await makeTcpProxy(cluster.port), await makeTcpProxy(cluster.port, 2.6)]
  const through = ({ port }: TcpProxy) => measured(cluster, cluster.url.replace(`:${cluster.port}/`, `:${port}/`))
  try {
    await through(near)
    const [loopback, longer] = [await through(near), await through(far)]
    const row = (name: string, { cpuMs, looks, rate, serverMs, waits }: typeof loopback) => [
      name,
      rate.toFixed(0),
      heldAtLeast(rate / loopback.rate, 0.85),
      cpuMs.toFixed(1),
      serverMs.toFixed(1),
      `${waits} in ${looks}`
    ]
    process.stdout.write(
      `${table(["two processes", "runs/s", "of loopback", "CPU, ms", "PostgreSQL, ms", "waits for a row"], [row("loopback", loopback), row("2.6 ms", longer)])}\n`
    )
  } finally {
    await Promise.all([near.close(), far.close()])
    await cluster.remove()
  }
}

const [, , , url, of] = process.argv
await (url === undefined || of === undefined ? bench() : child(url, Number(of)))
