import process from "node:process"
import { parentPort, workerData } from "node:worker_threads"
import type { CommandOrder, CommandOutputs, CommandTask } from "./io/CommandChannel.ts"

/*
 * The thread in which a command runs. `Supervisor.ts` starts it and can end it at any moment.
 */

const { args, ...outputs }: CommandTask = workerData

/** The streams of a thread do not know whether the main thread's are terminals. */
const describeOutputs = ({ stderr, stdout }: CommandOutputs): void => {
  Object.assign(process.stdout, stdout)
  Object.assign(process.stderr, stderr)
}

// Only the main thread receives signals. It forwards a request to stop, which runMain handles as SIGINT.
const obey = (order: CommandOrder): void => {
  if (order._tag === "Stop") process.emit("SIGINT", "SIGINT")
  else describeOutputs(order.outputs)
}

describeOutputs(outputs)
// An unreferenced port does not keep the thread alive once the command has finished.
parentPort?.on("message", obey).unref()

await (await import("./Program.ts")).runProgram(args)
