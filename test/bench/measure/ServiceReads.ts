import { Agent, get } from "node:http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql/SqlClient"
import { databaseOf, layerDatabase } from "../../../engine/store/Database.ts"
import { LIMITLESS, ServiceProcess } from "../../harness/ServiceProcess.ts"
import { random } from "../data/Corpus.ts"
import { latenciesOf } from "./Latencies.ts"
import { seed } from "../seed.ts"
import { median, repeat } from "./Spread.ts"

/** How long the service takes over a database. */
export interface ServiceReads {
  /** From the start of the process until it listens, in milliseconds. */
  readonly startMs: number
  /** By endpoint, in milliseconds. */
  readonly p99: ReadonlyMap<string, number>
}

/** A run of the database, and its site. */
interface Sample {
  readonly id: string
  readonly site: string
}

/** What the machine's other tenants take away comes and goes: the quickest round has least of it. Each has samples of its own. */
const ROUNDS = 5
const CALLS = 600

/** The first calls of a round, which do not count: code and pages are warm in a service that is read. */
const WARM_UP = 100

const STARTS = 5
const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.-/".split("")

/** Every endpoint that reads, as asked for the sample at an index. */
const READS: Readonly<Record<string, (sample: Sample, index: number) => string>> = {
  run: ({ id }) => `/api/public/audit/${id}`,
  history: ({ id }) => `/api/public/audit/${id}/history?limit=100`,
  summary: () => "/api/public/browse/summary",
  "top, best of 7 days": () => "/api/public/browse/top?limit=50",
  "top, worst of all": () => "/api/public/browse/top?window=all&order=worst&limit=50",
  stats: () => "/api/public/browse/stats",
  "search, one letter": (_, index) => searchPath(LETTERS[index % LETTERS.length] ?? ""),
  "search, two letters": (_, index) => searchPath(`${LETTERS[index % 26] ?? ""}${LETTERS[(index * 7) % 26] ?? ""}`),
  "search, three letters": ({ site }, index) => searchPath(site.slice(index % 9, (index % 9) + 3)),
  "search, a site": ({ site }) => searchPath(site)
}

const searchPath = (query: string): string => `/api/public/browse/search?limit=50&q=${encodeURIComponent(query)}`

const inDatabase = <A, E>(databaseUrl: string, effect: Effect.Effect<A, E, SqlClient>): Promise<A> => {
  const address = databaseOf(databaseUrl)
  if (address === null || address._tag === "Memory") throw new Error("no database")
  return Effect.runPromise(
    Effect.provide(effect, layerDatabase(address).pipe(Layer.provideMerge(SecureRandom.layerWebCrypto)))
  )
}

/** Fills a database with `runs` runs, ten to a site, unless something is in it already; `reportBytes` is the size of a stored report. */
export const seedRuns = (databaseUrl: string, runs: number, reportBytes = 2_000): Promise<void> =>
  inDatabase(
    databaseUrl,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [row] = yield* sql<{ readonly runs: number | string }>`SELECT runs FROM corpus`
      if (Number(row?.runs ?? 0) === 0)
        yield* seed({ runs, sites: Math.max(1, Math.floor(runs / 10)), days: 365, reportBytes }, Date.now() * 1_000)
    })
  )

const samplesOf = (databaseUrl: string, runs: number): Promise<ReadonlyArray<Sample>> => {
  const draw = random(99)
  const serials = Array.from({ length: CALLS * ROUNDS }, () => 1 + Math.floor(draw() * runs))
  return inDatabase(
    databaseUrl,
    Effect.flatMap(
      SqlClient,
      (sql) =>
        sql<Sample>`SELECT id, sites.site FROM runs JOIN sites ON sites.serial = runs.site WHERE ${sql.in("runs.serial", serials)}`
    )
  )
}

/** Starts the service on a seeded database, and asks for each sample by each endpoint, one request after the other. */
export const readThroughService = async (databaseUrl: string, runs: number): Promise<ServiceReads> => {
  const samples = await samplesOf(databaseUrl, runs)
  const env = { ...LIMITLESS, DOCGAUGE_DATABASE_URL: databaseUrl, DOCGAUGE_ARCHIVES: "off" }
  const starts = await repeat(STARTS, async () => {
    const begun = performance.now()
    const service = new ServiceProcess({ env })
    await service.url
    const took = performance.now() - begun
    await service.end()
    return took
  })
  const service = new ServiceProcess({ env })
  const url = await service.url
  const p99 = new Map<string, number>()
  for (const [name, path] of Object.entries(READS)) {
    const rounds = Array.from({ length: ROUNDS }, (_, round) => samples.filter((_, index) => index % ROUNDS === round))
    const found: Array<number> = []
    for (const round of rounds) {
      const took: Array<number> = []
      for (const [index, sample] of round.entries()) took.push(await timed(url + path(sample, index)))
      found.push(latenciesOf(took.slice(WARM_UP)).p99)
    }
    p99.set(name, Math.min(...found))
  }
  await service.end()
  return { startMs: median(starts), p99 }
}

const connection = new Agent({ keepAlive: true, maxSockets: 1 })

/**
 * From the request to the last byte of the answer, which is asked for as browsers do and left compressed: `fetch` and its
 * decompression took longer than most answers.
 */
const timed = (address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const begun = performance.now()
    const request = get(address, { agent: connection, headers: { "accept-encoding": "br, gzip" } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${address} was answered with ${response.statusCode}`))
      response
        .on("error", reject)
        .on("end", () => resolve(performance.now() - begun))
        .resume()
    })
    request.on("error", reject)
  })
