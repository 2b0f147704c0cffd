import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hasPostgres, makePostgres } from "../harness/PostgresCluster.ts"
import { smallSite } from "../harness/SmallSites.ts"
import { auditProcessesOf } from "./Faults.ts"
import { Siege } from "./Siege.ts"
import { overlapsOf, serveWatchedSites, type WatchedSites } from "./roles/WatchedSites.ts"

/** An audit of such a site takes longer than a claim lasts. */
const SLOW_MS = 2_500

let folder: string
let sites: WatchedSites

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-stopped-"))
  sites = await serveWatchedSites({ delayMs: SLOW_MS })
})

afterAll(async () => {
  await sites.close()
  rmSync(folder, { recursive: true })
})

/** Which processes of a service are stopped, by how the machine may do it. */
const STOPS: ReadonlyArray<readonly [string, (siege: Siege, index: number) => ReadonlyArray<number>]> = [
  ["but not its audit processes", () => []],
  ["with its audit processes", auditProcessesOf]
]

describe.skipIf(!hasPostgres)("a process that is stopped during an audit", () => {
  it.each(STOPS)(
    "%s sends nothing to the site any more once another process has taken the audit over",
    async (name, others) => {
      const postgres = await makePostgres()
      try {
        const siege = await Siege.lay({
          services: [0, 1].map((index) => ({
            database: postgres.url,
            env: { DOCGAUGE_ARCHIVES: join(folder, `${name}-${index}`) },
            each: sites.env
          })),
          seed: 1,
          clients: 0,
          sites: 1
        })
        try {
          const site = smallSite(name.length)
          const host = new URL(site).host
          const doors = (): ReadonlySet<number> => new Set(sites.requestsTo(host).map(({ door }) => door))
          await fetch(`${siege.address(0)}/audit?async=true`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ base_url: site })
          })
          await expect.poll(() => sites.requestsTo(host).length, { timeout: 60_000 }).toBeGreaterThan(2)
          const index = [0, 1].find((service) => auditProcessesOf(siege, service).length > 0) ?? 0
          const stopped = [siege.service(index).child.pid ?? 0, ...others(siege, index)]
          for (const pid of stopped) process.kill(pid, "SIGSTOP")
          await expect.poll(() => doors().size, { timeout: 60_000 }).toBe(2)
          await pause(2 * SLOW_MS)
          for (const pid of stopped.toReversed()) process.kill(pid, "SIGCONT")
          await pause(2 * SLOW_MS)
          expect(overlapsOf(sites.requestsTo(host))).toEqual([])
        } finally {
          await siege.raise()
        }
      } finally {
        await postgres.remove()
      }
    }
  )
})
