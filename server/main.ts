import { enableCompileCache } from "node:module"

// What was compiled once is not compiled again: a third of a start's work.
enableCompileCache()

const { endInTime, serve, teardown } = await import("./Serve.ts")
const { runMain } = await import("@effect/platform-node/NodeRuntime")

endInTime()
runMain(serve, { disableErrorReporting: true, teardown })
