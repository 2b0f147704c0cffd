import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { gunzipSync } from "node:zlib"
import { expect } from "vitest"
import { makePostgres, type PostgresCluster } from "../../harness/PostgresCluster.ts"
import { S3_SECRET_KEY, type S3Server, startS3 } from "../../store/blobs/S3Server.ts"
import {
  archiveFaults,
  budgetFaults,
  mostAtOnce,
  quotaFaults,
  readAccounts,
  repetitionFaults,
  settlementsOf,
  withoutArchive
} from "./Accounts.ts"
import {
  auditFaults,
  FAULT_ERRORS,
  lineFaults,
  logFault,
  objectFaults,
  roleFaults,
  serverFaults,
  slowLine,
  type StoppedMs,
  takesConnections,
  wreak
} from "../Faults.ts"
import { type Flooded, startFlood } from "./Flood.ts"
import { expectWhole, Siege } from "../Siege.ts"
import { makeTcpProxy, type TcpProxy } from "../TcpProxy.ts"
import { overlapsOf, serveWatchedSites, type WatchedSites } from "./WatchedSites.ts"

/*
 * Two web processes and two workers on one PostgreSQL, each through a proxy of its own, with archives in an object store: while faults
 * happen to all of them, clients submit and poll.
 */

/** How long and how much. */
export interface RolesOptions {
  readonly minutes: number
  readonly seed: number
  readonly sites: number
  readonly networks: number
  readonly stoppedMs: StoppedMs
  /** Reports that there are at least in the end. */
  readonly done: number
}

const WEB = 2

/** Faults at once. */
const HANDS = 4

const WINDOW_S = 30
const QUOTA = 2

/** Fewer than the runs that a network has unfinished otherwise, so that the limit refuses some. */
const CLIENT_RUNS = 3

const SUBMIT = { amount: 120, seconds: 60 }

/** So slow to come back that none does within hours. */
const BUDGET = { amount: 4_000, days: 366 }
const REQUEST_MS = (BUDGET.days * 86_400_000) / BUDGET.amount

const LIMITS = {
  DOCGAUGE_TARGET_WINDOW: `${WINDOW_S}s`,
  DOCGAUGE_SITE_QUOTA: `${QUOTA}/24h`,
  // Sites are asked for nothing but by audits.
  DOCGAUGE_VERIFIED_QUOTA: "off",
  DOCGAUGE_CLIENT_RUNS: String(CLIENT_RUNS),
  DOCGAUGE_SUBMIT_RATE: `${SUBMIT.amount}/${SUBMIT.seconds}s`,
  DOCGAUGE_HOST_BUDGET: `${BUDGET.amount}/${BUDGET.days}d`,
  DOCGAUGE_TRUST_PROXY: "1"
}

/** Names of limits that may refuse a submission. */
const REFUSED_BY = new Set(["submit", "site", "host", "runs", "lookup"])

/** Audits of most sites take a second or two, those of every fourth longer than a claim lasts. */
const delayOf = (host: string): number => (Number(/\d+/.exec(host)?.[0] ?? 0) % 4 === 3 ? 900 : 50)

/** How long archives may take to reach the object store after the last fault. */
const ARCHIVES_MS = 90_000

interface Scene {
  readonly options: RolesOptions
  /** Before the first submission, in milliseconds since the epoch. */
  readonly since: number
  /** With a folder for the archives of each service. */
  readonly folder: string
  readonly postgres: PostgresCluster
  readonly proxies: ReadonlyArray<TcpProxy>
  readonly objects: S3Server
  readonly sites: WatchedSites
  readonly siege: Siege
}

/** Besieges them; fails where anything that must hold does not. */
export const expectRolesToEndure = async (options: RolesOptions): Promise<void> => {
  const since = Date.now()
  const folder = mkdtempSync(join(tmpdir(), "docgauge-roles-"))
  const sites = await serveWatchedSites({ delayMs: delayOf })
  const objects = await startS3()
  // Four processes of eleven connections, a fifth while one is replaced, and the session that ends others.
  const postgres = await makePostgres({ max_connections: "60", superuser_reserved_connections: "0" })
  const proxies = await Promise.all([0, 1, 2, 3].map(() => makeTcpProxy(postgres.port)))
  try {
    const siege = await Siege.lay({
      services: proxies.map(({ port }, index) => ({
        database: `postgres://postgres@127.0.0.1:${port}/postgres`,
        env: {
          ...LIMITS,
          ...storedAt(objects),
          DOCGAUGE_ROLE: index < WEB ? "web" : "worker",
          DOCGAUGE_ARCHIVES: `${join(folder, `archives-${index}`)},keep=100000,total=50GB`
        },
        each: sites.env
      })),
      seed: options.seed,
      clients: 6,
      sites: options.sites,
      asked: WEB,
      mostWaiting: 30,
      networks: options.networks,
      refusedBy: REFUSED_BY
    })
    try {
      await besiege({ options, since, folder, postgres, proxies, objects, sites, siege })
    } catch (error) {
      logFault(`failed with seed ${options.seed}: ${error instanceof Error ? error.message : String(error)}`)
      throw error
    } finally {
      await siege.raise()
    }
  } finally {
    for (const proxy of proxies) await proxy.close()
    await postgres.remove()
    await objects.stop()
    await sites.close()
    rmSync(folder, { recursive: true })
  }
}

