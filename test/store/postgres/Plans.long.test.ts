import { afterAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import { AuditQueue } from "../../../engine/schedule/AuditQueue.ts"
import { JOB_SCHEMA } from "../../../engine/schedule/queue/JobEngine.ts"
import { guest } from "../../../engine/schedule/queue/QueueStore.ts"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import { pack } from "../../../engine/store/database/ColumnValues.ts"
import { archiveBytes, dropBeyondRule, dropOldest } from "../../../engine/store/archives/ArchiveRetention.ts"
import {
  blobsToDelete,
  dropBlobsOf,
  findArchive,
  findBlob,
  findDocument,
  forgetBlob,
  keysKnownBelow,
  noteArchive,
  noteSent,
  oldestStore,
  postponeDeletion
} from "../../../engine/store/blobs/BlobRows.ts"
import { Moderation, type RunFilter } from "../../../engine/store/operators/Moderation.ts"
import { ScheduleStore } from "../../../engine/store/operators/ScheduleStore.ts"
import type { ExpiredRuns } from "../../../engine/store/runs/RunRetention.ts"
import { newestRuns, RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { queueRuns } from "../../schedule/QueuedJobs.ts"
import { onFresh, postgres, postgresFilledBy } from "../Databases.ts"
import { newRun, resultOf } from "../SampleRuns.ts"

/** The fewest with which the planner finds it cheaper to look up the runs of 500 sites than to read all. */
const [DONE, SITES, WAITING] = [40_000, 10_000, 2_000]

const NETWORK = guest("2001:db8:1:200::/56", ["2001:db8::/32", "2001:db8:1::/48"])

/** Four done runs of each site. */
const seedDone = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    INSERT INTO sites (serial, key, site, domain, last_started_at)
    SELECT n, 'key' || n, 'docs.site' || n || '.dev', 'site' || n || '.dev', 1000000 + 11 FROM generate_series(1, ${SITES}::int) n`
  yield* sql`
    INSERT INTO runs (id, site, domain, url, rubric_digest, target, status, started_at, finished_at, total_score, reliable)
    SELECT gen_random_uuid(), n % ${SITES} + 1, 'site' || n % ${SITES} + 1 || '.dev', 'https://docs.site' || n % ${SITES} + 1 || '.dev', 'sha256:first', 'done' || n, 'done', 1000000 + n, 2000000 + n, n % 101, TRUE
    FROM generate_series(1, ${DONE}::int) n`
  yield* sql`INSERT INTO reports (run, content, duration_ms, requests, bytes) SELECT serial, '', 1, 1, 1 FROM runs`
  for (const table of ["facts", "exchanges"])
    yield* sql`INSERT INTO ${sql(table)} (run, content) SELECT serial, ${pack("[]")} FROM runs`
  yield* sql`SELECT setval(pg_get_serial_sequence('sites', 'serial'), ${SITES}::int)`
  yield* sql`
    INSERT INTO site_figures (site, reliable, done_runs, url, search_text, run_count, score_sum, best_score, worst_score, latest_score, first_run_at, latest_run_at, latest_rubric, latest_outcomes)
    SELECT n, TRUE, 4, 'https://docs.site' || n || '.dev', 'docs.site' || n || '.dev', 4, 200, 90, 10, n % 101, 1, 1000000 + CASE n WHEN 1 THEN ${DONE} ELSE ${DONE - SITES - 1} + n END, '', '' FROM generate_series(1, ${SITES}::int) n`
  yield* sql.unsafe("ANALYZE")
})

/** One waiting run of each of the first sites; `submitters` share them. */
const seedWaiting = Effect.fnUntraced(function* (submitters: number) {
  const sql = yield* SqlClient
  yield* sql`
    INSERT INTO runs (id, site, domain, url, rubric_digest, target, status, started_at, submitter, tag)
    SELECT gen_random_uuid(), n, 'site' || n || '.dev', 'https://docs.site' || n || '.dev', 'sha256:first', 'waiting' || n, 'pending', 9000000 + n, 's' || n % ${submitters}::int, 1 + (n - 1) / ${submitters}::int
    FROM generate_series(1, ${WAITING}::int) n`
  yield* queueRuns(sql)
  yield* sql.unsafe(`ANALYZE runs, ${JOB_SCHEMA}.job`)
})

/** Until nothing deleted is left: a snapshot of another session, such as that of an automatic ANALYZE, keeps pages from being marked as visible to all. */
const vacuum = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient
  const once = Effect.andThen(
    sql.unsafe(`VACUUM ANALYZE ${table}`),
    sql`SELECT relallvisible >= relpages AS done FROM pg_class WHERE relname = ${table}`
  )
  yield* Effect.repeat(once, { until: ([row]) => row?.["done"] === true, schedule: Schedule.spaced("200 millis") })
})

/** The archive and, of every other one, the report of each done run, in the object store; and 200 objects to delete. */
const seedObjects = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    INSERT INTO objects (key, run_id, site, domain, kind, attempt, bytes, sha256, state, changed_at)
    SELECT kind || runs.serial, runs.id, runs.site, runs.domain, kind, 1, 250000, repeat('a', 64), CASE WHEN runs.serial % 150 = 0 THEN 'dropped' ELSE 'kept' END, runs.serial
    FROM runs CROSS JOIN (VALUES ('report'), ('document')) kinds (kind) WHERE status = 'done' AND (kind = 'report' OR runs.serial % 2 = 0)`
  yield* vacuum("objects")
})

