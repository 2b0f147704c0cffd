/**
 * `node test/bench/throughput.ts PROGRAM [PROGRAM…]`: how many audits a minute a service finishes, four at once, of small
 * sites that take 50 ms for each answer. A program is the first file of a build (`dist/lib/main.js`); several are measured
 * in turns. Prints audits a minute, and CPU seconds an audit of the service's processes together. Linux only (/proc).
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { LIMITLESS } from "../harness/ServiceProcess.ts"
import { serveSmallSites, smallSite } from "../harness/SmallSites.ts"
import { median } from "./measure/Spread.ts"

const AUDITS = 240
const AT_ONCE = 4
const ROUNDS = 3
const DELAY_MS = 50
/** Jiffies a second, on every Linux that Node runs on. */
const TICKS = 100

const [, , ...programs] = process.argv
if (programs.length === 0) throw new Error("usage: node test/bench/throughput.ts PROGRAM [PROGRAM...]")

/** CPU seconds of a process, with those of the children that it has waited for, and its parent. Null where it has ended. */
const timesOf = (pid: string): { readonly parent: number; readonly own: number; readonly waited: number } | null => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /su, "").split(" ").map(Number)
    const [parent = 0, user = 0, system = 0, waitedUser = 0, waitedSystem = 0] = [fields[1], fields[11], fields[12], fields[13], fields[14]]
    return { parent, own: (user + system) / TICKS, waited: (waitedUser + waitedSystem) / TICKS }
  } catch {
    return null
  }
}

/** CPU seconds of a process and its children, ended ones included. */
const cpuOf = (pid: number): number => {
  const all = new Map(readdirSync("/proc").filter((name) => /^\d+$/u.test(name)).map((name) => [Number(name), timesOf(name)] as const))
  const children = [...all].filter(([, times]) => times?.parent === pid).map(([id]) => cpuOf(id))
  const own = all.get(pid)
  return (own?.own ?? 0) + (own?.waited ?? 0) + children.reduce((sum, one) => sum + one, 0)
}

const listening = async (program: string, env: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, ["--max-semi-space-size=4", program, "serve"], {
    env: { PATH: process.env["PATH"] ?? "", PORT: "0", ...LIMITLESS, ...env }, stdio: ["ignore", "ignore", "pipe"]
  })
  const lines = createInterface({ input: child.stderr })
  for await (const line of lines) {
    const [, address] = /listens on (\S+?)(?: as|$|,)/u.exec(line) ?? []
    if (address !== undefined) return { child, url: `http://${address}` }
  }
  throw new Error(`${program} did not listen`)
}

const audit = async (url: string, index: number): Promise<void> => {
  const response = await fetch(`${url}/audit`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ base_url: smallSite(index) }) })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`)
}

const measure = async (program: string): Promise<readonly [perMinute: number, cpu: number]> => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-throughput-"))
  const sites = await serveSmallSites({ delayMs: DELAY_MS })
  const { child, url } = await listening(program, { ...sites.env, DOCGAUGE_DATABASE_URL: `file:${join(folder, "runs.db")}` })
  child.stderr?.resume()
  try {
    for (let index = 0; index < AT_ONCE; index++) await audit(url, index)
    const before = cpuOf(child.pid ?? 0)
    const begun = performance.now()
    let next = AT_ONCE
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      while (next < AUDITS + AT_ONCE) await audit(url, next++)
    }))
    const minutes = (performance.now() - begun) / 60_000
    return [AUDITS / minutes, (cpuOf(child.pid ?? 0) - before) / AUDITS]
  } finally {
    child.kill("SIGTERM")
    await once(child, "exit")
    await sites.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const results = new Map(programs.map((program) => [program, new Array<readonly [number, number]>()]))
for (let round = 0; round < ROUNDS; round++) {
  for (const [program, all] of results) all.push(await measure(program))
}
for (const [program, all] of results) {
  console.log(`${program}: ${median(all.map(([rate]) => rate)).toFixed(0)} audits a minute, ${median(all.map(([, cpu]) => cpu)).toFixed(3)} s of CPU each`)
}
