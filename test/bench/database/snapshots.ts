/**
 * `node test/bench/database/snapshots.ts [SITES] [sqlite|postgres]`: what the weekly snapshot of that many made-up sites costs (10,000 unless given):
 * time, memory of a process that does nothing else, and bytes.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { type Database, databaseOf, layerDatabase } from "../../../engine/store/Database.ts"
import { Transactions } from "../../../engine/store/database/SqlDatabase.ts"
import { SNAPSHOT_FORMATS, Snapshots } from "../../../engine/store/snapshots/Snapshots.ts"
import { layerSql } from "../../../engine/store/snapshots/SqlSnapshots.ts"
import { table } from "../measure/Table.ts"
import { seed } from "../seed.ts"

const SERVER = "postgres://postgres@127.0.0.1:5432/test"
const NAME = "docgauge_bench_snapshots"

const [given = "10000", only] = process.argv.slice(2)

const addressOf = (url: string): Database => {
  const database = databaseOf(url)
  if (database === null || database._tag === "Memory") throw new Error(`no database: ${url}`)
  return database
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** Makes the snapshot, and prints what it took as a row of the table. */
const measured = Effect.gen(function* () {
  const { make, newest } = yield* Snapshots
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  const watching = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 5)
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  yield* make(Effect.succeed(new Map()))
  const [took, used] = [performance.now() - start, process.cpuUsage(cpu)]
  clearInterval(watching)
  const files = yield* Effect.forEach(SNAPSHOT_FORMATS, newest)
  console.log(
    JSON.stringify([
      `${(took / 1_000).toFixed(1)} s`,
      `${((used.user + used.system) / 1e6).toFixed(1)} s`,
      megabytes(peak - before),
      ...files.map((file) => `${megabytes(file?.bytes ?? 0)}, ${megabytes(file?.gzipBytes ?? 0)}`)
    ])
  )
})

const filled = (sites: number) => seed({ runs: sites * 2, sites, days: 90, reportBytes: 200 }, Date.now() * 1_000)

const onServer = (statement: string) =>
  Effect.provide(
    Effect.flatMap(SqlClient, (sql) => sql.unsafe(statement)),
    PgClient.layer({ url: Redacted.make(SERVER), maxConnections: 1 })
  )

const layerAt = (url: string) =>
  layerSql.pipe(
    Layer.provide(Transactions.layerSql),
    Layer.provideMerge(layerDatabase(addressOf(url))),
    Layer.provide(SecureRandom.layerWebCrypto)
  )

const inChild = async (url: string): Promise<ReadonlyArray<string>> => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", import.meta.filename, "make", url])
  return JSON.parse(stdout) as ReadonlyArray<string>
}

const rowOf = Effect.fnUntraced(function* (name: string, url: string, sites: number) {
  yield* Effect.provide(filled(sites), layerAt(url))
  return [name, ...(yield* Effect.promise(() => inChild(url)))]
})

const main = Effect.gen(function* () {
  const sites = Number(given)
  const rows: Array<ReadonlyArray<string>> = []
  if (only !== "postgres") {
    const folder = mkdtempSync(join(tmpdir(), "docgauge-snapshots-"))
    rows.push(yield* rowOf("SQLite", `file:${join(folder, "runs.db")}`, sites))
    rmSync(folder, { recursive: true })
  }
  if (only !== "sqlite") {
    yield* Effect.ignore(onServer(`DROP DATABASE IF EXISTS ${NAME}`))
    yield* onServer(`CREATE DATABASE ${NAME}`)
    rows.push(yield* rowOf("PostgreSQL", new URL(`/${NAME}`, SERVER).href, sites))
    yield* onServer(`DROP DATABASE ${NAME} WITH (FORCE)`)
  }
  console.log(
    table([`${sites} sites`, "time", "CPU", "memory more than idle", "NDJSON, as gzip", "CSV, as gzip"], rows)
  )
})

await (given === "make" ? Effect.runPromise(Effect.provide(measured, layerAt(only ?? ""))) : Effect.runPromise(main))
