import { RESERVED_REQUESTS } from "../../../engine/evidence/AuditBudget.ts"
import { random } from "../data/Corpus.ts"
import { type Draw, exponential, logNormal, zipf } from "./Draws.ts"
import { type Outcome, type Processes, quantile, type Rules, simulate, type Submission } from "./Simulation.ts"

/*
 * How many workers and how much PostgreSQL a number of submissions a day needs. What an audit costs was measured (see
 * test/bench/README.md); what is assumed about sites and visitors says so.
 */

/**
 * Measured in the service: CPU seconds of an audit with its share of the process (test/bench/database/auditCost.ts: 0.42 to 0.51 on two cores
 * of an AMD EPYC, here with a margin), requests to the site, bytes on the wire.
 */
const CPU = 0.55
const REQUESTS = 73
const WIRE_BYTES = 277_000

/** Measured: of a run in PostgreSQL, statements and bytes of write-ahead log (auditCost.ts), bytes that stay (storedBytes.ts); bytes of its archive. */
const STATEMENTS = 35
const WAL_BYTES = 46_000
const DATABASE_BYTES = 23_800
const ARCHIVE_BYTES = 255_000

/** Measured by test/bench/simulated.ts: CPU seconds of PostgreSQL for a run, from its submission to its end. */
export const DATABASE_CPU = 0.025

/** Measured there, too (17 to 38 ms): how long a run takes in the database besides its audit. On a busy machine it was 0.1 to 0.6 s. */
const HANDLING = 0.03

/** Assumed: sites take this long in all, some answer nothing, and there are twice as many submissions in the busiest hour. */
const SITE_SECONDS = { median: 8, sigma: 0.7, most: 100 }
const UNREACHABLE = 0.08
const PEAK = 2
/** Assumed: submissions a day for each domain, whose popularity is Zipf's; sites of a domain. */
const PER_DOMAIN = 4
const SITES = 3

/** The defaults of the service. */
const RULES: Rules = {
  targetWindow: 600,
  hostBudget: 600,
  reserved: RESERVED_REQUESTS,
  requests: REQUESTS,
  poll: 1,
  handling: HANDLING
}

/** A worker: 4 cores and 8 GB. */
const WORKER = { cores: 4, atOnce: 32 }

/** Connections of a process to PostgreSQL, with the one that listens. */
const CONNECTIONS = 11

/** Where one PostgreSQL ends: cores, connections without PgBouncer, bytes a day that it can keep for 90 days on 4 TB. */
const LIMITS = { cores: 16, connections: 400, bytesPerDay: 4e12 / 90 }

/** Seconds simulated before measuring, so that caches and queues are filled. */
const WARM_UP = 900
const MEASURED = 1_800
const MOST_SUBMISSIONS = 300_000

const submissionOf =
  (draw: Draw, domain: () => number) =>
  (at: number): Submission => {
    const isReached = draw() >= UNREACHABLE
    return {
      at,
      domain: domain(),
      site: Math.floor(draw() * SITES),
      waits: isReached ? Math.min(SITE_SECONDS.most, logNormal(draw, SITE_SECONDS.median, SITE_SECONDS.sigma)) : 1,
      computes: isReached ? CPU : CPU / 5
    }
  }

/** A row of the table. */
export interface Sizing {
  readonly perDay: number
  readonly workers: number
  readonly outcome: Outcome
  /** Share of submissions that need no audit, or get none. */
  readonly withoutAudit: number
  /** At the busiest hour, each second. */
  readonly audits: number
  readonly databaseCores: number
  readonly first: string
}

/** Of the least number of workers with which 99% of the audits begin within ten seconds in the busiest hour, or of as many as are given. */
export const sizingOf = (perDay: number, given?: number): Sizing => {
  const rate = (perDay / 86_400) * PEAK
  const length = Math.max(60, Math.min(WARM_UP + MEASURED, MOST_SUBMISSIONS / rate))
  const from = length / 3

  const load = (): ReadonlyArray<Submission> => {
    const draw = random(perDay)
    const next = submissionOf(draw, zipf(draw, Math.max(10, Math.round(perDay / PER_DOMAIN))))
    const submissions: Array<Submission> = []
    for (let at = exponential(draw, rate); at < length; at += exponential(draw, rate)) submissions.push(next(at))
    return submissions
  }
  const submissions = load()
  const run = (workers: number): Outcome =>
    simulate(submissions, { ...WORKER, count: workers } satisfies Processes, RULES, from)

  // Fewer than half of what computing alone takes cannot be enough.
  let workers = given ?? Math.max(1, Math.floor((rate * CPU) / WORKER.cores / 4))
  let outcome = run(workers)
  const isEnough = (): boolean => given !== undefined || quantile(outcome.waits, 0.99) <= 10
  while (!isEnough()) {
    workers = Math.max(workers + 1, Math.ceil(workers * 1.05))
    outcome = run(workers)
  }
  const total = outcome.audits + outcome.cached + outcome.joined + outcome.refused
  const audits = rate * (outcome.audits / total)
  const databaseCores = audits * DATABASE_CPU
  const perDayBytes = (audits / PEAK) * 86_400 * DATABASE_BYTES
  const strains = [
    ["CPU of PostgreSQL", databaseCores / LIMITS.cores],
    ["connections: PgBouncer", (workers * CONNECTIONS) / LIMITS.connections],
    ["disk of PostgreSQL: shorter retention", perDayBytes / LIMITS.bytesPerDay]
  ] as const
  const [name, strain] = strains.reduce((worst, each) => (each[1] > worst[1] ? each : worst))
  return {
    perDay,
    workers,
    outcome,
    withoutAudit: 1 - outcome.audits / total,
    audits,
    databaseCores,
    first:
      strain > 1
        ? `${name} (${strain.toFixed(1)} × the limit)`
        : `none; ${name.split(":")[0] ?? name} at ${Math.round(strain * 100)}%`
  }
}

const number = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 1 : 0 })

/** The table in docs/operating.md. */
export const sizingTable = (sizes: ReadonlyArray<number>): string =>
  [
    "| submissions a day | audits a day | audits a second at the peak | workers | begin: median, 99% | PostgreSQL: CPU cores, statements/s, WAL | database a day | archives a day | to sites | first limit |",
    "|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|",
    ...sizes.map((perDay) => sizingRow(sizingOf(perDay)))
  ].join("\n")

/** A row of that table. */
export const sizingRow = ({ audits, databaseCores, first, outcome, perDay, workers }: Sizing): string => {
  const perDayAudits = (audits / PEAK) * 86_400
  const cells = [
    number(perDay),
    number(Math.round(perDayAudits)),
    number(audits),
    number(workers),
    `${number(quantile(outcome.waits, 0.5))} s, ${number(quantile(outcome.waits, 0.99))} s`,
    `${number(databaseCores)}, ${number(audits * STATEMENTS)}, ${number((audits * WAL_BYTES) / 1e6)} MB/s`,
    `${number((perDayAudits * DATABASE_BYTES) / 1e9)} GB`,
    `${number((perDayAudits * ARCHIVE_BYTES) / 1e9)} GB`,
    `${number((audits * WIRE_BYTES * 8) / 1e6)} Mbit/s`,
    first
  ]
  return `| ${cells.join(" | ")} |`
}
