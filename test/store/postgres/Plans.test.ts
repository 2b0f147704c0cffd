import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as Statement from "effect/sql/Statement"
import { AuditQueue } from "../../../engine/schedule/AuditQueue.ts"
import { Leases } from "../../../engine/schedule/Leases.ts"
import { guest } from "../../../engine/schedule/turns/Submitter.ts"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import { Moderation } from "../../../engine/store/operators/Moderation.ts"
import { ScheduleStore } from "../../../engine/store/operators/ScheduleStore.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { onFresh, postgres } from "../Databases.ts"
import { newRun, resultOf } from "../SampleRuns.ts"

const [DONE, WAITING] = [100_000, 10_000]

const NETWORK = guest("192.0.2.0/24")

/** Ten done runs of each of 10,000 sites, and one waiting run of each; `submitters` share those. */
const seed = Effect.fnUntraced(function*(submitters: number) {
  const sql = yield* SqlClient
  yield* sql`
    INSERT INTO sites (serial, key, site, domain, last_started_at)
    SELECT n, 'key' || n, 'docs.site' || n || '.dev', 'site' || n || '.dev', 1000000 + 11 FROM generate_series(1, ${WAITING}::int) n`
  yield* sql`
    INSERT INTO runs (id, site, url, rubric_digest, target, status, started_at, finished_at, total_score, reliable)
    SELECT gen_random_uuid(), n % ${WAITING} + 1, 'https://docs.site' || n % ${WAITING} + 1 || '.dev', 'sha256:first', 'done' || n, 'done', 1000000 + n, 2000000 + n, n % 101, TRUE
    FROM generate_series(1, ${DONE}::int) n`
  yield* sql`
    INSERT INTO runs (id, site, domain, url, rubric_digest, target, status, started_at, submitter)
    SELECT gen_random_uuid(), n, 'site' || n || '.dev', 'https://docs.site' || n || '.dev', 'sha256:first', 'waiting' || n, 'pending', 9000000 + n, 's' || n % ${submitters}::int
    FROM generate_series(1, ${WAITING}::int) n`
  yield* sql`INSERT INTO queue_turns (submitter, class, turn) SELECT 's' || n, 0, n FROM generate_series(0, ${submitters - 1}::int) n`
  yield* sql`INSERT INTO reports (run, content, duration_ms, requests, bytes) SELECT serial, '', 1, 1, 1 FROM runs WHERE status = 'done'`
  yield* sql`SELECT setval(pg_get_serial_sequence('sites', 'serial'), ${WAITING}::int)`
  yield* sql`
    INSERT INTO site_figures (site, reliable, done_runs, url, search_text, run_count, score_sum, best_score, worst_score, latest_score, first_run_at, latest_run_at)
    SELECT n, TRUE, 10, 'https://docs.site' || n || '.dev', 'docs.site' || n || '.dev', 10, 500, 90, 10, n % 101, 1, n FROM generate_series(1, ${WAITING}::int) n`
  yield* sql.unsafe("ANALYZE")
})

const services = Layer.mergeAll(AuditQueue.layerSql.pipe(Layer.provideMerge(Leases.layerSql(60_000))), Moderation.layerSql, ScheduleStore.layerSql)

/** The different statements of an effect that match, with parameters of theirs. */
const statementsOf = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>, matching: RegExp) {
  const statements = new Map<string, ReadonlyArray<unknown>>()
  const note: Statement.Transformer = (statement) => Effect.sync(() => {
    const [text, params] = statement.compile()
    if (matching.test(text)) statements.set(text, params)
    return statement
  })
  yield* Effect.provideService(effect, Statement.CurrentTransformer, note)
  return [...statements]
})

/** Tables that no statement may read row by row. */
const LARGE = /^(runs|sites|reports|facts|exchanges|site_figures|queue_turns)$/

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Plans?: ReadonlyArray<Plan>
}

interface Analysed {
  readonly Plan: Plan & { readonly "Shared Hit Blocks": number; readonly "Shared Read Blocks": number }
}

