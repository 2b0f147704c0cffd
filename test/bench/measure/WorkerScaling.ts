import { setTimeout as pause } from "node:timers/promises"
import { makePostgres, type PostgresCluster } from "../../harness/PostgresCluster.ts"
import { LIMITLESS, ServiceProcess } from "../../harness/ServiceProcess.ts"
import { serveSmallSites, smallSite } from "../../harness/SmallSites.ts"
import { cpuOf, mainProcessOf } from "./ProcessCpu.ts"

/** What `workers` worker processes on one PostgreSQL did with sites that are slow rather than large. */
export interface WorkerScaling {
  readonly workers: number
  readonly audits: number
  /** From the begin of the first audit to the end of the last. */
  readonly seconds: number
  /** CPU seconds of the workers with their audit processes, and of PostgreSQL. */
  readonly cpu: number
  readonly databaseCpu: number
}

const AT_ONCE = 4
/** One after the other in each place of a worker. */
const WAVES = 5
const ANSWER_MS = 1_000
/** So that every audit process has started and audited before it is measured. */
const WARM_UP_MS = 300

const isWarmUp = (host: string): boolean => host.includes("warm")

const submit = async (url: string, site: string): Promise<void> => {
  const response = await fetch(`${url}/audit?async=true`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ base_url: site })
  })
  if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

const COUNT =
  "SELECT COUNT(*) FILTER (WHERE status NOT IN ('done', 'error')), COUNT(*) FILTER (WHERE status = 'error') FROM runs"

const allDone = async (postgres: PostgresCluster): Promise<void> => {
  for (;;) {
    const [unfinished, failed] = (await postgres.execute(COUNT)).trim().split("|").map(Number)
    if (failed !== 0) throw new Error(`${failed} audits failed`)
    if (unfinished === 0) return
    await pause(250)
  }
}

/** Each worker gets as many audits as any number of workers, so that none is idle before the others. */
export const measureWorkers = async (program: string | undefined, workers: number): Promise<WorkerScaling> => {
  const audits = workers * AT_ONCE * WAVES
  const sites = await serveSmallSites({ delayMs: (host) => (isWarmUp(host) ? WARM_UP_MS : ANSWER_MS) })
  const postgres = await makePostgres()
  const env = {
    ...LIMITLESS,
    ...sites.env,
    DOCGAUGE_DATABASE_URL: postgres.url,
    DOCGAUGE_ARCHIVES: "off",
    DOCGAUGE_CONCURRENT_AUDITS: String(AT_ONCE)
  }
  const web = new ServiceProcess({ program, env: { ...env, DOCGAUGE_ROLE: "web" } })
  const crew = Array.from(
    { length: workers },
    () => new ServiceProcess({ program, env: { ...env, DOCGAUGE_ROLE: "worker" } })
  )
  try {
    const [url = ""] = await Promise.all([web, ...crew].map((service) => service.url))
    for (let index = 0; index < workers * AT_ONCE; index++) await submit(url, smallSite(`warm-${index}`))
    await allDone(postgres)
    const database = await mainProcessOf(postgres)
    const cpu = (): number => crew.reduce((sum, { child }) => sum + cpuOf(child.pid ?? 0), 0)
    const [before, databaseBefore] = [cpu(), cpuOf(database)]
    await Promise.all(Array.from({ length: audits }, (_, index) => submit(url, smallSite(index))))
    await allDone(postgres)
    const seconds = Number(
      await postgres.execute("SELECT (MAX(finished_at) - MIN(begun_at)) / 1e6 FROM runs WHERE url NOT LIKE '%warm%'")
    )
    return { workers, audits, seconds, cpu: cpu() - before, databaseCpu: cpuOf(database) - databaseBefore }
  } finally {
    await Promise.all([web, ...crew].map((service) => service.end()))
    await postgres.remove()
    await sites.close()
  }
}
