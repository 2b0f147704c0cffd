import { execFileSync } from "node:child_process"
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isAvailable } from "../harness/Availability.ts"
import { serveSmallSites, type SmallSites } from "../harness/SmallSites.ts"
import { isBroken, probing } from "./Probe.ts"
import { expectWhole, Siege } from "./Siege.ts"

const MB = 1024 * 1024

const DISK = "24m"

const folder = mkdtempSync(join(tmpdir(), "docgauge-disk-"))
const disk = join(folder, "disk")

/** A small disk of the test's own; false where this process may not mount one. */
const isMounted = ((): boolean => {
  mkdirSync(disk)
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", disk], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

let sites: SmallSites

beforeAll(async () => {
  sites = await serveSmallSites({ delayMs: 50 })
})

afterAll(async () => {
  await sites.close()
  if (isMounted) execFileSync("umount", ["--lazy", disk])
  rmSync(folder, { recursive: true })
})

const filler = join(disk, "filler")

/** Takes every byte that is left. */
const fill = (): void => {
  const file = openSync(filler, "a")
  try {
    for (const size of [MB, 4_096, 1]) {
      for (;;) {
        try {
          writeSync(file, Buffer.alloc(size, "x"))
        } catch {
          break
        }
      }
    }
  } finally {
    closeSync(file)
  }
}

// Without the right to mount, test/chaos/Outages.endurance.ts has a full database all the same.
describe.skipIf(!isAvailable("the right to mount a disk", isMounted, false))("a service whose disk is full", () => {
  it("answers 503 until there is room again, goes on reading, and loses no run", async () => {
    const database = `file:${join(disk, "runs.db")}`
    const siege = await Siege.lay({
      services: [{ database, env: { ...sites.env, DOCGAUGE_ARCHIVES: join(disk, "archives") } }],
      seed: 3,
      clients: 4,
      sites: 60
    })
    try {
      await pause(3_000)
      const url = await siege.service().url
      // What the service frees, by retention or by emptying its write-ahead log, is taken again.
      const filling = setInterval(fill, 200)
      const answers = await probing(
        url,
        "full",
        pause(10_000).finally(() => {
          clearInterval(filling)
        })
      )
      expect(answers.filter(isBroken)).toEqual([])
      expect(answers.some(({ status, what }) => what === "submit" && status === 503)).toBe(true)
      expect(answers.filter(({ what }) => what === "read").every(({ status }) => status === 200)).toBe(true)
      rmSync(filler)
      const submit = async (): Promise<number | undefined> =>
        (await probing(url, "room", pause(1))).find(({ what }) => what === "submit")?.status
      await expect.poll(submit, { timeout: 60_000, interval: 500 }).toBe(202)
      await siege.settle()
      await expectWhole(database, siege.crowd, { done: 1 })
    } finally {
      await siege.raise()
    }
  })
})
