import { execFileSync } from "node:child_process"
import { cpus } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { parseArgs } from "node:util"
import { hasCorpus } from "../corpus/CorpusServer.ts"
import { AFDOCS_VERSION, type Afdocs, installAfdocs } from "./data/Afdocs.ts"
import { type BenchServer, type BenchSite, DELAY, LARGE, startBenchServer } from "./data/BenchServer.ts"
import { longestChain } from "./measure/LongestChain.ts"
import { type MeasuredRun, measureRun } from "./measure/MeasuredRun.ts"
import { parsingDelay } from "./measure/ParsingDelay.ts"
import { median, repeat } from "./measure/Spread.ts"
import { held, megabytes, milliseconds, seconds, table } from "./measure/Table.ts"

/*
 * `npm run bench`: the figures of issue 2, medians of five. `-- --runs 1 --only ellmer,httpx` for a first look. Never
 * part of `npm test`; needs ../shared/corpus, tar with xz, and npm for the peer that it compares with.
 */

const ROOT = join(import.meta.dirname, "../..")
const DOCGAUGE = join(ROOT, "dist/lib/main.js")

/** With the goals for wall time and requests, as shares of what the peer takes. */
const COMPARED: ReadonlyArray<{ readonly slug: string; readonly wall: number; readonly requests: number }> = [
  { slug: "ellmer", wall: 0.25, requests: 0.4 },
  { slug: "dnd5eapi", wall: 0.25, requests: 0.4 },
  { slug: "httpx", wall: 0.5, requests: 0.6 },
  { slug: "kinocut", wall: 0.5, requests: 0.6 }
]

const PEAK_MB = 250
const LARGE_PEAK_MB = 700
const CPU_S = 2
const WALL_FACTOR = 1.5
const AT_ONCE = 6
const DELAY_P99_MS = 50
const VERSION_MS = 250
const RUBRIC_MS = 60

/** Runs of one program on one site, and what each asked. */
interface Series {
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakBytes: number
  readonly requests: number
  /** Requests that had been made before in the same run, with the same headers; the most of all runs. */
  readonly again: number
  readonly exitCode: number | null
}

interface Bench {
  readonly server: BenchServer
  readonly runs: number
}

const seriesOf = async ({ runs, server }: Bench, run: () => Promise<MeasuredRun>): Promise<Series> => {
  await server.asked()
  const all = await repeat(runs, async () => {
    const measured = await run()
    const asked = (await server.asked()).map(({ accept, m, port, ua, url }) =>
      JSON.stringify([m, port, url, accept, ua])
    )
    return { ...measured, requests: asked.length, again: asked.length - new Set(asked).size }
  })
  const middle = (of: (one: (typeof all)[number]) => number): number => median(all.map(of))
  return {
    wallMs: middle(({ wallMs }) => wallMs),
    cpuMs: middle(({ cpuMs }) => cpuMs),
    peakBytes: middle(({ peakBytes }) => peakBytes),
    requests: middle(({ requests }) => requests),
    again: Math.max(...all.map(({ again }) => again)),
    exitCode: all[0]?.exitCode ?? null
  }
}

const docgauge = (url: string): Promise<MeasuredRun> =>
  measureRun(DOCGAUGE, [url, "--allow-http", "--allow-private", "--format", "json", "--quiet"])

interface Audited extends Series, BenchSite {}

const auditAll = async (bench: Bench, sites: ReadonlyArray<BenchSite>): Promise<ReadonlyArray<Audited>> => {
  const audited: Array<Audited> = []
  for (const site of sites) audited.push({ ...site, ...(await seriesOf(bench, () => docgauge(site.url))) })
  return audited
}

