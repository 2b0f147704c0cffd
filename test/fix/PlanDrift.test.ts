import { load } from "cheerio"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { fixText } from "../../cli/fix/FixText.ts"
import { plain } from "../../cli/render/Style.ts"
import { fixSite } from "../../engine/fix/Fix.ts"
import { planOf, planSummaryOf } from "../../engine/fix/plan/Plan.ts"
import { planJson } from "../../engine/fix/plan/PlanData.ts"
import { planMarkdown, planPrompt } from "../../engine/fix/plan/PlanMarkdown.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { plugins } from "../../plugins/index.ts"
import { planSection } from "../../server/pages/fix/PlanSection.ts"
import { renderPage } from "../../engine/report/html/Html.ts"
import { planText } from "../../server/mcp/features/SiteText.ts"
import type { DriftReport } from "../../engine/drift/Drift.ts"
import {
  falseCalls,
  PAGE,
  someDrift,
  someFalseCall,
  someFalseExample,
  someFalseFigure,
  SPEC
} from "../drift/SomeDrift.ts"

const TITLE = "False examples and calls"

const HOST = "https://docs.fernpost.dev"

const HTML =
  '<!doctype html><html lang="en"><title>Fernpost</title><body><main><h1>Fernpost</h1><p>Fernpost sends a parcel from one door to another, and tells everybody where it is.</p></main></body></html>'

const rubric = await Effect.runPromise(
  loadRubric(readFileSync(new URL("../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
)

const outcome = await Effect.runPromise(
  fixSite({
    audit: { url: `${HOST}/`, date: "2026-11-21", sampleSize: 20, canonicalOrigin: null, rubric },
    options: { only: null, ai: null, host: null },
    isLive: true,
    pages: null
  }).pipe(Effect.provide(Layer.mergeAll(layerFakeSite({ "/": HTML }, { host: HOST }), ParserPool.layerInline)))
)

const words = (text: string): string => text.replace(/\s+/g, " ").trim()

/** The plan for a report with that drift, in each of its forms. */
const formsOf = (drift: DriftReport | undefined) => {
  const { drift: _, ...before } = outcome.before
  const plan = planOf({ ...outcome, before: drift === undefined ? before : { ...before, drift } }, null)
  const page = planSection({
    plan: planSummaryOf(plan),
    run: { id: "1", url: HOST },
    zipBytes: 1,
    base: "https://docgauge.example"
  })
  const text = fixText(plan, { width: 100, style: plain, folder: "out", isWritten: false, decisions: "" })
  return {
    plan,
    json: planJson(plan),
    markdown: planMarkdown(plan),
    prompt: planPrompt(plan, "out"),
    text: words(text),
    page: load(renderPage(page)),
    mcp: planText({ plan: planSummaryOf(plan), zip: null })
  }
}

const BOTH = someDrift([someFalseExample(), someFalseCall()])

describe("the plan for a site with false examples and calls", () => {
  it("has each in Markdown with its places, and asks whether the nearest operation is meant", () => {
    const { markdown } = formsOf(BOTH)
    expect(markdown).toContain(
      [
        `## ${TITLE}`,
        "",
        "Nothing is rewritten by guess. Find out what the API does, then correct the page or the API description, whichever is wrong.",
        "",
        '- The example of POST /parcels at \\#/paths/\\~1parcels/post/requestBody says "heavy" for weight, and its schema wants a number.',
        `  - API description: <${SPEC}> at /paths/\\~1parcels/post/requestBody/content/application\\~1json/example/weight`,
        "- /guides/parcels, line 12, calls GET /parcel/p\\_1, which the description does not have; the nearest is GET /parcels/\\{id\\}. Does it mean GET /parcels/\\{id\\}?",
        `  - Page: <${PAGE}>, line 12`,
        `  - API description: <${SPEC}> at /paths/\\~1parcels\\~1\\{id\\}/get`
      ].join("\n")
    )
  })

  it('has them in the prompt, each quoted after "Found:"', () => {
    const { prompt } = formsOf(BOTH)
    const found = prompt.split("\n").filter((line) => line.startsWith("Found: "))
    expect(found.map((line) => JSON.parse(line.slice("Found: ".length)))).toEqual(
      BOTH.findings.map(({ message }) => message)
    )
    expect(prompt).toContain(`Page: \`${PAGE}\`, line 12`)
    expect(prompt).toContain("Does it mean `GET /parcels/{id}`?")
  })

  it("has them in the text, on the page and, fenced, in the plan that MCP gives to an agent", () => {
    const { mcp, page, text } = formsOf(BOTH)
    const told = page(`h3:contains(${TITLE}) ~ ul`).first()
    for (const { message } of BOTH.findings) {
      expect(text).toContain(message)
      expect(told.text()).toContain(message)
      expect(mcp.replaceAll(/<site>[^<>\n]*<\/site>/g, "")).not.toContain(message.slice(0, 20))
    }
    expect(text).toContain("Does it mean GET /parcels/{id}?")
    expect(words(told.find("li").eq(1).text())).toContain("Does it mean GET /parcels/{id}?")
    expect(told.find(`a[href='${PAGE}']`).length).toBe(1)
  })

  it("has them in its JSON as the report has them", () => {
    expect(JSON.parse(formsOf(BOTH).json)).toMatchObject({ drift: { findings: BOTH.findings, more: 0 } })
  })

  it("asks nothing of a call whose operation is known", () => {
    const { markdown, prompt } = formsOf(someDrift([someFalseCall({ reason: "unknown_parameter" })]))
    expect([markdown, prompt].filter((form) => form.includes("Does it mean"))).toEqual([])
  })

  it("names 20, and how many more the report has", () => {
    const { markdown, mcp, page, plan, prompt, text } = formsOf(someDrift(falseCalls(50), { findings_left_out: 7 }))
    expect(plan.drift).toMatchObject({ findings: { length: 20 }, more: 37 })
    for (const form of [markdown, mcp, prompt, text, page.text()]) expect(form).toContain("… and 37 more")
  })

  it("says nothing where nothing is false, where only figures differ, and of reports of older versions", () => {
    for (const drift of [someDrift([]), someDrift([someFalseFigure]), undefined]) {
      const { markdown, mcp, page, prompt, text } = formsOf(drift)
      expect([markdown, mcp, prompt, text, page.text()].filter((form) => form.includes(TITLE))).toEqual([])
    }
  })
})
