import { describe, it } from "vitest"
import { readSpec } from "../../engine/apispec/read/ReadSpec.ts"
import { saysFailing, saysOld } from "../../engine/drift/match/CallFinding.ts"
import { compareCall } from "../../engine/drift/match/CompareCall.ts"
import { indexContract } from "../../engine/drift/match/ContractIndex.ts"
import { compareTables } from "../../engine/drift/match/Tables.ts"
import {
  isAnswerLabel,
  nameIn,
  saysAnswers,
  saysErrors,
  saysFailureStatus
} from "../../engine/drift/match/TableWords.ts"
import { versionsNamed } from "../../engine/drift/match/Templates.ts"
import type { SentFields } from "../../engine/drift/ShownCall.ts"
import { readPage } from "../../engine/page/read/ReadPage.ts"
import { answerOf } from "../site/FakeContext.ts"
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

const answer = (schema: string): string =>
  `{"get":{"responses":{"200":{"content":{"application/json":{"schema":${schema}}}}}}}`

const refs = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, index) => `{"$ref":"#/components/schemas/A${from + index}"}`).join(",")

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
  "answers that share a wide schema": [
    (size) =>
      described(
        listed(size / 2, 130, (index) => `"/a${index}":${answer('{"$ref":"#/components/schemas/A"}')}`),
        `"A":{"properties":{${listed(size / 2, 30, (index) => `"f${index}":{"type":"object","properties":{"a":{}}}`)}}}`
      ),
    () => "a"
  ],
  "answers with objects of no fields that have all others": [
    (size) => {
      const count = Math.ceil(Math.sqrt(size / 60))
      const all = Array.from({ length: count }, (_, at) => `"f${at}":{"$ref":"#/components/schemas/A${at}"}`).join(",")
      return described(
        Array.from({ length: count }, (_, at) => `"/a${at}":${answer(`{"$ref":"#/components/schemas/A${at}"}`)}`).join(
          ","
        ),
        Array.from({ length: count }, (_, at) => `"A${at}":{"properties":{${all}}}`).join(",")
      )
    },
    () => "a"
  ],
  "answers that are each of the same alternatives": [
    (size) =>
      described(
        listed(size / 2, 2_300, (index) => `"/a${index}":${answer(`{"anyOf":[${refs(50)}]}`)}`),
        listed(
          size / 2,
          6_000,
          (index) => `"A${index}":{"properties":{${listed(5_900, 30, (field) => `"f${field}":{"type":"string"}`)}}}`
        )
      ),
    () => "a"
  ],
  "answers of the object before them in lists": [
    (size) =>
      described(
        listed(size / 2, 130, (index) => `"/a${index}":${answer(`{"$ref":"#/components/schemas/A${index}"}`)}`),
        listed(
          size / 2,
          120,
          (index) =>
            `"A${index}":{"type":"array","items":{"type":"array","items":{"$ref":"#/components/schemas/A${index + 1}"}}}`
        )
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

const described100 = described(
  `"/parcels":${answer(`{"properties":{${listed(3_000, 30, (index) => `"f${index}":{"type":"string"}`)}}}`)}`
)

const ROW = (at: number): string => `| f${at % 90} | string |`

/** Pages of about as many characters. */
const PAGES: Readonly<Record<string, (size: number) => string>> = {
  "rows of one table": (size) => `${TOP}\n\n### Response\n\n${tableOf(size / 16)}`,
  "tables of one section": (size) =>
    `${TOP}\n\n### Response\n\n${`${tableOf(3)}\n\nMore\n\n`.repeat(Math.ceil(size / 110))}`,
  "sections with a table each": (size) =>
    `${TOP}\n\n${`### Response\n\n${tableOf(3)}\n\n`.repeat(Math.ceil(size / 110))}`,
  "sections that each name an operation": (size) =>
    `${TOP}\n\n${`## GET /parcels/x\n\n### Response\n\n${tableOf(3)}\n\n`.repeat(Math.ceil(size / 130))}`
}

const TOP = "# Parcels\n\n## List parcels\n\n`GET /parcels`"
const tableOf = (rows: number): string =>
  ["| Field | Type |", "| --- | --- |", ...Array.from({ length: Math.ceil(rows) }, (_, at) => ROW(at))].join("\n")

describe("comparing tables takes time in proportion to the page", () => {
  it.each(Object.entries(PAGES))("%s", { timeout: 120_000 }, async (name, make) => {
    const document = {
      url: "https://fernpost.dev/openapi.json",
      mediaType: "",
      bytes: Buffer.from(described100),
      cut: false
    }
    const limits = { documentBytes: 20 * 1024 * 1024, yamlBytes: 5 * 1024 * 1024 }
    const spec = await readSpec({ document, others: [], absent: [], limits })
    if (spec._tag === "Unparsed") throw new Error(spec.message)
    const index = indexContract(spec.contract, spec.url)
    const run = (body: string): unknown => {
      const answered = answerOf("https://fernpost.dev/parcels.md", { body, type: "text/markdown" })
      const page = readPage({ answer: answered })
      // Readers keep 500 rows of a table: the comparison does not count on it.
      const tables = page.tables.map((table) => ({ ...table, rows: table.rows.flatMap((row) => [row, row, row, row]) }))
      return compareTables({ ...page, tables }, index)
    }
    await expectLinear({ name, make, run, most: 500_000 })
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
      saysAnswers(text),
      isAnswerLabel(text),
      saysErrors(text),
      saysFailureStatus(text)
    ]
    await expectLinear({ name, make: (size) => unit.repeat(Math.ceil(size / unit.length)), run })
  })
})
