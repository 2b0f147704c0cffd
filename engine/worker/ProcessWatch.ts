import process from "node:process"
import { workerData } from "node:worker_threads"
import { MEMORY_SIGNAL, RESIDENT_LIMIT } from "./ProcessLimits.ts"

/*
 * A thread of every audit process that ends it where its other threads cannot: it has grown too large, or its parent has
 * gone (killed, so that nothing else would end an audit that never returns to its event loop).
 */

/** How often it looks, in milliseconds. */
const INTERVAL_MS = 100

/** Told by the thread that started this one: by now the parent may be gone. */
const parent: unknown = workerData
const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

while (Atomics.wait(never, 0, 0, INTERVAL_MS) === "timed-out") {
  if (process.ppid !== parent) process.kill(process.pid, "SIGKILL")
  if (process.memoryUsage.rss() > RESIDENT_LIMIT) process.kill(process.pid, MEMORY_SIGNAL)
}
