/**
 * How long every read of the store takes at 10 000 and at 1 000 000 runs, on SQLite and on PostgreSQL.
 *
 *     node test/bench/store.ts [--runs 10000,1000000] [--calls 500] [--repeats 1] [--only sqlite|postgres] [--keep FOLDER]
 *
 * With `--repeats` every call is repeated and its quickest counts: what it takes where nothing else runs.
 * With `--keep` databases stay, SQLite files in the folder, and are used again.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { SqlClient } from "effect/sql/SqlClient"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { type Database, layerDatabase, postgresAt, sqliteAt } from "../../engine/store/Database.ts"
import { formatInstant, type Int } from "../../engine/store/database/ColumnValues.ts"
import { Corpus } from "../../engine/store/corpus/Corpus.ts"
import * as SqlCorpus from "../../engine/store/corpus/SqlCorpus.ts"
import { RunHistory } from "../../engine/store/runs/RunHistory.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import type { StoreUnavailable } from "../../engine/store/database/StoreUnavailable.ts"
import { layerSql } from "../../engine/store/runs/SqlRunStore.ts"
import { random } from "./data/Corpus.ts"
import { type Latencies, latenciesOf } from "./measure/Latencies.ts"
import { seed } from "./seed.ts"

const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: "10000,1000000" },
    calls: { type: "string", default: "500" },
    repeats: { type: "string", default: "1" },
    only: { type: "string" },
    keep: { type: "string" },
    server: { type: "string", default: "postgres://postgres@127.0.0.1:5432/test" }
  }
})

const [CALLS, REPEATS] = [Number(options.calls), Number(options.repeats)]

/** A run of the corpus, for asking after. */
interface Sample {
  readonly id: string
  readonly url: string
  readonly site: string
  readonly digest: string
  readonly startedAt: string
}

const samples = Effect.fnUntraced(function* (runs: number) {
  const sql = yield* SqlClient
  const draw = random(99)
  const serials = Array.from({ length: CALLS }, () => 1 + Math.floor(draw() * runs))
  const rows = yield* sql<{
    readonly id: string
    readonly url: string
    readonly site: string
    readonly digest: string
    readonly started_at: Int
  }>`
    SELECT id, url, sites.site, rubric_digest AS digest, started_at FROM runs JOIN sites ON sites.serial = runs.site WHERE ${sql.in("runs.serial", serials)}`
  return rows.map((row): Sample => ({ ...row, startedAt: formatInstant(Number(row.started_at)) }))
})

const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyz0123456789-./:_%é")

/** The services that are read. */
interface Services {
  readonly store: RunStore["Service"]
  readonly history: RunHistory["Service"]
  readonly corpus: Corpus["Service"]
}

type Read = (services: Services, sample: Sample, index: number) => Effect.Effect<unknown, StoreUnavailable>

const letter = (index: number): string => LETTERS[index % LETTERS.length] ?? ""

const READS: Readonly<Record<string, Read>> = {
  // What anything takes here and now: what the machine is worth.
  ping: ({ store }) => store.ping,
  find: ({ store }, { id }) => store.find(id),
  report: ({ store }, { id }) => store.report(id),
  "latest, 10 min": ({ store }, { digest, url }) =>
    store.latest(url, digest, new Date(Date.now() - 600_000).toISOString()),
  "history, 20": ({ history }, { site }) => history.page(site, null, 20),
  "history, 100": ({ history }, { site, startedAt }) => history.page(site, startedAt, 100),
  "previous done": ({ history }, { site, startedAt }) => history.before(site, startedAt),
  unfinished: ({ store }) => store.unfinished(100),
  summary: ({ corpus }) => corpus.summary,
  stats: ({ corpus }) => corpus.statistics,
  "top 7d best 50": ({ corpus }) => corpus.top("7d", "best", 50),
  "top 7d worst 50": ({ corpus }) => corpus.top("7d", "worst", 50),
  "top 30d best 50": ({ corpus }) => corpus.top("30d", "best", 50),
  "top all best 50": ({ corpus }) => corpus.top("all", "best", 50),
  "top all worst 50": ({ corpus }) => corpus.top("all", "worst", 50),
  "recent 8": ({ corpus }) => corpus.recent(8),
  "search, 1 letter": ({ corpus }, _, index) => corpus.search(letter(index), 50),
  "search, 2 letters": ({ corpus }, _, index) =>
    corpus.search(letter(index) + letter(Math.floor(index / LETTERS.length) * 7 + index), 50),
  "search, 3 letters": ({ corpus }, { site }, index) => corpus.search(site.slice(index % 12, (index % 12) + 3), 50),
  "search, words": ({ corpus }, _, index) =>
    corpus.search(
      ["quartz", "docs", "zephyr", ".co.uk", "com", "x-", "/v9", "developer", "https://docs.", "jade-"][index % 10] ??
        "",
      50
    ),
  "search, a whole site": ({ corpus }, { site }) => corpus.search(site, 50),
  "search, nothing": ({ corpus }, { id }) => corpus.search(id.slice(24), 50)
}

