import { expect, it } from "vitest"
import { described, fuzz } from "./Fuzz.ts"
import { fuzzTargets } from "./Targets.ts"

/** The same inputs every time. */
const SEED = 20_261_122

/** Of each parser: one of each kind that it reads, at least. */
const ROUNDS = 2

/* Made from files of our own; to unpack and read the corpus takes longer than all these inputs: Fuzz.endurance.ts does. */
it("no parser of foreign bytes throws, hangs or takes memory without bound", async () => {
  const inputs = ROUNDS * fuzzTargets.length
  const read = await fuzz({ seed: SEED, until: { inputs }, corpus: null })
  expect(read.findings.map(described)).toEqual([])
  expect(read.inputs).toBe(inputs)
})
