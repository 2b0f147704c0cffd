import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { described, fuzz } from "./Fuzz.ts"
import { extractCorpus, hasCorpus } from "./Seeds.ts"
import { fuzzTargets } from "./Targets.ts"

/** The same inputs every time. */
const SEED = 20_261_122

/** Of each parser: one of each kind that it reads, at least. */
const ROUNDS = 2

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-fuzz-"))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

it("no parser of foreign bytes throws, hangs or takes memory without bound", async () => {
  const corpus = hasCorpus ? join(folder, "corpus") : null
  if (corpus !== null) await extractCorpus(corpus)
  const inputs = ROUNDS * fuzzTargets.length
  const read = await fuzz({ seed: SEED, until: { inputs }, corpus })
  expect(read.findings.map(described)).toEqual([])
  expect(read.inputs).toBe(inputs)
})
