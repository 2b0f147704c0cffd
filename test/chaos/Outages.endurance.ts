import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { HAND_OVER_MS } from "../../server/Serve.ts"
import { readLedger } from "../harness/Ledger.ts"
import { hasPostgres, makePostgres, type PostgresCluster } from "../harness/PostgresCluster.ts"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"
import { LIMITLESS, ServiceProcess } from "../harness/ServiceProcess.ts"
import { serveSmallSites, smallSite, type SmallSites, type SmallSitesOptions } from "../harness/SmallSites.ts"
import { endSessions } from "./Connections.ts"

/** Modules that reach the connection of each driver of SQLite. */
const FAULTS = [
  ["sqlite3", "DatabaseFaults.ts"],
  ["node:sqlite", "NodeDatabaseFaults.ts"]
].map(([driver = "", file = ""]) => ({ driver, faults: join(import.meta.dirname, "../harness", file) }))

let folder: string
let sites: SmallSites
let service: ServiceProcess

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-outages-"))
})

afterEach(async () => {
  await service.kill()
  await sites.close()
  rmSync(folder, { recursive: true })
})

/** How a service is started, besides its database. */
interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly preload?: string
}

const start = async (
  database: string,
  siteOptions: SmallSitesOptions = {},
  options: StartOptions = {}
): Promise<void> => {
  sites = await serveSmallSites(siteOptions)
  service = startAgain(database, options)
  await service.url
}

const startAgain = (database: string, { env = {}, preload }: StartOptions = {}): ServiceProcess =>
  new ServiceProcess({
    program: PROGRAM,
    env: {
      ...LIMITLESS,
      ...sites.env,
      DOCGAUGE_DATABASE_URL: database,
      DOCGAUGE_ARCHIVES: join(folder, "archives"),
      ...env
    },
    ...(preload === undefined ? {} : { preload })
  })

