import { spawn } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import process from "node:process"
import { PROGRAM } from "../harness/program/BuiltProgram.ts"
import type { CliRun } from "./RunCli.ts"

const PEAK_MEMORY = resolve(import.meta.dirname, "PeakMemory.ts")

/** A run of the program, and what it took. */
export interface MeasuredRun extends CliRun {
  readonly milliseconds: number
  /** Of the whole process, its threads included; `null` where it was ended before it could tell. */
  readonly peakMegabytes: number | null
}

export interface MeasuredRunOptions {
  readonly env?: Readonly<Record<string, string>>
  /** The file that is run; the program that was built for the tests where none is given. */
  readonly program?: string
  /** Code run before the program. */
  readonly preload?: string
  /** Sends the signal when stderr has this in it. */
  readonly signal?: { readonly name: NodeJS.Signals; readonly after: string }
  /** Kills a program that has not ended by then; its code is -1. */
  readonly longestMs?: number
}

/** Runs `docgauge` in a process of its own, without a terminal, and measures it. */
export const measuredRun = async (
  args: ReadonlyArray<string>,
  { env = {}, longestMs = 600_000, preload, program = PROGRAM, signal }: MeasuredRunOptions = {}
): Promise<MeasuredRun> => {
  const started = performance.now()
  const preloads = preload === undefined ? [] : ["--import", `data:text/javascript,${encodeURIComponent(preload)}`]
  const child = spawn(process.execPath, ["--import", PEAK_MEMORY, ...preloads, program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env }
  })
  let stdout = ""
  let stderr = ""
  let signalled = false
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
    if (signal !== undefined && !signalled && stderr.includes(signal.after)) {
      signalled = true
      child.kill(signal.name)
    }
  })
  const longest = setTimeout(() => child.kill("SIGKILL"), longestMs)
  const [code, by]: ReadonlyArray<unknown> = await once(child, "close")
  clearTimeout(longest)
  const peak = /peak-memory-mb: (\d+)\n$/.exec(stderr)
  return {
    code: typeof code === "number" ? code : by === "SIGINT" ? 130 : -1,
    stdout,
    stderr: peak === null ? stderr : stderr.slice(0, peak.index),
    milliseconds: performance.now() - started,
    peakMegabytes: peak === null ? null : Number(peak[1])
  }
}
