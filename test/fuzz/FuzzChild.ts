import { writeSync } from "node:fs"
import process from "node:process"
import { type ChildTask, type Failure, type Progress, SLOW_CPU_MS } from "./Protocol.ts"
import { inputsOf } from "./Inputs.ts"
import { readSeeds } from "./Seeds.ts"
import { fuzzTargets } from "./Targets.ts"
import { stopServer } from "./targets/ServerTargets.ts"

/*
 * The process that parses. It tells its number before each input, in a way that does not depend on the event loop, so that
 * the parent knows which input it hangs on, runs out of memory with, or ends by.
 */

const say = (progress: Progress): void => {
  writeSync(3, `${JSON.stringify(progress)}\n`)
}

const failureOf = (error: unknown): Failure => ({
  kind: "threw",
  message: error instanceof Error ? `${error.name}: ${error.message.slice(0, 4_000)}` : String(error),
  stack: error instanceof Error ? (error.stack ?? "").split("\n").slice(1, 8).join("\n") : ""
})

const main = async ({ before: end, corpus, first, milliseconds, names, seed }: ChildTask): Promise<void> => {
  const targets = fuzzTargets.filter(({ name }) => names === null || names.includes(name))
  const inputAt = inputsOf(seed, targets, await readSeeds(corpus))
  const until = milliseconds === null ? Number.POSITIVE_INFINITY : Date.now() + milliseconds
  const last = (end ?? Number.POSITIVE_INFINITY) - 1
  for (let index = first; index === first || (index <= last && Date.now() < until); index += 1) {
    const { bytes, target } = inputAt(index)
    const made = bytes()
    say({ index, target: target.name, bytes: made.length })
    const before = process.cpuUsage()
    let failure: Failure | null = null
    try {
      await target.read(made)
    } catch (error) {
      failure = failureOf(error)
    }
    const { system, user } = process.cpuUsage(before)
    const cpuMs = (system + user) / 1_000
    if (failure === null && cpuMs > (target.slowMs ?? SLOW_CPU_MS))
      failure = {
        kind: "slow",
        message: `took ${Math.round(cpuMs)} ms of processor time for ${made.length} bytes`,
        stack: ""
      }
    if (failure !== null) say({ index, target: target.name, bytes: made.length, failure })
  }
  await stopServer()
}

await main(JSON.parse(process.argv[2] ?? ""))
process.exit(0)
