import { parentPort } from "node:worker_threads"
import { type PageTask, readTask } from "./PageTask.ts"

/** The thread that reads and converts pages: answers each `PageTask` with a `PageReply`. What goes wrong brings it down, as its caller expects. */
let turn = Promise.resolve()
parentPort?.on("message", (task: PageTask) => {
  // One after the other, so that replies come in the order of the tasks.
  turn = turn.then(async () => parentPort?.postMessage(await readTask(task)))
})
