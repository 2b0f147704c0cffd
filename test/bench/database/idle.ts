/*
 * What an idle worker process asks of a PostgreSQL of its own, which has `pg_stat_statements`: statements a second, those that it executes
 * most often, and connections. Then the same of a worker and a web process together.
 *
 * `node test/bench/database/idle.ts`
 */
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { makePostgres } from "../../harness/PostgresCluster.ts"
import { LIMITLESS, ServiceProcess } from "../../harness/ServiceProcess.ts"

/** How long processes are looked at, and how long after their start, in milliseconds. */
const [IDLE_MS, SETTLED_MS] = [30_000, 15_000]

const COUNT = "SELECT SUM(calls) FROM pg_stat_statements"
const CONNECTIONS =
  "SELECT COUNT(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
const MOST_CALLED =
  "SELECT calls, left(regexp_replace(query, '\\s+', ' ', 'g'), 100) FROM pg_stat_statements ORDER BY calls DESC LIMIT 10"

const postgres = await makePostgres({ shared_preload_libraries: "pg_stat_statements" })
const started: Array<ServiceProcess> = []
try {
  await postgres.execute("CREATE EXTENSION pg_stat_statements")
  for (const role of ["worker", "web"]) {
    const service = new ServiceProcess({
      env: {
        ...LIMITLESS,
        DOCGAUGE_DATABASE_URL: postgres.url,
        DOCGAUGE_ARCHIVES: "off",
        DOCGAUGE_ROLE: role
      }
    })
    started.push(service)
    await service.url
    await pause(SETTLED_MS)
    await postgres.execute("SELECT pg_stat_statements_reset()")
    const startedAt = performance.now()
    await pause(IDLE_MS)
    const [count, seconds] = [Number(await postgres.execute(COUNT)), (performance.now() - startedAt) / 1_000]
    const connections = (await postgres.execute(CONNECTIONS)).trim()
    process.stdout.write(
      `${started.length === 1 ? "a worker" : "and a web process"}: ${(count / seconds).toFixed(1)} statements a second, ${connections} connections\n${await postgres.execute(MOST_CALLED)}`
    )
  }
} finally {
  for (const each of started) await each.end()
  await postgres.remove()
}
