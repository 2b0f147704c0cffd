import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { parseArgs } from "node:util"
import { CORPUS, hasCorpus } from "../corpus/CorpusServer.ts"
import { hasPostgres, makePostgres } from "../harness/PostgresCluster.ts"
import { LIMITLESS, ServiceProcess } from "../harness/ServiceProcess.ts"
import { serveSmallSites, smallSite, type SmallSites } from "../harness/SmallSites.ts"
import { DELAY } from "./data/BenchServer.ts"
import { type Fastify, installFastify } from "./data/Fastify.ts"
import { LARGE_SITE, pollWhileAuditing } from "./measure/Polling.ts"
import { residentMb, soak } from "./measure/ServiceMemory.ts"
import { readThroughService, seedRuns, type ServiceReads } from "./measure/ServiceReads.ts"
import { held, heldAtLeast, table } from "./measure/Table.ts"
import { type Compared, compareThroughput } from "./measure/Throughput.ts"

/*
 * `npm run bench:service`: the figures of issue 3. `-- --only throughput,polling,memory,reads` for some of them,
 * `--runs 10000,1000000` for the databases that reading is measured on, `--on sqlite` for one kind of them, `--keep FOLDER`
 * for SQLite files that stay, `--audits 200` for a shorter soak. Needs npm for fastify and autocannon; ../shared/corpus for
 * the large description; PostgreSQL's server for its part.
 */

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "throughput,polling,memory,reads" },
    runs: { type: "string", default: "10000,1000000" },
    on: { type: "string", default: "sqlite,postgres" },
    audits: { type: "string", default: "1000" },
    keep: { type: "string" }
  }
})

const GOALS = {
  share: 0.5,
  refusedShare: 0.35,
  p99: 10,
  poll: 50,
  delay: 30,
  idle: 200,
  soaked: 450,
  growth: 0.1,
  start: 1_500,
  read: 20,
  readGrowth: 2
}

const folder = mkdtempSync(join(tmpdir(), "docgauge-service-bench-"))

const serviceOn = (sites: SmallSites, env: Readonly<Record<string, string>> = {}): ServiceProcess =>
  new ServiceProcess({
    env: {
      ...LIMITLESS,
      ...sites.env,
      DOCGAUGE_DATABASE_URL: `file:${join(folder, `${performance.now()}.db`)}`,
      DOCGAUGE_ARCHIVES: join(folder, "archives"),
      ...env
    }
  })

interface Goals extends Compared {
  /** Milliseconds at half of the load; `null`: there is no goal for that. */
  readonly longest: number | null
}

/** The comparisons: what a service of ours answers, and fastify with the same bytes. */
const compared = async (fastify: Fastify, free: string, rationed: string): Promise<ReadonlyArray<Goals>> => {
  const json = JSON.stringify({ base_url: smallSite("hot") })
  const posted = await fetch(`${free}/audit`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: json
  })
  const report = await posted.text()
  const path = `/api/public/audit/${posted.headers.get("x-audit-run-id")}`
  const run = await (await fetch(free + path)).text()
  const refused = { url: rationed + path }
  for (let asked = 0; asked < 40; asked++) await fetch(refused.url)
  const refusal = await (await fetch(refused.url)).text()
  const theirs = (body: string, status = 200) => fastify.serve({ status, body })
  return [
    {
      name: "GET of a finished run",
      ours: { url: free + path },
      theirs: { url: await theirs(run) },
      status: 200,
      share: GOALS.share,
      longest: GOALS.p99
    },
    {
      name: "cached POST replay",
      ours: { url: `${free}/audit`, json },
      theirs: { url: await theirs(report), json },
      status: 200,
      share: GOALS.share,
      longest: GOALS.p99
    },
    {
      name: "refused request (429)",
      ours: refused,
      theirs: { url: await theirs(refusal, 429) },
      status: 429,
      share: GOALS.refusedShare,
      longest: null
    }
  ]
}

const throughput = async (fastify: Fastify): Promise<string> => {
  const sites = await serveSmallSites()
  // A poll a day: beyond its burst everything is refused.
  const [free, rationed] = [serviceOn(sites), serviceOn(sites, { DOCGAUGE_POLL_RATE: "30/24h" })]
  try {
    const rows: Array<ReadonlyArray<string>> = []
    for (const one of await compared(fastify, await free.url, await rationed.url)) {
      const { ours, p99, share, theirP99, theirs } = await compareThroughput(fastify, one)
      const late = one.longest === null ? p99.toFixed(1) : held(p99, one.longest, 1)
      rows.push([
        one.name,
        Math.round(ours).toString(),
        Math.round(theirs).toString(),
        heldAtLeast(share, one.share),
        late,
        theirP99.toFixed(1)
      ])
    }
    return table(["answers a second", "ours", "fastify", "share", "p99 at half of our load, ms", "fastify's"], rows)
  } finally {
    await free.kill()
    await rationed.kill()
    await sites.close()
  }
}

