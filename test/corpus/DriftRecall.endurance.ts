import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { ApiDescription } from "../../engine/apispec/ApiSpec.ts"
import { readSpec } from "../../engine/apispec/read/ReadSpec.ts"
import { compareCall } from "../../engine/drift/match/CompareCall.ts"
import { type ContractIndex, indexContract } from "../../engine/drift/match/ContractIndex.ts"
import { defaultLimits } from "../../engine/evidence/FetchLimits.ts"
import { CORPUS, extractSites, hasCorpus } from "./CorpusServer.ts"
import { type DocumentMutation, withFalseExamples } from "./recall/Documents.ts"
import { CALL_MUTATIONS, seeded } from "./recall/Mutations.ts"
import { isTableTold } from "./recall/Tables.ts"
import { trueCall } from "./recall/TrueCalls.ts"

/* What of falsehoods that are put into calls, tables and examples of real descriptions is told: `npm run test:endurance -- test/corpus`. */

const SPECS = [
  "adyen_checkout_v71.yaml",
  "asana.yaml",
  "discord.json",
  "github-rest-octokit.json",
  "spotify-fixed.yml",
  "stripe-2023-09-12.yaml"
]
const OF_SITES = [
  "bacen-pix/openapi.yaml",
  "discourse-api/openapi.json",
  "georef-ar/open-api/spec/openapi.json",
  "redoc-demo/museum.yaml",
  "redoc-demo/rebilly.json"
]

const SEED = 42
const EXAMPLES = 100
const HERE = { page: "https://docs.example.com/guide", around: "" }

interface Described {
  readonly text: string
  readonly spec: ApiDescription
  readonly index: ContractIndex
}

const described = async (bytes: Uint8Array): Promise<ApiDescription> => {
  const url = "https://docs.example.com/openapi.json"
  const document = { url, mediaType: "", bytes, cut: false }
  const spec = await readSpec({ document, others: [], absent: [], limits: defaultLimits })
  if (spec._tag === "Unparsed") throw new Error(spec.message)
  return spec
}

describe.skipIf(!hasCorpus)("of what is made false in real descriptions", () => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-recall-"))
  const all: Array<Described> = []

  beforeAll(async () => {
    const sites = join(folder, "sites")
    execFileSync("tar", ["-xJf", join(CORPUS, "specs.tar.xz"), "-C", folder, "--strip-components=1"])
    await extractSites(sites, CORPUS, [...new Set(OF_SITES.map((path) => path.split("/", 1)[0] ?? ""))])
    for (const path of [...SPECS.map((name) => join(folder, name)), ...OF_SITES.map((name) => join(sites, name))]) {
      const text = readFileSync(path, "utf8")
      const spec = await described(new TextEncoder().encode(text))
      all.push({ text, spec, index: indexContract(spec.contract, spec.url) })
    }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const expectTold = (kind: string, told: number, made: number): void => {
    console.log(`${kind}: ${told} of ${made}`)
    expect(made).toBeGreaterThan(15)
    expect(told / made).toBeGreaterThanOrEqual(0.95)
  }

  test("true calls of every operation agree, but for one in a hundred that is left out", () => {
    const verdicts = all.flatMap(({ index }) =>
      index.contract.operations
        .filter(({ marks }) => !marks.includes("deprecated"))
        .map((operation) => compareCall(trueCall(operation, index), index, HERE)._tag)
    )
    expect(verdicts.filter((verdict) => verdict === "False").length).toBeLessThan(verdicts.length / 1_000)
    expect(verdicts.filter((verdict) => verdict !== "Agrees").length).toBeLessThan(verdicts.length / 100)
  })

  test.each(Object.entries(CALL_MUTATIONS))("nineteen of twenty are told where it is a call's %s", (kind, mutate) => {
    const random = seeded(SEED)
    const told = all.flatMap(({ index }) =>
      index.contract.operations.flatMap((operation) => {
        const call = trueCall(operation, index)
        if (compareCall(call, index, HERE)._tag !== "Agrees") return []
        const mutated = mutate({ call, operation, index }, random)
        return mutated === null ? [] : [compareCall(mutated, index, HERE)._tag === "False"]
      })
    )
    expectTold(kind, told.filter(Boolean).length, told.length)
  })

  test("nineteen of twenty are told where it is a row of a parameter table", () => {
    const random = seeded(SEED)
    const told = all.flatMap(({ index }) =>
      index.contract.operations.flatMap((operation) => isTableTold(operation, index, random) ?? [])
    )
    expectTold("table row", told.filter(Boolean).length, told.length)
  })

  test.each<readonly [string, DocumentMutation]>([
    ["type or values", "example"],
    ["format", "format"]
  ])("nineteen of twenty are told where it is an example, by its %s", async (_, kind) => {
    let [told, made] = [0, 0]
    for (const { spec, text } of all) {
      const { bytes, changed } = withFalseExamples(text, kind, EXAMPLES, seeded(SEED))
      made += changed
      if (changed > 0) told += (await described(bytes)).examples.false - spec.examples.false
    }
    expectTold(kind, told, made)
  })
})
