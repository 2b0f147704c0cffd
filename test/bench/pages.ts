import { mkdtempSync, rmSync } from "node:fs"
import { cpus, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { parseArgs } from "node:util"
import { hasChromium, startBrowser } from "../browser/TestBrowser.ts"
import { LIMITLESS, ServiceProcess } from "../harness/ServiceProcess.ts"
import { serveSmallSites } from "../harness/SmallSites.ts"
import { installFastify } from "./data/Fastify.ts"
import { CROWD, measureImages } from "./data/Images.ts"
import { latenciesOf } from "./measure/Latencies.ts"
import { loadOnPhone, type PhoneLoad } from "./measure/PhoneLoad.ts"
import { median, repeat } from "./measure/Spread.ts"
import { storeReports } from "./data/StoredReports.ts"
import { held, heldAtLeast, table } from "./measure/Table.ts"
import { compareRates } from "./measure/Throughput.ts"

/*
 * `npm run bench:pages`: the figures of what people see. `-- --only images,loads,throughput` for some of them,
 * `--pages report,start` for some pages. Needs chromium for the loads, npm for the throughput.
 */

const { values: options } = parseArgs({
  options: { only: { type: "string", default: "images,loads,throughput" }, pages: { type: "string" } }
})

/** Of the kilobytes, 48 are the two fonts, which are kept by the browser. */
const GOALS = { cold: 200, warm: 5, kilobytes: 85, firstByte: 50, paint: 1_000, shift: 0, share: 0.3 }

const LOADS = 5
const FIRST_BYTES = 300

const folder = mkdtempSync(join(tmpdir(), "docgauge-pages-bench-"))
const database = `file:${join(folder, "runs.db")}`
const run = await storeReports(database)
const sites = await serveSmallSites()
const service = new ServiceProcess({
  env: { ...LIMITLESS, ...sites.env, DOCGAUGE_DATABASE_URL: database, DOCGAUGE_ARCHIVES: "off" }
})
const url = await service.url

const ALL_PAGES: ReadonlyArray<readonly [name: string, path: string]> = [
  ["report", `/r/${run}`],
  ["comparison", `/r/${run}/compare`],
  ["start", "/"],
  ["leaderboard", "/browse/top?window=all"],
  ["rubric", "/rubric"],
  ["documentation", "/docs/v1/errors"]
]
const PAGES = ALL_PAGES.filter(([name]) => options.pages === undefined || options.pages.split(",").includes(name))

const images = async (): Promise<string> => {
  const { cold, crowdMs, meanwhile, warm } = await measureImages(service)
  return table(
    ["share images, ms", "p50", "p99", "most"],
    [
      ["drawn", cold.p50.toFixed(0), cold.p99.toFixed(0), held(cold.max, GOALS.cold, 0)],
      ["from memory", warm.p50.toFixed(1), held(warm.p99, GOALS.warm, 1), warm.max.toFixed(1)],
      [`the last of ${CROWD} drawn at once`, "", "", crowdMs.toFixed(0)],
      ["other requests meanwhile", meanwhile.p50.toFixed(1), meanwhile.p99.toFixed(1), meanwhile.max.toFixed(1)]
    ]
  )
}

/** Milliseconds until the head of the answer is there, of a page that was asked for before. */
const firstByte = async (path: string): Promise<number> => {
  const took: Array<number> = []
  for (let count = 0; count < FIRST_BYTES; count++) {
    const begun = performance.now()
    const response = await fetch(url + path, { headers: { "accept-encoding": "br" } })
    took.push(performance.now() - begun)
    await response.arrayBuffer()
  }
  return latenciesOf(took.slice(1)).p99
}

const loads = async (): Promise<string> => {
  if (!hasChromium) return "loads: skipped, chromium is not there"
  const browser = await startBrowser()
  try {
    const rows: Array<ReadonlyArray<string>> = []
    for (const [name, path] of PAGES) {
      const seen = await repeat(LOADS, () => loadOnPhone(browser, url + path))
      const middle = (of: (load: PhoneLoad) => number): number => median(seen.map(of))
      rows.push([
        name,
        held(middle(({ bytes }) => bytes) / 1_000, GOALS.kilobytes, 1),
        held(await firstByte(path), GOALS.firstByte, 1),
        held(
          middle(({ largestPaintMs }) => largestPaintMs),
          GOALS.paint,
          0
        ),
        held(Math.max(...seen.map(({ layoutShift }) => layoutShift)), GOALS.shift, 3)
      ])
    }
    return table(
      ["pages", "KB with everything", "first byte, p99, ms", "largest paint on a phone, ms", "layout shift"],
      rows
    )
  } finally {
    await browser.close()
  }
}

const throughput = async (): Promise<string> => {
  const fastify = await installFastify()
  try {
    const rows: Array<ReadonlyArray<string>> = []
    for (const [name, path] of PAGES) {
      const body = await (await fetch(url + path, { headers: { "accept-encoding": "identity" } })).text()
      const compared = {
        name,
        ours: { url: url + path },
        theirs: { url: await fastify.serve({ status: 200, body }) },
        status: 200,
        share: GOALS.share
      }
      const { ours, share, theirs } = await compareRates(fastify, compared)
      rows.push([
        name,
        (body.length / 1_000).toFixed(0),
        ours.toFixed(0),
        theirs.toFixed(0),
        heldAtLeast(share, GOALS.share)
      ])
    }
    return table(["pages a second", "KB", "ours", "fastify", "share"], rows)
  } finally {
    await fastify.remove()
  }
}

try {
  const wanted = options.only.split(",")
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, load average ${loadavg()[0]?.toFixed(1)}\n`
  )
  if (wanted.includes("images")) console.log(`${await images()}\n`)
  if (wanted.includes("loads")) console.log(`${await loads()}\n`)
  if (wanted.includes("throughput")) console.log(await throughput())
} finally {
  await service.kill()
  await sites.close()
  rmSync(folder, { recursive: true })
}