const services = Layer.mergeAll(Moderation.layerSql, ScheduleStore.layerSql)

/** The different statements of an effect that match, with parameters of theirs. */
const statementsOf = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>, matching: RegExp) {
  const statements = new Map<string, ReadonlyArray<unknown>>()
  const note: Statement.Transformer = (statement) =>
    Effect.sync(() => {
      const [text, params] = statement.compile()
      if (matching.test(text)) statements.set(text, params)
      return statement
    })
  yield* Effect.provideService(effect, Statement.CurrentTransformer, note)
  return [...statements]
})

/** Tables that no statement may read row by row. */
const LARGE = /^(runs|sites|reports|facts|exchanges|site_figures|objects|job\w*)$/

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Plans?: ReadonlyArray<Plan>
}

interface Analysed {
  readonly Plan: Plan & { readonly "Shared Hit Blocks": number; readonly "Shared Read Blocks": number }
}

/** Blocks that a statement reads, with those of the functions it calls. Its changes are rolled back. */
const blocksOf = Effect.fnUntraced(function* (statement: string, params: ReadonlyArray<unknown> = []) {
  const sql = yield* SqlClient
  const analysed = sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<Analysed> }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
    params
  )
  const rows = yield* Effect.flip(sql.withTransaction(Effect.flatMap(analysed, Effect.fail)))
  if (!Array.isArray(rows)) return yield* Effect.fail(rows)
  const [row] = rows
  const plan = row?.["QUERY PLAN"][0]?.Plan
  return plan === undefined
    ? yield* Effect.die(new Error("no plan"))
    : plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
})

const scansIn = (plan: Plan): ReadonlyArray<string> => [
  ...(plan["Node Type"] === "Seq Scan" && LARGE.test(plan["Relation Name"] ?? "") ? [plan["Relation Name"] ?? ""] : []),
  ...(plan.Plans ?? []).flatMap(scansIn)
]

const ANY = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/

const expectNoScan = Effect.fnUntraced(function* (
  statements: ReadonlyArray<readonly [string, ReadonlyArray<unknown>]>
) {
  const sql = yield* SqlClient
  const scans: Array<string> = []
  for (const [text, params] of statements) {
    const [row] = yield* sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }> }>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      params
    )
    const found = row?.["QUERY PLAN"].flatMap(({ Plan: plan }) => scansIn(plan)) ?? []
    if (found.length > 0) scans.push(`${found.join(", ")}: ${text}`)
  }
  expect(scans).toEqual([])
})

const scope = Scope.makeUnsafe()
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

/** Filled once; each test has a copy. */
const filled = Effect.runSync(Effect.cached(Scope.provide(postgresFilledBy(seedDone), scope)))

/** Runs an effect on a copy in which `submitters` have waiting runs. */
const onSeeded = <A, E>(
  submitters: number,
  effect: Effect.Effect<A, E, AuditQueue | Effect.Services<Parameters<typeof onFresh>[1]>>
) =>
  Effect.flatMap(filled, (backend) =>
    onFresh(backend, Effect.provide(Effect.andThen(seedWaiting(submitters), effect), AuditQueue.layerSql))
  )

