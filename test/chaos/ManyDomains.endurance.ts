import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { SqlClient } from "effect/sql/SqlClient"
import { loadavg } from "node:os"
import { monotonicMillis } from "../../engine/process/MonotonicClock.ts"
import { postgresAt } from "../../engine/store/Database.ts"
import { readLedger } from "../harness/Ledger.ts"
import { hasPostgres, makePostgres } from "../harness/PostgresCluster.ts"
import { idOf, onDatabase, start, submit } from "../schedule/TestService.ts"
import { startWaitingWorker, type WaitingWorker } from "./WaitingWorkers.ts"

/*
 * Many runs of few domains: three workers on one PostgreSQL audit them while one client has many runs in the queue and four others come
 * after it. The same load was given to other engines before pg-boss was chosen.
 */

const [RUNS, BIG, DOMAINS, SMALL_CLIENTS, WORKERS, SLOTS] = [300, 200, 60, 4, 3, 4]

/** Since the first audit ended, in milliseconds. */
const [KILLED_AT, STOPPED_AT, CONTINUED_AT] = [6_000, 14_000, 54_000]

/** A run, as it was accepted. */
interface Accepted {
  readonly id: string
  readonly domain: string
  readonly client: number
  readonly at: number
}

/** The first client is the big one. */
const clientOf = (index: number): number => (index < BIG ? 0 : 1 + (index % SMALL_CLIENTS))

const accept = Effect.fnUntraced(function* (index: number) {
  const [domain, client] = [`site${index % DOMAINS}.dev`, clientOf(index)]
  const id = idOf(yield* submit(`docs${index}.${domain}`, "", `192.0.2.${client}`))
  return { id, domain, client, at: yield* monotonicMillis } satisfies Accepted
})

/** One execution of an audit in a worker, by its events. */
interface Execution {
  readonly run: string
  readonly domain: string
  readonly worker: number
  readonly begins: number
  readonly requests: Array<number>
}

const executionsOf = (
  workers: ReadonlyArray<WaitingWorker>,
  runs: ReadonlyMap<string, Accepted>
): ReadonlyArray<Execution> =>
  workers
    .flatMap(({ events }, worker) => {
      const executions: Array<Execution> = []
      const current = new Map<string, Execution>()
      for (const { at, run, what } of events) {
        if (what === "begins") {
          const execution = { run, domain: runs.get(run)?.domain ?? "unknown", worker, begins: at, requests: [] }
          executions.push(execution)
          current.set(run, execution)
        } else if (what === "requests") current.get(run)?.requests.push(at)
      }
      return executions
    })
    .sort((one, other) => one.begins - other.begins)

const described = ({ begins, domain, run, worker }: Execution, at: number): string =>
  `${domain}: worker ${worker}, run ${run}, ${Math.round(at - begins)} ms after it began`

/** Requests of executions that were sent between the first and the last of another one of the same domain, and those that were sent after another one had begun. */
const conflictsOf = (executions: ReadonlyArray<Execution>) => {
  const [during, late]: [Array<string>, Array<string>] = [[], []]
  for (const ofDomain of Map.groupBy(executions, ({ domain }) => domain).values())
    for (const one of ofDomain)
      for (const at of one.requests)
        for (const other of ofDomain) {
          if (other === one) continue
          const [first = Infinity, last = 0] = [other.requests[0], other.requests.at(-1)]
          if (at >= first && at <= last) during.push(described(one, at))
          if (other.begins > one.begins && at >= other.begins) late.push(described(one, at))
        }
  return { during, late }
}

const seconds = (millis: number): string => (millis / 1_000).toFixed(1)

const medianOf = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

/** How long runs of some clients waited from their acceptance until they were begun, in milliseconds. */
const waitsOf = (
  runs: ReadonlyMap<string, Accepted>,
  executions: ReadonlyArray<Execution>,
  isOf: (client: number) => boolean
): ReadonlyArray<number> =>
  [...runs.values()]
    .filter(({ client }) => isOf(client))
    .map(({ at, id }) => Math.max(0, (executions.find(({ run }) => run === id)?.begins ?? Infinity) - at))

/** Runs that were under way in a worker at a time, each with how long it took until it was begun again elsewhere, in milliseconds. */
const begunAgain = (
  executions: ReadonlyArray<Execution>,
  { events }: WaitingWorker,
  index: number,
  since: number
): ReadonlyArray<number> => {
  const open = new Set<string>()
  for (const { at, run, what } of events) {
    if (at > since) break
    if (what === "begins") open.add(run)
    if (what === "ends") open.delete(run)
  }
  return [...open].map(
    (lost) =>
      (executions.find(({ begins, run, worker }) => run === lost && worker !== index && begins > since)?.begins ??
        Infinity) - since
  )
}

/** How many runs of the big client were begun while runs of the others waited: where clients take turns, as many as each of these has. */
const bigMeanwhile = (runs: ReadonlyMap<string, Accepted>, executions: ReadonlyArray<Execution>): number => {
  const isBig = (id: string): boolean => runs.get(id)?.client === 0
  const from = Math.min(...[...runs.values()].filter(({ client }) => client > 0).map(({ at }) => at))
  const until = executions.findLast(({ run }) => !isBig(run))?.begins ?? from
  return executions.filter(({ begins, run }) => isBig(run) && begins > from && begins < until).length
}

