import { describe, expect, it } from "vitest"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { costOf } from "../../engine/fix/plan/Plan.ts"
import { costText } from "../../engine/fix/plan/PlanWords.ts"

type Tokens = NonNullable<AuditReport["pages"]>[number]["tokens"]

const ORIGIN = "https://docs.quill.example"

const reportOf = (
  tokens: Readonly<Record<string, Tokens>>,
  way: { readonly requests: number; readonly tokens: number } | null = null
): Pick<AuditReport, "pages" | "reading_cost"> => ({
  pages: Object.entries(tokens).map(([path, own]) => ({
    url: `${ORIGIN}${path}`,
    status: 200,
    title: path,
    bytes: 1,
    tokens: own,
    failed: []
  })),
  reading_cost: {
    html: 1,
    markdown: 1,
    to_operation: way === null ? null : { llms_txt: null, sitemap: null, links: way }
  }
})

describe("what an agent pays", () => {
  it("is summed over the pages that both audits read and that cost something else in the second, in their cheaper form", () => {
    const before = reportOf({
      "/": { html: 900, markdown: null },
      "/a": { html: 400, markdown: null },
      "/b": { html: 300, markdown: 100 },
      "/gone": { html: 5_000, markdown: null }
    })
    const after = reportOf({
      "/": { html: 900, markdown: 300 },
      "/a": { html: 400, markdown: 200 },
      "/b": { html: 300, markdown: 100 },
      "/new": { html: 5_000, markdown: 10 }
    })
    expect(costOf(before, after).pages).toEqual({
      count: 2,
      median: { before: 400, after: 200 },
      total: { before: 1_300, after: 500 }
    })
    expect(costText({ cost: costOf(before, after) })).toMatch(
      /^An agent pays 1,300 → 500 tokens for the 2 pages that both audits read and that change, 400 → 200 for the median\./
    )
  })

  it("is not told by the few pages of a sample that the second audit read again", () => {
    const page = { html: 900, markdown: null }
    const before = reportOf({ "/": page, "/a": page, "/b": page })
    const after = (paths: ReadonlyArray<string>) =>
      costOf(before, reportOf(Object.fromEntries(paths.map((path) => [path, { html: 900, markdown: 100 }])))).pages
    expect(after(["/", "/c", "/d"])).toBeNull()
    expect(after(["/", "/a", "/d"])).toMatchObject({ count: 2 })
  })

  it("of one page is not said of all", () => {
    const [before, after] = [900, 300].map((markdown) => reportOf({ "/": { html: 900, markdown } }))
    expect(before !== undefined && after !== undefined && costText({ cost: costOf(before, after) })).toMatch(
      /^An agent pays 900 → 300 tokens for the one page that both audits read and that changes\./
    )
  })

  it("leaves out a page that was not read to its end, and says nothing where nothing changes", () => {
    const page = { html: 900, markdown: null }
    const before = reportOf({ "/": { ...page, at_least: ["html"] }, "/a": page })
    const after = reportOf({ "/": { html: 900, markdown: 100 }, "/a": page })
    expect(costOf(before, after).pages).toBeNull()
    expect(costText({ cost: costOf(before, after) })).toBe("")
  })

  it("compares the cheapest ways to one operation", () => {
    const page = { "/": { html: 900, markdown: null } }
    const cost = costOf(reportOf(page, { requests: 3, tokens: 9_000 }), reportOf(page, { requests: 2, tokens: 1_500 }))
    expect(costText({ cost })).toMatch(
      /^The cheapest way to the documentation of one operation takes 3 requests and 9,000 tokens → 2 requests and 1,500 tokens\./
    )
  })
})
