import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import * as nodeModule from "node:module"
import process from "node:process"
import { Worker } from "node:worker_threads"
import type { ChildMessage, MaySendUntil, ParentMessage, ProcessTask } from "./AuditTask.ts"
import type { Parent } from "./AuditWork.ts"
import { outliveOutput } from "./LostOutput.ts"
import { monotonicMillis } from "./MonotonicClock.ts"

/** Runs one task; a defect ends the process. */
export type CarryOut = (task: ProcessTask, parent: Parent) => Promise<void>

/**
 * The main loop of an audit process: runs one task after the other as its parent sends them over IPC, until the parent ends it
 * or has died.
 */
export const serveParent = (carryOut: CarryOut): void => {
  outliveOutput()
  startWatch()
  killFirst()
  // Ignored, because terminals and service managers signal the whole process group; the parent decides when an audit ends.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined)
  process.on("disconnect", () => process.exit())
  let grantLarge = (): void => undefined
  let permit = makeSendPermit(null)
  const tell = inBatches((message: ChildMessage) => {
    process.send?.(message)
  })
  process.on("message", (message: ParentMessage) => {
    if (message._tag === "LargeGranted") return grantLarge()
    if (message._tag === "Permitted") return permit.extend(message.maySendUntil)
    permit = makeSendPermit(message.maySendUntil)
    const granted = Promise.withResolvers<void>()
    grantLarge = granted.resolve
    const admitLarge = (): Promise<void> => {
      tell({ _tag: "LargeWanted" })
      return granted.promise
    }
    tell({ _tag: "Begun", residentBytes: process.memoryUsage.rss() })
    // Node writes it when a process exits by itself, which this one never does.
    void carryOut(message.task, { tell, admitLarge, maySend: permit.maySend }).then(
      () => nodeModule.flushCompileCache?.(),
      endBroken
    )
  })
}

/** A defect in a task is a bug of ours: the parent reads the reason on stderr. */
const endBroken = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`, () => process.exit(1))
}

/** Starts the watchdog thread, which needs next to no heap: its limits are a guard, not a tuning. */
const startWatch = (): void => {
  const entry = new URL(`./ProcessWatch${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)
  new Worker(entry, {
    workerData: process.ppid,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 }
  }).unref()
}

/** If the machine runs out of memory, Linux kills this process before its parent. Other systems do not have this file. */
const killFirst = (): void => {
  try {
    writeFileSync("/proc/self/oom_score_adj", "800")
  } catch {
    return
  }
}

/**
 * Until when an audit process may send requests: as long as the claim of its run lasts, as far as its parent has told it.
 * A parent that is stopped, or too busy, can neither keep the claim nor end the audit, which must not go on beside another one.
 */
interface SendPermit {
  readonly extend: (until: MaySendUntil) => void
  /** Waits while the permit has ended. */
  readonly maySend: Effect.Effect<void>
}

export const makeSendPermit = (first: MaySendUntil): SendPermit => {
  let until = first
  let extended = Promise.withResolvers<void>()
  const maySend: Effect.Effect<void> = Effect.flatMap(monotonicMillis, (now) =>
    until === null || now < until
      ? Effect.void
      : Effect.andThen(
          Effect.promise(() => extended.promise),
          maySend
        )
  )
  return {
    extend: (next) => {
      until = next
      extended.resolve()
      extended = Promise.withResolvers<void>()
    },
    maySend
  }
}

/**
 * Minimum interval between messages with steps, in milliseconds: an audit has about 80 steps, and each message costs both sides
 * 0.1 ms.
 */
const INTERVAL_MS = 100

/**
 * Sends the messages of an audit process, steps in batches: the first at once, later ones together. Other messages are sent at
 * once, after the steps before them. If a process is killed, the steps of its last 100 ms are lost.
 */
export const inBatches = (send: (message: ChildMessage) => void): ((message: ChildMessage) => void) => {
  let requested = 0
  let measured: ChildMessage | null = null
  let fetching: ChildMessage | null = null
  let timer: NodeJS.Timeout | null = null

  const flush = (): void => {
    if (requested > 0) send({ _tag: "Requested", count: requested })
    if (measured !== null) send(measured)
    if (fetching !== null) send(fetching)
    requested = 0
    measured = null
    fetching = null
  }
  const isEmpty = (): boolean => requested === 0 && measured === null && fetching === null
  const batch = (): void => {
    timer = null
    if (isEmpty()) return
    flush()
    timer = setTimeout(batch, INTERVAL_MS)
  }

  return (message) => {
    if (message._tag === "Requested") requested += message.count
    else if (message._tag === "Measured") measured = message
    else if (message._tag === "Fetching") fetching = message
    else {
      flush()
      return send(message)
    }
    if (timer === null) batch()
  }
}
