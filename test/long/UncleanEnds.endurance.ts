import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { TOO_MANY_ATTEMPTS } from "../../engine/schedule/Auditor.ts"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"
import { acceptedRun, type RunBody, runBody } from "../harness/Runs.ts"
import { LIMITLESS, ServiceProcess } from "../harness/ServiceProcess.ts"
import { serveSmallSites, smallSite, type SmallSites } from "../harness/SmallSites.ts"

/** Longer than an audit takes beside whatever else the machine does: audit processes have the lowest priority. */
const TAKEN_UP = { timeout: 300_000, interval: 200 }

let folder: string
let sites: SmallSites
let service: ServiceProcess
let isStuck = true

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-unclean-"))
  isStuck = true
  // A site that takes every request and answers none, as long as it is stuck.
  sites = await serveSmallSites({ instead: ({ headers: { host = "" } }) => isStuck && host.includes("small-stuck") })
  await start()
})

afterEach(async () => {
  await service.kill()
  await sites.close()
  rmSync(folder, { recursive: true })
})

/** With a short time of grace, because it is ended often. */
const start = async (): Promise<void> => {
  service = new ServiceProcess({
    program: PROGRAM,
    env: {
      ...LIMITLESS,
      ...sites.env,
      DOCGAUGE_DATABASE_URL: `file:${join(folder, "runs.db")}`,
      DOCGAUGE_ARCHIVES: join(folder, "archives"),
      DOCGAUGE_GRACE_SECONDS: "1"
    }
  })
  await service.url
}

const accepted = async (site: string): Promise<string> => acceptedRun(await service.url, smallSite(site))

const bodyOf = async (id: string): Promise<RunBody> => runBody(await service.url, id)

const statusOf = async (id: string): Promise<string> => (await bodyOf(id)).status

describe("a run whose process", () => {
  it("is killed is tried twice more, the last time alone in its process, and then ends in error; others go on", async () => {
    const id = await accepted("stuck")
    await expect.poll(() => statusOf(id), TAKEN_UP).toBe("running")
    const beside = await accepted("beside-it")
    await expect.poll(() => statusOf(beside), TAKEN_UP).toBe("done")
    const triedAgain = async (lost: number): Promise<void> => {
      await service.kill()
      await start()
      await expect
        .poll(
          () => service.lines.some((line) => line.includes(`attempt ${lost} of the audit did not complete`)),
          TAKEN_UP
        )
        .toBe(true)
      await expect.poll(() => statusOf(id), TAKEN_UP).toBe("running")
    }
    await triedAgain(1)
    const besideIt = await accepted("beside-the-second")
    await expect.poll(() => statusOf(besideIt), TAKEN_UP).toBe("done")
    await triedAgain(2)
    const waiting = await accepted("waits-for-the-third")
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(await statusOf(waiting)).toBe("pending")
    await service.kill()
    await start()
    await expect.poll(() => statusOf(id), TAKEN_UP).toBe("error")
    expect(JSON.stringify(await bodyOf(id))).toContain(TOO_MANY_ATTEMPTS.message)
    const after = await accepted("afterwards")
    await expect.poll(() => statusOf(after), TAKEN_UP).toBe("done")
  }, 900_000)

  it("ends as it should is taken up at once, however often that happens, and has not been attempted", async () => {
    const id = await accepted("stuck")
    for (let round = 1; round <= 4; round += 1) {
      await expect.poll(() => statusOf(id), TAKEN_UP).toBe("running")
      expect((await service.end()).code).toBe(0)
      if (round === 4) isStuck = false
      await start()
    }
    await expect.poll(() => statusOf(id), TAKEN_UP).toBe("done")
  }, 900_000)
})
