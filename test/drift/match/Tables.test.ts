import { beforeEach, describe, expect, test } from "vitest"
import { readPage } from "../../../engine/page/read/ReadPage.ts"
import type { ContractIndex } from "../../../engine/drift/match/ContractIndex.ts"
import { compareTables, tableSentenceOf } from "../../../engine/drift/match/Tables.ts"
import { OK, openapi } from "../../apispec/ReadFixture.ts"
import { answerOf } from "../../site/FakeContext.ts"
import { indexOfDescription, parcels } from "./DriftFixture.ts"

let index: ContractIndex
beforeEach(async () => {
  index = await indexOfDescription(parcels())
})

const said = (markdown: string, path = "/parcels.md"): ReadonlyArray<string> => {
  const body = `# Parcels\n\nHow parcels are listed and sent, with all that a caller may say.\n\n${markdown}\n`
  const page = readPage({ answer: answerOf(`https://docs.fernpost.dev${path}`, { body, type: "text/markdown" }) })
  return compareTables(page, index).findings.map(tableSentenceOf)
}

const rows = (header: string, ...cells: ReadonlyArray<string>): string =>
  [header, header.replaceAll(/[^|]+/g, "---"), ...cells].map((row) => `| ${row} |`).join("\n")

const LISTING = "## List parcels\n\n`GET /parcels`\n\n### Query parameters\n\n"

const SENDING = "## Send a parcel\n\n`POST https://api.fernpost.dev/v1/parcels`\n\n### Body fields\n\n"

describe("a parameter table", () => {
  test("lists a parameter that the operation does not have", () => {
    const table = rows(
      "Name | Type | Description",
      "cursor | string | Where to go on",
      "limit | integer | How many",
      "offset | integer | How many to skip"
    )
    expect(said(LISTING + table)).toEqual([
      "lists offset among the parameters of GET /parcels; the description has cursor, limit, state, tags and depot"
    ])
  })

  test.each([
    [
      "Name | Type | Description",
      "cursor | string | a",
      "limit | integer | b",
      "state | enum | c",
      "tags | string | d"
    ],
    ["Parameter | Required | Type", "`cursor` | no | string", "`limit` | optional | number", "`state` | — | string"],
    ["Feld | Typ | Pflicht", "cursor | Text | nein", "limit | Zahl | nein", "state | Text | optional"],
    ["参数 | 类型 | 是否必填", "cursor | string | 否", "limit | int | 否", "state | string | 否"],
    ["Name | Description", "cursor | a", "limit | b", "Authorization | c", "api_key | d"]
  ])("agrees: %s", (header, ...cells) => {
    expect(said(LISTING + rows(header, ...cells))).toEqual([])
  })

  test.each([
    ["Parameter | Required", "note | yes", "weight | yes"],
    ["Parámetro | Obligatorio", "note | sí", "weight | sí"],
    ["パラメータ | 必須", "note | 必須", "weight | 必須"],
    ["Параметр | Обязательный", "note | да", "weight | да"],
    ["파라미터 | 필수 여부", "note | 필수", "weight | 필수"],
    ["字段 | 是否必填", "note | 是", "weight | 是"]
  ])("says that something is required which is not: %s", (header, ...cells) => {
    expect(said(SENDING + rows(header, ...cells))).toEqual([
      "says that note of POST /parcels is required; the description has it as optional"
    ])
  })

  test.each([
    ["Parameter | Required", "note | no", "weight | no"],
    ["Параметр | Обязательный", "note | нет", "weight | необязательный"],
    ["パラメータ | 必須", "note | 任意", "weight | 任意"],
    ["参数 | 是否必填", "note | 否", "weight | 否"]
  ])("says that something is optional which is not: %s", (header, ...cells) => {
    expect(said(SENDING + rows(header, ...cells))).toEqual([
      "says that weight of POST /parcels is optional; the description has it as required"
    ])
  })

  test("says nothing of an operation that marks nothing as required", () => {
    expect(said(LISTING + rows("Parameter | Required", "cursor | yes", "limit | no"))).toEqual([])
  })

  test("says that something has another type", () => {
    expect(said(LISTING + rows("Name | Type", "cursor | string", "limit | string"))).toEqual([
      "says that limit of GET /parcels is of type string; the description wants integer"
    ])
  })

  test("names fields of the body at any depth", () => {
    const table = rows(
      "Field | Type | Required",
      "weight | integer | yes",
      "service | string | yes",
      "to.city | string | yes",
      "items[].sku | string | no"
    )
    expect(said(SENDING + table)).toEqual([])
  })

  test("is none of an operation's request", () => {
    const unknown = rows("Name | Type", "cursor | string", "limit | integer", "offset | integer")
    expect(said(`## List parcels\n\n\`GET /parcels\`\n\n### Response\n\n${unknown}`)).toEqual([])
    expect(said(`## Parcels\n\n${unknown}`)).toEqual([])
    expect(said(`## Parcels\n\n\`GET /parcels\` and \`POST /parcels\`\n\n### Query parameters\n\n${unknown}`)).toEqual(
      []
    )
    expect(said(`## Other\n\n\`GET /invoices\`\n\n### Query parameters\n\n${unknown}`)).toEqual([])
    expect(said(LISTING + unknown, "/changelog.md")).toEqual([])
    expect(said(LISTING + rows("Region | Price", "cursor | 1", "limit | 2", "offset | 3"))).toEqual([])
  })

  test("has names that end as a word for what is required does", async () => {
    const body = {
      type: "object",
      properties: { "test.required": { type: "boolean" }, is_optional: { type: "boolean" } }
    }
    const post = { ...OK, requestBody: { content: { "application/json": { schema: body } } } }
    index = await indexOfDescription(openapi({ paths: { "/parcels": { post } } }))
    const table = rows(
      "Field | Required | Type",
      "test.required | no | string",
      "is_optional (optional) | no | boolean"
    )
    expect(said(`## Send a parcel\n\n\`POST /parcels\`\n\n### Body fields\n\n${table}`)).toEqual([
      "says that test.required of POST /parcels is of type string; the description wants boolean"
    ])
  })

  test("has less than half of its names from the operation: it is a table of something else", () => {
    expect(
      said(
        LISTING + rows("Name | Type", "cursor | string", "limit | integer", "a1 | string", "b1 | string", "c1 | string")
      )
    ).toEqual([])
  })
})
