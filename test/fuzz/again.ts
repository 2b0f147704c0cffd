import { readFileSync, writeFileSync } from "node:fs"
import process from "node:process"
import { fuzzTargets } from "./Targets.ts"
import { stopServer } from "./targets/ServerTargets.ts"

/* `node test/fuzz/again.ts TARGET FILE [SMALLEST]` feeds one input to one parser, and writes the shortest input that still throws to SMALLEST. */

const [name, file, smallest] = process.argv.slice(2)
const target = fuzzTargets.find((one) => one.name === name)
if (target === undefined || file === undefined)
  throw new Error(`usage: again.ts TARGET FILE [SMALLEST]; targets: ${fuzzTargets.map((one) => one.name).join("; ")}`)

const failureOf = async (bytes: Uint8Array): Promise<unknown> => {
  try {
    await target.read(Uint8Array.from(bytes))
    return null
  } catch (error) {
    return error
  }
}

/** Cuts out ever smaller pieces for as long as the failure stays. */
const shortest = async (bytes: Uint8Array): Promise<Uint8Array> => {
  let kept: Uint8Array = bytes
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length;) {
      const less = Buffer.concat([kept.subarray(0, at), kept.subarray(at + size)])
      if ((await failureOf(less)) === null) at += size
      else kept = less
    }
  }
  return kept
}

const input = readFileSync(file)
const before = performance.now()
const failure = await failureOf(input)
console.log(failure ?? "no failure", `${Math.round(performance.now() - before)} ms`)
if (failure !== null && smallest !== undefined) {
  const least = await shortest(input)
  writeFileSync(smallest, least)
  console.log(least.length, JSON.stringify(Buffer.from(least).toString("utf8").slice(0, 2_000)))
}
await stopServer()