const storedAt = ({ location }: S3Server): Readonly<Record<string, string>> => ({
  DOCGAUGE_OBJECT_STORE: `s3://${location.bucket}/roles`,
  AWS_ENDPOINT_URL_S3: location.endpoint,
  AWS_REGION: location.region,
  AWS_ACCESS_KEY_ID: location.accessKeyId,
  AWS_SECRET_ACCESS_KEY: S3_SECRET_KEY
})

const besiege = async (scene: Scene): Promise<void> => {
  const { folder, objects, options, postgres, proxies, siege, sites } = scene
  const flood = startFlood([0, 1].map((index) => () => siege.address(index)))
  const faults = proxies.flatMap((proxy, index) => [
    ...roleFaults(siege, index, options.stoppedMs),
    ...(index < WEB ? [] : auditFaults(siege, index)),
    ...lineFaults(proxy, index),
    slowLine(proxy, index)
  ])
  await wreak(
    [...faults, ...serverFaults(postgres), takesConnections(postgres), ...objectFaults(objects)],
    options.seed,
    options.minutes,
    HANDS
  )
  // A slow machine needs more than the minutes of the faults.
  while (siege.crowd.done < options.done) await siege.oneMoreDone()
  const flooded = await flood.stop()
  const { crowd } = siege
  logFault(
    `faults are over; ${crowd.told.size} runs accepted, ${crowd.waiting.length} of them not seen to be over, ${crowd.unavailable} answers of 503, refusals: ${[...crowd.refusals].map(([limit, times]) => `${limit} ${times}`).join(", ")}`
  )
  await siege.settle(async () => {
    await expectArchivesStored(postgres, siege, folder)
    await expectArchivesReadable(siege)
  })
  await expectWhole(postgres.url, crowd, { errors: FAULT_ERRORS, done: options.done, again: true })
  await expectAccounts(scene)
  expectRate(flooded)
  expect(
    sites.hosts().flatMap((host) => overlapsOf(sites.requestsTo(host)).map((overlap) => `${host}: ${overlap}`))
  ).toEqual([])
  logFault(
    `${crowd.told.size} runs are over; ${sites.hosts().length} sites were asked, ${siege.started.length} processes started`
  )
}

const expectArchivesStored = async (postgres: PostgresCluster, siege: Siege, folder: string): Promise<void> => {
  const deadline = performance.now() + ARCHIVES_MS
  while (performance.now() < deadline && (await withoutArchive(postgres)).length > 0) await pause(500)
  const missing = await withoutArchive(postgres)
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  expect(
    missing.map((id) => ({
      id,
      files: files.filter((file) => file.includes(id)),
      log: siege.started.flatMap(({ lines }, index) =>
        lines.filter((line) => line.includes(id)).map((line) => `${index}: ${line}`)
      )
    }))
  ).toEqual([])
}

/** Every archive can be read from a web process, which has none in its own folder. */
const expectArchivesReadable = async (siege: Siege): Promise<void> => {
  for (const { id, url } of siege.crowd.told.values()) {
    const run = await fetch(`${siege.address(0)}/api/public/audit/${id}`)
    const { status }: { readonly status: string } = JSON.parse(await run.text())
    if (status !== "done") continue
    const answer = await fetch(`${siege.address(0)}/api/public/audit/${id}/archive`)
    expect(`${id}: ${answer.status}`).toBe(`${id}: 200`)
    expect(gunzipSync(await answer.arrayBuffer()).includes(`WARC-Target-URI: ${url}/`)).toBe(true)
  }
}

const expectAccounts = async ({ options, postgres, siege, since, sites }: Scene): Promise<void> => {
  const accounts = await readAccounts(postgres)
  const settled = settlementsOf(siege.started)
  const seen = (domain: string): number =>
    sites
      .hosts()
      .filter((host) => host.endsWith(domain))
      .reduce((sum, host) => sum + sites.requestsTo(host).length, 0)
  logFault(
    `${accounts.runs.length} runs, ${accounts.runs.filter(({ begun }) => begun > 1).length} of them begun more than once, ${accounts.runs.filter(({ status }) => status === "error").length} without a report; ${settled.size} settlements told`
  )
  expect(archiveFaults(accounts)).toEqual([])
  expect(quotaFaults(accounts, QUOTA)).toEqual([])
  expect(repetitionFaults(accounts, WINDOW_S * 1_000)).toEqual([])
  expect(budgetFaults(accounts, settled, { since, requestMs: REQUEST_MS, seen })).toEqual([])
  const atOnce = Array.from({ length: options.networks }, (_, network) => mostAtOnce(accounts, `10.0.${network}.0/24`))
  logFault(`unfinished runs of each network at once: ${atOnce.join(", ")}`)
  // Every network had some: the accounts name networks as this test does.
  expect(atOnce.filter((most) => most < 1 || most > CLIENT_RUNS)).toEqual([])
  expect(siege.crowd.refusals.get("runs") ?? 0).toBeGreaterThan(0)
}

/** What one process would allow, within 10 %. */
const expectRate = ({ passed, seconds, unknown }: Flooded): void => {
  const allowed = SUBMIT.amount + (seconds * SUBMIT.amount) / SUBMIT.seconds
  logFault(
    `the rate of submissions let ${passed} pass, and maybe ${unknown} more, where one process allows ${Math.round(allowed)}`
  )
  expect(passed).toBeLessThanOrEqual(1.1 * allowed)
  expect(passed + unknown).toBeGreaterThanOrEqual(0.9 * allowed)
}