const post = async (site: string, query = ""): Promise<Response> =>
  fetch(`${await service.url}/audit${query}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ base_url: smallSite(site) })
  })

const get = async (path: string): Promise<Response> => fetch(`${await service.url}${path}`)

const accepted = async (site: string): Promise<string> => {
  const response = await post(site, "?async=true")
  expect(response.status).toBe(202)
  return runOf(response)
}

const runOf = async (response: Response): Promise<string> => {
  const { run_id: id }: { readonly run_id: string } = JSON.parse(await response.text())
  return id
}

/** Submits until the service accepts it again by itself: it notices only after a while that its sessions have ended. */
const acceptedAgain = async (site: string): Promise<string> => {
  for (const end = performance.now() + 60_000; ; await pause(100)) {
    const response = await post(site, "?async=true")
    if (response.status === 202 || performance.now() > end) {
      expect(response.status).toBe(202)
      return runOf(response)
    }
  }
}

const bodyOf = async (id: string): Promise<{ readonly status: string }> =>
  JSON.parse(await (await get(`/api/public/audit/${id}`)).text())

const expectDone = (id: string) =>
  expect.poll(() => bodyOf(id), { timeout: 180_000, interval: 200 }).toMatchObject({ status: "done" })

/** A 503 that says when to come again, and nothing of what is behind it. */
const expectUnavailable = async (
  response: Response,
  error = "The database is unavailable. Try again soon."
): Promise<void> => {
  expect(response.status).toBe(503)
  expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/)
  expect(JSON.parse(await response.text())).toEqual({ error })
}

const warnings = (): ReadonlyArray<string> =>
  service.log.flatMap(({ level, message = "" }) => (level === "warn" ? [message] : []))

/** Runs a statement on the connection that the service writes by. */
const onWriter = async (statement: string): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> => {
  const answered = once(service.child, "message")
  service.child.send(statement)
  const [{ error, rows }] = await answered
  expect(error).toBeNull()
  return rows
}

describe.each(FAULTS)("an SQLite file that takes no writes, opened by $driver,", ({ faults }) => {
  it.each([
    [
      "is full",
      "SQLITE_FULL",
      async () => `PRAGMA max_page_count = ${Number((await onWriter("PRAGMA page_count"))[0]?.["page_count"])}`,
      "PRAGMA max_page_count = 1073741823"
    ],
    ["is read-only", "SQLITE_READONLY", async () => "PRAGMA query_only = ON", "PRAGMA query_only = OFF"]
  ])(
    "because it %s, is answered with 503 and a line in the log, and taken up again without a restart",
    async (_, code, fault, repair) => {
      await start(`file:${join(folder, "runs.db")}`, {}, { preload: faults })
      const before = await accepted("before")
      await expectDone(before)
      await onWriter(await fault())
      // The pages that are free within the file are used up first.
      await expect
        .poll(async () => (await post(`filling-${performance.now()}`, "?async=true")).status, {
          timeout: 60_000,
          interval: 5
        })
        .toBe(503)
      await expectUnavailable(await post("refused", "?async=true"))
      await expectUnavailable(await post("refused"))
      expect(
        warnings().filter((message) => message.startsWith(`the store is unavailable: ${code}`)).length
      ).toBeGreaterThan(0)
      // Reading goes on.
      expect(await bodyOf(before)).toMatchObject({ status: "done" })
      expect((await get("/api/public/browse/summary")).status).toBe(200)
      await onWriter(repair)
      await expectDone(await accepted("after"))
    }
  )
})

describe("a PostgreSQL server that takes no writes", () => {
  it.skipIf(!hasPostgres)("is answered in the same way", async () => {
    const postgres = await makePostgres()
    try {
      await start(postgres.url)
      const before = await accepted("before")
      await expectDone(before)
      await setReadOnly(postgres, true)
      // Its new sessions are read only; it notices only after a while that the ones before have ended.
      await expect
        .poll(async () => {
          await post(`refused-${performance.now()}`, "?async=true")
          return warnings()
        })
        .toContainEqual(expect.stringMatching(/^the store is unavailable: .*read-only transaction/))
      await expectUnavailable(await post("refused", "?async=true"))
      await expect.poll(async () => (await get(`/api/public/audit/${before}`)).status).toBe(200)
      expect(await bodyOf(before)).toMatchObject({ status: "done" })
      await setReadOnly(postgres, false)
      await expectDone(await acceptedAgain("after"))
      expect((await service.end()).code).toBe(0)
    } finally {
      await postgres.remove()
    }
  })

  const setReadOnly = async (postgres: PostgresCluster, readOnly: boolean): Promise<void> => {
    await postgres.execute(`ALTER DATABASE postgres SET default_transaction_read_only = ${readOnly ? "on" : "off"}`)
    await endSessions(postgres)
  }
})

describe("a service that is told to end", () => {
  /** Processes that are ended, at most, until one has had the time to hand its audits back. */
  const ROUNDS = 3

  it("while audits run ends, and hands them back for the next process", async () => {
    const env = { DOCGAUGE_GRACE_SECONDS: "1" }
    const databaseOf = (round: number): string => `file:${join(folder, `runs-${round}.db`)}`
    let hanging = true
    // The sites answer to robots.txt and then no more.
    await start(databaseOf(1), { instead: (request) => hanging && request.url !== "/robots.txt" }, { env })
    for (let round = 1; hanging; round++) {
      if (round > 1) service = startAgain(databaseOf(round), { env })
      const ids = await Promise.all(["a", "b", "c", "d", "e", "f"].map(accepted))
      const waiting = post("waiting")
      waiting.catch(() => undefined)
      await expect
        .poll(async () => (await Promise.all(ids.map(bodyOf))).filter(({ status }) => status === "running").length, {
          timeout: 120_000
        })
        .toBe(4)
      const { code, tookMs } = await service.end()
      expect(code).toBe(0)
      // On a machine that stalls just then, the process ends before it has handed all back: the next round tells.
      if (tookMs >= 1_000 + HAND_OVER_MS && round < ROUNDS) continue
      await expectUnavailable(await waiting, "The service is restarting. Try again in 5 seconds.")

      const { byStatus, faults } = await readLedger(databaseOf(round))
      expect(faults).toEqual([])
      expect(Object.keys(byStatus)).toEqual(["pending"])
      expect(byStatus["pending"]).toEqual(expect.arrayContaining(ids))
      hanging = false
      service = startAgain(databaseOf(round))
      for (const id of ids) await expectDone(id)
    }
  })

  it("finishes what ends within its time of grace", async () => {
    // Time enough for an audit on a slow machine, too.
    await start(`file:${join(folder, "runs.db")}`, { delayMs: 40 }, { env: { DOCGAUGE_GRACE_SECONDS: "60" } })
    const id = await accepted("slow")
    await expect.poll(() => bodyOf(id), { timeout: 120_000 }).toMatchObject({ status: "running" })
    expect((await service.end()).code).toBe(0)
    expect((await readLedger(`file:${join(folder, "runs.db")}`)).byStatus).toEqual({ done: [id] })
  })
})
