import process from "node:process"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { defaultLimits } from "../../engine/evidence/FetchLimits.ts"
import type { ApiDescription, ParsedSpec, SpecInput } from "../../engine/apispec/ApiSpec.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { readSpec } from "../../engine/apispec/read/ReadSpec.ts"
import { CORPUS, hasCorpus } from "./CorpusServer.ts"
import { cpuMs } from "../harness/CpuTime.ts"

/** Real descriptions, published by others; not in this repository. */
const ARCHIVE = join(CORPUS, "specs.tar.xz")

let folder = ""
beforeAll(() => {
  if (!hasCorpus) return
  folder = mkdtempSync(join(tmpdir(), "docgauge-specs-"))
  execFileSync("tar", ["-xJf", ARCHIVE, "-C", folder, "--strip-components=1"])
})
afterAll(() => {
  if (folder !== "") rmSync(folder, { recursive: true })
})

const input = (name: string): SpecInput => ({
  document: {
    url: `https://docs.example.com/${name}`,
    mediaType: "",
    bytes: new Uint8Array(readFileSync(join(folder, name))),
    cut: false
  },
  others: [],
  absent: [],
  limits: defaultLimits
})

const description = (spec: ParsedSpec): ApiDescription => {
  if (spec._tag === "Unparsed") throw new Error(spec.message)
  return spec
}

/** As `specs.md` has them: operations, errors, operations that they touch. */
const KNOWN: ReadonlyArray<
  readonly [name: string, format: string, operations: number, errors: number, touched: number]
> = [
  ["adyen_checkout_v71.yaml", "openapi 3.1.0", 28, 0, 0],
  ["asana.yaml", "openapi 3.0.0", 247, 0, 0],
  ["asiai.json", "openapi 3.1.0", 10, 0, 0],
  ["discord.json", "openapi 3.1.0", 242, 0, 0],
  ["github-rest-octokit.json", "openapi 3.0.3", 1223, 4, 4],
  ["kinocut.json", "openapi 3.1.0", 3, 0, 0],
  ["petstore.yaml", "openapi 3.0.4", 19, 0, 0],
  ["redoc-museum.yaml", "openapi 3.0.0", 21, 2, 5],
  ["redoc-petstore-swagger2.yaml", "swagger 2.0", 20, 0, 0],
  ["spotify-fixed.yml", "openapi 3.0.3", 97, 0, 0],
  ["stripe-2023-09-12.yaml", "openapi 3.0.0", 468, 0, 0]
]

describe.skipIf(!hasCorpus)("real descriptions", () => {
  test.each(KNOWN)("%s", async (name, format, operations, errors, touched) => {
    const spec = description(await readSpec(input(name)))
    expect([
      `${spec.format} ${spec.formatVersion}`,
      spec.operationCount,
      spec.validity.errorCount,
      spec.validity.touchedOperations
    ]).toEqual([format, operations, errors, touched])
    // GitHub's: what its 900 operations say is a third of it.
    expect(JSON.stringify(spec).length).toBeLessThan(1_100_000)
  })

  test("cut anywhere, they are read or refused, and nothing worse", async () => {
    for (const name of ["asiai.json", "petstore.yaml", "redoc-petstore-swagger2.yaml"]) {
      const { document, ...rest } = input(name)
      for (let part = 1; part < 20; part++) {
        const bytes = document.bytes.slice(0, Math.floor((document.bytes.byteLength * part) / 20))
        expect(["ApiDescription", "Unparsed"]).toContain(
          (await readSpec({ ...rest, document: { ...document, bytes } }))._tag
        )
      }
    }
  })

  test("13 MB leave the main thread free, and fit into the worker's memory", async () => {
    const given = input("github-rest-octokit.json")
    const [before, wholeBefore] = [cpuMs(), process.cpuUsage()]
    const read = Effect.flatMap(ParserPool, (parsing) => parsing.spec(given))
    const spec = await Effect.runPromise(Effect.provide(read, ParserPool.layer))
    const [own, whole] = [cpuMs() - before, process.cpuUsage(wholeBefore)]
    expect(description(spec).operationCount).toBe(1223)
    expect(own).toBeLessThan((whole.user + whole.system) / 1_000 / 3)
  })
})
