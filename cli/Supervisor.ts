import { constants } from "node:os"
import process from "node:process"
import { Worker } from "node:worker_threads"
import { plainText } from "../engine/audit/PlainText.ts"
import type { AuditBegins, CommandOrder, CommandOutputs, CommandTask, OutputTraits } from "./CommandMessage.ts"
import { hardExit } from "./HardExit.ts"
import { forwardOutput } from "./OutputForwarding.ts"

/** The file of the command's thread: `.ts` where this one runs from source, `.js` where it was built. */
const COMMAND_THREAD = new URL(`./CommandThread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

/** The heap of the command's thread. Audits take about a tenth of it; bodies of responses are kept outside the heap. */
const HEAP_MEGABYTES = 512

/**
 * Of it, what V8 may use for new objects. The usual 48 MB cost 20 MB more at the peak of an audit and save no time. V8's own
 * flags could say the same, but flags that are set at run time make each new thread compile Node's own code again (35 ms).
 */
const YOUNG_MEGABYTES = 12

/** Milliseconds that a command has to stop by itself after a signal: it wipes its progress and closes its connections. */
const STOP_MS = 700

/** Milliseconds that ending the thread may take before the process is ended without it. */
const TERMINATE_MS = 250

/** Seconds beyond `--timeout` in which an audit has to judge what it gathered. */
const graceOf = ({ pluginSeconds, timeoutSeconds }: AuditBegins): number => Math.max(4, timeoutSeconds / 5) + pluginSeconds

const WIPE_LINE = "\r\u001b[2K"

/** Exit codes of `CliFailure.ts`, which would load a library that this thread does without. */
const WRONG_USAGE = 2
const NOT_AUDITED = 3
const OWN_FAULT = 70

type StopSignal = "SIGINT" | "SIGTERM"

/** How the process ends before its command has: the exit code, and a line for stderr. */
interface Ending {
  readonly code: number
  readonly message: string | null
}

/**
 * Runs a command in a thread of its own. This thread does nothing else, so that signals and the limit of time work whatever
 * the command is stuck in: a regular expression, an endless loop, a parser.
 */
export const superviseCommand = (args: ReadonlyArray<string>): void => {
  const task: CommandTask = { args, ...outputTraits() }
  const thread = new Worker(COMMAND_THREAD, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES - YOUNG_MEGABYTES, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    stdout: true,
    stderr: true
  })
  const order = (order: CommandOrder): void => thread.postMessage(order)
  let stoppedBy: StopSignal | null = null
  let deadline: NodeJS.Timeout | undefined

  const end = ({ code, message }: Ending): void => {
    clearTimeout(deadline)
    if (process.stderr.isTTY) process.stderr.write(WIPE_LINE)
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

  forwardOutput(thread.stdout, process.stdout, (error) => end(unwritable(error)))
  forwardOutput(thread.stderr, process.stderr, (error) => end(unwritable(error)))
  process.on("SIGINT", stop).on("SIGTERM", stop)
  process.stdout.on("resize", () => order({ _tag: "Resized", outputs: outputTraits() }))
  thread.on("message", (audit: AuditBegins) => {
    const graceSeconds = graceOf(audit)
    deadline = setTimeout(() => end(overdue(audit, graceSeconds)), 1_000 * (audit.timeoutSeconds + graceSeconds))
  })
  // The report is made as a whole before its first byte is written; from then on the reader may take its time.
  thread.stdout.once("data", () => clearTimeout(deadline))
  thread.on("error", (error: unknown) => end(failureOf(error)))
  thread.on("exit", (code) => {
    clearTimeout(deadline)
    // Not `process.exit`, which would drop what a slow reader has not taken yet.
    process.exitCode = stoppedBy === null ? code : exitCodeOf(stoppedBy)
  })
}

const outputTraits = (): CommandOutputs => ({ stdout: traitsOf(process.stdout), stderr: traitsOf(process.stderr) })

const traitsOf = ({ columns, isTTY }: NodeJS.WriteStream): OutputTraits => ({ columns, isTTY })

/** As shells have it: 128 and the number of the signal. */
const exitCodeOf = (signal: StopSignal): number => 128 + constants.signals[signal]

const overdue = ({ timeoutSeconds }: AuditBegins, graceSeconds: number): Ending => ({
  code: NOT_AUDITED,
  message: `the audit was stopped: it was still busy ${Math.round(graceSeconds)} s after its --timeout of ${timeoutSeconds} s, so there is no report. ` +
    "Run it again; if it happens again, report the URL as a bug of docgauge."
})

const unwritable = ({ message }: Error): Ending => ({ code: WRONG_USAGE, message: `the output cannot be written: ${message}.` })

const failureOf = (error: unknown): Ending =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
    ? { code: NOT_AUDITED, message: `stopped: it needed more than ${HEAP_MEGABYTES} MB of memory, so there is no result. Give it less to read at once, such as a smaller --sample.` }
    : { code: OWN_FAULT, message: `docgauge itself failed: ${plainText(error instanceof Error ? `${error.name}: ${error.message}` : String(error), 300)}. That is a bug: please report it.` }
