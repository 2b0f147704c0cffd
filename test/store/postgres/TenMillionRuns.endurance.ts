import { describe, expect, it } from "vitest"
import { readThroughService, seedRuns } from "../../bench/measure/ServiceReads.ts"
import { hasPostgres, makePostgres } from "../../harness/PostgresCluster.ts"
import { multiplyRuns } from "./MultipliedRuns.ts"

const [SEEDED, TIMES] = [1_000_000, 10]
const RUNS = SEEDED * TIMES

const [READ_MS, START_MS] = [25, 2_000]

/** Reports are small: their rows and indexes are what reads go through. */
const REPORT_BYTES = 64

/** What an operator gives a database of this size, and nothing that has to survive the power. */
const SETTINGS = {
  shared_buffers: "4GB",
  max_wal_size: "16GB",
  maintenance_work_mem: "1GB",
  work_mem: "32MB",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off"
}

describe.skipIf(!hasPostgres)(
  `PostgreSQL with ${RUNS.toLocaleString("en-US")} runs of ${(RUNS / 10).toLocaleString("en-US")} sites`,
  () => {
    it("answers every read through HTTP within 25 ms (p99), and lets the service start within two seconds", async () => {
      const cluster = await makePostgres(SETTINGS)
      try {
        await seedRuns(cluster.url, SEEDED, REPORT_BYTES)
        await multiplyRuns(cluster, TIMES)
        const { p99, startMs } = await readThroughService(cluster.url, RUNS)
        const size = await cluster.execute("SELECT pg_size_pretty(pg_database_size(current_database()))")
        console.log(`${RUNS} runs, ${size.trim()}; start ${startMs.toFixed(0)} ms`)
        console.table(Object.fromEntries([...p99].map(([name, ms]) => [name, { "p99, ms": ms.toFixed(2) }])))
        expect([...p99].filter(([, ms]) => ms > READ_MS)).toEqual([])
        expect(startMs).toBeLessThanOrEqual(START_MS)
      } finally {
        await cluster.remove()
      }
    })
  }
)
