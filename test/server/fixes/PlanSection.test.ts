import { load } from "cheerio"
import { describe, expect, it } from "vitest"
import type { PlanSummary } from "../../../engine/fix/plan/PlanSummary.ts"
import { planSection } from "../../../server/pages/fix/PlanSection.ts"
import { renderPage } from "../../../engine/report/html/Html.ts"

const plan: PlanSummary = {
  before: { base_url: "https://docs.example.com", total_score: 39 },
  reportScore: null,
  live: false,
  atLeast: false,
  score: 40,
  gains: [
    { criterion: "A1", title: "llms.txt", before: 2, after: 1, max: 2 },
    { criterion: "A5", title: "Announced", before: 0, after: 2, max: 2 }
  ],
  unchecked: [],
  unjudged: [],
  files: [
    {
      path: "site/llms.txt",
      url: "https://docs.example.com/llms.txt",
      criteria: ["A1", "A5"],
      isVersion: false,
      bytes: 200,
      completes: false
    }
  ],
  todo: [],
  drift: { findings: [], more: 0 },
  pages: { withFiles: 0, known: 0, unopened: 0, limited: 0, all: null, section: null },
  difference: null,
  otherVersions: [],
  kept: [],
  cost: { estimator: "utf8-bytes/4", pages: null, operation: null },
  recipes: [],
  host: null
}

const shown = (plan: PlanSummary) =>
  load(
    renderPage(
      planSection({
        plan,
        run: { id: "1", url: "https://docs.example.com" },
        zipBytes: 1,
        base: "https://docgauge.example"
      })
    )
  )

describe("a file of a plan", () => {
  it("has the sign of what each of its criteria gains or loses", () => {
    expect(shown(plan)(".files li .soft").text()).toBe("A1 −1, A5 +2")
  })
})

describe("the plan on a page", () => {
  it("names the other versions of the documentation, for which nothing is written", () => {
    const otherVersions = [{ url: "https://docs.example.com/v1/", pages: 6 }]
    expect(shown({ ...plan, otherVersions })("#fix-it > p").text()).toContain(
      "6 known pages are of other versions of this documentation, below https://docs.example.com/v1/"
    )
  })

  it("lists the recipes of tools below the advice to try them first, and those of the host apart", () => {
    const recipe = { do: "Set `site_url`.", url: "https://www.mkdocs.org/", criteria: ["A4"] }
    const $ = shown({
      ...plan,
      host: { title: "nginx", use: "Include it.", isMeasured: true },
      recipes: ["nginx", "MkDocs"].map((generator) => ({ ...recipe, generator }))
    })
    const [tools, host] = $("#fix-it > h3:contains('With your tools') ~ p").toArray()
    expect([tools, host].map((lead) => $(lead).next("ul").text())).toEqual([
      expect.stringContaining("MkDocs"),
      expect.stringContaining("nginx")
    ])
  })
})
