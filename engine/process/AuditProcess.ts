import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { type ChildProcess, fork } from "node:child_process"
import process from "node:process"
import { setPriority } from "node:os"
import { fileURLToPath } from "node:url"
import {
  type AuditEnd,
  type AuditStep,
  ChildMessage,
  type MaySendUntil,
  type ParentMessage,
  type ProcessTask
} from "./AuditTask.ts"
import { MEMORY_SIGNAL } from "./ProcessLimits.ts"

/** An audit process that ended, or was killed, before its audit was finished. */
export class AuditProcessDied extends Schema.TaggedError<AuditProcessDied>()("AuditProcessDied", {
  /** `killed`: by the system, which does so where memory is short; a process beyond its own limits is `out_of_memory`. */
  reason: Schema.Literals(["out_of_memory", "timed_out", "crashed", "killed", "not_started"]),
  /** How it ended and the end of its stderr; for the log, never for a client. */
  detail: Schema.String
}) {}

/** A child process that audits sites, one at a time. */
export interface AuditProcess {
  readonly pid: number | undefined
  /** Whether it can take an audit: it may have ended while it was idle. */
  readonly isRunning: () => boolean
  /** How many audits it was started with. */
  readonly audits: () => number
  /** Resident memory after its last audit compared with the beginning of its first, in bytes; 0 before. */
  readonly growth: () => number
  /** Runs one audit, or another task. An interruption or a failure ends the process. */
  readonly audit: (task: ProcessTask, listeners: AuditListeners) => Effect.Effect<AuditEnd, AuditProcessDied>
}

export interface AuditListeners {
  readonly step: (step: AuditStep) => void
  /** Until when the audit may send requests, by the monotonic clock; asked again and again. */
  readonly maySendUntil: () => MaySendUntil
  /** Called once, when an audit is about to hold many bytes; resolves when it may. */
  readonly admitLarge: () => Promise<void>
}

/** How often a change of `maySendUntil` is passed on, in milliseconds. */
const PERMIT_MS = 1_000

/**
 * A young generation of bounded size, and `gc()` for `AuditWork.ts` (460 MB instead of 620 for four large sites). With a young
 * generation that may grow, audits took 5 % less time, but the peak of sites that send too much rose from 390 to 450 MB
 * (test/bench/README.md). V8 applies a flag to all threads of the process and overrides the limits that they were started with: so none
 * here limits the old generation. `RESIDENT_LIMIT` bounds that of the main thread.
 */
export const V8_FLAGS: ReadonlyArray<string> = ["--max-semi-space-size=4", "--expose-gc"]

/** The environment variables of an audit process: no database URL, secret or token of the service. */
const PASSED_ON =
  /^(?:PATH|HOME|TMPDIR|TEMP|TMP|TZ|LANG|LC_.*|SYSTEMROOT|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_COMPILE_CACHE|NODE_USE_SYSTEM_CA|SSL_CERT_FILE|SSL_CERT_DIR|DOCGAUGE_PLUGIN_SECONDS)$/i

/**
 * Threads share one heap of glibc's instead of having one each, which is 17 MB less of each process and 5 MB less than with two; and
 * bodies are mapped alone, so that the system gets them back.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "1048576" }

const environment = (): Record<string, string> => ({
  ...ALLOCATOR,
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && PASSED_ON.test(name) ? [[name, value] as const] : []
    )
  )
})

/** Set before the process has threads, which inherit it. One that has ended already has no priority. */
const atNiceness = (niceness: number, child: ChildProcess): ChildProcess => {
  try {
    if (child.pid !== undefined) setPriority(child.pid, niceness)
  } catch {
    // Its exit tells that it has ended.
  }
  return child
}

