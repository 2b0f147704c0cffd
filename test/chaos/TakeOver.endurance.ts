import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { monotonicMillis } from "../../engine/process/MonotonicClock.ts"
import { postgresAt } from "../../engine/store/Database.ts"
import { hasPostgres, makePostgres } from "../harness/PostgresCluster.ts"
import { onDatabase, start, submit, until } from "../schedule/TestService.ts"
import { startWaitingWorker, type WaitingWorker } from "./WaitingWorkers.ts"

const WORKERS = 3
const SLOTS = 32

/** More than the workers audit meanwhile, so that runs wait all the time. */
const RUNS = 1_300
const NETWORKS = 5

/** How soon all runs of a worker that died are begun again, in milliseconds: its claims are over, the next look after it finds them, and other audits end. */
const TAKEN_OVER_MS = 20_000

/** A machine that takes longer to accept the runs, in milliseconds, is that much slower than usual: audits and the take-over may take as many times as long. */
const USUAL_MS = 8_000

/** Calm seconds that are looked at after that, and seconds to wait for them. */
const CALM_SECONDS = 10
const PATIENCE_SECONDS = 60

const LEAST_IN_USE = 0.8

/** The runs whose audits are under way in a worker, now or at a time. */
const underWay = ({ events }: WaitingWorker, at = Number.POSITIVE_INFINITY): ReadonlySet<string> => {
  const runs = new Set<string>()
  for (const event of events) {
    if (event.at > at) break
    if (event.what === "begins") runs.add(event.run)
    else if (event.what === "ends") runs.delete(event.run)
  }
  return runs
}

/** The share of the workers' slots that are in use, now or at a time. */
const shareInUse = (workers: ReadonlyArray<WaitingWorker>, at?: number): number =>
  workers.reduce((sum, worker) => sum + underWay(worker, at).size, 0) / (workers.length * SLOTS)

/** The same in the second from a time on: the mean of ten moments. */
const shareInSecond = (workers: ReadonlyArray<WaitingWorker>, from: number): number =>
  Array.from({ length: 10 }, (_, tenth) => shareInUse(workers, from + 100 * tenth)).reduce(
    (sum, share) => sum + share / 10,
    0
  )

/** A look at the database by this process, which does nothing else: looks that are far apart show that the machine stalled. */
interface Look {
  readonly at: number
  /** Runs that wait. */
  readonly waiting: number
}

const LOOK_MS = 100
const STALL_MS = 600

/** How long after a stall all slots are in use again, in milliseconds: audits that ended in it leave many empty. */
const REFILL_MS = 3_000

/** Looks again and again; gives the looks so far. */
const keepLooking = Effect.fnUntraced(function* (sql: SqlClient) {
  const looks: Array<Look> = []
  const look = Effect.gen(function* () {
    const [row] = yield* sql<{
      readonly waiting: number | string
    }>`SELECT COUNT(*) AS waiting FROM runs WHERE status = 'pending'`
    looks.push({ at: yield* monotonicMillis, waiting: Number(row?.waiting) })
    yield* Effect.sleep(LOOK_MS)
  })
  yield* Effect.forkScoped(Effect.forever(look))
  return looks
})

/** How long the machine stalled between two times, in milliseconds. */
const stalledMs = (looks: ReadonlyArray<Look>, from: number, to: number): number =>
  looks.reduce((sum, { at }, index) => {
    const gap = at - (looks[index - 1]?.at ?? at)
    return gap > STALL_MS && at > from && at - gap < to ? sum + gap : sum
  }, 0)

/** The seconds from a time on in which runs wait and the machine does not stall, nor has so shortly before that slots are still empty after it. */
const calmSeconds = (looks: ReadonlyArray<Look>, from: number): ReadonlyArray<number> => {
  const seconds = Array.from(
    { length: Math.max(0, Math.floor(((looks.at(-1)?.at ?? from) - from) / 1_000)) },
    (_, second) => from + 1_000 * second
  )
  return seconds.filter(
    (second) =>
      stalledMs(looks, second - REFILL_MS, second + 1_000) === 0 &&
      looks.every(({ at, waiting }) => waiting > 0 || at < second || at > second + 1_000)
  )
}

describe.skipIf(!hasPostgres)("a worker that is killed with all its slots in use", () => {
  it.live(
    "has all its runs begun again within 20 seconds, and the others use their slots after that while runs wait",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const postgres = yield* Effect.acquireRelease(
            Effect.promise(() => makePostgres()),
            ({ remove }) => Effect.promise(remove)
          )
          const web = yield* start(
            onDatabase(postgresAt(postgres.url), { audit: () => Effect.never, schedule: { concurrency: 0 } })
          )
          const indices = Array.from({ length: RUNS }, (_, index) => index)
          const [accepting] = yield* Effect.timed(
            Effect.forEach(
              indices,
              (index) => web.here(submit(`site${index}.dev`, "", `192.0.2.${index % NETWORKS}`)),
              { concurrency: 8, discard: true }
            )
          )
          const slowness = Math.max(1, Duration.toMillis(accepting) / USUAL_MS)
          const [victim, ...others] = yield* Effect.forEach(
            indices.slice(0, WORKERS),
            () => startWaitingWorker(postgres.url, { slots: SLOTS, slowness }),
            { concurrency: "unbounded" }
          )
          if (victim === undefined) return assert.fail("no worker")
          const looks = yield* keepLooking(yield* web.here(Effect.service(SqlClient)))
          yield* until(Effect.sync(() => underWay(victim).size === SLOTS && shareInUse(others) >= LEAST_IN_USE))
          victim.child.kill("SIGKILL")
          const killedAt = yield* monotonicMillis

          const takeOverMs = slowness * TAKEN_OVER_MS
          yield* Effect.sleep(takeOverMs)
          const takenOverAt = killedAt + takeOverMs + stalledMs(looks, killedAt, killedAt + takeOverMs)
          const calm = (): ReadonlyArray<number> => calmSeconds(looks, takenOverAt).slice(0, CALM_SECONDS)
          for (let waited = 0; calm().length < CALM_SECONDS && waited < PATIENCE_SECONDS; waited++)
            yield* Effect.sleep("1 second")

          const begins = others.flatMap(({ events }) => events).filter(({ what }) => what === "begins")
          const beginsAgain = [...underWay(victim)].map(
            (lost) => begins.find(({ run }) => run === lost)?.at ?? Number.POSITIVE_INFINITY
          )
          const shares = calm().map((second) => shareInSecond(others, second))
          const seconds = beginsAgain.map((at) => ((at - killedAt) / 1_000).toFixed(1))
          console.log(
            `runs begun again after ${seconds.join(", ")} s; slots in use in ${shares.length} seconds after that: ${shares.map((share) => `${Math.round(100 * share)}%`).join(", ")}; this machine is ${slowness.toFixed(1)} times slower than usual and stalled for ${Math.round(stalledMs(looks, killedAt, Number.POSITIVE_INFINITY))} ms`
          )
          assert.isNotEmpty(beginsAgain)
          assert.isAtMost(Math.max(...beginsAgain), takenOverAt)
          assert.isNotEmpty(shares)
          assert.deepStrictEqual(
            shares.filter((share) => share < LEAST_IN_USE),
            []
          )
        })
      ),
    600_000
  )
})
