import { cacheCompiledCode, serviceCacheFolders } from "../engine/process/CompileCache.ts"
import { outliveOutput } from "../engine/process/LostOutput.ts"

outliveOutput()

// Compilation is a third of the start-up time.
cacheCompiledCode(serviceCacheFolders())

const { serve, teardown } = await import("./Serve.ts")
const { runMain } = await import("@effect/platform-node/NodeRuntime")

runMain(serve, { disableErrorReporting: true, teardown })
