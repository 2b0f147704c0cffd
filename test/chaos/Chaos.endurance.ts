import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readLedger } from "../harness/Ledger.ts"
import { hasPostgres, makePostgres } from "../harness/PostgresCluster.ts"
import { serveSmallSites, type SmallSites } from "../harness/SmallSites.ts"
import {
  auditProcessesOf,
  type Fault,
  FAULT_ERRORS,
  lineFaults,
  logFault,
  processFaults,
  serverFaults,
  wreak
} from "./Faults.ts"
import { isAlive } from "./ProcessTree.ts"
import { expectWhole, Siege } from "./Siege.ts"
import { makeTcpProxy } from "./TcpProxy.ts"

const MINUTES = Number(process.env["DOCGAUGE_CHAOS_MINUTES"] ?? "30")

/** Fixes what is drawn; the order of faults, how long they last and what they meet also depend on timing. */
const SEED = Number(process.env["DOCGAUGE_CHAOS_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

/** More than are audited in an hour. */
const SITES = 20_000

/** Runs that wait for their end at any time, so that what is left after the last fault is soon done. */
const MOST_WAITING = 30

/** One report for each site, whenever it is asked for. */
const ENV = { DOCGAUGE_TARGET_WINDOW: "24h" }

let folder: string
let sites: SmallSites

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-endurance-"))
  sites = await serveSmallSites({ delayMs: 50 })
  console.log(`DOCGAUGE_CHAOS_SEED=${SEED} for ${MINUTES} minutes`)
})

afterAll(async () => {
  await sites.close()
  rmSync(folder, { recursive: true })
})

/** Every audit process that was seen; none may be left in the end. */
const watchProcesses = (siege: Siege): { readonly stop: () => ReadonlySet<number> } => {
  const seen = new Set<number>()
  const watch = setInterval(() => {
    for (const index of siege.services.keys()) for (const pid of auditProcessesOf(siege, index)) seen.add(pid)
  }, 1_000)
  return {
    stop: () => {
      clearInterval(watch)
      return seen
    }
  }
}

const expectEndurance = async (
  database: string,
  siege: Siege,
  faults: ReadonlyArray<Fault>,
  seed: number
): Promise<void> => {
  const watched = watchProcesses(siege)
  try {
    await wreak(faults, seed, MINUTES)
    logFault(
      `faults are over; ${siege.crowd.told.size} runs accepted, ${siege.crowd.waiting.length} of them not seen to be over, ${siege.crowd.unavailable} answers of 503`
    )
    await siege.settle()
    await expectWhole(database, siege.crowd, { errors: FAULT_ERRORS, done: MINUTES })
    expect([...watched.stop()].filter(isAlive)).toEqual([])
    logFault(`${siege.crowd.told.size} runs are over`)
  } catch (error) {
    // Told at once: the other test goes on for as long again.
    logFault(`failed: ${error instanceof Error ? error.message : String(error)}`)
    await siege.raise()
    logFault(JSON.stringify((await readLedger(database)).byStatus))
    for (const { log: lines } of siege.services)
      logFault(
        lines
          .slice(-40)
          .map(({ message }) => message)
          .join("\n")
      )
    throw error
  } finally {
    watched.stop()
    await siege.raise()
  }
}

describe("random faults", () => {
  it.skipIf(!hasPostgres)("leave two services on one PostgreSQL with one end for each accepted run", async () => {
    const postgres = await makePostgres()
    const proxies = [await makeTcpProxy(postgres.port), await makeTcpProxy(postgres.port)]
    try {
      const siege = await Siege.lay({
        services: proxies.map(({ port }, index) => ({
          database: `postgres://postgres@127.0.0.1:${port}/postgres`,
          env: { ...ENV, ...sites.env, DOCGAUGE_ARCHIVES: join(folder, `archives-${index}`) }
        })),
        seed: SEED,
        clients: 6,
        sites: SITES,
        mostWaiting: MOST_WAITING
      })
      const faults = [...proxies.keys()].flatMap((index) => processFaults(siege, index))
      const lines = proxies.flatMap((proxy, index) => lineFaults(proxy, index))
      await expectEndurance(postgres.url, siege, [...faults, ...lines, ...serverFaults(postgres)], SEED)
    } finally {
      for (const proxy of proxies) await proxy.close()
      await postgres.remove()
    }
  })

  it("leave a service on SQLite with one end for each accepted run", async () => {
    const database = `file:${join(folder, "runs.db")}`
    const siege = await Siege.lay({
      services: [{ database, env: { ...ENV, ...sites.env, DOCGAUGE_ARCHIVES: join(folder, "archives") } }],
      seed: SEED,
      clients: 6,
      sites: SITES,
      mostWaiting: MOST_WAITING
    })
    await expectEndurance(database, siege, processFaults(siege, 0), SEED)
  })
})
