import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { HEARTBEAT_SECONDS } from "../../engine/schedule/queue/JobEngine.ts"
import { hasPostgres, makePostgres, type PostgresCluster } from "../harness/PostgresCluster.ts"
import { serveSmallSites, type SmallSites } from "../harness/SmallSites.ts"
import { expectWhole, Siege } from "./Siege.ts"
import { makeTcpProxy, type TcpProxy } from "./TcpProxy.ts"

/** Longer than a claim lasts, so that the other process takes over what the partitioned one is at. */
const AWAY_MS = HEARTBEAT_SECONDS * 1_000 + 9_000

let folder: string
/** What each of the two processes sees of the same sites: an audit takes long enough for several to be under way at any moment. */
let healthy: SmallSites
let partitioned: SmallSites
let isGone = false

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-partition-"))
  healthy = await serveSmallSites({ delayMs: 800 })
  partitioned = await serveSmallSites({
    delayMs: 400,
    instead: (request) => {
      if (isGone) request.socket.destroy()
      return isGone
    }
  })
})

afterAll(async () => {
  await healthy.close()
  await partitioned.close()
  rmSync(folder, { recursive: true })
})

/** How the line between one of two processes and their database breaks. */
const BREAKS: ReadonlyArray<readonly [string, (proxy: TcpProxy) => void]> = [
  [
    "is cut",
    (proxy) => {
      proxy.cut()
    }
  ],
  // What it wrote meanwhile arrives once the line is whole again.
  [
    "stalls",
    (proxy) => {
      proxy.stall()
    }
  ]
]

describe.skipIf(!hasPostgres)("of two services on one database", () => {
  it.each(BREAKS)(
    "one whose line to it %s for longer than a claim lasts, and that finds no site any more, overwrites nothing: each run has one result",
    async (name, breakLine) => {
      isGone = false
      const postgres = await makePostgres()
      const proxy = await makeTcpProxy(postgres.port)
      const archives = { DOCGAUGE_ARCHIVES: join(folder, name) }
      try {
        const siege = await Siege.lay({
          services: [
            { database: postgres.url, env: { ...healthy.env, ...archives } },
            {
              database: `postgres://postgres@127.0.0.1:${proxy.port}/postgres`,
              env: { ...partitioned.env, ...archives }
            }
          ],
          seed: 11,
          clients: 4,
          sites: 24
        })
        try {
          await expect.poll(() => runningOf(postgres), { timeout: 60_000, interval: 250 }).toBe(2)
          breakLine(proxy)
          isGone = true
          await pause(AWAY_MS)
          // What the partitioned process found out meanwhile comes too late; what it begins from now on is as ever.
          isGone = false
          proxy.open()
          await pause(5_000)
          await siege.settle()
          await expectWhole(postgres.url, siege.crowd, { done: 10, oneScore: true })
        } finally {
          await siege.raise()
        }
      } finally {
        await proxy.close()
        await postgres.remove()
      }
    }
  )

  /** How many processes have runs under way. */
  const runningOf = async (postgres: PostgresCluster): Promise<number> =>
    Number(await postgres.execute("SELECT COUNT(DISTINCT worker) FROM runs WHERE status = 'running'"))
})
