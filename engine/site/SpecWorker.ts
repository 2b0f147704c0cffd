import { parentPort } from "node:worker_threads"
import type { SpecInput } from "./ApiSpec.ts"
import { readSpec } from "./ReadSpec.ts"

/** The thread that reads API descriptions: answers each `SpecInput` with a `ParsedSpec`. */
parentPort?.on("message", (input: SpecInput) => {
  void readSpec(input).then((spec) => parentPort?.postMessage(spec))
})
