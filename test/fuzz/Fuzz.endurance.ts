import { randomInt } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { afterAll, beforeAll, expect, it } from "vitest"
import { described, fuzz } from "./Fuzz.ts"
import { extractCorpus, hasCorpus } from "./Seeds.ts"

/* `DOCGAUGE_FUZZ_MINUTES=60 DOCGAUGE_FUZZ_SEED=1 npm run test:endurance`: an hour and a random seed unless given. */

const MINUTES = Number(process.env["DOCGAUGE_FUZZ_MINUTES"] ?? "60")
const SEED = Number(process.env["DOCGAUGE_FUZZ_SEED"] ?? randomInt(2 ** 31))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-fuzz-"))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

it(
  `no parser of foreign bytes throws, hangs or takes memory without bound in ${MINUTES} minutes`,
  async () => {
    const corpus = hasCorpus ? join(folder, "corpus") : null
    console.log(`seed ${SEED}; real files: ${corpus === null ? "skipped, ../shared/corpus is not there" : "yes"}`)
    if (corpus !== null) await extractCorpus(corpus)
    const { findings, inputs } = await fuzz({ seed: SEED, until: { milliseconds: MINUTES * 60_000 }, corpus })
    console.log(`${inputs} inputs of seed ${SEED}`)
    expect(findings.map(described)).toEqual([])
  },
  MINUTES * 60_000 + 600_000
)
