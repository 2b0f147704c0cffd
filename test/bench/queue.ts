/*
 * How long taking a run from the queue takes while many wait, on SQLite and on PostgreSQL.
 *
 * `node test/bench/queue.ts [RUNS]` (10,000 unless given). PostgreSQL where one listens on 127.0.0.1:5432.
 */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { performance } from "node:perf_hooks"
import process from "node:process"
import { AuditQueue } from "../../engine/schedule/AuditQueue.ts"
import { Leases } from "../../engine/schedule/Leases.ts"
import { type Database, layerDatabase } from "../../engine/store/Database.ts"
import { RunStore } from "../../engine/store/runs/RunStore.ts"
import * as SqlRunStore from "../../engine/store/runs/SqlRunStore.ts"
import { backends } from "../store/Databases.ts"

const RUNS = Number(process.argv[2] ?? 10_000)
const TAKEN = 60

/** Who the waiting runs are of, and of what domains. */
const SCENES = {
  "each of its own network": { networks: RUNS, domains: RUNS },
  "two of each network": { networks: RUNS / 2, domains: RUNS },
  "all of one network": { networks: 1, domains: RUNS },
  "half of them of domains that are being audited": { networks: RUNS / 2, domains: 200 }
} as const

const queueOn = (address: Database) =>
  AuditQueue.layerSql.pipe(
    Layer.provideMerge(Layer.mergeAll(SqlRunStore.layerSql, Leases.layerSql(600_000))),
    Layer.provide(SecureRandom.layerWebCrypto),
    Layer.provideMerge(layerDatabase(address))
  )

const idAt = (index: number): string => `01934f7a-1c2d-7e3f-8a4b-${index.toString(16).padStart(12, "0")}`

const rowsFor = (sql: SqlClient) => ([first, ...rest]: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  first === undefined ? sql.literal("DEFAULT VALUES") : sql.insert([first, ...rest])

const fill = Effect.fnUntraced(function*({ domains, networks }: typeof SCENES[keyof typeof SCENES], busy: number) {
  const sql = yield* SqlClient
  const rows = rowsFor(sql)
  yield* sql.withTransaction(Effect.gen(function*() {
    for (const table of ["queue_turns", "audit_leases", "runs", "sites"]) yield* sql`DELETE FROM ${sql(table)}`
    for (let from = 0; from < RUNS; from += 100) {
      const part = Array.from({ length: 100 }, (_, index) => from + index)
      yield* sql`INSERT INTO sites ${rows(part.map((index) => ({ serial: index + 1, key: `k${index}`, site: `s${index}.dev`, domain: `d${index % domains}.dev`, last_started_at: 1 })))}`
      yield* sql`INSERT INTO runs ${rows(part.map((index) => ({
        serial: index + 1, id: idAt(index), site: index + 1, url: `https://s${index}.dev`, rubric_digest: "r", target: `t${index}`, status: "pending", started_at: index, submitter: `n${index % networks}`
      })))}`
      const turns = part.filter((index) => index < networks).map((index) => ({ submitter: `n${index}`, class: 0, turn: index + 1 }))
      if (turns.length > 0) yield* sql`INSERT INTO queue_turns ${rows(turns)}`
    }
    yield* sql`UPDATE queue_state SET turn = ${RUNS + 1}`
    for (let index = 0; index < busy; index++) {
      yield* sql`INSERT INTO audit_leases (domain, run_id, worker, expires_at) VALUES (${`d${index}.dev`}, 'another', 'another', ${Date.now() + 3_600_000})`
    }
  }))
})

const measure = Effect.gen(function*() {
  const [queue, leases, store] = [yield* AuditQueue, yield* Leases, yield* RunStore]
  const took: Array<number> = []
  for (let turn = 0; turn < TAKEN; turn++) {
    const startedAt = performance.now()
    const { run } = yield* queue.claim(new Set())
    took.push(performance.now() - startedAt)
    yield* store.begin(run.id, leases.worker)
    yield* leases.free(run.domain, run.id)
  }
  return took.sort((one, other) => one - other)
})

const shown = (took: ReadonlyArray<number>): string =>
  [0, 0.5, 0.95].map((share) => `${(took[Math.floor(share * (took.length - 1))] ?? 0).toFixed(2)} ms`).join(" / ")

const bench = Effect.gen(function*() {
  for (const { available, fresh, name } of backends) {
    if (!available) continue
    const address = yield* fresh
    yield* Effect.provide(Effect.gen(function*() {
      for (const [scene, of] of Object.entries(SCENES)) {
        yield* fill(of, of.domains < RUNS ? of.domains / 2 : 0)
        process.stdout.write(`${name}, ${RUNS} waiting, ${scene}: ${shown(yield* measure)} (least / median / 95%)\n`)
      }
    }), queueOn(address))
  }
})

await Effect.runPromise(Effect.scoped(bench))