/** Starts an audit process that ends with the scope. Its first task is sent while it still loads. */
export const startAuditProcess = (entry: URL, niceness: number): Effect.Effect<AuditProcess, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() =>
        atNiceness(
          niceness,
          fork(fileURLToPath(entry), [], {
            env: environment(),
            execArgv: [...V8_FLAGS],
            stdio: ["ignore", "ignore", "pipe", "ipc"]
          })
        )
      ),
      (child) =>
        Effect.sync(() => {
          child.kill("SIGKILL")
        })
    ),
    over
  )

const readMessage = Schema.decodeUnknownOption(ChildMessage)

const over = (child: ChildProcess): AuditProcess => {
  let audits = 0
  let atFirst: number | null = null
  let atLast = 0
  const lastWords = tailOf(child)
  let startError = "it could not be started"
  // If the child cannot be started, or ends while idle, the next task fails.
  child.on("error", ({ message }) => {
    startError = message
  })

  const isRunning = (): boolean =>
    !child.killed && child.exitCode === null && child.signalCode === null && child.connected

  const audit: AuditProcess["audit"] = (task, { admitLarge, maySendUntil, step }) =>
    Effect.callback<AuditEnd, AuditProcessDied>((resume) => {
      audits += 1
      let permitted = maySendUntil()
      const permitting = setInterval(() => {
        const next = maySendUntil()
        if (next === permitted) return
        permitted = next
        send({ _tag: "Permitted", maySendUntil: next })
      }, PERMIT_MS)
      const stop = (): void => {
        clearInterval(permitting)
        child.off("message", onMessage).off("exit", onExit).off("error", onError)
      }
      const die = (reason: AuditProcessDied["reason"], detail: string): void => {
        stop()
        child.kill("SIGKILL")
        resume(Effect.fail(new AuditProcessDied({ reason, detail: `${detail}${lastWords()}` })))
      }
      const send = (message: ParentMessage): void => {
        child.send(message, () => undefined)
      }
      const onMessage = (received: unknown): void => {
        const message = Option.getOrNull(readMessage(received))
        if (message === null) return die("crashed", "it sent an invalid message")
        if (message._tag === "LargeWanted")
          return void admitLarge().then(
            () => send({ _tag: "LargeGranted" }),
            () => undefined
          )
        if (message._tag === "Begun") atFirst ??= message.residentBytes
        if (message._tag !== "Ended") return step(message)
        const { bytes, durationMs, failure } = message
        atLast = message.residentBytes
        stop()
        resume(Effect.succeed({ bytes, durationMs, failure }))
      }
      const onExit = (code: number | null, signal: string | null): void =>
        die(reasonOf(code, signal), `exit code ${code}, signal ${signal}`)
      const onError = ({ message }: Error): void => die("crashed", message)
      if (child.pid === undefined) return die("not_started", startError)
      if (!isRunning()) return die("crashed", "it was not running")
      child.on("message", onMessage).on("exit", onExit).on("error", onError)
      send({ _tag: "Task", task, maySendUntil: permitted })
      return Effect.sync(() => {
        stop()
        child.kill("SIGKILL")
      })
    })

  return {
    pid: child.pid,
    isRunning,
    audits: () => audits,
    growth: () => (atFirst === null ? 0 : atLast - atFirst),
    audit
  }
}

/** The signals and exit codes with which V8 ends a process whose heap or allocation is too large. */
const MEMORY_ENDS: ReadonlySet<string | number | null> = new Set([
  MEMORY_SIGNAL,
  "SIGABRT",
  "SIGTRAP",
  "SIGILL",
  133,
  134
])

/** Why a process has ended that we did not end. */
const reasonOf = (code: number | null, signal: string | null): AuditProcessDied["reason"] => {
  if (signal === "SIGKILL") return "killed"
  return MEMORY_ENDS.has(signal ?? code) ? "out_of_memory" : "crashed"
}

/** Bytes of stderr that are kept. */
const TAIL = 2_000

const tailOf = (child: ChildProcess): (() => string) => {
  let tail = ""
  child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
    tail = (tail + piece).slice(-TAIL)
  })
  return () => (tail === "" ? "" : `: ${tail}`)
}
