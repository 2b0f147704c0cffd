import { enableCompileCache } from "node:module"
import process from "node:process"
import { parentPort, workerData } from "node:worker_threads"
import type { CommandOrder, CommandOutputs, CommandTask } from "./CommandMessage.ts"

/*
 * The thread in which a command runs; `Supervisor.ts` starts it, and can end it whatever it is busy with.
 */

// Each thread has a compile cache of its own to enable.
enableCompileCache()

const { args, ...outputs }: CommandTask = workerData

/** A thread's streams lead to the main thread's, and do not know by themselves whether those are terminals. */
const describeOutputs = ({ stderr, stdout }: CommandOutputs): void => {
  Object.assign(process.stdout, stdout)
  Object.assign(process.stderr, stderr)
}

// Signals reach the main thread alone. It passes a request to stop on, and runMain takes it as the signal that it is.
const obey = (order: CommandOrder): void => {
  if (order._tag === "Stop") process.emit("SIGINT", "SIGINT")
  else describeOutputs(order.outputs)
}

describeOutputs(outputs)
// Unreferenced, the port does not keep a thread alive whose command is done.
parentPort?.on("message", obey).unref()

/** No name of a command; help is of the whole program. */
const startsWithUrl = ([first = "", ...others]: ReadonlyArray<string>): boolean =>
  /^https?:/i.test(first) && !others.some((other) => /^(?:-h|--help|--completions)(?:=|$)/.test(other))

if (startsWithUrl(args)) {
  // The page reader's thread starts while the rest is being loaded: everything else waits for what the first page says.
  const pageReader = (await import("../engine/site/ReaderThreads.ts")).startPageReader()
  const { run } = await import("./DocgaugeAudit.ts")
  run(args, pageReader)
} else (await import("./Docgauge.ts")).run(args)
