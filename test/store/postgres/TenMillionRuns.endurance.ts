import { describe, expect, it } from "vitest"
import { readThroughService, seedRuns } from "../../bench/measure/ServiceReads.ts"
import { hasPostgres, makePostgres, type PostgresCluster } from "../../harness/PostgresCluster.ts"

const [SEEDED, TIMES] = [1_000_000, 10]
const RUNS = SEEDED * TIMES

const [READ_MS, START_MS] = [25, 2_000]

/** Reports are small: their rows and indexes are what reads go through. */
const REPORT_BYTES = 64

/** What an operator gives a database of this size, and nothing that has to survive the power. */
const SETTINGS = { shared_buffers: "4GB", max_wal_size: "16GB", maintenance_work_mem: "1GB", work_mem: "32MB", fsync: "off", synchronous_commit: "off", full_page_writes: "off" }

describe.skipIf(!hasPostgres)(`PostgreSQL with ${RUNS.toLocaleString("en-US")} runs of ${(RUNS / 10).toLocaleString("en-US")} sites`, () => {
  it("answers every read through HTTP within 25 ms (p99), and lets the service start within two seconds", async () => {
    const cluster = await makePostgres(SETTINGS)
    try {
      await seedRuns(cluster.url, SEEDED, REPORT_BYTES)
      await multiply(cluster)
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
})

/** Ten of each seeded site, each with all its runs: SQL makes them in a fraction of the time that the seed of the benches takes. */
const multiply = async ({ execute }: PostgresCluster): Promise<void> => {
  const sites = Number(await execute("SELECT max(serial) FROM sites"))
  for (let copy = 1; copy < TIMES; copy++) {
    const [site, run] = [`serial + ${copy * sites}`, `serial + ${copy * SEEDED}`]
    await execute(`
      INSERT INTO sites (serial, key, site, domain, last_started_at)
      SELECT ${site}, ${keyOf(`site || '-${copy}'`)}, site || '-${copy}', domain, last_started_at FROM sites WHERE serial <= ${sites};
      INSERT INTO runs SELECT (jsonb_populate_record(runs, jsonb_build_object(
        'serial', ${run}, 'site', site + ${copy * sites}, 'id', substr(id::text, 1, 24) || substr(md5(id::text || '${copy}'), 1, 12),
        'url', url || '-${copy}', 'target', md5(target || '${copy}')))).* FROM runs WHERE serial <= ${SEEDED};
      INSERT INTO reports SELECT run + ${copy * SEEDED}, content, duration_ms, requests, bytes FROM reports WHERE run <= ${SEEDED};
      INSERT INTO site_figures SELECT (jsonb_populate_record(site_figures, jsonb_build_object(
        'site', site + ${copy * sites}, 'url', url || '-${copy}', 'search_text', search_text || '-${copy}'))).* FROM site_figures WHERE site <= ${sites};`)
  }
  await execute(`
    UPDATE corpus SET sites = sites * ${TIMES}, runs = runs * ${TIMES};
    UPDATE score_counts SET sites = sites * ${TIMES};
    UPDATE tlds SET sites = sites * ${TIMES};
    UPDATE organisations SET sites = sites * ${TIMES};
    UPDATE outcome_counts SET sites = sites * ${TIMES}, points = points * ${TIMES}, max_points = max_points * ${TIMES};
    SELECT setval(pg_get_serial_sequence(name, 'serial'), ${RUNS}) FROM unnest(ARRAY['sites', 'runs']) name;`)
  await execute("VACUUM ANALYZE")
}

/** As `digestKey` of a site's name. */
const keyOf = (site: string): string => `rtrim(translate(encode(sha256(convert_to(${site}, 'UTF8')), 'base64'), '+/', '-_'), '=')`
