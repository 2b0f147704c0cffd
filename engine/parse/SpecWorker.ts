import { parentPort } from "node:worker_threads"
import type { SpecInput } from "../apispec/ApiSpec.ts"
import { readSpec } from "../apispec/read/ReadSpec.ts"

/** The thread that reads API descriptions: answers each `SpecInput` with a `ParsedSpec`. */
parentPort?.on("message", (input: SpecInput) => {
  void readSpec(input).then((spec) => parentPort?.postMessage(spec))
})
