import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { inputsOf } from "./Inputs.ts"
import { type ChildTask, type Failure, HUNG_CPU_MS, HUNG_MS, MOST_RESIDENT, type Progress } from "./Protocol.ts"
import { readSeeds } from "./Seeds.ts"
import { fuzzTargets } from "./Targets.ts"

/** An input that a parser does not get through as it must. */
export interface Finding extends Failure {
  readonly target: string
  readonly seed: number
  readonly index: number
  /** Where the input was saved. */
  readonly file: string
}

export interface FuzzOptions {
  readonly seed: number
  /** How many inputs there are, or for how long there are some, in milliseconds. */
  readonly until: { readonly inputs: number } | { readonly milliseconds: number }
  readonly names?: ReadonlyArray<string> | null
  readonly corpus: string | null
}

export interface Fuzzed {
  readonly inputs: number
  /** At most one for each target and kind of failure. */
  readonly findings: ReadonlyArray<Finding>
}

/** Feeds all parsers until all inputs are read or the time is over, in a process that is watched and replaced where it hangs or ends. */
export const fuzz = async ({ corpus, names = null, seed, until }: FuzzOptions): Promise<Fuzzed> => {
  const failed = new Map<string, Progress & { readonly failure: Failure }>()
  const inputs = "inputs" in until ? until.inputs : null
  let left = "milliseconds" in until ? until.milliseconds : null
  let next = 0
  const goesOn = (): boolean => (inputs === null || next < inputs) && (left === null || left > 0)
  while (goesOn()) {
    const { failures, last, workedMs } = await watched({
      seed,
      first: next,
      before: inputs,
      milliseconds: left,
      names,
      corpus
    })
    if (left !== null) left -= Math.max(1, workedMs)
    for (const one of failures) if (!failed.has(keyOf(one))) failed.set(keyOf(one), one)
    if (last === null)
      throw new Error(`the fuzzing process ended before its first input: ${failures[0]?.failure.message}`)
    next = last + 1
  }
  return { inputs: next, findings: await saved(seed, names, corpus, [...failed.values()]) }
}

const keyOf = ({ failure, target }: Progress & { readonly failure: Failure }): string =>
  `${target} ${failure.kind} ${failure.message.slice(0, 60)}`

/** What one process came to. `last` is the number of the input that it ended with or by. */
interface Watched {
  readonly last: number | null
  /** From its first input to its end, in milliseconds. */
  readonly workedMs: number
  readonly failures: ReadonlyArray<Progress & { readonly failure: Failure }>
}

const CHILD = join(import.meta.dirname, "FuzzChild.ts")

const watched = (task: ChildTask): Promise<Watched> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ["--max-old-space-size=512", CHILD, JSON.stringify(task)], {
      stdio: ["ignore", "ignore", "pipe", "pipe"]
    })
    const failures: Array<Progress & { readonly failure: Failure }> = []
    let now: Progress | null = null
    let verdict: Failure | null = null
    let stderr = ""
    let since = { wall: Date.now(), cpu: 0 }
    let begun = Number.POSITIVE_INFINITY
    child.stderr?.on("data", (chunk) => {
      stderr = `${stderr}${chunk}`.slice(-4_000)
    })
    createInterface({ input: child.stdio[3] as Readable }).on("line", (line) => {
      const progress: Progress = JSON.parse(line)
      const { failure } = progress
      if (failure !== undefined) failures.push({ ...progress, failure })
      now = progress
      begun = Math.min(begun, Date.now())
      since = { wall: Date.now(), cpu: cpuMs(child) }
    })
    const watchdog = setInterval(() => {
      verdict ??= now === null ? null : judged(child, Date.now() - since.wall, cpuMs(child) - since.cpu)
      if (verdict !== null) child.kill("SIGKILL")
    }, 250)
    child.on("close", (code) => {
      clearInterval(watchdog)
      const failure =
        verdict ??
        (code === 0 ? null : ({ kind: "ended", message: `the process ended with ${code}`, stack: stderr } as const))
      if (failure !== null) failures.push({ ...(now ?? { index: -1, target: "none", bytes: 0 }), failure })
      resolve({ last: now?.index ?? null, workedMs: Math.max(0, Date.now() - begun), failures })
    })
  })

const judged = (child: ChildProcess, quietMs: number, usedMs: number): Failure | null => {
  if (usedMs > HUNG_CPU_MS)
    return { kind: "hung", message: `no end after ${Math.round(usedMs / 1_000)} s of processor time`, stack: "" }
  if (quietMs > HUNG_MS) return { kind: "hung", message: `no end after ${HUNG_MS / 1_000} s`, stack: "" }
  const resident = residentBytes(child)
  return resident > MOST_RESIDENT
    ? { kind: "memory", message: `${Math.round(resident / 1024 / 1024)} MB of memory`, stack: "" }
    : null
}

/** What Linux tells of the process; empty where it has ended, or on other systems: then only wall-clock time counts. */
const told = ({ pid }: ChildProcess, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8")
  } catch {
    return ""
  }
}

const residentBytes = (child: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(told(child, "status"))?.[1] ?? 0) * 1_024

/** Linux counts in hundredths of a second; the name before the fields is in parentheses. */
const cpuMs = (child: ChildProcess): number => {
  const fields = told(child, "stat").split(") ", 2)[1]?.split(" ") ?? []
  return 10 * (Number(fields[11] ?? 0) + Number(fields[12] ?? 0))
}

/** Makes the inputs of findings once more and keeps them in a temporary folder. */
const saved = async (
  seed: number,
  names: ReadonlyArray<string> | null,
  corpus: string | null,
  failed: ReadonlyArray<Progress & { readonly failure: Failure }>
): Promise<ReadonlyArray<Finding>> => {
  if (failed.length === 0) return []
  const folder = mkdtempSync(join(tmpdir(), "docgauge-findings-"))
  const inputAt = inputsOf(
    seed,
    fuzzTargets.filter(({ name }) => names === null || names.includes(name)),
    await readSeeds(corpus)
  )
  return failed.map(({ failure, index, target }) => {
    const file = join(folder, `${target.replaceAll(/\W+/g, "-")}-${seed}-${index}`)
    writeFileSync(file, inputAt(index).bytes())
    return { target, seed, index, file, ...failure }
  })
}

/** A finding as people read it, with the command that shows it again. */
export const described = ({ file, index, kind, message, seed, stack, target }: Finding): string =>
  `${target}: ${kind}: ${message}\n${stack}\n  seed ${seed}, input ${index}; again: node test/fuzz/again.ts ${JSON.stringify(target)} ${file}`