describe.skipIf(!postgres.available)(
  `PostgreSQL with ${DONE.toLocaleString("en-US")} runs and ${WAITING.toLocaleString("en-US")} waiting`,
  () => {
    /** The size of all archives is read from an index alone, so that it does not read the rows of each. */
    it.live("reads no large table row by row for archives, and for reports in an object store", () =>
      onSeeded(
        100,
        Effect.gen(function* () {
          yield* seedObjects
          const sql = yield* SqlClient
          const [run] = yield* sql<{ readonly id: string }>`SELECT id FROM runs WHERE serial = 7777`
          const id = run?.id ?? ""
          const archive = { id, key: "new", attempt: 2, kind: "report", bytes: 1, sha256: "b" } as const
          const rule = { folder: "", keep: 2, days: 30, totalBytes: 9_000_000_000 }
          const statements = yield* statementsOf(
            Effect.gen(function* () {
              const site = yield* sql.withTransaction(noteArchive(sql, archive))
              if (site !== null) yield* dropBeyondRule(sql, rule, site)
              yield* dropOldest(sql, rule)
              yield* Effect.all([
                findArchive(sql, id),
                findBlob(sql, "new"),
                findDocument(sql, id),
                oldestStore(sql),
                keysKnownBelow(sql, "archives/7f"),
                noteSent(sql, "new"),
                archiveBytes(sql)
              ])
              yield* Effect.all([
                blobsToDelete(sql, ["folder", "objects"], 100),
                postponeDeletion(sql, "report150"),
                forgetBlob(sql, "report150"),
                dropBlobsOf(sql, id)
              ])
            }),
            ANY
          )
          yield* expectNoScan(statements)
        })
      )
    )

    it.live("looks at the sites of new runs alone for runs beyond the newest of a site", () =>
      onSeeded(
        100,
        Effect.gen(function* () {
          const [moderation, sql] = [yield* Moderation, yield* SqlClient]
          const pass = Effect.gen(function* () {
            let dropped = 0
            for (let from: number | null = 0; from !== null;) {
              const expired: ExpiredRuns = yield* moderation.expired({ keep: DONE / SITES, days: null }, 50, from)
              yield* moderation.drop(expired.runs.map(({ id }) => id))
              dropped += expired.runs.length
              from = expired.next
            }
            return dropped
          })
          const looks = (effect: typeof pass) => statementsOf(effect, /ROW_NUMBER|OFFSET/)
          expect(yield* pass).toBe(0)
          // Runs of 120 sites end.
          yield* sql`UPDATE runs SET status = 'done', finished_at = started_at WHERE status = 'pending' AND site <= 120`
          let dropped = 0
          const statements = yield* looks(
            Effect.tap(pass, (count) =>
              Effect.sync(() => {
                dropped = count
              })
            )
          )
          expect(dropped).toBe(120)
          const blocks = yield* Effect.forEach(statements, ([text, params]) => blocksOf(text, params))
          // 500 sites of four runs each at most.
          for (const each of blocks) expect(each).toBeLessThan(5_000)
        }).pipe(Effect.provide(services))
      )
    )

    /** In the seed, the runs that are listed here are the oldest. */
    it.live("reads few rows to list hidden runs and those of a status that few have, however old they are", () =>
      onSeeded(
        100,
        Effect.gen(function* () {
          const [moderation, sql] = [yield* Moderation, yield* SqlClient]
          yield* sql`UPDATE runs SET hidden = serial % 2 = 0, status = CASE WHEN serial % 3 = 0 THEN 'error' ELSE status END WHERE serial <= 120`
          yield* sql`DELETE FROM runs WHERE status = 'pending' AND site > 100`
          yield* vacuum("runs")
          const any: RunFilter = { site: null, status: null, hidden: null }
          const filters: ReadonlyArray<RunFilter> = [
            { ...any, hidden: true },
            { ...any, status: "error" },
            { ...any, status: "pending" },
            { ...any, status: "running" },
            { ...any, status: "error", hidden: true }
          ]
          for (const filter of filters) {
            const [[text, params] = expect.fail("no statement")] = yield* statementsOf(
              moderation.list(filter, null, 50),
              ANY
            )
            // With a plan for any parameters, as a connection keeps one after it has executed a statement five times.
            const blocks = sql`SET LOCAL plan_cache_mode = force_generic_plan`.pipe(
              Effect.andThen(sql.unsafe(`PREPARE listed AS ${text}`)),
              Effect.andThen(blocksOf(`EXECUTE listed (${params.map(Number).join(", ")})`)),
              Effect.ensuring(Effect.orDie(sql.unsafe("DEALLOCATE listed")))
            )
            // The site of each is looked up. All rows of `runs` are in more than 800 blocks.
            expect(yield* sql.withTransaction(blocks), JSON.stringify(filter)).toBeLessThan(500)
          }
        }).pipe(Effect.provide(services))
      )
    )

    it.live("reads no large table row by row, whatever the queue and the pages of runs ask", () =>
      onSeeded(
        100,
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const [store, history, corpus, queue, moderation, schedules] = [
            yield* RunStore,
            yield* RunHistory,
            yield* Corpus,
            yield* AuditQueue,
            yield* Moderation,
            yield* ScheduleStore
          ]
          const statements = yield* statementsOf(
            Effect.gen(function* () {
              const run = yield* store.accept(newRun("docs.site7.dev", { domain: "site7.dev" }))
              yield* sql.withTransaction(Effect.andThen(queue.load(NETWORK, 2_050), queue.offer(run, NETWORK)))
              const claim = yield* queue.claim()
              const begun = yield* store.begin(claim.run.id, "worker")
              if (begun === null) return expect.fail("not begun")
              yield* store.progress(begun.hold, { done: 1, total: 30 })
              yield* store.isCurrent(begun.hold)
              yield* store.finish(begun.hold, resultOf(70))
              yield* queue.keep(claim)
              yield* queue.complete(claim)
              yield* queue.giveBack(yield* queue.claim())
              yield* queue.recover
              yield* Effect.all([
                store.find(run.id),
                store.report(run.id),
                store.latest(run.url, run.rubricDigest, "2026-01-01T00:00:00Z"),
                store.unfinished(100),
                store.waiting,
                store.ping
              ])
              yield* Effect.all([
                history.newest(run.site),
                history.page(run.site, run.startedAt, 20),
                history.before(run.site, run.startedAt)
              ])
              yield* Effect.all([
                corpus.fold,
                corpus.summary,
                corpus.recent(10),
                corpus.top("all", "best", 50),
                corpus.top("7d", "worst", 50),
                corpus.search("site77", 20)
              ])
              yield* Effect.all([
                moderation.find(run.id),
                moderation.underWay(100),
                moderation.list({ site: null, status: null, hidden: null }, null, 50),
                moderation.list({ site: "docs.site7.dev", status: null, hidden: null }, null, 50),
                moderation.below("docs.site7.dev", 200),
                moderation.expired({ keep: 5, days: 30 }, 50, 0),
                moderation.expired({ keep: 5, days: null }, 50, 0),
                schedules.lockDue
              ])
              yield* newestRuns(0, 100)
            }),
            ANY
          )
          expect(statements.length).toBeGreaterThan(40)
          yield* expectNoScan(statements)
        }).pipe(Effect.provide(services))
      )
    )

    /** The statements that look for the next run for a worker, and the blocks that each reads. */
    const blocksOfClaim = Effect.fnUntraced(function* (rubric: string | null) {
      const queue = yield* AuditQueue
      // There may be no run for it.
      const statements = yield* statementsOf(
        Effect.timeoutOption(queue.claim(rubric), "5 seconds"),
        /SKIP LOCKED|HAVING/
      )
      return yield* Effect.forEach(statements, ([text, params]) => blocksOf(text, params))
    })

    // The row of each job that is passed, and the index of jobs under way. Milliseconds depend on who else uses the machine.
    it.live.each([1, 100])(
      "passes each run once to take the next one, if the first 1,000 of %d submitters are of 20 busy domains",
      (submitters) =>
        onSeeded(
          submitters,
          Effect.gen(function* () {
            const [queue, sql] = [yield* AuditQueue, yield* SqlClient]
            yield* sql`UPDATE runs SET domain = 'busy' || site % 20 WHERE status = 'pending' AND site <= ${WAITING / 2}`
            yield* queueRuns(sql)
            for (let taken = 0; taken < 20; taken++) yield* queue.claim()
            yield* sql.unsafe("ANALYZE")
            const blocks = yield* blocksOfClaim(null)
            expect(Math.max(...blocks)).toBeLessThan(5_000)
          })
        )
    )

    it.live("passes each run once to find that all wait for a live worker of another rubric, as during a deploy", () =>
      onSeeded(
        100,
        Effect.gen(function* () {
          const sql = yield* SqlClient
          yield* sql`INSERT INTO workers (worker, rubric_digest, seen_at) VALUES ('other', 'sha256:first', 9e15)`
          const blocks = yield* blocksOfClaim("sha256:second")
          expect(Math.max(...blocks)).toBeLessThan(2_500)
        })
      )
    )
  }
)