/** Blocks that a statement reads, with those of the functions it calls. Its changes are rolled back. */
const blocksOf = Effect.fnUntraced(function*(statement: string) {
  const sql = yield* SqlClient
  const analysed = sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<Analysed> }>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`)
  const rows = yield* Effect.flip(sql.withTransaction(Effect.flatMap(analysed, Effect.fail)))
  if (!Array.isArray(rows)) return yield* Effect.fail(rows)
  const [row] = rows
  const plan = row?.["QUERY PLAN"][0]?.Plan
  return plan === undefined ? yield* Effect.die(new Error("no plan")) : plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
})

const scansIn = (plan: Plan): ReadonlyArray<string> => [
  ...(plan["Node Type"] === "Seq Scan" && LARGE.test(plan["Relation Name"] ?? "") ? [plan["Relation Name"] ?? ""] : []),
  ...(plan.Plans ?? []).flatMap(scansIn)
]

describe.skipIf(!postgres.available)(`PostgreSQL with ${DONE.toLocaleString("en-US")} runs and ${WAITING.toLocaleString("en-US")} waiting`, () => {
  it.live("reads no large table row by row, whatever the queue and the pages of runs ask", () =>
    onFresh(postgres, Effect.gen(function*() {
      yield* seed(500)
      const sql = yield* SqlClient
      const [store, history, corpus, queue, moderation, schedules] = [yield* RunStore, yield* RunHistory, yield* Corpus, yield* AuditQueue, yield* Moderation, yield* ScheduleStore]
      const statements = yield* statementsOf(Effect.gen(function*() {
        const run = yield* store.accept(newRun("docs.site7.dev", { domain: "site7.dev" }))
        yield* sql.withTransaction(Effect.andThen(queue.load(NETWORK, 10_050), queue.offer(run.id, NETWORK)))
        const claim = yield* queue.claim(new Set())
        const begun = yield* store.begin(claim.run.id, "worker")
        if (begun === null) return expect.fail("not begun")
        yield* store.progress(begun.hold, { done: 1, total: 30 })
        yield* store.isCurrent(begun.hold)
        yield* store.finish(begun.hold, resultOf(70))
        yield* queue.recover(new Set())
        yield* Effect.all([store.find(run.id), store.report(run.id), store.latest(run.url, run.rubricDigest, "2026-01-01T00:00:00Z"), store.unfinished(100), store.waiting, store.ping])
        yield* Effect.all([history.newest(run.site), history.page(run.site, run.startedAt, 20), history.before(run.site, run.startedAt)])
        yield* Effect.all([corpus.fold, corpus.summary, corpus.recent(10), corpus.top("all", "best", 50), corpus.top("7d", "worst", 50), corpus.movers("7d", "up", 10), corpus.search("site77", 20)])
        yield* Effect.all([moderation.find(run.id), moderation.underWay(100), moderation.list({ site: null, status: null, hidden: null }, null, 50), schedules.lockDue])
      }), /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/)
      expect(statements.length).toBeGreaterThan(30)
      const scans: Array<string> = []
      for (const [text, params] of statements) {
        const [row] = yield* sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: Plan }> }>(`EXPLAIN (FORMAT JSON) ${text}`, params)
        const found = row?.["QUERY PLAN"].flatMap(({ Plan: plan }) => scansIn(plan)) ?? []
        if (found.length > 0) scans.push(`${found.join(", ")}: ${text}`)
      }
      expect(scans).toEqual([])
    }).pipe(Effect.provide(services))), 120_000)

  // A few blocks of indexes for each run that is passed, its site and the lease of its domain: 5,000 runs, 10 of the first submitter, 5,000 of as many
  // submitters. All rows of `runs` are in more than 2,000 blocks. Milliseconds depend on who else uses the machine.
  it.live.each([[1, 60_000], [500, 1_500], [10_000, 90_000]] as const)("passes each run at most twice to take the next one, if the first 5,000 of %d submitters are of 20 busy domains", ([submitters, most]) =>
    onFresh(postgres, Effect.gen(function*() {
      yield* seed(submitters)
      const sql = yield* SqlClient
      // The domain is in the run, or in its site if a version before accepted it.
      yield* sql`UPDATE sites SET domain = 'busy' || serial % 20 WHERE serial <= ${WAITING / 2}`
      yield* sql`UPDATE runs SET domain = CASE WHEN serial % 2 = 0 THEN 'busy' || site % 20 END WHERE status = 'pending' AND site <= ${WAITING / 2}`
      yield* sql`INSERT INTO audit_leases (domain, run_id, worker, expires_at) SELECT 'busy' || n, n, 'other', 9e15 FROM generate_series(0, 19) n`
      // The only run of the first of 10,000 submitters is of no busy domain.
      yield* sql`UPDATE queue_turns SET turn = ${WAITING} WHERE submitter = 's0'`
      yield* sql.unsafe("ANALYZE")
      const search = yield* blocksOf("SELECT * FROM docgauge_next_turn(0::smallint, 0, 1, NULL, '{}', 60000)")
      const claim = yield* blocksOf("SELECT docgauge_claim('worker', 15000, NULL, '{}', 60000)")
      yield* sql`INSERT INTO queue_turns (submitter, class, turn) SELECT 'idle' || n, 0, -n FROM generate_series(1, 1000) n`
      const drop = yield* blocksOf("SELECT docgauge_drop_idle_turns(0::smallint, 9223372036854775807, 100)")
      expect([search < most, claim < 2 * most, drop < 2_000]).toEqual([true, true, true])
    }).pipe(Effect.provide(services))), 120_000)
})
