import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { WORN_OUT } from "../../engine/schedule/Result.ts"
import { random } from "../bench/Corpus.ts"
import { Crowd } from "../service/Crowd.ts"
import { freePort } from "../service/FreePort.ts"
import { readLedger } from "../service/Ledger.ts"
import { hasPostgres, makePostgres, type PostgresCluster } from "../service/PostgresCluster.ts"
import { LIMITLESS, ServiceProcess } from "../service/ServiceProcess.ts"
import { serveSmallSites, type SmallSites } from "../service/SmallSites.ts"

/** The same rounds every time. */
const SEED = 20_261_121

const SITES = 900

/** Runs that came to their end between one kill and another: hundreds on a quiet machine, a few dozen on one that is not. */
const ENOUGH_DONE = 10

/** Leases of processes that were killed have to run out, and what they left behind has to be audited. */
const DRAIN_MS = 120_000

let folder: string
let sites: SmallSites

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-crashes-"))
  sites = await serveSmallSites({ delayMs: 5 })
})

afterAll(async () => {
  await sites.close()
  rmSync(folder, { recursive: true })
})

/** A service that is killed and started again at one address, and its clients. */
const underFire = async (database: string) => {
  const port = await freePort()
  const draw = random(SEED)
  const start = () =>
    new ServiceProcess({
      env: { ...LIMITLESS, ...sites.env, PORT: String(port), DOCGAUGE_DATABASE_URL: database, DOCGAUGE_ARCHIVES: join(folder, "archives") }
    })
  let service = start()
  await service.url
  const crowd = new Crowd({ address: () => `http://127.0.0.1:${port}`, random: draw, clients: 8, sites: SITES })
  return {
    crowd,
    draw,
    /** Kills the service at some moment: mostly while it works, sometimes while it starts. */
    kill: async (): Promise<void> => {
      if (draw() < 0.2) {
        await pause(1_000 * draw())
      } else {
        await service.url
        await pause(1_500 * draw())
      }
      await service.kill()
    },
    again: (): void => {
      service = start()
    },
    listening: (): Promise<unknown> => service.url,
    /** Lets everything come to its end, and ends the service. */
    settle: async (): Promise<void> => {
      await service.url
      await crowd.leave()
      await crowd.awaitAll(DRAIN_MS)
      await crowd.lookAgain()
      expect((await service.end()).code).toBe(0)
    }
  }
}

/** Nothing was lost, nothing is there twice, and what stands in the database agrees. */
const expectWhole = async (database: string, crowd: Crowd): Promise<void> => {
  const { byStatus, errors, faults, twice } = await readLedger(database)
  const { done = [], error = [], ...unfinished } = byStatus
  const over = new Set([...done, ...error])
  expect(crowd.broken).toEqual([])
  expect(faults).toEqual([])
  expect(twice).toEqual([])
  expect([...crowd.told.keys()].filter((id) => !over.has(id))).toEqual([])
  // Accepted, though the 202 did not come through.
  expect(unfinished).toEqual({})
  expect([...new Set(errors)].filter((message) => message !== WORN_OUT.message)).toEqual([])
  // However slow the machine: something was under way when it was killed.
  expect(done.length).toBeGreaterThan(ENOUGH_DONE)
}

describe("a service on SQLite", { concurrent: true }, () => {
  const ROUNDS = 50

  it(`that is killed ${ROUNDS} times loses no run, reports none twice, and finds its database whole`, async () => {
    const path = join(folder, "runs.db")
    const { again, crowd, kill, settle } = await underFire(`file:${path}`)
    for (let round = 1; round <= ROUNDS; round++) {
      await kill()
      expect(await faultsOfCopy(path), `after ${round} kills`).toEqual([])
      again()
    }
    await settle()
    await expectWhole(`file:${path}`, crowd)
  })

  /** Looks at a copy, so that the service finds what it was killed over and not what we left. */
  const faultsOfCopy = async (path: string): Promise<ReadonlyArray<string>> => {
    const copy = join(folder, "copy.db")
    for (const suffix of ["", "-wal", "-shm"]) {
      rmSync(`${copy}${suffix}`, { force: true })
      if (suffix !== "-shm" && existsSync(`${path}${suffix}`)) copyFileSync(`${path}${suffix}`, `${copy}${suffix}`)
    }
    return (await readLedger(`file:${copy}`)).faults.filter((fault) => !fault.startsWith("a domain held"))
  }
})

describe.skipIf(!hasPostgres)("a service on PostgreSQL", { concurrent: true }, () => {
  const ROUNDS = 20
  let postgres: PostgresCluster

  beforeAll(async () => {
    postgres = await makePostgres()
  })
  afterAll(() => postgres.remove())

  it(`whose server is stopped ${ROUNDS} times, and that is killed between, loses no run and reports none twice`, async () => {
    const { again, crowd, draw, kill, listening, settle } = await underFire(postgres.url)
    for (let round = 1; round <= ROUNDS; round++) {
      // Without a database the service does not start.
      await listening()
      await pause(1_500 * draw())
      const restarted = postgres.restart(draw() < 0.5 ? "immediate" : "fast")
      const killed = round % 2 === 0 ? kill() : null
      await restarted
      if (killed === null) continue
      await killed
      again()
    }
    await settle()
    await expectWhole(postgres.url, crowd)
  })
})
