import { execFile } from "node:child_process"
import { globSync, mkdtempSync, rmSync } from "node:fs"
import { copyFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { keepArchivedRun } from "../server/fixes/ArchivedRun.ts"
import { reportOf } from "../server/ScriptedAuditor.ts"
import { startService, type TestService } from "../server/TestService.ts"
import { hostileArchives } from "./archives.ts"
import { delayed, HealthProbe, unhealthy } from "./HealthProbe.ts"
import { expectPlan, planAt } from "./HostilePlan.ts"

/*
 * Plans and files made from archives that are hostile themselves: each ends within its limit, says what to do where there is none, and
 * delays no other request. AuditsEnd.ts asks for those of hostile sites.
 */

/** This process reads the archives for the service, too. */
const MOST_GROWTH = 250 * 1024 * 1024

const expectHealthy = async (probe: HealthProbe): Promise<void> => {
  const answers = await probe.stop()
  const longest = Math.max(...answers.map(({ milliseconds }) => milliseconds))
  console.log(`/healthz: ${answers.length} answers, longest ${longest.toFixed(0)} ms`)
  expect(unhealthy(answers)).toEqual([])
  expect(delayed(answers)).toEqual([])
}

/** The service runs in the thread of this test. */
const ownThread = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (user + system) / 1_000
}

describe("the fixes of a run whose archive is hostile", () => {
  const archives = mkdtempSync(join(tmpdir(), "docgauge-hostile-fixes-"))
  const made = mkdtempSync(join(tmpdir(), "docgauge-hostile-archives-"))
  let service: TestService
  let probe: HealthProbe
  let before = 0

  beforeAll(async () => {
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, "WriteArchives.ts"), made])
    service = await startService({ env: { DOCGAUGE_ARCHIVES: `${archives},keep=100`, DOCGAUGE_FIX_RATE: "off" } })
    probe = new HealthProbe(service.url, { clock: ownThread })
    before = process.memoryUsage.rss()
  })

  afterAll(async () => {
    await service.stop()
    for (const folder of [archives, made]) rmSync(folder, { recursive: true })
  })

  it.each(Object.keys(hostileArchives))("end within their limit, or say what to do: %s", async (name) => {
    const report = reportOf(`https://${name}.hostile-archive.com`)
    const id = await keepArchivedRun(service, { report, archive: new Uint8Array(1) })
    // In the place of its file, because the store takes none of more than 10 MB.
    const [path = ""] = globSync(`*/archives/*/${id}-*`, { cwd: archives })
    await copyFile(join(made, name), join(archives, path))
    expectPlan(name, await planAt(service.url, id))
  })

  it("leave the service fast and small", async () => {
    await expectHealthy(probe)
    expect(process.memoryUsage.rss() - before).toBeLessThan(MOST_GROWTH)
  })
})
