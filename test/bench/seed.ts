import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { createHash } from "node:crypto"
import { digestKey, pack } from "../../engine/store/database/ColumnValues.ts"
import { type CriterionOutcome, packOutcomes, unpackOutcomes } from "../../engine/store/corpus/OutcomeCounts.ts"
import { figuresRow, searchTextOf } from "../../engine/store/corpus/CorpusFigures.ts"
import { type SiteFigures, tldOf, withRun } from "../../engine/store/corpus/SiteFigures.ts"
import { random, seedOutcomes, type SeedRun, seedRuns, type SeedSite, seedSite } from "./data/Corpus.ts"

export interface SeedSize {
  readonly runs: number
  readonly sites: number
  /** Over how many days the runs are spread. */
  readonly days: number
  /** Bytes of a report as it is stored. */
  readonly reportBytes: number
}

const DIGEST = "sha256:0000000000000000000000000000000000000000000000000000000000000000"

/** Rows of one statement, and statements of one transaction. */
const [ROWS, STATEMENTS] = [250, 80]

/** Fills an empty, migrated database, table by table and far faster than run by run, with what the store would have made of it. */
export const seed = Effect.fnUntraced(function* ({ days, reportBytes, runs, sites }: SeedSize, until: number) {
  const sql = yield* SqlClient
  const all = Array.from({ length: sites }, (_, index) => seedSite(index))
  const tally = new Tally(all)
  yield* insert(
    "sites",
    all.map(({ domain, site }, index) => ({
      serial: index + 1,
      key: digestKey(site),
      site,
      domain,
      last_started_at: until
    }))
  )
  const contents = reports(reportBytes)
  const small = pack("[]")
  let batch: Array<readonly [number, SeedRun]> = []
  const flush = Effect.suspend(() => {
    const taken = batch
    batch = []
    return Effect.andThen(
      insert(
        "runs",
        taken.map(([serial, run]) => runRow(serial, run, all))
      ),
      Effect.suspend(() => {
        const done = taken.filter(([, { score }]) => score !== null)
        return Effect.andThen(
          insert(
            "reports",
            done.map(([run]) => ({
              run,
              content: contents[run % contents.length],
              duration_ms: 20_000,
              requests: 180,
              bytes: 4_000_000
            }))
          ),
          Effect.andThen(
            insert(
              "facts",
              done.map(([run]) => ({ run, content: small }))
            ),
            insert(
              "exchanges",
              done.map(([run]) => ({ run, content: small }))
            )
          )
        )
      })
    )
  })
  let serial = 0
  for (const run of seedRuns(runs, sites, days, until)) {
    batch.push([++serial, run])
    tally.add(run)
    if (batch.length === ROWS * STATEMENTS) yield* flush
  }
  yield* flush
  yield* tally.write(sql)
  yield* sql.onDialectOrElse({
    // What the server does by itself in time.
    pg: () =>
      Effect.andThen(
        Effect.forEach(
          ["sites", "runs"],
          (table) =>
            sql`SELECT setval(pg_get_serial_sequence(${table}, 'serial'), (SELECT MAX(serial) FROM ${sql(table)}))`
        ),
        Effect.andThen(sql`VACUUM ANALYZE`, Effect.ignore(sql`CHECKPOINT`))
      ),
    orElse: () => sql`PRAGMA wal_checkpoint(TRUNCATE)`
  })
})

const insert = (
  table: string,
  rows: ReadonlyArray<Readonly<Record<string, unknown>>>
): Effect.Effect<void, SqlError, SqlClient> =>
  Effect.flatMap(SqlClient, (sql) => {
    const pieces = Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, index) =>
      rows.slice(index * ROWS, (index + 1) * ROWS)
    )
    const transactions = Array.from({ length: Math.ceil(pieces.length / STATEMENTS) }, (_, index) =>
      pieces.slice(index * STATEMENTS, (index + 1) * STATEMENTS)
    )
    return Effect.forEach(
      transactions,
      (statements) =>
        sql.withTransaction(
          Effect.forEach(statements, (piece) => sql`INSERT INTO ${sql(table)} ${values(sql, piece)}`, { discard: true })
        ),
      { discard: true }
    )
  })

const values = (sql: SqlClient, rows: ReadonlyArray<Readonly<Record<string, unknown>>>) => {
  const [first, ...rest] = rows
  return first === undefined
    ? sql.literal("DEFAULT VALUES")
    : sql.insert([{ ...first }, ...rest.map((row) => ({ ...row }))])
}

