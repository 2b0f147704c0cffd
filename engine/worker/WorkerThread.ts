import { type ResourceLimits, Worker } from "node:worker_threads"

/** A kind of worker thread. Its module replies to each message with exactly one message. */
export interface WorkerThread {
  readonly entry: URL
  readonly limits: ResourceLimits
}

/**
 * Starts one without waiting for it. An idle worker does not keep the process alive, and its failure while idle does not end the
 * process.
 */
export const startThread = ({ entry, limits }: WorkerThread): Worker => {
  const worker = new Worker(entry, { resourceLimits: limits, stdout: true, stderr: true })
  worker.on("error", () => undefined).unref()
  return worker
}
