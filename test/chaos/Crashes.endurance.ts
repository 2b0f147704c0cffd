import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { TOO_MANY_ATTEMPTS } from "../../engine/schedule/Auditor.ts"
import { readLedger } from "../harness/Ledger.ts"
import { hasPostgres, makePostgres, type PostgresCluster } from "../harness/PostgresCluster.ts"
import { serveSmallSites, type SmallSites } from "../harness/SmallSites.ts"
import { expectWhole, Siege } from "./Siege.ts"

/** The same rounds every time. */
const SEED = 20_261_121

const SITES = 900

/** Runs that are unfinished at a time: enough to be killed amid, and few enough to come to their end on a slow machine. */
const MOST_WAITING = 20

/** Every third round waits until a run has come to its end, so that work is under way on a slow machine, too. */
const PATIENT = 3

let folder: string
let sites: SmallSites
const sieges: Array<Siege> = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-crashes-"))
  sites = await serveSmallSites({ delayMs: 5 })
})

afterAll(async () => {
  for (const siege of sieges) await siege.raise()
  await sites.close()
  rmSync(folder, { recursive: true })
})

const layTo = async (database: string, env: Readonly<Record<string, string>> = {}): Promise<Siege> => {
  const siege = await Siege.lay({
    services: [{ database, env: { ...sites.env, DOCGAUGE_ARCHIVES: join(folder, "archives"), ...env } }],
    seed: SEED,
    clients: 8,
    sites: SITES,
    mostWaiting: MOST_WAITING
  })
  sieges.push(siege)
  return siege
}

const WITHOUT_SQLITE3 = `--import=${join(import.meta.dirname, "../harness/WithoutSqlite3.ts")}`

describe("a service on SQLite", { concurrent: true }, () => {
  it.each([
    ["sqlite3", 3, {}],
    ["node:sqlite", 3, { NODE_OPTIONS: WITHOUT_SQLITE3 }]
  ])(
    "by %s that is killed %i times loses no run, reports none twice, and finds its database whole",
    async (driver, rounds, env) => {
      const path = join(folder, `${driver.replace(":", "-")}.db`)
      const siege = await layTo(`file:${path}`, env)
      for (let round = 1; round <= rounds; round++) {
        if (round % PATIENT === 0) await siege.oneMoreDone()
        await siege.kill()
        expect(await faultsOfCopy(path), `after ${round} kills`).toEqual([])
        siege.again()
      }
      await siege.settle()
      await expectWhole(`file:${path}`, siege.crowd, {
        errors: [TOO_MANY_ATTEMPTS.message],
        done: Math.floor(rounds / PATIENT)
      })
    }
  )

  /** Looks at a copy, so that the service finds what it was killed over and not what we left. */
  const faultsOfCopy = async (path: string): Promise<ReadonlyArray<string>> => {
    const copy = `${path}.copy`
    for (const suffix of ["", "-wal", "-shm"]) {
      rmSync(`${copy}${suffix}`, { force: true })
      if (suffix !== "-shm" && existsSync(`${path}${suffix}`)) copyFileSync(`${path}${suffix}`, `${copy}${suffix}`)
    }
    return (await readLedger(`file:${copy}`)).faults
  }
})

describe.skipIf(!hasPostgres)("a service on PostgreSQL", { concurrent: true }, () => {
  const ROUNDS = 3
  let postgres: PostgresCluster

  beforeAll(async () => {
    postgres = await makePostgres()
  })
  afterAll(() => postgres.remove())

  it(`whose server is stopped ${ROUNDS} times, and that is killed between, loses no run and reports none twice`, async () => {
    const siege = await layTo(postgres.url)
    for (let round = 1; round <= ROUNDS; round++) {
      // Without a database the service does not start.
      await siege.listening()
      if (round % PATIENT === 0) await siege.oneMoreDone()
      await pause(1_500 * siege.draw())
      const restarted = postgres.restart(siege.draw() < 0.5 ? "immediate" : "fast")
      const killed = round % 2 === 0 ? siege.kill() : null
      await restarted
      if (killed === null) continue
      await killed
      siege.again()
    }
    await siege.settle()
    await expectWhole(postgres.url, siege.crowd, {
      errors: [TOO_MANY_ATTEMPTS.message],
      done: Math.floor(ROUNDS / PATIENT)
    })
  })
})
