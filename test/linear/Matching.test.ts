import { describe, it } from "vitest"
import { readSpec } from "../../engine/apispec/read/ReadSpec.ts"
import { compareCall } from "../../engine/drift/match/CompareCall.ts"
import { indexContract } from "../../engine/drift/match/ContractIndex.ts"
import { saysFailing, saysOld } from "../../engine/drift/match/SaidOfCall.ts"
import { nameIn, saysAnswers } from "../../engine/drift/match/TableWords.ts"
import { versionsNamed } from "../../engine/drift/match/VersionSegment.ts"
import type { SentFields } from "../../engine/drift/ShownCall.ts"
import { expectLinear } from "./Growth.ts"

const NO_FIELDS: SentFields = { fields: [], open: false }

const listed = (size: number, each: number, item: (index: number) => string): string =>
  Array.from({ length: Math.ceil(size / each) }, (_, index) => item(index)).join(",")

const described = (paths: string, schemas = ""): string =>
  `{"openapi":"3.1.0","info":{"title":"a","version":"1"},"servers":[{"url":"https://api.fernpost.dev/v1"}],"paths":{${paths}},"components":{"schemas":{${schemas}}}}`

/** Reads a description and compares as many calls with it as it has characters for. */
const compareMany =
  (address: (index: number) => string) =>
  async (text: string): Promise<number> => {
    const document = { url: "https://fernpost.dev/openapi.json", mediaType: "", bytes: Buffer.from(text), cut: false }
    const limits = { documentBytes: 20 * 1024 * 1024, yamlBytes: 5 * 1024 * 1024 }
    const spec = await readSpec({ document, others: [], absent: [], limits })
    if (spec._tag === "Unparsed") return 0
    const index = indexContract(spec.contract, spec.url)
    const calls = Array.from({ length: Math.ceil(text.length / 200) }, (_, at) => at)
    for (const at of calls) {
      const value = { _tag: "Known", value: "x" } as const
      const sent = { fields: [{ name: `q${at}`, value }], open: false }
      const call = {
        client: "curl",
        method: "GET",
        headers: NO_FIELDS,
        query: sent,
        body: { _tag: "None" },
        line: 0
      } as const
      compareCall({ ...call, address: `https://api.fernpost.dev/v1/${address(at)}` }, index, {
        page: "https://fernpost.dev/",
        around: ""
      })
    }
    return calls.length
  }

const GET = `{"get":{"responses":{}}}`

const body = (schema: string): string =>
  `{"post":{"requestBody":{"content":{"application/json":{"schema":${schema}}}},"responses":{}}}`

const DESCRIPTIONS: Readonly<
  Record<string, readonly [make: (size: number) => string, address: (index: number) => string]>
> = {
  "operations and calls": [
    (size) => described(listed(size, 50, (index) => `"/parcels${index}/{id}":${GET}`)),
    (index) => `parcels${index}/17`
  ],
  "operations and calls of paths that are alike": [
    (size) => described(listed(size, 50, (index) => `"/parcels${index}/{id}":${GET}`)),
    (index) => `parcel${index}s/17/x`
  ],
  "templates with a word or a parameter in each place": [
    (size) =>
      described(
        listed(
          size,
          80,
          (index) =>
            `"/${Array.from(index.toString(2).padStart(12, "0"), (bit) => (bit === "0" ? "a" : "{b}")).join("/")}":${GET}`
        )
      ),
    () => "a/a/a/a/a/a/a/a/a/a/a/c"
  ],
  "templates of words and parameters in one segment": [
    (size) => described(listed(size, 60, (index) => `"/x{a}-{b}-{c}-${index}":${GET}`)),
    () => `x${"-".repeat(300)}`
  ],
  servers: [
    (size) =>
      described(
        `"/a":{"servers":[${listed(size, 40, (index) => `{"url":"https://h${index}.fernpost.dev/v1"}`)}],"get":{}}`
      ),
    () => "a"
  ],
  "parameters of an operation": [
    (size) =>
      described(
        `"/a":{"get":{"parameters":[${listed(size, 60, (index) => `{"name":"p${index}","in":"query","schema":{"type":"string"}}`)}]}}`
      ),
    () => "a"
  ],
  "bodies that share a wide schema": [
    (size) =>
      described(
        listed(size / 2, 130, (index) => `"/a${index}":${body('{"$ref":"#/components/schemas/A"}')}`),
        `"A":{"properties":{${listed(size / 2, 30, (index) => `"f${index}":{"type":"string"}`)}}}`
      ),
    () => "a"
  ],
  "schemas that are made of the one before": [
    (size) =>
      described(
        `"/a":${body('{"$ref":"#/components/schemas/A9"}')}`,
        listed(
          size,
          110,
          (index) =>
            `"A${index}":{"allOf":[{"$ref":"#/components/schemas/A${index + 1}"}],"properties":{"f${index}":{"type":"string"}}}`
        )
      ),
    () => "a"
  ],
  "schemas that have all others": [
    (size) => {
      const count = Math.ceil(Math.sqrt(size / 40))
      return described(
        `"/a":${body('{"$ref":"#/components/schemas/A0"}')}`,
        Array.from(
          { length: count },
          (_, at) =>
            `"A${at}":{"anyOf":[${Array.from({ length: count }, (_one, other) => `{"$ref":"#/components/schemas/A${other}"}`).join(",")}]}`
        ).join(",")
      )
    },
    () => "a"
  ],
  "bodies with alternatives of many fields": [
    (size) =>
      described(
        `"/a":${body(`{"anyOf":[${listed(size, 900, (index) => `{"properties":{${listed(800, 30, (field) => `"f${index}_${field}":{"type":"string"}`)}}}`)}]}`)}`
      ),
    () => "a"
  ],
  "fields in fields": [
    (size) =>
      described(
        `"/a":${body(`{"properties":{"a":`.repeat(Math.min(size / 40, 500)) + "{}" + "}}".repeat(Math.min(size / 40, 500)))}`
      ),
    () => "a"
  ]
}

describe("matching calls takes time in proportion to descriptions and calls", () => {
  it.each(Object.entries(DESCRIPTIONS))("%s", { timeout: 120_000 }, async (name, [make, address]) => {
    await expectLinear({ name, make, run: compareMany(address), most: 4_000_000 })
  })
})

const TEXTS: Readonly<Record<string, string>> = {
  "one word": "a",
  words: "returns a b c ",
  versions: "version 2 v1.2.3 2024-05-01 ",
  slashes: "/a",
  digits: "1.",
  "letters of names": "a.b[]-$"
}

describe("reading what is said of calls takes time in proportion to the text", () => {
  it.each(Object.entries(TEXTS))("%s", { timeout: 60_000 }, async (name, unit) => {
    const run = (text: string): unknown => [
      saysOld(text),
      saysFailing(text),
      versionsNamed(text),
      nameIn(text),
      saysAnswers(text)
    ]
    await expectLinear({ name, make: (size) => unit.repeat(Math.ceil(size / unit.length)), run })
  })
})
