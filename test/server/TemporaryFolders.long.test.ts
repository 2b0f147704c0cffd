import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"
import { LIMITLESS, ServiceProcess } from "../harness/ServiceProcess.ts"
import { serveSmallSites, smallSite } from "../harness/SmallSites.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-temporary-"))
// Slow enough that an audit is under way when its service ends.
const sites = await serveSmallSites({ delayMs: 5_000 })
afterAll(async () => {
  await sites.close()
  rmSync(folder, { recursive: true })
})

const started = (): ServiceProcess =>
  new ServiceProcess({
    program: PROGRAM,
    env: { ...LIMITLESS, ...sites.env, DOCGAUGE_DATABASE_URL: "memory:", DOCGAUGE_ARCHIVES: "off", TMPDIR: folder }
  })

const auditFolders = (): ReadonlyArray<string> =>
  readdirSync(folder).filter((name) => name.startsWith("docgauge-audit-"))

/** A service in the middle of an audit, and the folder of that. */
const auditing = async (): Promise<{ readonly service: ServiceProcess; readonly own: string }> => {
  const before = auditFolders()
  const service = started()
  // It may wait for the report.
  void fetch(`${await service.url}/audit`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ base_url: smallSite("temporary") })
  }).catch(() => null)
  const added = () => auditFolders().filter((name) => !before.includes(name))
  await expect.poll(added).toHaveLength(1)
  return { service, own: added()[0] ?? "" }
}

it("a service that is stopped in the middle of an audit leaves no temporary folder", async () => {
  const { service } = await auditing()
  expect((await service.end()).code).toBe(0)
  expect(auditFolders()).toEqual([])
})

it("a service that starts removes the temporary folders of one that was killed, and none of one that runs", async () => {
  const killed = await auditing()
  await killed.service.kill()
  expect(auditFolders()).toEqual([killed.own])
  mkdirSync(join(folder, "docgauge-audit-of-another-program"))
  const running = await auditing()
  const next = started()
  await next.url
  expect(auditFolders().toSorted()).toEqual(["docgauge-audit-of-another-program", running.own].toSorted())
  await Promise.all([next.end(), running.service.end()])
})
