/*
 * How many bytes a run takes in PostgreSQL: report, facts, exchanges and indexes, of audits of the corpus, each stored for many sites. The
 * archive is not counted.
 *
 * `node test/bench/database/storedBytes.ts [SITES] [RUNS]` (12 sites of the corpus and 2,000 runs unless given).
 */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import process from "node:process"
import { resultOf } from "../../../engine/process/AuditResult.ts"
import { loadRubric } from "../../../engine/rubric/RubricFile.ts"
import { layerDatabase, postgresAt } from "../../../engine/store/Database.ts"
import { RunStore } from "../../../engine/store/runs/RunStore.ts"
import * as SqlRunStore from "../../../engine/store/runs/SqlRunStore.ts"
import { plugins } from "../../../plugins/index.ts"
import { corpusRequest, runCorpusAudit } from "../../corpus/AuditCorpusSite.ts"
import { CORPUS, serveCorpus } from "../../corpus/CorpusServer.ts"
import { corpusSites } from "../../corpus/CorpusSites.ts"
import { makePostgres } from "../../harness/PostgresCluster.ts"

const SITES = Number(process.argv[2] ?? 12)
const RUNS = Number(process.argv[3] ?? 2_000)

/** The tables that hold a run. */
const TABLES = ["runs", "reports", "facts", "exchanges", "sites", "site_figures", "limit_buckets", "corpus_changes"]

const results = Effect.gen(function* () {
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => serveCorpus({ corpus: CORPUS })),
    ({ stop }) => Effect.promise(stop)
  )
  const rubric = yield* Effect.orDie(
    loadRubric(readFileSync(new URL("../../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
  )
  return yield* Effect.forEach(corpusSites(CORPUS).slice(0, SITES), ({ site, url }) =>
    runCorpusAudit(server, corpusRequest(url, rubric)).pipe(
      Effect.flatMap((outcome) => resultOf(outcome, { durationMs: 10_000, bytes: 1_000_000 })),
      Effect.tap(({ encoded }) =>
        Effect.sync(() => process.stderr.write(`${site}: a report of ${encoded.length} bytes\n`))
      )
    )
  )
})

const bench = Effect.gen(function* () {
  const audited = yield* results
  const cluster = yield* Effect.acquireRelease(
    Effect.promise(() => makePostgres()),
    ({ remove }) => Effect.promise(remove)
  )
  yield* Effect.gen(function* () {
    const [sql, store] = [yield* SqlClient, yield* RunStore]
    for (let index = 0; index < RUNS; index++) {
      const result = audited[index % audited.length]
      if (result === undefined) return yield* Effect.die("no site was audited")
      // Four audits of each site.
      const host = `docs.site${Math.floor(index / 4)}.dev`
      const { id } = yield* store.accept({
        url: `https://${host}`,
        site: host,
        domain: host,
        rubricDigest: `sha256:${"0".repeat(64)}`
      })
      yield* store.begin(id, "bench")
      yield* store.finish({ id, worker: "bench", attempt: 1 }, result)
    }
    yield* sql.unsafe("VACUUM ANALYZE")
    let total = 0
    for (const table of TABLES) {
      const [row] = yield* sql<{ readonly heap: number; readonly indexes: number }>`
        SELECT pg_table_size(${table}::regclass)::float8 AS heap, pg_indexes_size(${table}::regclass)::float8 AS indexes`
      const [heap, indexes] = [(row?.heap ?? 0) / RUNS, (row?.indexes ?? 0) / RUNS]
      total += heap + indexes
      process.stdout.write(`${table}: ${heap.toFixed(0)} bytes a run, and ${indexes.toFixed(0)} of indexes\n`)
    }
    process.stdout.write(`in all: ${(total / 1_024).toFixed(1)} KB a run\n`)
  }).pipe(
    Effect.provide(
      SqlRunStore.layerSql.pipe(
        Layer.provide(SecureRandom.layerWebCrypto),
        Layer.provideMerge(layerDatabase(postgresAt(cluster.url)))
      )
    )
  )
})

await Effect.runPromise(Effect.scoped(bench))
process.exit()