/** Notes each end that is written of a run. */
const noteSettlements = Effect.fnUntraced(function* (sql: SqlClient) {
  yield* sql`CREATE TABLE settlements (run uuid NOT NULL)`
  yield* sql`
    CREATE FUNCTION note_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO settlements VALUES (NEW.id); RETURN NULL; END $$`
  yield* sql`
    CREATE TRIGGER settles AFTER UPDATE OF status ON runs
    FOR EACH ROW WHEN (NEW.status IN ('done', 'error')) EXECUTE FUNCTION note_settlement()`
})

/** Looks for ends of all runs as often as this, in milliseconds. */
const LOOK_MS = 500

/** Gives the load to workers, does something to them meanwhile, and checks that each run ends once and that no domain is audited twice at a time. */
const audited = Effect.fnUntraced(function* <A>(disturb: (workers: ReadonlyArray<WaitingWorker>) => Effect.Effect<A>) {
  const postgres = yield* Effect.acquireRelease(
    Effect.promise(() => makePostgres()),
    ({ remove }) => Effect.promise(remove)
  )
  const web = yield* start(
    onDatabase(postgresAt(postgres.url), { audit: () => Effect.never, schedule: { concurrency: 0 } })
  )
  const sql = yield* web.here(Effect.service(SqlClient))
  yield* noteSettlements(sql)
  const workers = yield* Effect.forEach(
    Array.from({ length: WORKERS }),
    () => startWaitingWorker(postgres.url, { slots: SLOTS, tellsRequests: true }),
    { concurrency: "unbounded" }
  )
  const startedAt = yield* monotonicMillis
  const accepting = yield* Effect.forkScoped(
    web.here(
      Effect.forEach(
        Array.from({ length: RUNS }, (_, index) => index),
        accept,
        { concurrency: 4 }
      )
    )
  )
  while (!workers.some(({ events }) => events.some(({ what }) => what === "ends"))) yield* Effect.sleep(20)
  const disturbed = yield* disturb(workers)
  const runs = new Map((yield* Fiber.join(accepting)).map((run) => [run.id, run]))
  const left = sql<{ readonly count: number | string }>`
    SELECT COUNT(*) AS count FROM runs WHERE status NOT IN ('done', 'error')`
  yield* Effect.repeat(Effect.delay(left, LOOK_MS), { until: ([row]) => Number(row?.count) === 0 })
  const took = (yield* monotonicMillis) - startedAt

  const executions = executionsOf(workers, runs)
  const { during, late } = conflictsOf(executions)
  const settled = yield* sql<{ readonly run: string }>`SELECT run FROM settlements`
  const { byStatus, faults } = yield* Effect.promise(() => readLedger(postgres.url))
  const [big, small] = [(client: number) => client === 0, (client: number) => client > 0].map((isOf) =>
    waitsOf(runs, executions, isOf)
  )
  for (const [name, waits = []] of [
    ["big client", big],
    ["others", small]
  ] as const)
    console.log(`${name}: median wait ${seconds(medianOf(waits))} s, the last ${seconds(Math.max(...waits))} s`)
  const again = executions.length - new Set(executions.map(({ run }) => run)).size
  console.log(
    `${executions.length} executions, ${again} of them of a run that was begun before; ${workers.map((_, index) => executions.filter(({ worker }) => worker === index).length).join(", ")} by the workers; ${bigMeanwhile(runs, executions)} of the big client while others waited; all accepted after ${seconds(Math.max(...[...runs.values()].map(({ at }) => at)) - startedAt)} s, over after ${seconds(took)} s; load ${loadavg()[0]?.toFixed(0)}`
  )
  assert.deepStrictEqual(during, [])
  assert.deepStrictEqual(late, [])
  assert.deepStrictEqual(Object.keys(byStatus), ["done"])
  assert.strictEqual(byStatus["done"]?.length, RUNS)
  assert.deepStrictEqual(settled.map(({ run }) => run).toSorted(), [...runs.keys()].toSorted())
  assert.deepStrictEqual(faults, [])
  return { disturbed, executions, workers, waits: { big: big ?? [], small: small ?? [] } }
})

describe.skipIf(!hasPostgres)(`${RUNS} runs of ${DOMAINS} domains by ${1 + SMALL_CLIENTS} clients`, () => {
  it.live(
    "end once each, and no domain is sent requests by two audits at a time, while a worker is killed and another one is stopped for 40 seconds",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { disturbed, executions, workers } = yield* audited(
            Effect.fnUntraced(function* ([killed, stopped]) {
              const begin = yield* monotonicMillis
              const at = (millis: number) =>
                Effect.flatMap(monotonicMillis, (now) => Effect.sleep(Math.max(0, begin + millis - now)))
              yield* at(KILLED_AT)
              killed?.child.kill("SIGKILL")
              const killedAt = yield* monotonicMillis
              yield* at(STOPPED_AT)
              stopped?.child.kill("SIGSTOP")
              const stoppedAt = yield* monotonicMillis
              yield* at(CONTINUED_AT)
              stopped?.child.kill("SIGCONT")
              return [killedAt, stoppedAt]
            })
          )
          const again = disturbed.map((since, index) => {
            const worker = workers[index]
            return worker === undefined ? [] : begunAgain(executions, worker, index, since)
          })
          for (const [index, name] of ["kill -9", "stop"].entries())
            console.log(`begun again after ${name}: ${again[index]?.map(seconds).join(", ")} s`)
          assert.isNotEmpty(again[0])
          assert.isTrue(again[0]?.every(Number.isFinite))
        })
      ),
    600_000
  )

  it.live(
    "are taken in turns, so that those of small clients wait less than those of the big one",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { waits } = yield* audited(() => Effect.void)
          assert.isBelow(medianOf(waits.small), medianOf(waits.big))
        })
      ),
    600_000
  )
})
