import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { expect, vi } from "vitest"
import { makePostgres, type PostgresCluster } from "../../harness/PostgresCluster.ts"
import { PROGRAM } from "../../harness/program/BuiltProgram.ts"
import { LIMITLESS, ServiceProcess } from "../../harness/ServiceProcess.ts"
import { serveSmallSites, smallSite } from "../../harness/SmallSites.ts"

/** Two at once, and quick answers: an audit ends before its claim does, unless the machine is very slow. */
const [AT_ONCE, RUNS, ANSWER_MS] = [2, 16, 20]

/** What every audit asks for first, and no audit again. */
const FIRST = "/robots.txt"

const submit = async (url: string, index: number): Promise<void> => {
  const response = await fetch(`${url}/audit?async=true`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ base_url: smallSite(index) })
  })
  expect(response.status).toBe(202)
  await response.arrayBuffer()
}

const runsThat = async (postgres: PostgresCluster, condition: string): Promise<number> =>
  Number(await postgres.execute(`SELECT COUNT(*) FROM runs WHERE ${condition}`))

/** Audits that were ended because they took longer than their claims lasted: each of these may be repeated. */
const claimsLost = ({ lines }: ServiceProcess): number => lines.filter((line) => line.includes("ClaimLost")).length

/**
 * Takes the database away while audits run that end without it, and gives it back `awayMs` milliseconds later: all runs end, and no site
 * is audited twice. It may run beside other tests of its file, where vitest's `expect.poll` does not know its test.
 */
export const expectNoAuditRepeated = async (awayMs: number): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-away-"))
  const audits = new Map<string, number>()
  const away = Promise.withResolvers<void>()
  const sites = await serveSmallSites({
    delayMs: ANSWER_MS,
    gate: away.promise,
    seen: ({ headers: { host = "" }, url }) => {
      if (url === FIRST) audits.set(host, (audits.get(host) ?? 0) + 1)
    }
  })
  const postgres = await makePostgres()
  const service = new ServiceProcess({
    program: PROGRAM,
    env: {
      ...LIMITLESS,
      ...sites.env,
      DOCGAUGE_DATABASE_URL: postgres.url,
      DOCGAUGE_ARCHIVES: join(folder, "archives"),
      DOCGAUGE_CONCURRENT_AUDITS: String(AT_ONCE)
    }
  })
  try {
    const url = await service.url
    for (let index = 0; index < RUNS; index++) await submit(url, index)
    // In the middle of the audits, not while they begin.
    await vi.waitFor(() => expect(audits.size).toBe(AT_ONCE), { timeout: 300_000, interval: 20 })
    await postgres.stop("immediate")
    away.resolve()
    await pause(awayMs)
    await postgres.start()
    await vi.waitFor(async () => expect(await runsThat(postgres, "status = 'done'")).toBe(RUNS), {
      timeout: 300_000,
      interval: 500
    })
    expect(audits.size).toBe(RUNS)
    const repeated = [...audits.values()].reduce((sum, times) => sum + times - 1, 0)
    expect(repeated).toBeLessThanOrEqual(claimsLost(service))
    expect((await service.end()).code).toBe(0)
  } finally {
    await service.kill()
    await postgres.remove()
    await sites.close()
    rmSync(folder, { recursive: true })
  }
}