const largeDescription = (): Uint8Array | null =>
  hasCorpus
    ? execFileSync("tar", ["-xJOf", join(CORPUS, "specs.tar.xz"), "specs_dev/github-rest-octokit.json"], {
        maxBuffer: 2 ** 26
      })
    : null

const polling = async (): Promise<string> => {
  const description = largeDescription()
  const sites = await serveSmallSites({
    // As in the bench of audits.
    delayMs: DELAY,
    instead: (request, response) => {
      const isLarge =
        description !== null && request.url === "/openapi.json" && (request.headers.host ?? "").includes(LARGE_SITE)
      if (isLarge)
        response
          .writeHead(200, { "content-type": "application/json", "content-length": description.length })
          .end(description)
      return isLarge
    }
  })
  const service = serviceOn(sites, { DOCGAUGE_TARGET_WINDOW: "off" })
  try {
    const { audits, delayP99, p99 } = await pollWhileAuditing(service)
    return table(
      ["200 clients poll while 4 audits run", ""],
      [
        ["poll, p99, ms", held(p99, GOALS.poll, 0)],
        ["event loop late by, p99, ms", held(delayP99, GOALS.delay, 0)],
        [
          "audits meanwhile",
          `${audits}${description === null ? ", none with a large description: ../shared/corpus is not there" : ""}`
        ],
        ["memory at the end, MB", residentMb(service.child.pid).toFixed(0)]
      ]
    )
  } finally {
    await service.kill()
    await sites.close()
  }
}

const memory = async (): Promise<string> => {
  const sites = await serveSmallSites()
  const service = serviceOn(sites)
  try {
    const audits = Number(options.audits)
    const { growth, idleMb, series } = await soak(service, audits)
    return table(
      ["memory, MB", ""],
      [
        ["idle", held(idleMb, GOALS.idle, 0)],
        [`most of ${audits} audits`, held(Math.max(...series), GOALS.soaked, 0)],
        ["after every tenth", series.map((mb) => mb.toFixed(0)).join(" ")],
        ["second half more than what was before it, share", held(growth, GOALS.growth)]
      ]
    )
  } finally {
    await service.kill()
    await sites.close()
  }
}

/** Seeds a database of each size, and reads it. */
const readsOf = async (
  databaseUrl: (runs: number) => Promise<string> | string
): Promise<ReadonlyMap<number, ServiceReads>> => {
  const found = new Map<number, ServiceReads>()
  for (const runs of options.runs.split(",").map(Number)) {
    const url = await databaseUrl(runs)
    await seedRuns(url, runs)
    found.set(runs, await readThroughService(url, runs))
  }
  return found
}

const readsTable = (name: string, reads: ReadonlyMap<number, ServiceReads>): string => {
  const all = [...reads.values()]
  const [first, last] = [all[0], all.at(-1)]
  if (first === undefined || last === undefined) return ""
  const rows = [...last.p99].map(([endpoint, p99]) => {
    const before = first.p99.get(endpoint) ?? p99
    return [
      endpoint,
      ...all.slice(0, -1).map((one) => (one.p99.get(endpoint) ?? 0).toFixed(1)),
      held(p99, GOALS.read, 1),
      held(p99 / before, GOALS.readGrowth, 1)
    ]
  })
  const starts = [
    "start",
    ...all.slice(0, -1).map(({ startMs }) => startMs.toFixed(0)),
    held(last.startMs, GOALS.start, 0),
    ""
  ]
  return table([`${name}: p99, ms, by runs`, ...[...reads.keys()].map(String), "growth"], [...rows, starts])
}

const readsOnSqlite = async (): Promise<string> =>
  readsTable("SQLite", await readsOf((runs) => `file:${join(options.keep ?? folder, `runs-${runs}.db`)}`))

const readsOnPostgres = async (): Promise<string> => {
  if (!hasPostgres) return "PostgreSQL: skipped, its server is not there"
  const postgres = await makePostgres()
  try {
    const databaseOf = async (runs: number): Promise<string> => {
      await postgres.execute(`CREATE DATABASE runs_${runs}`)
      return postgres.url.replace(/\/postgres$/, `/runs_${runs}`)
    }
    return readsTable("PostgreSQL", await readsOf(databaseOf))
  } finally {
    await postgres.remove()
  }
}

const main = async (): Promise<void> => {
  const wanted = options.only.split(",")
  const fastify = await installFastify()
  try {
    console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}\n`)
    if (wanted.includes("throughput")) console.log(`${await throughput(fastify)}\n`)
    if (wanted.includes("polling")) console.log(`${await polling()}\n`)
    if (wanted.includes("memory")) console.log(`${await memory()}\n`)
    if (wanted.includes("reads") && options.on.includes("sqlite")) console.log(`${await readsOnSqlite()}\n`)
    if (wanted.includes("reads") && options.on.includes("postgres")) console.log(await readsOnPostgres())
  } finally {
    await fastify.remove()
    rmSync(folder, { recursive: true })
  }
}

await main()