const measured = Effect.fnUntraced(function* (read: Read, chosen: ReadonlyArray<Sample>) {
  const services = { store: yield* RunStore, history: yield* RunHistory, corpus: yield* Corpus }
  const took: Array<number> = []
  for (const [index, sample] of chosen.entries()) {
    let quickest = Number.POSITIVE_INFINITY
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const start = performance.now()
      yield* read(services, sample, index)
      quickest = Math.min(quickest, performance.now() - start)
    }
    took.push(quickest)
  }
  return latenciesOf(took)
})

const bench = Effect.fnUntraced(function* (runs: number) {
  const chosen = yield* samples(runs)
  const table: Record<string, Latencies> = {}
  for (const [name, read] of Object.entries(READS)) {
    yield* measured(read, chosen.slice(0, 20))
    table[name] = yield* measured(read, chosen)
  }
  return table
})

const seedWhereEmpty = Effect.fnUntraced(function* (runs: number) {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ readonly runs: Int }>`SELECT runs FROM corpus`
  if (Number(row?.runs ?? 0) > 0) return
  const start = performance.now()
  yield* seed({ runs, sites: Math.max(1, Math.floor(runs / 10)), days: 365, reportBytes: 2_000 }, Date.now() * 1_000)
  yield* Effect.sync(() =>
    console.error(`  seeded ${runs} runs in ${((performance.now() - start) / 1_000).toFixed(1)} s`)
  )
})

const stored = <A, E>(address: Database, effect: Effect.Effect<A, E, RunStore | RunHistory | Corpus | SqlClient>) =>
  Effect.provide(
    effect,
    Layer.mergeAll(layerSql, RunHistory.layerSql, SqlCorpus.layerSql).pipe(
      Layer.provideMerge(layerDatabase(address)),
      Layer.provide(SecureRandom.layerWebCrypto)
    )
  )

const sqliteFor = (runs: number): Effect.Effect<Database, never, Scope.Scope> => {
  const { keep } = options
  if (keep !== undefined) return Effect.succeed(sqliteAt(join(keep, `runs-${runs}.db`)))
  const folder = Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "docgauge-bench-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  return Effect.map(folder, (made) => sqliteAt(join(made, "runs.db")))
}

const onServer = (statement: string) =>
  Effect.provide(
    Effect.flatMap(SqlClient, (sql) => sql.unsafe(statement)),
    PgClient.layer({ url: Redacted.make(options.server), maxConnections: 1 })
  )

const postgresFor = (runs: number) => {
  const name = `docgauge_bench_${runs}`
  const url = new URL(options.server)
  url.pathname = `/${name}`
  const address = postgresAt(url.href)
  if (options.keep !== undefined) return Effect.as(Effect.ignore(onServer(`CREATE DATABASE ${name}`)), address)
  const made = Effect.andThen(onServer(`DROP DATABASE IF EXISTS ${name}`), onServer(`CREATE DATABASE ${name}`))
  return Effect.as(
    Effect.acquireRelease(made, () => Effect.ignore(onServer(`DROP DATABASE ${name} WITH (FORCE)`))),
    address
  )
}

const ofSize = Effect.fnUntraced(function* (database: string, runs: number) {
  yield* Effect.sync(() => console.error(`${database}, ${runs} runs`))
  const address: Database = yield* database === "sqlite" ? sqliteFor(runs) : postgresFor(runs)
  yield* stored(address, seedWhereEmpty(runs))
  const start = performance.now()
  return yield* stored(
    address,
    Effect.suspend(() => {
      console.error(`  opened in ${(performance.now() - start).toFixed(0)} ms`)
      return bench(runs)
    })
  )
}, Effect.scoped)

const millis = (value: number): string => value.toFixed(2)

/** Prints a table for each database. Fails where a read is slower than it may be. */
export const main = Effect.gen(function* () {
  const sizes = options.runs.split(",").map(Number)
  if (options.keep !== undefined && !existsSync(options.keep))
    return yield* Effect.die(`no such folder: ${options.keep}`)
  for (const database of ["sqlite", "postgres"].filter((name) => options.only === undefined || options.only === name)) {
    const tables = yield* Effect.forEach(sizes, (runs) => ofSize(database, runs))
    console.table(
      Object.fromEntries(
        Object.keys(READS).map((name) => [
          name,
          Object.fromEntries(
            tables.flatMap((table, index) => {
              const { max, p50, p99 } = table[name] ?? { p50: 0, p99: 0, max: 0 }
              return [
                [`p50 ${sizes[index]}`, millis(p50)],
                [`p99 ${sizes[index]}`, millis(p99)],
                [`max ${sizes[index]}`, millis(max)]
              ]
            })
          )
        ])
      )
    )
    const slow = Object.entries(tables.at(-1) ?? {}).filter(([, { p99 }]) => p99 > 20)
    for (const [name, { p99 }] of slow)
      console.error(`${database}: ${name} takes ${millis(p99)} ms at p99; 20 are allowed`)
    if (slow.length > 0) process.exitCode = 1
  }
})

if (import.meta.main) await Effect.runPromise(main)
