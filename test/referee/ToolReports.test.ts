import { describe, expect, it } from "vitest"
import { readToolReport, type ToolReport } from "../../engine/referee/ToolReports.ts"
import { a14y, afdocs, axAudit, book, cloudflare, lighthouse, redocly, vercel } from "./SomeReports.ts"

const read = (report: unknown): ToolReport => {
  const found = readToolReport(report, book)
  if ("unlike" in found) throw new Error(`not read: ${found.unlike?.id ?? "no tool"}`)
  return found
}

/** `id: verdict` of each check. */
const verdicts = (report: unknown): ReadonlyArray<string> =>
  read(report).checks.map(({ id, verdict }) => `${id}: ${verdict}`)

describe("a report of another tool", () => {
  it.each([
    ["afdocs", afdocs(["llms-txt-exists", "pass"])],
    ["lighthouse", lighthouse],
    ["redocly", redocly()],
    ["vercel", vercel],
    ["a14y", a14y],
    ["cloudflare", cloudflare],
    ["ax-audit", axAudit]
  ])("of %s is recognised", (id, report) => {
    expect(read(report).tool.id).toBe(id)
  })

  it("is not recognised if it is of no tool that we know, or no object", () => {
    for (const report of [{}, { results: [] }, [], null, "specUrl"])
      expect(readToolReport(report, book)).toEqual({ unlike: null })
  })

  it("that has the members of a tool's report and another shape is said to be like that one", () => {
    const found = readToolReport({ specUrl: 1, results: "none", summary: null }, book)
    expect("unlike" in found ? found.unlike?.id : found).toBe("afdocs")
  })
})

describe("a verdict of AFDocs", () => {
  it("is open where the check was skipped, failed itself or could fetch nothing", () => {
    const report = afdocs(
      ["llms-txt-exists", "pass"],
      ["llms-txt-size", "warn"],
      ["llms-txt-valid", "fail"],
      ["llms-txt-coverage", "skip"],
      ["content-negotiation", "error"],
      ["http-status-codes", "fail", "Could not test any URLs; 1 failed to fetch"]
    )
    expect(verdicts(report)).toEqual([
      "llms-txt-exists: pass",
      "llms-txt-size: partial",
      "llms-txt-valid: fail",
      "llms-txt-coverage: open",
      "content-negotiation: open",
      "http-status-codes: open"
    ])
    expect(read(report)).toMatchObject({ scores: [{ name: null, score: 90 }], pages: 8 })
  })

  it("is open for a status that no version of it has, whatever that is called", () => {
    for (const status of ["constructor", "__proto__", ""])
      expect(verdicts(afdocs(["llms-txt-exists", status]))).toEqual(["llms-txt-exists: open"])
  })

  it("needs no score in the report", () => {
    const { scoring: _scoring, ...without } = afdocs(["llms-txt-exists", "pass"])
    expect(read(without).scores).toEqual([])
  })
})

describe("a report of Lighthouse", () => {
  it("has each audit once, that of the category about agents first, and none where it does not apply", () => {
    expect(verdicts(lighthouse)).toEqual([
      "llms-txt: open",
      "cumulative-layout-shift: partial",
      "document-title: pass",
      "image-alt: fail",
      "html-has-lang: fail",
      "color-contrast: fail"
    ])
    expect(read(lighthouse).scores.map(({ name, score }) => `${name} ${score}`)).toEqual([
      "Agentic Browsing 100",
      "SEO 92",
      "Accessibility 50"
    ])
  })
})

describe("an audit that a category of Lighthouse names and the report lacks", () => {
  it("is left out", () => {
    const seo = {
      title: "SEO",
      score: 1,
      auditRefs: [{ id: "constructor" }, { id: "canonical" }, { id: "document-title" }]
    }
    expect(verdicts({ ...lighthouse, categories: { seo } })).toEqual(["document-title: pass"])
  })
})

describe("a report of Redocly CLI", () => {
  it("has a rule once, however many problems it found, and fails by errors", () => {
    const report = redocly(["struct", "error"], ["struct", "error"], ["operation-summary", "warn"])
    expect(verdicts(report)).toEqual(expect.arrayContaining(["struct: fail", "operation-summary: partial"]))
    expect(read(report).checks[0]?.says).toBe("2 problems, the first: Something about struct.")
  })

  it("compares one rule for a criterion of which it names no rule, because it names only rules that found something", () => {
    const found = verdicts(redocly(["no-identical-paths", "error"]))
    expect(found.filter((verdict) => verdict.endsWith(": pass"))).toEqual([
      "no-invalid-media-type-examples: pass",
      "operation-summary: pass",
      "security-defined: pass"
    ])
  })
})

describe("what pages of a14y have of a check", () => {
  it("is one verdict, and none where it applies to no page", () => {
    expect(verdicts(a14y)).toEqual([
      "llms-txt.exists: pass",
      "html.lang-attribute: partial",
      "html.json-ld.breadcrumb: open",
      "html.canonical-link: fail"
    ])
    expect(read(a14y).checks[1]?.says).toBe("2 of 3 pages (67%)")
  })
})

describe("verdicts of the other tools", () => {
  it("are open where the check was skipped, is neutral or could not be fetched", () => {
    expect(verdicts(vercel)).toEqual(["llms.txt: pass", "sitemap.md: fail", "Vary: Accept: open", "sitemap.xml: open"])
    expect(verdicts(cloudflare)).toEqual(["robotsTxt: pass", "webBotAuth: open", "x402: open"])
    expect(read(cloudflare)).toMatchObject({ version: "level 2, Bot-Aware", scores: [] })
  })

  it("of ax-audit are those of its scores, in the words of its worst finding", () => {
    expect(verdicts(axAudit)).toEqual(["sitemap: partial", "openapi: fail", "tls-https: pass"])
    expect(read(axAudit).checks[0]?.says).toBe("No recent dates")
  })
})
