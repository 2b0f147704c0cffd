import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { endInTime, serve, teardown } from "./Serve.ts"

endInTime()
NodeRuntime.runMain(serve, { disableErrorReporting: true, teardown })
