import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { digestKey, type Int } from "../../store/database/ColumnValues.ts"
import type { Stored } from "../../store/database/StoreUnavailable.ts"
import { type Run, runColumns, runOf, type RunRow } from "../../store/runs/Run.ts"
import { databaseNow, greatest } from "../../store/database/SqlDialect.ts"
import { orUnavailable, ReadClient } from "../../store/database/SqlDatabase.ts"
import { RunStore } from "../../store/runs/RunStore.ts"

/*
 * The order of the queue is start-time fair queueing (Goyal and others, 1996): each run has a tag, and the lowest is next. The tag of a new
 * run is one more than the highest of its submitter's unfinished runs, so that these follow one another, and not below the runs of others
 * that are under way or next, so that a submitter who comes now is as far as they are. Submitters thus take turns, and none needs a row of its own.
 */

/** Tags of operators begin here, above all tags of guests, so that one index has the runs of each class in order. */
export const OPERATORS_FROM = 2 ** 30

/** Which tags the runs of a class have. */
const tagsOf = (sql: SqlClient, its: SubmitterClass): Fragment =>
  its === "guest" ? sql`tag < ${OPERATORS_FROM}` : sql`tag >= ${OPERATORS_FROM}`

/** Puts a run in the queue as a run of the submitter, and returns its tag. */
export const putInQueue = Effect.fnUntraced(function* (
  sql: SqlClient,
  runId: string,
  { class: its, key }: Pick<Submitter, "class" | "key">
): Effect.fn.Return<number, SqlError> {
  const first = its === "guest" ? 0 : OPERATORS_FROM
  const orFirst = (tag: Fragment): Fragment => sql`COALESCE(${tag}, ${first})`
  const underWay = sql`(SELECT MAX(tag) FROM runs WHERE status = 'running' AND ${tagsOf(sql, its)})`
  // The doubled conditions make them use the indexes of unfinished runs.
  const next = sql`(SELECT MIN(tag) - 1 FROM runs WHERE status IN ('pending', 'running') AND status = 'pending' AND ${tagsOf(sql, its)})`
  const own = sql`(SELECT MAX(tag) FROM runs WHERE status IN ('pending', 'running') AND submitter = ${key})`
  const last = greatest(sql, orFirst(own), greatest(sql, orFirst(underWay), orFirst(next)))
  const [row] = yield* sql<{ readonly tag: Int }>`
    UPDATE runs SET submitter = ${key}, queued_at = ${yield* databaseNow(sql)}, tag = 1 + ${last} WHERE id = ${runId} RETURNING tag`
  if (row === undefined) return yield* Effect.die(new Error(`there is no run ${runId} to put in the queue`))
  return Number(row.tag)
})

/** The classes of submitters take turns, so that neither guests nor operators block the others. */
export type SubmitterClass = "guest" | "operator"

/** The submitter of a run, for the queue: submitters of a class take turns. */
export interface Submitter {
  readonly key: string
  readonly class: SubmitterClass
  /** For each wider network whose runs are counted, the widest first: what the keys of all submitters in it begin with, and no others. */
  readonly within: ReadonlyArray<string>
}

/**
 * A client network, and the wider networks of which it is one, the widest first. Its runs store digests of them, only until they are
 * over: those of the wider ones come first in the key, so that an index finds all runs of a wider network.
 */
export const guest = (network: string, wider: ReadonlyArray<string> = []): Submitter => {
  const digests = wider.map((each) => `${digestKey("wider network", each)}/`)
  return {
    key: `${digests.join("")}${digestKey("client network", network)}`,
    class: "guest",
    within: digests.map((_, index) => digests.slice(0, index + 1).join(""))
  }
}

/** Operators who submit single audits. */
export const OPERATOR: Submitter = { key: "operator", class: "operator", within: [] }

/** Scheduled audits. */
export const SCHEDULE: Submitter = { key: "schedule", class: "operator", within: [] }

export const classOf = (key: string): SubmitterClass =>
  key === OPERATOR.key || key === SCHEDULE.key ? "operator" : "guest"

/** The classes in the order of their turns: the class of the last turn comes second. */
export const classesAfter = (last: SubmitterClass): ReadonlyArray<SubmitterClass> =>
  last === "guest" ? ["operator", "guest"] : ["guest", "operator"]

/** A run that this process has taken from the queue: until the claim is over, no other process takes a run of its domain. */
export interface Claim {
  readonly run: Run
  /** Tells this claim from others of the same run: it rises each time the run is taken. */
  readonly number: number
  /** When the claim ends unless it is kept, in milliseconds of the monotonic clock. */
  readonly endsAt: number
}

