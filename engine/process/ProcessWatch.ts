import process from "node:process"
import { workerData } from "node:worker_threads"
import { MEMORY_SIGNAL, RESIDENT_LIMIT } from "./ProcessLimits.ts"

/*
 * The watchdog thread of an audit process. It kills the process if it has grown too large, or if its parent has died: nothing
 * else could then end an audit that never returns to its event loop.
 */

/** How often it checks, in milliseconds. */
const INTERVAL_MS = 100

/** From the thread that started this one, because the parent may have died meanwhile. */
const parent: unknown = workerData
const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

while (Atomics.wait(never, 0, 0, INTERVAL_MS) === "timed-out") {
  if (process.ppid !== parent) process.kill(process.pid, "SIGKILL")
  if (process.memoryUsage.rss() > RESIDENT_LIMIT) process.kill(process.pid, MEMORY_SIGNAL)
}
