import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { orUnavailable, ReadClient } from "../../store/database/SqlDatabase.ts"
import { type Run, runColumns, runOf, type RunRow } from "../../store/runs/Run.ts"
import { RunStore } from "../../store/runs/RunStore.ts"
import {
  type Claim,
  classesAfter,
  countLoad,
  OPERATORS_FROM,
  putInQueue,
  type QueueStore,
  type Submitter,
  type SubmitterClass,
  tagsOf
} from "./QueueStore.ts"

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

/** The queue in an SQLite file, from which one process takes runs: the lock of `SqliteDatabase.ts` keeps others out. */
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
