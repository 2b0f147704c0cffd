import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { plain } from "../../cli/render/Style.ts"
import { renderText } from "../../cli/render/TextReport.ts"
import { fixList } from "../../engine/audit/FixFirst.ts"
import { renderMarkdown } from "../../engine/audit/render/MarkdownReport.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"
import { expectFirstRowsToBeFixable, expectOneOrder, expectStepsByFacts } from "../audit/AdviceChecks.ts"
import { auditFakeSite } from "./AuditFakeSite.ts"
import { buildSite } from "./excellent/Site.ts"
import { readSource } from "./excellent/Source.ts"
import { EXCELLENT_URL, goldenSites } from "./GoldenSites.ts"
import { mutations } from "./Mutations.ts"

const rubric = Effect.runSync(
  loadRubric(readFileSync(new URL("../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
)
const source = readSource()
const whole = auditFakeSite({ site: buildSite(source), url: EXCELLENT_URL })

/** Sites with warnings of several lines. */
const UNUSUAL = new Set(["hostile", "client-rendered"])

/**
 * The fixes that come before a mutation's own, where some do. A generator's sample earns C1 some of its points, so C2 to C5 are a fix of their
 * own, which gains more; its first step is to publish the product's own description. Pages that redirect by script have no text
 * either: B1, B5 and E2 gain as much for as much effort, and the rubric's order decides.
 */
const BEFORE: Readonly<Record<string, ReadonlyArray<string>>> = {
  "the API description is the example that a generator came with": ["C2"],
  "pages redirect by script": ["B1", "B5"]
}

/** Of such text a tokenizer of today makes a token from 3.65 characters (measured with o200k). */
const tokensAtMost = (text: string): number => Math.ceil(text.length / 3.65)

describe("the advice for a golden site", () => {
  it.each(goldenSites)("follows from what was found, and is the same everywhere: $name", async (golden) => {
    const report = await auditFakeSite(golden)
    expectStepsByFacts(report, rubric)
    expectFirstRowsToBeFixable(report, rubric)
    expectOneOrder(report)
    expect(tokensAtMost(renderMarkdown(report))).toBeLessThanOrEqual(2_000)
  })

  it.each(goldenSites.filter(({ name }) => !UNUSUAL.has(name)))(
    "fits 60 lines of a terminal: $name",
    async (golden) => {
      const report = await auditFakeSite(golden)
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
    const { criteria } = await auditFakeSite(golden)
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

describe("the advice for the excellent site with one thing broken", () => {
  it.each(mutations)(
    "names what to fix first, and promises what fixing it gains: $name",
    async ({ breaks, costs, name, url = EXCELLENT_URL }) => {
      const report = await auditFakeSite({ site: breaks(source), url })
      expectStepsByFacts(report, rubric)
      expectFirstRowsToBeFixable(report, rubric)
      expectOneOrder(report)
      const { fixes } = fixList(report)
      const place = fixes.findIndex(({ criterion, includes }) =>
        [criterion, ...includes].some(({ id }) => id === costs)
      )
      expect(
        fixes.slice(0, place).map(({ criterion }) => criterion.id),
        "what comes before it"
      ).toEqual(BEFORE[name] ?? [])
      expect(place, `${costs} is advised`).toBeGreaterThanOrEqual(0)
      const before = new Map((await whole).criteria.map(({ id, score }) => [id, score]))
      for (const { criterion, gain, includes } of fixes) {
        const gained = [criterion, ...includes].reduce((sum, { id, score }) => sum + (before.get(id) ?? 0) - score, 0)
        expect(gained, `points promised for ${criterion.id}`).toBe(gain)
      }
    }
  )
})
