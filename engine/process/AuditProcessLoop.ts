import { writeFileSync } from "node:fs"
import { flushCompileCache } from "node:module"
import process from "node:process"
import { Worker } from "node:worker_threads"
import type { ChildMessage, ParentMessage, ProcessTask } from "./AuditTask.ts"
import type { Parent } from "./AuditWork.ts"
import { outliveOutput } from "./LostOutput.ts"
import { makeSendPermit } from "./SendPermit.ts"
import { inBatches } from "./StepBatches.ts"

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
    void carryOut(message.task, { tell, admitLarge, maySend: permit.maySend }).then(flushCompileCache, endBroken)
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
