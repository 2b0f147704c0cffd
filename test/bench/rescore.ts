/**
 * `node test/bench/rescore.ts [RUNS…]`: how long `docgauge rescore` takes for RUNS stored runs (1 000, 10 000 and 100 000
 * unless given), on one core, and how much memory. To reach: 10 000 runs in 10 s and 300 MB; linear.
 */
import { execFileSync, spawn } from "node:child_process"
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import * as Effect from "effect/Effect"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"
import { syntheticReport } from "./data/SyntheticRuns.ts"

const ROOT = resolve(import.meta.dirname, "..", "..")
const RUBRIC = join(ROOT, "rubric.yaml")
const rubric = await Effect.runPromise(loadRubric(readFileSync(RUBRIC), RUBRIC, plugins))

/** The rubric with a threshold moved in a few criteria: about one run in three changes. */
const moved = readFileSync(RUBRIC, "utf8")
  .replace("facts.with_twin >= 0.9", "facts.with_twin >= 0.8")
  .replace("facts.described >= 0.75", "facts.described >= 0.8")
  .replace("facts.substantive >= 0.9", "facts.substantive >= 0.85")

const folder = mkdtempSync(join(tmpdir(), "docgauge-rescore-"))
const later = join(folder, "later.yaml")
writeFileSync(later, moved)

const write = async (runs: number): Promise<string> => {
  const file = join(folder, `${runs}.jsonl`)
  const out = createWriteStream(file)
  for (let number = 0; number < runs; number += 1) {
    if (!out.write(`${JSON.stringify(syntheticReport(number, rubric))}\n`)) await once(out, "drain")
  }
  out.end()
  await once(out, "finish")
  return file
}

interface Figures {
  readonly runs: number
  readonly input: string
  /** On the clock; more than `cpu` where the core is shared. */
  readonly seconds: number
  /** All threads together, in seconds. */
  readonly cpu: number
  readonly peak: string
}

const measure = async (runs: number): Promise<Figures> => {
  const file = await write(runs)
  const megabytes = statSync(file).size / 2 ** 20
  const begun = performance.now()
  const child = spawn(...onOneCore([join(ROOT, "cli", "main.ts"), "rescore", "--rubric", later, "--from", file]), {
    stdio: ["ignore", "ignore", "inherit"]
  })
  let usage = { cpu: 0, megabytes: 0 }
  const watching = setInterval(() => {
    usage = usageOf(child.pid) ?? usage
  }, 20)
  const [code]: ReadonlyArray<unknown> = await once(child, "exit")
  clearInterval(watching)
  rmSync(file)
  if (code !== 0) throw new Error(`rescore ended with ${String(code)}`)
  const seconds = Math.round((performance.now() - begun) / 10) / 100
  return {
    runs,
    input: `${Math.round(megabytes)} MB`,
    seconds,
    cpu: usage.cpu,
    peak: `${Math.round(usage.megabytes)} MB`
  }
}

/** Where there is `taskset`, all threads share one core. */
const onOneCore = (args: ReadonlyArray<string>): [string, ReadonlyArray<string>] => {
  try {
    execFileSync("taskset", ["--version"], { stdio: "ignore" })
    return ["taskset", ["-c", "0", process.execPath, ...args]]
  } catch {
    return [process.execPath, args]
  }
}

/** Linux counts in hundredths of a second. */
const TICKS = 100

/** CPU time so far, and the most memory so far; `null` where the system does not say, or the process has ended. */
const usageOf = (pid: number | undefined): { readonly cpu: number; readonly megabytes: number } | null => {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
    const cpu = (Number(fields[11]) + Number(fields[12])) / TICKS
    return kilobytes === undefined || Number.isNaN(cpu) ? null : { cpu, megabytes: Number(kilobytes) / 1024 }
  } catch {
    return null
  }
}

const sizes = process.argv.slice(2).map(Number)
const figures: Array<Figures> = []
for (const runs of sizes.length === 0 ? [1_000, 10_000, 100_000] : sizes) figures.push(await measure(runs))
rmSync(folder, { recursive: true })
console.table(figures)
