import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { described, fuzz } from "./Fuzz.ts"
import { extractCorpus, hasCorpus } from "./Seeds.ts"

/** The same inputs every time, as many of them as the time allows. */
const SEED = 20_261_122

const MINUTES = 2

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
  const { findings, inputs } = await fuzz({ seed: SEED, milliseconds: MINUTES * 60_000, corpus })
  console.log(`${inputs} inputs of seed ${SEED}`)
  expect(findings.map(described)).toEqual([])
  // A quiet machine has time for more than 500; fewer than these would leave parsers out.
  expect(inputs).toBeGreaterThan(100)
})
