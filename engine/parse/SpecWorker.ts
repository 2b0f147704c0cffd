import { parentPort } from "node:worker_threads"
import type { SpecInput } from "../apispec/ApiSpec.ts"
import type { PlacesInput } from "../apispec/read/SpecPlaces.ts"
import { readSpec } from "../apispec/read/ReadSpec.ts"

/** The thread that reads API descriptions: answers each `SpecInput` with a `ParsedSpec`, each `PlacesInput` with `SpecPlaces`. */
parentPort?.on("message", (input: SpecInput | PlacesInput) => {
  void answerTo(input).then((reply) => parentPort?.postMessage(reply))
})

const answerTo = async (input: SpecInput | PlacesInput) => {
  if (!("query" in input)) return readSpec(input)
  const { readPlaces } = await import("../apispec/read/ReadPlaces.ts")
  return readPlaces(input)
}
