import { constants } from "node:os"
import process from "node:process"
import { Worker } from "node:worker_threads"
import { graceMs } from "../engine/process/ProcessLimits.ts"
import { plainText } from "../engine/text/PlainText.ts"
import {
  type AuditBegins,
  type CommandOrder,
  type CommandOutputs,
  type CommandTask,
  type OutputTraits,
  forwardOutput,
  unwritable
} from "./io/CommandChannel.ts"

/** The file of the command's thread: `.ts` if this file runs from source, `.js` if it was built. */
const COMMAND_THREAD = new URL(`./CommandThread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

/**
 * Heap limit of the command's thread. An audit uses 50 of it; response bodies are outside the heap. V8 first collects garbage at a size that
 * is a share of the limit: with 512, an audit takes 5 % more CPU.
 */
const HEAP_MEGABYTES = 2_048

/**
 * V8's young generation in that heap. The default of 48 MB costs 20 MB more at the peak of an audit and saves no time. It is not
 * set by a V8 flag, because flags set at run time make each new thread compile Node's own code again (35 ms).
 */
const YOUNG_MEGABYTES = 12

/** Milliseconds that a command has to stop by itself after a signal: it clears its progress line and closes its connections. */
const STOP_MS = 700

/** Milliseconds to wait for the thread to end before the process is ended anyway. */
const TERMINATE_MS = 250

/** Seconds that an audit has after `--timeout` to judge what it gathered. */
const graceOf = ({ pluginSeconds, timeoutSeconds }: AuditBegins): number =>
  graceMs(timeoutSeconds * 1_000) / 1_000 + pluginSeconds

const WIPE_LINE = "\r\u001b[2K"

/** The exit codes of `CliFailure.ts`, repeated here because importing it would load a library that this thread does not need. */
const WRONG_USAGE = 2
const NOT_AUDITED = 3
const OWN_FAULT = 70

type StopSignal = "SIGINT" | "SIGTERM"

/** How the process ends when its command is stopped: the exit code, and a line for stderr. */
interface Ending {
  readonly code: number
  readonly message: string | null
}

/**
 * Runs a command in its own thread. The main thread does nothing else, so signals and the time limit work even if the command is
 * stuck in a regular expression, an endless loop or a parser.
 */
export const superviseCommand = (args: ReadonlyArray<string>): void => {
  const task: CommandTask = { args, ...outputTraits() }
  const thread = new Worker(COMMAND_THREAD, {
    workerData: task,
    resourceLimits: {
      maxOldGenerationSizeMb: HEAP_MEGABYTES - YOUNG_MEGABYTES,
      maxYoungGenerationSizeMb: YOUNG_MEGABYTES
    },
    stdout: true,
    stderr: true
  })
  loadUnicodeData()
  const order = (order: CommandOrder): void => thread.postMessage(order)
  let stoppedBy: StopSignal | null = null
  let deadline: NodeJS.Timeout | undefined

  const end = ({ code, message }: Ending): void => {
    clearTimeout(deadline)
    // What the thread still prints until it ends would follow the reason for ending it.
    for (const discard of discards) discard()
    if (process.stderr.isTTY && process.env["TERM"] !== "dumb") process.stderr.write(WIPE_LINE)
    if (message !== null) process.stderr.write(`docgauge: ${message}\n`)
    setTimeout(() => hardExit(code), TERMINATE_MS)
    void thread.terminate().then(() => process.exit(code))
  }

  const stop = (signal: StopSignal): void => {
    const first = stoppedBy ?? signal
    const ending: Ending = { code: exitCodeOf(first), message: null }
    if (stoppedBy !== null) return end(ending)
    stoppedBy = signal
    order({ _tag: "Stop" })
    setTimeout(() => end(ending), STOP_MS).unref()
  }

  const endUnwritten = (error: Error): void => end({ code: WRONG_USAGE, message: unwritable(error) })
  const discards = [
    forwardOutput(thread.stdout, process.stdout, endUnwritten),
    forwardOutput(thread.stderr, process.stderr, endUnwritten)
  ]
  process.on("SIGINT", stop).on("SIGTERM", stop)
  process.stdout.on("resize", () => order({ _tag: "Resized", outputs: outputTraits() }))
  thread.on("message", (audit: AuditBegins) => {
    const graceSeconds = graceOf(audit)
    // With several sites, the last audit to begin decides.
    clearTimeout(deadline)
    deadline = setTimeout(() => end(overdue(audit, graceSeconds)), 1_000 * (audit.timeoutSeconds + graceSeconds))
  })
  // All audits have ended and the report is complete before its first byte is written, so the time limit ends here: the reader may be slow.
  thread.stdout.once("data", () => clearTimeout(deadline))
  thread.on("error", (error: unknown) => end(failureOf(error)))
  thread.on("exit", (code) => {
    clearTimeout(deadline)
    // Not `process.exit`, which would discard output that a slow reader has not read yet.
    process.exitCode = stoppedBy === null ? code : exitCodeOf(stoppedBy)
  })
}

/**
 * The library that reads the command line makes a segmenter when it is loaded. The data of the first one take 9 ms, and all threads share
 * them: this thread reads them while the command's thread starts.
 */
const loadUnicodeData = (): void => {
  new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment("")
}

const outputTraits = (): CommandOutputs => ({ stdout: traitsOf(process.stdout), stderr: traitsOf(process.stderr) })

const traitsOf = ({ columns, isTTY }: NodeJS.WriteStream): OutputTraits => ({ columns, isTTY })

/** As in shells: 128 plus the number of the signal. */
const exitCodeOf = (signal: StopSignal): number => 128 + constants.signals[signal]

const overdue = ({ timeoutSeconds }: AuditBegins, graceSeconds: number): Ending => ({
  code: NOT_AUDITED,
  message:
    `the audit was stopped, because it was still running ${Math.round(graceSeconds)} s after its --timeout of ${timeoutSeconds} s; there is no report. ` +
    "Run it again. If that happens twice, report the URL as a bug."
})

const failureOf = (error: unknown): Ending =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
    ? {
        code: NOT_AUDITED,
        message: `stopped, because it needed more than ${HEAP_MEGABYTES} MB of memory; there is no result. Try a smaller --sample, or fewer files.`
      }
    : {
        code: OWN_FAULT,
        message: `internal error: ${plainText(error instanceof Error ? `${error.name}: ${error.message}` : String(error), 300)}. This is a bug; please report it.`
      }

/**
 * Ends the process even if one of its threads does not end. `process.exit` waits for threads, and a thread inside native code (a
 * long `JSON.parse`, a blocking read) ends only when that returns. So the process is replaced (`execve`) by a Node that only
 * exits, which keeps the exit code; where that is not supported (Windows), the process is killed.
 */
const hardExit = (code: number): void => {
  try {
    process.execve?.(process.execPath, [process.execPath, "--eval", `process.exitCode = ${code}`], {})
  } finally {
    process.kill(process.pid, "SIGKILL")
  }
}
