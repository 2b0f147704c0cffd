import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { plain } from "../../cli/render/Style.ts"
import { renderText } from "../../cli/render/TextReport.ts"
import { renderMarkdown } from "../../engine/report/MarkdownReport.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"
import { expectFirstRowsToBeFixable, expectOneOrder, expectStepsByFacts } from "../audit/AdviceChecks.ts"
import { auditFakeSite, type GoldenSite } from "./AuditFakeSite.ts"
import { goldenSites } from "./GoldenSites.ts"
import { once } from "./Once.ts"

const rubric = Effect.runSync(
  loadRubric(readFileSync(new URL("../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
)
const reportOn = once((golden: GoldenSite) => auditFakeSite(golden))

/** Sites with warnings of several lines. */
const UNUSUAL = new Set(["hostile", "client-rendered"])

/** Of such text a tokenizer of today makes a token from 3.65 characters (measured with o200k). */
const tokensAtMost = (text: string): number => Math.ceil(text.length / 3.65)

describe("the advice for a golden site", () => {
  it.each(goldenSites)("follows from what was found, and is the same everywhere: $name", async (golden) => {
    const report = await reportOn(golden)
    expectStepsByFacts(report, rubric)
    expectFirstRowsToBeFixable(report, rubric)
    expectOneOrder(report)
    expect(tokensAtMost(renderMarkdown(report))).toBeLessThanOrEqual(2_000)
  })

  it.each(goldenSites.filter(({ name }) => !UNUSUAL.has(name)))(
    "fits 60 lines of a terminal: $name",
    async (golden) => {
      const report = await reportOn(golden)
      expect(renderText(report, { width: 80, style: plain }).trimEnd().split("\n").length).toBeLessThanOrEqual(60)
    }
  )
})

describe("the advice for pages without text", () => {
  const shells = goldenSites.filter(({ name }) => name === "client-rendered")
  const operation = { responses: { 200: { description: "Done" } } }
  const openapi = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Sproutcast", version: "1" },
    paths: { "/sprouts": { get: operation } }
  })

  it.each(shells)("is to send their text first, and with it what only their text can have", async (golden) => {
    const { criteria } = await reportOn(golden)
    expect(criteria.filter(({ blocked_by = [] }) => blocked_by[0] === "E1").map(({ id }) => id)).toEqual([
      "B5",
      "D1",
      "D2",
      "D3",
      "D4",
      "D5",
      "D6",
      "D7",
      "E3"
    ])
  })

  it.each(shells)("holds nothing back that an API description can have", async ({ site, url }) => {
    const { criteria } = await auditFakeSite({ url, site: { ...site, "/openapi.json": openapi } })
    expect(criteria.filter(({ blocked_by = [] }) => blocked_by.includes("E1")).map(({ id }) => id)).toEqual([
      "B5",
      "D1",
      "D2",
      "E3"
    ])
  })
})
