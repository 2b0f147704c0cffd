import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Statement from "effect/sql/Statement"
import { Scheduler } from "../../../engine/schedule/Scheduler.ts"
import { Corpus } from "../../../engine/store/corpus/Corpus.ts"
import * as SqlCorpus from "../../../engine/store/corpus/SqlCorpus.ts"
import { layerDatabase, postgresAt } from "../../../engine/store/Database.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import { seed } from "../../bench/seed.ts"
import { hasPostgres, makePostgres, type PostgresCluster } from "../../harness/PostgresCluster.ts"
import { audited, onDatabase, wanted } from "../../schedule/TestService.ts"

/** The seed vacuums; an automatic ANALYZE beside it would keep its pages from being marked as visible, and each index would be read with the table. */
const SETTINGS = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.max": "5000",
  autovacuum: "off",
  fsync: "off"
}

const [SEEDED, SITES, RUNS] = [40_000, 4_000, 100]

/**
 * Blocks of a call, in the mean: the rows of `runs` alone are in more than 1,500. Searching the sites of the last while reads 1,000, and
 * what changes rows 180 at most, most of them in the index of letters.
 */
const [MOST_READ, MOST_CHANGED] = [1_500, 400]

const MOST_TEXTS = 110

/** In the name of every site, so that it shows in no text unless a value does. */
const MARK = "zebra"

/** pg-boss's statements have its defaults in seconds. */
const isOurs = (text: string): boolean => !text.includes("docgauge_jobs.")

const ID = /[\da-f]{8}-[\da-f]{4}/
const NUMBER_OR_ID = /\d{5}|[\da-f]{8}-[\da-f]{4}/

const cluster = Effect.acquireRelease(
  Effect.promise(() => makePostgres(SETTINGS)),
  ({ remove }) => Effect.promise(remove)
)

/** One submission, from the queue to the report, with what pages and polls read of it. */
const audit = Effect.fnUntraced(function* (index: number) {
  const [corpus, history, scheduler, store] = [yield* Corpus, yield* RunHistory, yield* Scheduler, yield* RunStore]
  const run = wanted(`docs.${MARK}${index % 200}.dev`, index % 7 === 0 ? "/v2" : "")
  const submission = yield* scheduler.submit(run, [`192.0.2.${index % 50}`])
  if (submission._tag === "Refusal") return yield* Effect.die("refused")
  const { id, site } = submission.run
  yield* scheduler.awaitDone(id)
  yield* Effect.all([
    store.find(id),
    store.report(id),
    history.newest(site),
    history.page(site, null, 20),
    store.waiting
  ])
  yield* Effect.all([
    corpus.fold,
    corpus.summary,
    corpus.statistics,
    corpus.recent(20),
    corpus.top("all", "best", 50),
    corpus.search(`${MARK}${index % 20}`, 20)
  ])
})

const LIMITS = {
  targetWindowMs: null,
  siteQuota: { amount: 1_000, windowMs: 3_600_000 },
  hostBudget: { amount: 100_000, windowMs: 3_600_000 },
  clientRuns: 50,
  queueLimit: 1_000
}

const statisticsOf = async ({ execute }: PostgresCluster) => {
  const rows = await execute(`
    SELECT json_build_object('query', query, 'calls', calls, 'blocks', (shared_blks_hit + shared_blks_read) / calls)
    FROM pg_stat_statements WHERE query ~* '^\\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\\M' AND query !~ 'pg_stat_statements'`)
  return rows
    .trim()
    .split("\n")
    .map((line): { readonly query: string; readonly calls: number; readonly blocks: number } => JSON.parse(line))
}

describe.skipIf(!hasPostgres)(
  `the statements of ${RUNS} audits on PostgreSQL, as pg_stat_statements counts them`,
  () => {
    it.live("are few, contain no values, and read few blocks each", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const postgres = yield* cluster
          const address = postgresAt(postgres.url)
          yield* Effect.provide(
            seed({ runs: SEEDED, sites: SITES, days: 300, reportBytes: 200 }, Date.now() * 1_000),
            layerDatabase(address)
          )
          yield* Effect.promise(() =>
            postgres.execute("CREATE EXTENSION pg_stat_statements; SELECT pg_stat_statements_reset()")
          )
          const texts = new Set<string>()
          const note: Statement.Transformer = (statement) =>
            Effect.sync(() => {
              texts.add(statement.compile()[0])
              return statement
            })
          const service = Layer.mergeAll(RunHistory.layerSql, SqlCorpus.layerSql).pipe(
            Layer.provideMerge(onDatabase(address, { audit: (run) => Effect.succeed(audited(run)), settings: LIMITS })),
            Layer.provide(Layer.succeed(Statement.CurrentTransformer, note))
          )
          const indexes = Array.from({ length: RUNS }, (_, index) => index)
          yield* Effect.forEach(indexes, audit, { concurrency: 8, discard: true }).pipe(
            Effect.provideService(Statement.CurrentTransformer, note),
            Effect.provide(service)
          )
          const statistics = yield* Effect.promise(() => statisticsOf(postgres))
          expect(
            [...texts].filter((text) => text.includes(MARK) || (isOurs(text) ? NUMBER_OR_ID : ID).test(text))
          ).toEqual([])
          // Each list of another length is another text.
          expect(Math.max(texts.size, statistics.length)).toBeLessThan(MOST_TEXTS)
          const wide = statistics.filter(
            ({ blocks, query }) => blocks > (/^\s*SELECT/.test(query) ? MOST_READ : MOST_CHANGED)
          )
          expect(wide).toEqual([])
          expect(statistics.length).toBeGreaterThan(50)
        })
      )
    )
  }
)
