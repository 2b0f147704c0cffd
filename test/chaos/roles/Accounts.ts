import { createHash } from "node:crypto"
import { RESERVED_REQUESTS } from "../../../engine/evidence/AuditBudget.ts"
import type { PostgresCluster } from "../../harness/PostgresCluster.ts"
import type { ServiceProcess } from "../../harness/ServiceProcess.ts"

/** A run, with what counts against limits for it. Times are milliseconds since the epoch. */
export interface AccountedRun {
  readonly id: string
  readonly url: string
  readonly domain: string
  readonly status: string
  /** How often it was begun, and how many of these attempts count. */
  readonly begun: number
  readonly attempts: number
  readonly startedAt: number
  readonly finishedAt: number
  /** Requests of the audit that its report is from; `null` without one. */
  readonly requests: number | null
}

/** What the database holds of limits and archives once all runs are over. */
export interface Accounts {
  readonly runs: ReadonlyArray<AccountedRun>
  /** By domain: when its budget will be full again, in milliseconds since the epoch. */
  readonly fullAt: ReadonlyMap<string, number>
  /** Runs that count against site quotas, each with the quota's holder. */
  readonly holds: ReadonlyArray<{ readonly run: string; readonly holder: string }>
  /** Archives in the object store. */
  readonly archives: ReadonlyArray<{ readonly run: string; readonly attempt: number; readonly kind: string }>
}

const rowsOf = async <A>(postgres: PostgresCluster, query: string): Promise<ReadonlyArray<A>> =>
  JSON.parse(await postgres.execute(`SELECT coalesce(json_agg(rows), '[]') FROM (${query}) rows`))

export const readAccounts = async (postgres: PostgresCluster): Promise<Accounts> => {
  const buckets = await rowsOf<{ readonly bucket: string; readonly full_at: number }>(
    postgres,
    "SELECT bucket, full_at FROM limit_buckets WHERE bucket LIKE 'host %'"
  )
  return {
    runs: await rowsOf(
      postgres,
      `
      SELECT runs.id, url, sites.domain, status, begun, attempts, started_at / 1000.0 AS "startedAt", finished_at / 1000.0 AS "finishedAt", requests
      FROM runs JOIN sites ON sites.serial = runs.site LEFT JOIN reports ON reports.run = runs.serial ORDER BY started_at`
    ),
    fullAt: new Map(buckets.map(({ bucket, full_at }) => [bucket.slice("host ".length), full_at])),
    holds: await rowsOf(postgres, "SELECT run_id AS run, holder FROM quota_holds"),
    archives: await rowsOf(postgres, "SELECT run_id AS run, attempt, kind FROM objects WHERE state = 'kept'")
  }
}

/** Ids of runs that are done and have no archive in the object store yet. */
export const withoutArchive = async (postgres: PostgresCluster): Promise<ReadonlyArray<string>> =>
  (
    await rowsOf<{ readonly id: string }>(
      postgres,
      "SELECT id FROM runs WHERE status = 'done' AND NOT EXISTS (SELECT 1 FROM objects WHERE run_id = runs.id AND state = 'kept' AND store = 'objects')"
    )
  ).map(({ id }) => id)

/** Each run that is done has one archive, of the attempt that its report is from; no other has one. */
export const archiveFaults = ({ archives, runs }: Accounts): ReadonlyArray<string> => {
  const byRun = Map.groupBy(archives, ({ run }) => run)
  return runs.flatMap(({ begun, id, status }) => {
    const kept = byRun.get(id) ?? []
    const isRight =
      status === "done"
        ? kept.length === 1 && kept[0]?.attempt === begun && kept[0]?.kind === "report"
        : kept.length === 0
    return isRight ? [] : [`run ${id} is ${status} at attempt ${begun}, with archives ${JSON.stringify(kept)}`]
  })
}

/** Exactly the runs with a report count against quotas, each once, and no more of a holder than `most`. */
export const quotaFaults = ({ holds, runs }: Accounts, most: number): ReadonlyArray<string> => {
  const byHolder = [...Map.groupBy(holds, ({ holder }) => holder)]
  const done = runs
    .filter(({ status }) => status === "done")
    .map(({ id }) => id)
    .toSorted()
  return [
    ...byHolder
      .filter(([, { length }]) => length > most)
      .map(([holder, { length }]) => `${holder} holds ${length} runs`),
    ...(JSON.stringify(holds.map(({ run }) => run).toSorted()) === JSON.stringify(done)
      ? []
      : ["other runs count against quotas than those that are done"])
  ]
}

