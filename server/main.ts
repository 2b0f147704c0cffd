import { enableCompileCache } from "node:module"

// Compilation is a third of the start-up time.
enableCompileCache()

const { serve, teardown } = await import("./Serve.ts")
const { runMain } = await import("@effect/platform-node/NodeRuntime")

runMain(serve, { disableErrorReporting: true, teardown })
