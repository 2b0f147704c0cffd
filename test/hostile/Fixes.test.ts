import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { longestFix, LONGEST_START_MS } from "../../engine/process/ProcessLimits.ts"
import { OWN_RUBRIC } from "../../server/config/RubricLoading.ts"
import { keepArchivedRun } from "../server/fixes/ArchivedRun.ts"
import { reportOf } from "../server/ScriptedAuditor.ts"
import { startService, type TestService } from "../server/TestService.ts"
import { hostileArchives } from "./archives.ts"
import { type Control, startControl } from "./Control.ts"
import { HealthProbe, unhealthy } from "./HealthProbe.ts"
import { type HostileService, serveHostileSites, type SiteServer, startHostileService } from "./HostileService.ts"
import { worstFamilies } from "./sites/index.ts"

/*
 * Plans and files made from the archives of hostile sites, and from archives that are hostile themselves: each ends within its limit, says
 * what to do where there is none, and delays no other request.
 */

/** On a busy machine the process takes a while to start. */
const LONGEST_MS = longestFix({ rubric: { ...OWN_RUBRIC, digest: "" }, isSlow: false }) + LONGEST_START_MS

const HEALTH_MS = 2_000

/** This process reads the archives for the service, too. */
const MOST_GROWTH = 250 * 1024 * 1024

interface Answered {
  readonly status: number
  readonly text: string
  readonly milliseconds: number
}

const planAt = async (url: string): Promise<Answered> => {
  const began = performance.now()
  for (;;) {
    const answer = await fetch(url, { headers: { accept: "application/json" } })
    const text = await answer.text()
    // Waiting for those before it is no part of its time.
    if (answer.status !== 503) return { status: answer.status, text, milliseconds: performance.now() - began }
    await pause(500)
  }
}

const expectAnswer = (name: string, { milliseconds, status, text }: Answered): void => {
  console.log(
    `${name.padEnd(28)} ${status} ${(milliseconds / 1_000).toFixed(1).padStart(5)} s  ${status === 200 ? `${Math.round(text.length / 1_000)} kB` : text.slice(0, 160)}`
  )
  expect([200, 422]).toContain(status)
  if (status === 422)
    expect(JSON.parse(text)).toEqual({
      error: expect.stringMatching(
        / Run npx docgauge fix \S+ on your own machine: it makes them from the site as it is now\.$/
      )
    })
  expect(text.slice(0, 2_000)).not.toMatch(/node_modules|\bat \S+ \(|\.ts:\d/)
  expect(milliseconds).toBeLessThan(LONGEST_MS)
}

const expectHealthy = async (probe: HealthProbe, control: HealthProbe): Promise<void> => {
  const [answers] = await Promise.all([probe.stop(), control.stop()])
  const longest = Math.max(...answers.map(({ milliseconds }) => milliseconds))
  console.log(
    `/healthz: ${answers.length} answers, longest ${longest.toFixed(0)} ms; of a process that does nothing ${control.longestMs.toFixed(0)} ms`
  )
  expect(unhealthy(answers, control)).toEqual([])
  expect(longest).toBeLessThan(HEALTH_MS + control.longestMs)
}

describe("the fixes of a run whose archive is hostile", () => {
  const archives = mkdtempSync(join(tmpdir(), "docgauge-hostile-fixes-"))
  const made = mkdtempSync(join(tmpdir(), "docgauge-hostile-archives-"))
  let service: TestService
  let control: Control
  let probes: readonly [HealthProbe, HealthProbe]
  let before = 0

  beforeAll(async () => {
    await promisify(execFile)(process.execPath, [join(import.meta.dirname, "WriteArchives.ts"), made])
    service = await startService({ env: { DOCGAUGE_ARCHIVES: archives, DOCGAUGE_FIX_RATE: "off" } })
    control = await startControl()
    probes = [new HealthProbe(service.url), new HealthProbe(control.url)]
    before = process.memoryUsage.rss()
  })

  afterAll(async () => {
    await service.stop()
    control.child.kill()
    for (const folder of [archives, made]) rmSync(folder, { recursive: true })
  })

  it.each(Object.keys(hostileArchives))("end within their limit, or say what to do: %s", async (name) => {
    const id = await keepArchivedRun(service, archives, {
      report: reportOf(`https://${name}.hostile-archive.com`),
      archive: await readFile(join(made, name))
    })
    expectAnswer(name, await planAt(`${service.url}/r/${id}/fix.json`))
  })

  it("leave the service fast and small", async () => {
    await expectHealthy(...probes)
    expect(process.memoryUsage.rss() - before).toBeLessThan(MOST_GROWTH)
  })
})

describe("the fixes of a hostile site", () => {
  const { addresses: _, transport: __, ...families } = worstFamilies
  const names = Object.values(families).flatMap((sites) => Object.keys(sites))
  let server: SiteServer
  let hostile: HostileService
  let control: Control
  let probes: readonly [HealthProbe, HealthProbe]
  const runs = new Map<string, string>()

  beforeAll(async () => {
    server = await serveHostileSites()
    hostile = await startHostileService(server, 2, { DOCGAUGE_FIX_RATE: "off" })
    control = await startControl()
    probes = [new HealthProbe(hostile.url), new HealthProbe(control.url)]
    for (const name of names) runs.set(name, await hostile.submit(name))
  }, 600_000)

  afterAll(async () => {
    control.child.kill()
    await hostile.remove()
    server.child.kill()
  })

  it.each(names)("end within their limit, or say what to do: %s", async (name) => {
    const id = runs.get(name) ?? ""
    let status = await hostile.statusOf(id)
    for (; status !== "done" && status !== "error"; status = await hostile.statusOf(id)) await pause(200)
    expect(["done", "error"]).toContain(status)
    if (status === "done") expectAnswer(name, await planAt(`${hostile.url}/r/${id}/fix.json`))
  })

  it("leave the service fast", () => expectHealthy(...probes))
})