const siteRow = async (site: Audited): Promise<ReadonlyArray<string>> => {
  const { length, requests } = await longestChain(site.url)
  const floor = (length + requests / AT_ONCE) * DELAY
  return [
    site.exitCode === 0 ? site.slug : `${site.slug} (exit ${site.exitCode})`,
    seconds(site.wallMs),
    String(length),
    String(site.requests),
    held(site.wallMs / floor, WALL_FACTOR),
    String(site.again),
    site.slug === LARGE ? (site.cpuMs / 1_000).toFixed(2) : held(site.cpuMs / 1_000, CPU_S),
    held(site.peakBytes / 1024 / 1024, site.slug === LARGE ? LARGE_PEAK_MB : PEAK_MB, 0)
  ]
}

const SITE_HEAD = [
  "site",
  "wall",
  "chain",
  "requests",
  `wall ÷ (chain + requests/${AT_ONCE}) × ${DELAY} ms`,
  "asked twice",
  "CPU s",
  "peak MB"
]

const compare = async (
  bench: Bench,
  afdocs: Afdocs,
  audited: ReadonlyArray<Audited>
): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const rows: Array<ReadonlyArray<string>> = []
  for (const { requests, slug, wall } of COMPARED) {
    const ours = audited.find((site) => site.slug === slug)
    if (ours === undefined) continue
    const theirs = await seriesOf(bench, () => measureRun(afdocs.program, afdocs.argsFor(ours.url)))
    const pair = (of: (series: Series) => number, unit: (value: number) => string) =>
      `${unit(of(ours))} : ${unit(of(theirs))}`
    rows.push([
      slug,
      pair(({ wallMs }) => wallMs, seconds),
      held(ours.wallMs / theirs.wallMs, wall),
      pair((series) => series.requests, String),
      held(ours.requests / theirs.requests, requests),
      pair(({ cpuMs }) => cpuMs, seconds),
      pair(({ peakBytes }) => peakBytes, megabytes)
    ])
  }
  return rows
}

const COMPARED_HEAD = ["ours : afdocs", "wall", "share", "requests", "share", "CPU", "peak"]

const otherRows = async ({ runs, server }: Bench): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const starts = await repeat(runs, () => measureRun(DOCGAUGE, ["--version"]))
  const loads = await repeat(runs, () => measureRun(join(import.meta.dirname, "rubricLoading.ts"), []))
  const delays = await repeat(runs, () => parsingDelay(server.largeDescription))
  const size = megabytes(server.largeDescription.byteLength)
  return [
    ["docgauge --version, ms", held(median(starts.map(({ wallMs }) => wallMs)), VERSION_MS, 0)],
    ["loading the rubric, cold, ms", held(median(loads.map(({ stdout }) => Number(stdout))), RUBRIC_MS, 0)],
    [
      `event loop held up while ${size} are parsed, p99, ms`,
      held(median(delays.map(({ p99Ms }) => p99Ms)), DELAY_P99_MS, 0)
    ],
    [`parsing ${size}`, milliseconds(median(delays.map(({ tookMs }) => tookMs)))]
  ]
}

const options = {
  runs: { type: "string", default: "5" },
  only: { type: "string", default: "" }
} as const

const main = async (): Promise<void> => {
  if (!hasCorpus) return console.log("skipped: ../shared/corpus is not there")
  const { only, runs } = parseArgs({ options }).values
  execFileSync(process.execPath, [join(ROOT, "scripts/build.ts")], { stdio: "inherit" })
  const server = await startBenchServer()
  const afdocs = await installAfdocs()
  try {
    const bench = { server, runs: Number(runs) }
    console.log(
      `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, medians of ${runs}, ${DELAY} ms added to each answer\n`
    )
    const wanted = server.sites.filter(({ slug }) => only === "" || only.split(",").includes(slug))
    const audited = await auditAll(bench, wanted)
    const rows: Array<ReadonlyArray<string>> = []
    for (const site of audited) rows.push(await siteRow(site))
    console.log(`${table(SITE_HEAD, rows)}\n`)
    console.log(
      `${table(COMPARED_HEAD, await compare(bench, afdocs, audited))}\nafdocs ${AFDOCS_VERSION} at its best pace\n`
    )
    console.log(table(["", ""], await otherRows(bench)))
  } finally {
    await afdocs.remove()
    await server.stop()
  }
}

await main()