/** The holder of the quota of a network on a site, as the service names it. */
const holderOf = (network: string, site: string): string =>
  createHash("sha256").update(`${network} ${site}`).digest("base64url")

/** The most runs of a network that were accepted and not over at any moment. */
export const mostAtOnce = ({ holds, runs }: Accounts, network: string): number => {
  const holderOfRun = new Map(holds.map(({ holder, run }) => [run, holder]))
  const own = runs.filter(({ id, url }) => holderOfRun.get(id) === holderOf(network, new URL(url).host))
  return own.reduce(
    (most, { startedAt }) =>
      Math.max(most, own.filter((other) => other.startedAt <= startedAt && other.finishedAt > startedAt).length),
    0
  )
}

/** Reports of a site that came sooner after the one before than the window in which that answers for it, and runs of one site at once. */
export const repetitionFaults = ({ runs }: Accounts, windowMs: number): ReadonlyArray<string> =>
  [...Map.groupBy(runs, ({ url }) => url)].flatMap(([url, all]) =>
    all.flatMap(({ finishedAt, status }, index) => {
      const next = all[index + 1]
      const least = status === "done" ? windowMs : 0
      return next === undefined || next.startedAt - finishedAt >= least
        ? []
        : [`${url} was accepted again ${Math.round(next.startedAt - finishedAt)} ms after its ${status}`]
    })
  )

const AUDITED = /^audit done: \d+ points, (\d+) requests$/

/** What workers said that runs took of their domains' budgets, by run: once for each settlement. A worker that was killed just then did not say it. */
export const settlementsOf = (services: ReadonlyArray<ServiceProcess>): ReadonlyMap<string, ReadonlyArray<number>> => {
  const settled = new Map<string, Array<number>>()
  for (const { message = "", run = "" } of services.flatMap(({ log }) => log)) {
    const requests = AUDITED.exec(message)?.[1]
    if (requests !== undefined) settled.set(run, [...(settled.get(run) ?? []), Number(requests)])
  }
  return settled
}

/** What a domain's budget must have lost for its runs, at least and at most. */
interface Spent {
  readonly least: number
  readonly most: number
}

/** A run whose audit was not told of to the end took what its report says, or more where its audit process died and it was audited again. */
const spentBy = ({ attempts, begun, requests, status }: AccountedRun, told: ReadonlyArray<number>): Spent => {
  const [exact] = told
  if (exact !== undefined) return { least: exact, most: exact }
  const before = RESERVED_REQUESTS * (begun - 1)
  if (status === "done") return { least: before + (requests ?? 0), most: before + (requests ?? 0) + RESERVED_REQUESTS }
  // Given up between attempts, or failed within one, in which two audit processes may have died.
  return { least: Math.min(RESERVED_REQUESTS * attempts, before), most: RESERVED_REQUESTS * (begun + 1) }
}

/** What settlements must come to. */
export interface Budget {
  /** Before the first run was accepted, in milliseconds since the epoch. */
  readonly since: number
  /** How long one request takes to come back: longer than everything took, so that none has. */
  readonly requestMs: number
  /** Requests that a domain's sites saw. */
  readonly seen: (domain: string) => number
}

/** Each domain's budget has lost what its runs took, each counted once, and no less than its sites saw. */
export const budgetFaults = (
  { fullAt, runs }: Accounts,
  settled: ReadonlyMap<string, ReadonlyArray<number>>,
  { requestMs, seen, since }: Budget
): ReadonlyArray<string> => [
  ...[...settled]
    .filter(([, told]) => told.length > 1)
    .map(([run, told]) => `run ${run} was settled as ${told.join(" and ")}`),
  ...[...Map.groupBy(runs, ({ domain }) => domain)].flatMap(([domain, own]) => {
    const lost = Math.floor(((fullAt.get(domain) ?? since) - since) / requestMs)
    const spent = own.map((run) => spentBy(run, settled.get(run.id) ?? []))
    const least = spent.reduce((sum, each) => sum + each.least, 0)
    const most = spent.reduce((sum, each) => sum + each.most, 0)
    return [
      ...(lost >= least && lost <= most
        ? []
        : [`${domain} has lost ${lost} requests, and its ${own.length} runs took ${least} to ${most}`]),
      ...(seen(domain) <= lost ? [] : [`${domain} has lost ${lost} requests, and its site saw ${seen(domain)}`])
    ]
  })
]
