/**
 * `node test/bench/simulated.ts`: holds the simulation against one and two real schedulers on one PostgreSQL, whose audits wait as
 * long as those of the simulation. How long the database takes for a run is measured first, since it depends on what else the machine
 * does. Prints real ÷ simulated, and the CPU seconds that a run costs PostgreSQL. Linux only (/proc).
 */
import process from "node:process"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Scheduler } from "../../engine/schedule/Scheduler.ts"
import { postgresAt } from "../../engine/store/Database.ts"
import { cpuOf, mainProcessOf } from "./measure/ProcessCpu.ts"
import { random } from "./data/Corpus.ts"
import { zipf } from "./simulation/Draws.ts"
import { quantile, simulate, type Submission } from "./simulation/Simulation.ts"
import { makePostgres, type PostgresCluster } from "../harness/PostgresCluster.ts"
import { audited, onDatabase, wanted } from "../schedule/TestService.ts"

const AT_ONCE = 4

/** A load that real and simulated processes are given. */
interface Load {
  readonly name: string
  /** Submissions a second for each process, and how many. */
  readonly rate: number
  readonly count: number
  readonly domains: number
}

const LOADS: ReadonlyArray<Load> = [
  // More than they can take, so that runs wait for a place.
  { name: "too much", rate: 3, count: 45, domains: 60 },
  // Less than that, so that runs wait for their domains, a few of which are asked for again and again.
  { name: "busy domains", rate: 1, count: 30, domains: 8 }
]

/** Audits of 1 to 3 s. */
const submissionsOf = ({ count, domains, rate }: Load, processes: number): ReadonlyArray<Submission> => {
  const draw = random(7)
  const domain = zipf(draw, domains)
  return Array.from({ length: count * processes }, (_, index) => ({
    at: index / (rate * processes),
    domain: domain(),
    site: index,
    waits: 1 + 2 * draw(),
    computes: 0
  }))
}

/** Runs of one domain, one after the other, whose audits take no time. */
const CHAIN: ReadonlyArray<Submission> = Array.from({ length: 40 }, (_, site) => ({
  at: 0,
  domain: 0,
  site,
  waits: 0,
  computes: 0
}))

/** Each load has sites of its own, so that no report answers for one of another load. */
const hostOf = (name: string, { domain, site }: Submission): string => `${name}${site}.domain${domain}.com`

/** Submits the load to schedulers of their own on one database, which audit by waiting; returns the time to the end of each audit, and of the last. */
const measured = (cluster: PostgresCluster, name: string, processes: number, load: ReadonlyArray<Submission>) =>
  Effect.gen(function* () {
    const byHost = new Map(load.map((submission) => [hostOf(name, submission), submission]))
    const answers: Array<number> = []
    let begun = 0
    const secondsSince = Effect.map(Clock.currentTimeMillis, (now) => (now - begun) / 1_000)
    const audit: Parameters<typeof onDatabase>[1]["audit"] = (run) =>
      Effect.gen(function* () {
        const { at, waits } = byHost.get(new URL(run.url).host) ?? (yield* Effect.die("a run that was not submitted"))
        yield* Effect.sleep(`${Math.round(waits * 1_000)} millis`)
        answers.push((yield* secondsSince) - at)
        return audited(run)
      })
    const layers = Array.from({ length: processes }, () =>
      onDatabase(postgresAt(cluster.url), { audit, schedule: { concurrency: AT_ONCE } })
    )
    const schedulers = yield* Effect.forEach(layers, (layer) =>
      Effect.map(Layer.build(layer), (context) => Context.get(context, Scheduler))
    )
    begun = yield* Clock.currentTimeMillis
    yield* Effect.forEach(
      load,
      (submission, index) =>
        Effect.gen(function* () {
          const scheduler = schedulers[index % schedulers.length] ?? (yield* Effect.die("no scheduler"))
          yield* Effect.sleep(`${Math.round(submission.at * 1_000)} millis`)
          const accepted = yield* scheduler.submit(wanted(hostOf(name, submission)), [])
          if (accepted._tag === "Refusal") return yield* Effect.die("refused")
          yield* scheduler.awaitDone(accepted.run.id)
        }),
      { concurrency: "unbounded", discard: true }
    )
    const ends = load.length === answers.length ? answers : yield* Effect.die("not each run was audited once")
    return { answers: ends.toSorted((one, other) => one - other), end: yield* secondsSince }
  }).pipe(Effect.scoped)

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

const handlingOn = async (cluster: PostgresCluster, name: string): Promise<number> =>
  (await Effect.runPromise(measured(cluster, name, 1, CHAIN))).end / CHAIN.length

for (const [load, processes] of LOADS.flatMap(
  (one) =>
    [
      [one, 1],
      [one, 2]
    ] as const
)) {
  const submissions = submissionsOf(load, processes)
  const cluster = await makePostgres()
  try {
    const database = await mainProcessOf(cluster)
    const earlier = await handlingOn(cluster, "before")
    const before = cpuOf(database)
    const real = await Effect.runPromise(measured(cluster, "site", processes, submissions))
    const cpu = cpuOf(database) - before
    // Before and after, because other work comes and goes.
    const handling = (earlier + (await handlingOn(cluster, "after"))) / 2
    const predicted = simulate(
      submissions,
      { count: processes, atOnce: AT_ONCE, cores: AT_ONCE },
      { targetWindow: 0, hostBudget: Infinity, reserved: 0, requests: 0, poll: 1, handling }
    )
    const ratios = [
      ["mean time to the end of an audit", mean(real.answers) / mean(predicted.answers)],
      ["median", quantile(real.answers, 0.5) / quantile(predicted.answers, 0.5)],
      ["end of the last", real.end / predicted.end],
      ["CPU seconds of PostgreSQL for a run", cpu / submissions.length],
      ["seconds of a run in the database", handling]
    ] as const
    for (const [name, value] of ratios)
      process.stdout.write(`${load.name}, ${processes} processes: ${name}: ${value.toFixed(3)}\n`)
  } finally {
    await cluster.remove()
  }
}
