import { enableCompileCache } from "node:module"
import { parentPort } from "node:worker_threads"
import type { PageInput } from "../page/Page.ts"

// The compile cache is enabled per thread. Here it saves 4 % of an audit's CPU (test/bench/builds.ts).
enableCompileCache()

const { readPage } = await import("../page/read/ReadPage.ts")

/**
 * The thread that reads pages: answers each `PageInput` with a `Page` but for its `answer`, which the caller has and
 * need not get back.
 */
parentPort?.on("message", (input: PageInput) => {
  const { answer: _, ...page } = readPage(input)
  parentPort?.postMessage(page)
})
