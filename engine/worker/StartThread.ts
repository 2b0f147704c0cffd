import { Worker } from "node:worker_threads"
import type { WorkerThread } from "./WorkerThread.ts"

/**
 * Starts a worker thread without waiting for it. An idle worker does not keep the process alive, and its failure while idle does not
 * end the process.
 */
export const startThread = ({ entry, limits }: WorkerThread): Worker => {
  const worker = new Worker(entry, { resourceLimits: limits, stdout: true, stderr: true })
  worker.on("error", () => undefined).unref()
  return worker
}
