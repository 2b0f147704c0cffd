/**
 * `node test/bench/database/auditCost.ts [PROGRAM]`: what an audit costs in a service on PostgreSQL, which audits the sites of the corpus one after
 * the other: once to warm up, then three times. Prints the CPU seconds of the service with its audit processes, for each site and as the
 * median over all, and what PostgreSQL does for an audit: statements, write-ahead log and CPU, without what it does while nothing is
 * audited. A program is the first file of a build (`dist/lib/main.js`); the sources unless given. Linux only (/proc); needs the corpus and
 * a PostgreSQL with pg_stat_statements.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { serveCorpus } from "../../corpus/CorpusServer.ts"
import { corpusSites } from "../../corpus/CorpusSites.ts"
import { makePostgres, type PostgresCluster } from "../../harness/PostgresCluster.ts"
import { LIMITLESS, ServiceProcess } from "../../harness/ServiceProcess.ts"
import { cpuOf, mainProcessOf } from "../measure/ProcessCpu.ts"
import { median } from "../measure/Spread.ts"

const ROUNDS = 3
const IDLE_MS = 20_000

/** What a cluster has done since its start. */
interface DatabaseWork {
  readonly statements: number
  readonly walBytes: number
  readonly cpu: number
  readonly seconds: number
}

const workOf = async (postgres: PostgresCluster, pid: number): Promise<DatabaseWork> => {
  const counted = await postgres.execute(
    "SELECT (SELECT sum(calls) FROM pg_stat_statements WHERE query !~ 'pg_stat_statements'), pg_current_wal_insert_lsn() - '0/0'"
  )
  const [statements = 0, walBytes = 0] = counted.trim().split("|").map(Number)
  return { statements, walBytes, cpu: cpuOf(pid), seconds: performance.now() / 1_000 }
}

const between = (from: DatabaseWork, to: DatabaseWork): DatabaseWork => ({
  statements: to.statements - from.statements,
  walBytes: to.walBytes - from.walBytes,
  cpu: to.cpu - from.cpu,
  seconds: to.seconds - from.seconds
})

const audit = async (url: string, site: string): Promise<boolean> => {
  const response = await fetch(`${url}/audit`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ base_url: site })
  })
  await response.arrayBuffer()
  return response.status === 200
}

const folder = mkdtempSync(join(tmpdir(), "docgauge-cost-"))
const corpus = await serveCorpus()
writeFileSync(join(folder, "ca.pem"), corpus.authority)
// No checkpoint comes in between, after which whole pages would be logged again.
const postgres = await makePostgres({
  shared_preload_libraries: "pg_stat_statements",
  checkpoint_timeout: "1h",
  max_wal_size: "4GB"
})
await postgres.execute("CREATE EXTENSION pg_stat_statements")
const service = new ServiceProcess({
  program: process.argv[2],
  env: {
    ...LIMITLESS,
    NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
    DOCGAUGE_RESOLVE: `*:443:127.0.0.1:${corpus.port}`,
    DOCGAUGE_DATABASE_URL: postgres.url,
    DOCGAUGE_ARCHIVES: join(folder, "archives"),
    DOCGAUGE_CONCURRENT_AUDITS: "1",
    DOCGAUGE_TARGET_WINDOW: "off",
    // As in production, where it is on: settling is a part of a run's work.
    DOCGAUGE_HOST_BUDGET: "1000000/1h"
  }
})
try {
  const url = await service.url
  const pid = service.child.pid ?? 0
  const database = await mainProcessOf(postgres)
  // What is refused has no report, and is no audit to measure.
  const sites: Array<{ readonly site: string; readonly url: string }> = []
  for (const each of corpusSites()) if (await audit(url, each.url)) sites.push(each)
  const cpu = new Map(sites.map(({ site }) => [site, new Array<number>()]))
  await pause(5_000)
  const idleFrom = await workOf(postgres, database)
  await pause(IDLE_MS)
  const idle = between(idleFrom, await workOf(postgres, database))
  const from = await workOf(postgres, database)
  for (let round = 0; round < ROUNDS; round++) {
    for (const each of sites) {
      const before = cpuOf(pid)
      if (!(await audit(url, each.url))) throw new Error(`${each.site} was not audited`)
      cpu.get(each.site)?.push(cpuOf(pid) - before)
    }
  }
  const done = between(from, await workOf(postgres, database))
  const audits = ROUNDS * sites.length
  const each = (what: "statements" | "walBytes" | "cpu"): number =>
    (done[what] - (idle[what] / idle.seconds) * done.seconds) / audits
  for (const [site, values] of cpu) console.log(`${site}: ${median(values).toFixed(2)} s`)
  console.log(
    `CPU of the service for an audit, median over ${sites.length} sites: ${median([...cpu.values()].map(median)).toFixed(2)} s`
  )
  console.log(
    `PostgreSQL for an audit: ${each("statements").toFixed(1)} statements, ${(each("walBytes") / 1_000).toFixed(1)} kB of write-ahead log, ${(1_000 * each("cpu")).toFixed(0)} ms of CPU`
  )
  console.log(
    `while nothing is audited: ${(idle.statements / idle.seconds).toFixed(1)} statements a second; load of the machine ${loadavg()[0]?.toFixed(1)}`
  )
} finally {
  await service.kill()
  await postgres.remove()
  await corpus.stop()
  rmSync(folder, { recursive: true })
}