/** The storage of a queue. */
export interface QueueStore {
  /**
   * How long a process may rely on a claim since it asked for it, in milliseconds: a little less than it takes until another process may
   * take the run.
   */
  readonly validMs: number
  /** Puts an accepted run in the queue. Call it in the transaction that accepts the run. */
  readonly offer: (run: Run, submitter: Submitter) => Stored<void>
  /**
   * How full the queue is. Within a transaction it locks the submitter if it is a guest, with its wider networks, and the queue if that
   * is nearly as long as `limit`, so that the answer holds until the transaction ends.
   */
  readonly load: (submitter: Submitter, limit: number | null) => Stored<QueueLoad>
  /**
   * Takes the next run whose domain is free; `null` if there is none. With a `rubric`: of those that were accepted under it, and those
   * of a rubric that no worker has announced for a minute, while a run waited as long.
   */
  readonly claim: (rubric: string | null) => Stored<Claim | null>
  /** Keeps the claim for another while; false if it is over, because it was not kept in time. */
  readonly keep: (claim: Claim) => Stored<boolean>
  /** Ends the claim of a run that is over, which leaves the queue. Call it in the transaction that ends the run. */
  readonly complete: (claim: Claim) => Stored<void>
  /** Ends the claim, unless it is over, and puts the run back in the queue, at its place. */
  readonly giveBack: (claim: Claim) => Stored<void>
  /** Announces for a minute that a process judges by the rubric. */
  readonly announce: (worker: string, rubric: string) => Stored<void>
  /** Puts the runs of dead processes back in the queue, and returns their number. A process that seemed dead may still finish them until they are begun again. */
  readonly recover: Stored<number>
  /** Runs an effect after the current outermost transaction is committed; at once outside a transaction. */
  readonly afterCommit: (effect: Effect.Effect<void>) => Effect.Effect<void>
}

/** How full the queue is. */
interface QueueLoad {
  /** Waiting runs. */
  readonly waiting: number
  /** Unfinished runs of the submitter. */
  readonly ofSubmitter: number
  /** Unfinished runs of all submitters in each of the submitter's wider networks (`within`). */
  readonly ofNetworks: ReadonlyArray<number>
}

/** How full the queue is now. The doubled condition makes it use the index of unfinished runs. */
export const countLoad = Effect.fnUntraced(function* (
  sql: SqlClient,
  { key, within }: Submitter
): Effect.fn.Return<QueueLoad, SqlError> {
  const unfinished = (which: Fragment) =>
    sql`(SELECT COUNT(*) FROM runs WHERE status IN ('pending', 'running') AND ${which})`
  const [row] = yield* sql<Readonly<Record<string, Int>>>`SELECT ${sql.csv([
    sql`${unfinished(sql`status = 'pending' AND submitter IS NOT NULL`)} AS waiting`,
    sql`${unfinished(sql`submitter = ${key}`)} AS of_submitter`,
    ...within.map((prefix, index) => sql`${unfinished(beginsWith(sql, prefix))} AS ${sql(`of_network_${index}`)}`)
  ])}`
  const count = (column: string): number => Number(row?.[column] ?? 0)
  return {
    waiting: count("waiting"),
    ofSubmitter: count("of_submitter"),
    ofNetworks: within.map((_, index) => count(`of_network_${index}`))
  }
})

/** Submitters whose keys begin so, by the index: a prefix ends in a slash, and the digit 0 is the next character. */
const beginsWith = (sql: SqlClient, prefix: string): Fragment =>
  sql`submitter >= ${prefix} AND submitter < ${`${prefix.slice(0, -1)}0`}`

/** The claims of a queue that one process alone takes runs from: they end with the process, so nothing has to be stored. */
interface LocalClaims extends Pick<QueueStore, "keep" | "complete" | "giveBack" | "validMs" | "announce"> {
  readonly domains: () => ReadonlyArray<string>
  readonly runs: () => ReadonlyArray<string>
  readonly add: (run: Run) => Effect.Effect<Claim>
}

const makeLocalClaims = (): LocalClaims => {
  /** By domain. */
  const claims = new Map<string, Claim>()
  let taken = 0
  const end = ({ number, run }: Claim) =>
    Effect.sync(() => {
      if (claims.get(run.domain)?.number === number) claims.delete(run.domain)
    })
  return {
    validMs: Number.POSITIVE_INFINITY,
    domains: () => [...claims.keys()],
    runs: () => [...claims.values()].map(({ run }) => run.id),
    add: (run) =>
      Effect.sync(() => {
        const claim = { run, number: ++taken, endsAt: Number.POSITIVE_INFINITY }
        claims.set(run.domain, claim)
        return claim
      }),
    keep: ({ number, run }) => Effect.sync(() => claims.get(run.domain)?.number === number),
    complete: end,
    giveBack: end,
    // There is no other process, whose rubric could differ.
    announce: () => Effect.void
  }
}

