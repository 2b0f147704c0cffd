import { writeFileSync } from "node:fs"
import { flushCompileCache } from "node:module"
import process from "node:process"
import { Worker } from "node:worker_threads"
import type { AuditTask, ChildMessage, ParentMessage } from "./AuditTask.ts"
import type { Parent } from "./AuditWork.ts"

/** Runs one task; what breaks it ends the process. */
export type CarryOut = (task: AuditTask, parent: Parent) => Promise<void>

/**
 * The life of an audit process: carries out one task after the other as its parent tells it over IPC, until the parent
 * ends it or is gone.
 */
export const serveParent = (carryOut: CarryOut): void => {
  startWatch()
  killFirst()
  // The terminal and a service manager signal the whole group; the parent decides when an audit ends.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined)
  process.on("disconnect", () => process.exit())
  let grantLarge = (): void => undefined
  const tell = (message: ChildMessage): void => { process.send?.(message) }
  process.on("message", (message: ParentMessage) => {
    if (message._tag === "LargeGranted") return grantLarge()
    const granted = Promise.withResolvers<void>()
    grantLarge = granted.resolve
    const admitLarge = (): Promise<void> => {
      tell({ _tag: "LargeWanted" })
      return granted.promise
    }
    tell({ _tag: "Begun", residentBytes: process.memoryUsage.rss() })
    // Usually written when a process ends by itself, which this one never does.
    void carryOut(message.task, { tell, admitLarge }).then(flushCompileCache, endBroken)
  })
}

/** A task that breaks is a fault of ours: the parent reads on stderr what it was. */
const endBroken = (error: unknown): void => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`, () => process.exit(1))
}

/** Starts the thread that ends the process where the others cannot. */
const startWatch = (): void => {
  const entry = new URL(`./ProcessWatch${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)
  new Worker(entry, { workerData: process.ppid, resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 } }).unref()
}

/** Where the machine runs out of memory, Linux ends this process before its parent. Other systems have no such file. */
const killFirst = (): void => {
  try {
    writeFileSync("/proc/self/oom_score_adj", "800")
  } catch {
    return
  }
}
