/**
 * `node test/bench/throughput.ts PROGRAM [PROGRAM…]`: how many audits a minute a service finishes, four at once, of small
 * sites that take 50 ms for each answer. A program is the first file of a build (`dist/lib/main.js`); several are measured
 * in turns, for a minute each. Prints audits a minute, and CPU seconds an audit of the service's processes together.
 *
 * `node test/bench/throughput.ts --workers PROGRAM`: the same for 1, 2 and 4 worker processes on one PostgreSQL, four audits at once in
 * each, of small sites that take a second for each answer. Linux only (/proc).
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { LIMITLESS } from "../harness/ServiceProcess.ts"
import { serveSmallSites, smallSite } from "../harness/SmallSites.ts"
import { cpuOf } from "./measure/ProcessCpu.ts"
import { median } from "./measure/Spread.ts"
import { measureWorkers, type WorkerScaling } from "./measure/WorkerScaling.ts"

const AT_ONCE = 4
const ROUNDS = 3
/** Of a program in each round. */
const ROUND_MS = 20_000
const DELAY_MS = 50

const [, , ...given] = process.argv
const programs = given.filter((word) => word !== "--workers")
if (programs.length === 0) throw new Error("usage: node test/bench/throughput.ts [--workers] PROGRAM [PROGRAM...]")

const listening = async (program: string, env: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, ["--max-semi-space-size=4", program, "serve"], {
    env: { PATH: process.env["PATH"] ?? "", PORT: "0", ...LIMITLESS, ...env },
    stdio: ["ignore", "ignore", "pipe"]
  })
  const lines = createInterface({ input: child.stderr })
  for await (const line of lines) {
    const [, address] = /listens on (\S+?)(?: as|$|,)/u.exec(line) ?? []
    if (address !== undefined) return { child, url: `http://${address}` }
  }
  throw new Error(`${program} did not listen`)
}

const audit = async (url: string, index: number): Promise<void> => {
  const response = await fetch(`${url}/audit`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ base_url: smallSite(index) })
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`)
}

const measure = async (program: string): Promise<readonly [perMinute: number, cpu: number]> => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-throughput-"))
  const sites = await serveSmallSites({ delayMs: DELAY_MS })
  const { child, url } = await listening(program, {
    ...sites.env,
    DOCGAUGE_DATABASE_URL: `file:${join(folder, "runs.db")}`
  })
  child.stderr?.resume()
  try {
    // At once, so that every audit process has started and audited before it is measured.
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => audit(url, index)))
    const before = cpuOf(child.pid ?? 0)
    const begun = performance.now()
    let next = AT_ONCE
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (performance.now() - begun < ROUND_MS) await audit(url, next++)
      })
    )
    const minutes = (performance.now() - begun) / 60_000
    const audits = next - AT_ONCE
    return [audits / minutes, (cpuOf(child.pid ?? 0) - before) / audits]
  } finally {
    child.kill("SIGTERM")
    await once(child, "exit")
    await sites.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const compareWorkers = async (program: string): Promise<void> => {
  const measured: Array<WorkerScaling> = []
  for (const workers of [1, 2, 4]) measured.push(await measureWorkers(program, workers))
  const [one] = measured
  for (const { audits, cpu, databaseCpu, seconds, workers } of measured) {
    const rate = audits / seconds
    const times = one === undefined ? 1 : rate / (one.audits / one.seconds)
    console.log(
      `${workers} workers: ${(60 * rate).toFixed(1)} audits a minute (${times.toFixed(2)} x), ${(audits / cpu).toFixed(2)} for each CPU second of theirs, ${((1_000 * databaseCpu) / audits).toFixed(0)} ms of PostgreSQL's CPU each`
    )
  }
}

const comparePrograms = async (): Promise<void> => {
  const results = new Map(programs.map((program) => [program, new Array<readonly [number, number]>()]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [program, all] of results) all.push(await measure(program))
  }
  for (const [program, all] of results) {
    console.log(
      `${program}: ${median(all.map(([rate]) => rate)).toFixed(0)} audits a minute, ${median(all.map(([, cpu]) => cpu)).toFixed(3)} s of CPU each`
    )
  }
}

if (given.includes("--workers")) for (const program of programs) await compareWorkers(program)
else await comparePrograms()
