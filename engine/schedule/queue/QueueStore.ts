import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { digestKey, type Int } from "../../store/database/ColumnValues.ts"
import type { Stored } from "../../store/database/StoreUnavailable.ts"
import type { Run } from "../../store/runs/Run.ts"
import { databaseNow, greatest } from "../../store/database/DatabaseClock.ts"

/*
 * The order of the queue is start-time fair queueing (Goyal and others, 1996): each run has a tag, and the lowest is next. The tag of a new
 * run is one more than the highest of its submitter's unfinished runs, so that these follow one another, and not below the runs of others
 * that are under way or next, so that a submitter who comes now is as far as they are. Submitters thus take turns, and none needs a row of its own.
 */

/** Tags of operators begin here, above all tags of guests, so that one index has the runs of each class in order. */
export const OPERATORS_FROM = 2 ** 30

/** Which tags the runs of a class have. */
export const tagsOf = (sql: SqlClient, its: SubmitterClass): Fragment =>
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
