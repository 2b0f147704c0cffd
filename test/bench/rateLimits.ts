import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { parseArgs, promisify } from "node:util"
import { type CorpusServer, serveCorpus } from "../corpus/CorpusServer.ts"
import { median } from "./measure/Spread.ts"
import { seconds, table } from "./measure/Table.ts"

/*
 * `node test/bench/rateLimits.ts [--runs 10] [--faults rl-5,rl-10,rl-20] [--only ellmer,httpx]`: sites of the corpus that answer
 * 429 with `Retry-After: 2` beyond a number of requests a second, each audited several times by the command line. A score that is marked
 * reliable and is more than 2 points from the true one, which is that of an audit without a fault, ends it with exit code 1.
 */

const SITES: Readonly<Record<string, string>> = {
  ellmer: "https://ellmer.tidyverse.org",
  httpx: "https://www.python-httpx.org",
  kinocut: "https://kinocut.dev",
  vuex: "https://vuex.vuejs.org",
  ntfy: "https://docs.ntfy.sh"
}

/** How far a reliable score may be from the true one. */
const TOLERANCE = 2

const CLI = join(import.meta.dirname, "../../cli/main.ts")

interface Measured {
  readonly score: number
  readonly reliable: boolean
  readonly flags: ReadonlyArray<string>
  readonly ms: number
}

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "10" },
    faults: { type: "string", default: "rl-5,rl-10,rl-20" },
    only: { type: "string" }
  }
})
const runs = Number(values.runs)
const names = values.only?.split(",") ?? Object.keys(SITES)

const audit = async (server: CorpusServer, authority: string, site: string): Promise<Measured> => {
  const before = performance.now()
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [CLI, SITES[site] ?? "", "--format", "json", "--resolve", `*:443:127.0.0.1:${server.port}`],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: authority }, maxBuffer: 2 ** 26 }
  )
  const {
    reliability: { flags, reliable },
    total_score: score
  } = JSON.parse(stdout)
  return { score, reliable, flags, ms: performance.now() - before }
}

/** All sites at once, the runs of each one after the other. */
const underFault = async (
  fault: string | undefined,
  times: number
): Promise<ReadonlyMap<string, ReadonlyArray<Measured>>> => {
  const folder = await mkdtemp(join(tmpdir(), "docgauge-rates-"))
  const server = await serveCorpus({ only: names, ...(fault === undefined ? {} : { fault }) })
  const authority = join(folder, "ca.pem")
  writeFileSync(authority, server.authority)
  try {
    return new Map(
      await Promise.all(
        names.map(async (site) => {
          const measured: Array<Measured> = []
          for (let run = 0; run < times; run++) measured.push(await audit(server, authority, site))
          return [site, measured] as const
        })
      )
    )
  } finally {
    await server.stop()
    await rm(folder, { recursive: true })
  }
}

const distinct = (words: ReadonlyArray<string | number>): string => [...new Set(words)].join(", ")

const truth = await underFault(undefined, 1)
const trueScore = (site: string): number => truth.get(site)?.[0]?.score ?? -1
const rows: Array<ReadonlyArray<string>> = []
let wrong = 0
for (const fault of values.faults.split(",")) {
  for (const [site, measured] of await underFault(fault, runs)) {
    const isWrong = ({ reliable, score }: Measured): boolean =>
      reliable && Math.abs(score - trueScore(site)) > TOLERANCE
    wrong += measured.filter(isWrong).length
    rows.push([
      `${site}, ${fault}`,
      String(trueScore(site)),
      distinct(measured.map(({ score }) => score).toSorted((one, other) => one - other)),
      `${measured.filter(({ reliable }) => reliable).length} of ${measured.length}`,
      String(measured.filter(isWrong).length),
      distinct(measured.flatMap(({ flags }) => flags)),
      seconds(median(measured.map(({ ms }) => ms))),
      seconds(Math.max(...measured.map(({ ms }) => ms)))
    ])
  }
}
console.log(
  table(["site, limit", "true score", "scores", "reliable", "reliable and wrong", "flags", "median", "slowest"], rows)
)
process.exitCode = wrong === 0 ? 0 : 1
