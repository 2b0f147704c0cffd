import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import * as Schema from "effect/Schema"

/** What a run of a program took, as the operating system has it. */
export interface MeasuredRun {
  readonly exitCode: number | null
  readonly wallMs: number
  /** User and system time of all threads. */
  readonly cpuMs: number
  /** Largest resident set, in bytes. */
  readonly peakBytes: number
  readonly stdout: string
}

/** Written by the program itself as it ends; its threads share the numbers. */
const Usage = Schema.fromJsonString(Schema.Struct({ cpu: Schema.Number, peak: Schema.Number }))

const REPORT_USAGE = `
import { writeFileSync } from "node:fs"
import { isMainThread } from "node:worker_threads"
if (isMainThread) process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  writeFileSync(process.env.BENCH_USAGE, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, peak: maxRSS * 1024 }))
})`

/** Runs a JavaScript program with this Node, and waits for its end. */
export const measureRun = async (program: string, args: ReadonlyArray<string>): Promise<MeasuredRun> => {
  const folder = await mkdtemp(join(tmpdir(), "docgauge-usage-"))
  const usage = join(folder, "usage.json")
  const before = performance.now()
  const child = spawn(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(REPORT_USAGE)}`, program, ...args],
    { stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, BENCH_USAGE: usage } }
  )
  let stdout = ""
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    stdout += piece
  })
  await once(child, "close")
  const wallMs = performance.now() - before
  const { cpu, peak } = Schema.decodeUnknownSync(Usage)(await readFile(usage, "utf8"))
  await rm(folder, { recursive: true })
  return { exitCode: child.exitCode, wallMs, cpuMs: cpu, peakBytes: peak, stdout }
}
