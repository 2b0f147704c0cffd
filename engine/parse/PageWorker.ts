import { enableCompileCache } from "node:module"
import { parentPort } from "node:worker_threads"
import type { PageTask } from "./PageTask.ts"

// The compile cache is enabled per thread. Here it saves 4 % of an audit's CPU (test/bench/builds.ts).
enableCompileCache()

const { readTask } = await import("./PageTask.ts")

/** The thread that reads and converts pages: answers each `PageTask` with a `PageReply`. What goes wrong brings it down, as its caller expects. */
let turn = Promise.resolve()
parentPort?.on("message", (task: PageTask) => {
  // One after the other, so that replies come in the order of the tasks.
  turn = turn.then(async () => parentPort?.postMessage(await readTask(task)))
})