const runRow = (serial: number, { score, site, startedAt }: SeedRun, sites: ReadonlyArray<SeedSite>) => {
  const url = sites[site]?.url ?? ""
  return {
    serial,
    id: seedId(serial, startedAt),
    site: site + 1,
    domain: sites[site]?.domain ?? "",
    url,
    rubric_digest: DIGEST,
    target: digestKey(url, DIGEST),
    status: score === null ? "error" : "done",
    started_at: startedAt,
    finished_at: startedAt + 20_000_000,
    attempts: 1,
    progress_done: 30,
    progress_total: 30,
    total_score: score,
    reliable: score === null ? null : true,
    outcomes: score === null ? "" : packOutcomes(seedOutcomes(site, score)),
    error_code: score === null ? "audit_failed" : null,
    error_message: score === null ? "no page could be read" : null
  }
}

const seedId = (serial: number, startedAt: number): string => {
  const time = Math.floor(startedAt / 1_000)
    .toString(16)
    .padStart(12, "0")
  const rest = createHash("md5").update(String(serial)).digest("hex")
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`
}

/** A few reports of the size asked for once they are packed. */
const reports = (bytes: number): ReadonlyArray<Uint8Array> =>
  Array.from({ length: 64 }, (_, index) => {
    const draw = random(index)
    return pack(
      JSON.stringify({
        noise: Buffer.from(Array.from({ length: Math.floor(bytes * 0.75) }, () => Math.floor(draw() * 256))).toString(
          "base64"
        )
      })
    )
  })

/** What the store would have kept up. */
class Tally {
  readonly sites: ReadonlyArray<SeedSite>
  readonly figures = new Map<number, SiteFigures>()
  runs = 0
  latest = 0

  constructor(sites: ReadonlyArray<SeedSite>) {
    this.sites = sites
  }

  add(run: SeedRun): void {
    const { score, site, startedAt } = run
    if (score === null) return
    this.runs++
    this.latest = startedAt
    this.figures.set(
      site,
      withRun(this.figures.get(site) ?? null, {
        url: this.sites[site]?.url ?? "",
        startedAt,
        score,
        reliable: true,
        rubric: DIGEST,
        outcomes: packOutcomes(seedOutcomes(site, score))
      })
    )
  }

  write(sql: SqlClient): Effect.Effect<unknown, SqlError, SqlClient> {
    const audited = [...this.figures].map(([index, figures]) => {
      const site = this.sites[index] ?? seedSite(index)
      return { index, figures, site }
    })
    const scores = counts(audited.map(({ figures }) => figures.latestScore))
    return Effect.all(
      [
        sql`UPDATE corpus SET sites = ${audited.length}, runs = ${this.runs}, latest_run_at = ${this.latest}`,
        insert(
          "site_figures",
          audited.map(({ figures, index, site }) => figuresRow(index + 1, figures, searchTextOf(site.url, site.site)))
        ),
        sql.withTransaction(
          Effect.forEach(
            scores,
            ([score, sites]) => sql`UPDATE score_counts SET sites = ${sites} WHERE score = ${score}`
          )
        ),
        insert("outcome_counts", outcomeRows(audited.flatMap(({ figures }) => unpackOutcomes(figures.latestOutcomes)))),
        insert(
          "tlds",
          counts(audited.map(({ site }) => tldOf(site.site) ?? "")).map(([tld, sites]) => ({ tld, sites }))
        ),
        insert(
          "organisations",
          counts(audited.map(({ site }) => site.domain)).map(([organisation, sites]) => ({ organisation, sites }))
        )
      ],
      { discard: true }
    )
  }
}

const outcomeRows = (outcomes: ReadonlyArray<CriterionOutcome>) =>
  [...Map.groupBy(outcomes, ({ id, state }) => `${id} ${state}`).values()].map((same) => ({
    criterion: same[0]?.id,
    state: same[0]?.state,
    sites: same.length,
    points: same.reduce((sum, { score }) => sum + score, 0),
    max_points: same.reduce((sum, { max }) => sum + max, 0)
  }))

const counts = <A>(names: ReadonlyArray<A>): ReadonlyArray<readonly [A, number]> => {
  const found = new Map<A, number>()
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1)
  return [...found]
}