/** The place of a run in the queue. */
interface Place {
  readonly submitter: Submitter
  readonly tag: number
}

/** The queue of a process without a database, in the same order as the others. */
export const makeMemoryQueue: Effect.Effect<QueueStore, never, RunStore> = Effect.gen(function* () {
  const store = yield* RunStore
  const claims = makeLocalClaims()
  // By run, in the order of acceptance: a Map keeps the order of insertion.
  const places = new Map<string, Place>()
  let lastClass: SubmitterClass = "operator"

  /** Drops the places of runs that are over. */
  const unfinished = Effect.map(store.unfinished(Number.MAX_SAFE_INTEGER), (found) => {
    const runs = new Map(found.map(({ run }) => [run.id, run]))
    for (const id of places.keys()) if (!runs.has(id)) places.delete(id)
    return [...places].flatMap(([id, place]) => {
      const run = runs.get(id)
      return run === undefined ? [] : [{ run, ...place }]
    })
  })

  const offer = Effect.fnUntraced(function* ({ id }: Run, submitter: Submitter) {
    const all = yield* unfinished
    const ofClass = all.filter((one) => one.submitter.class === submitter.class)
    const tags = (of: typeof all): ReadonlyArray<number> => of.map(({ tag }) => tag)
    const waiting = tags(ofClass.filter(({ run }) => run.status === "pending"))
    const last = Math.max(
      submitter.class === "guest" ? 0 : OPERATORS_FROM,
      ...tags(all.filter((one) => one.submitter.key === submitter.key)),
      ...tags(ofClass.filter(({ run }) => run.status === "running")),
      waiting.length === 0 ? 0 : Math.min(...waiting) - 1
    )
    places.set(id, { submitter, tag: last + 1 })
  })

  const claim = Effect.fnUntraced(function* () {
    const busy = new Set(claims.domains())
    const free = (yield* unfinished).filter(({ run }) => run.status === "pending" && !busy.has(run.domain))
    for (const its of classesAfter(lastClass)) {
      const ofClass = free.filter(({ submitter }) => submitter.class === its)
      const lowest = Math.min(...ofClass.map(({ tag }) => tag))
      const next = ofClass.find(({ tag }) => tag === lowest)
      if (next === undefined) continue
      lastClass = its
      return yield* claims.add(next.run)
    }
    return null
  })

  return {
    ...claims,
    offer,
    load: ({ key, within }) =>
      Effect.map(unfinished, (all) => ({
        waiting: all.filter(({ run }) => run.status === "pending").length,
        ofSubmitter: all.filter(({ submitter }) => submitter.key === key).length,
        ofNetworks: within.map((prefix) => all.filter(({ submitter }) => submitter.key.startsWith(prefix)).length)
      })),
    claim,
    // No other process could have died.
    recover: Effect.succeed(0),
    afterCommit: (effect) => effect
  }
})

/** The queue in an SQLite file, from which one process takes runs: the lock of `Database.ts` keeps others out. */
export const makeSqliteQueue: Effect.Effect<QueueStore, SqlError, SqlClient | ReadClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const read = yield* ReadClient
  const claims = makeLocalClaims()
  let lastClass: SubmitterClass = "operator"

  const but = (column: string, values: ReadonlyArray<string>) =>
    values.length === 0 ? sql`` : sql`AND NOT ${sql.in(column, values)}`

  /** The doubled condition makes it use the index of unfinished runs. */
  const next = (its: SubmitterClass) => read<RunRow>`
    SELECT ${runColumns(read)} FROM runs
    WHERE status IN ('pending', 'running') AND status = 'pending' AND ${tagsOf(read, its)} ${but("domain", claims.domains())}
    ORDER BY tag, serial LIMIT 1`

  const claim = Effect.gen(function* () {
    for (const its of classesAfter(lastClass)) {
      const [row] = yield* next(its)
      if (row === undefined) continue
      lastClass = its
      return yield* claims.add(runOf(row))
    }
    return null
  })

  /** Whatever runs without a claim of this process was under way in one that died. */
  const recover = Effect.suspend(
    () => sql`
      UPDATE runs SET status = 'pending', progress_done = 0, progress_steps = NULL
      WHERE status = 'running' AND submitter IS NOT NULL ${but("id", claims.runs())} RETURNING serial`
  )

  // The process before this one is gone, so there is nothing to wait for.
  yield* recover
  return {
    ...claims,
    offer: ({ id }, submitter) => orUnavailable(Effect.asVoid(putInQueue(sql, id, submitter))),
    load: (submitter) => orUnavailable(countLoad(sql, submitter)),
    claim: () => orUnavailable(claim),
    recover: orUnavailable(Effect.map(recover, ({ length }) => length)),
    afterCommit: sql.afterCommit
  }
})
