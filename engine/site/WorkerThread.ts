import { type ResourceLimits, Worker } from "node:worker_threads"

/** A kind of thread that does heavy work. Its file answers each message with exactly one, and never two. */
export interface WorkerThread {
  readonly entry: URL
  readonly limits: ResourceLimits
}

/** Starts one, and does not wait for it. An idle one does not keep the process alive, nor does one that fails while idle end it. */
export const startThread = ({ entry, limits }: WorkerThread): Worker => {
  const worker = new Worker(entry, { resourceLimits: limits, stdout: true, stderr: true })
  worker.on("error", () => undefined).unref()
  return worker
}
