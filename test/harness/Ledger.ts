import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql/SqlClient"
import { AUDITS, JOB_SCHEMA } from "../../engine/schedule/queue/JobEngine.ts"
import { Corpus } from "../../engine/store/corpus/Corpus.ts"
import * as SqlCorpus from "../../engine/store/corpus/SqlCorpus.ts"
import { databaseOf, layerDatabase } from "../../engine/store/Database.ts"

/** What a database holds, as far as it can be wrong. */
export interface Ledger {
  /** Ids of all runs, by what became of them. */
  readonly byStatus: Readonly<Record<string, ReadonlyArray<string>>>
  /** Why runs ended in error. */
  readonly errors: ReadonlyArray<string>
  /** Scores of runs that are done, each once. */
  readonly scores: ReadonlyArray<number>
  /** Addresses that were reported more than once. */
  readonly twice: ReadonlyArray<string>
  /** What the database says of tables that do not agree, or of itself; empty where all is well. */
  readonly faults: ReadonlyArray<string>
}

interface RunRow {
  readonly id: string
  readonly url: string
  readonly status: string
  readonly error_message: string | null
  readonly total_score: number | null
}

/** Rows that must not be there, by what is wrong with them. */
const FAULTS: Readonly<Record<string, string>> = {
  "done without a report":
    "SELECT id FROM runs LEFT JOIN reports ON reports.run = runs.serial WHERE status = 'done' AND reports.run IS NULL",
  "done without facts":
    "SELECT id FROM runs LEFT JOIN facts ON facts.run = runs.serial WHERE status = 'done' AND facts.run IS NULL",
  "a report, and not done": "SELECT id FROM reports JOIN runs ON runs.serial = reports.run WHERE status <> 'done'",
  "figures of the corpus": "SELECT runs FROM corpus WHERE runs <> (SELECT COUNT(*) FROM runs WHERE status = 'done')",
  "figures of a site": `
    SELECT site_figures.site FROM site_figures
    WHERE run_count <> (SELECT COUNT(*) FROM runs WHERE runs.site = site_figures.site AND status = 'done')`,
  "scores of sites":
    "SELECT 1 AS wrong FROM corpus WHERE (SELECT SUM(sites) FROM score_counts) <> (SELECT COUNT(*) FROM site_figures)",
  "requests set aside for a run that is over":
    "SELECT run_id FROM limit_reservations JOIN runs ON CAST(runs.id AS text) = run_id WHERE status IN ('done', 'error')"
}

/** The same of runs and the jobs of pg-boss, which PostgreSQL has. */
const JOB_FAULTS: Readonly<Record<string, string>> = {
  "over, with a job that waits or is under way": `
    SELECT runs.id FROM runs JOIN ${JOB_SCHEMA}.job ON job.id = runs.id
    WHERE name = '${AUDITS}' AND state < 'completed' AND status IN ('done', 'error')`,
  "unfinished without a job": `
    SELECT id FROM runs WHERE status IN ('pending', 'running') AND submitter IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM ${JOB_SCHEMA}.job WHERE name = '${AUDITS}' AND job.id = runs.id AND state < 'completed')`
}

/** PostgreSQL's counts are bigints, which JSON does not have. */
const withBigInts = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? Number(value) : value)

/** Reads a database that no service uses. */
export const readLedger = (databaseUrl: string): Promise<Ledger> => {
  const address = databaseOf(databaseUrl)
  if (address === null || address._tag === "Memory") throw new Error("no database")
  const layer = SqlCorpus.layerSql.pipe(
    Layer.provideMerge(layerDatabase(address)),
    Layer.provideMerge(SecureRandom.layerWebCrypto)
  )
  return Effect.runPromise(Effect.provide(ledger, layer))
}

const ledger = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* Corpus.use(({ fold }) => fold)
  const runs = yield* sql<RunRow>`SELECT id, url, status, error_message, total_score FROM runs`
  const faults: Array<string> = []
  const ofJobs = sql.onDialectOrElse({ pg: () => JOB_FAULTS, orElse: () => ({}) })
  for (const [name, query] of Object.entries({ ...FAULTS, ...ofJobs })) {
    const rows = yield* sql.unsafe(query)
    if (rows.length > 0) faults.push(`${name}: ${JSON.stringify(rows.slice(0, 5), withBigInts)}`)
  }
  const own = yield* sql.onDialectOrElse({
    pg: () => Effect.succeed<ReadonlyArray<object>>([]),
    orElse: () =>
      Effect.map(Effect.all([sql`PRAGMA integrity_check`, sql`PRAGMA foreign_key_check`]), ([integrity, keys]) => [
        ...integrity.filter((row) => Object.values(row)[0] !== "ok"),
        ...keys
      ])
  })
  return {
    byStatus: Object.fromEntries(
      [...Map.groupBy(runs, ({ status }) => status)].map(([status, rows]) => [status, rows.map(({ id }) => id)])
    ),
    errors: runs.flatMap(({ error_message: message }) => message ?? []),
    scores: [...new Set(runs.flatMap(({ total_score: score }) => score ?? []))],
    twice: [
      ...Map.groupBy(
        runs.filter(({ status }) => status === "done"),
        ({ url }) => url
      )
    ]
      .filter(([, rows]) => rows.length > 1)
      .map(([url]) => url),
    faults: [...faults, ...own.map((row) => JSON.stringify(row))]
  } satisfies Ledger
})
