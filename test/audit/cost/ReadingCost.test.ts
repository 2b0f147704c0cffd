import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { readingCost } from "../../../engine/audit/SamplePages.ts"
import { readingCostText } from "../../../engine/report/SectionWords.ts"
import { renderMarkdown } from "../../../engine/report/MarkdownReport.ts"
import { type FakeAnswer, layerFakeSite } from "../../../engine/testing/FakeSite.ts"
import { auditOver } from "../AuditOver.ts"
import { someReport } from "../SomeReport.ts"

const page = (html: number | null, markdown: number | null) => ({
  tokens: { html, markdown },
  boilerplate: html === null ? null : html / 100,
  content: html === null ? null : 1 - html / 100
})

describe("what an agent pays to read a page", () => {
  it("is the median over the pages that have the form, the lower of two middle ones", () => {
    expect(readingCost([page(10, null), page(40, 7), page(20, 5), page(30, null)], null)).toEqual({
      html: 20,
      markdown: 5,
      boilerplate: 0.2,
      content_share: 0.7,
      to_operation: null
    })
  })

  it("is unknown without pages", () => {
    expect(readingCost([], null)).toEqual({
      html: null,
      markdown: null,
      boilerplate: null,
      content_share: null,
      to_operation: null
    })
    expect(readingCostText(someReport({ reading_cost: { html: null, markdown: null } }))).toBe("")
    expect(readingCostText(someReport())).toBe("")
  })

  it.each([
    [11_400, 1_900, "Reading a page costs 11,400 tokens as HTML, 1,900 as Markdown (median; bytes divided by 4)."],
    [11_400, null, "Reading a page costs 11,400 tokens as HTML (median; bytes divided by 4)."],
    [null, 1_900, "Reading a page costs 1,900 tokens as Markdown (median; bytes divided by 4)."]
  ])("is told in one sentence, in reports of the raw HTML: %s and %s", (html, markdown, text) => {
    expect(readingCostText(someReport({ reading_cost: { html, markdown } }))).toBe(text)
  })

  it.each([
    [
      0.61,
      "Reading a page costs 2,400 tokens as HTML, 1,900 as Markdown (median, HTML converted; bytes divided by 4). 61% of that HTML is the page's content."
    ],
    [null, "Reading a page costs 2,400 tokens as HTML, 1,900 as Markdown (median, HTML converted; bytes divided by 4)."]
  ])("is of the converted HTML, and says what share of it is content: %s", (content_share, text) => {
    const reading_cost = { html: 2_400, markdown: 1_900, boilerplate: 0.9, content_share }
    expect(readingCostText(someReport({ reading_cost }))).toBe(text)
  })

  it("tells what share of a page is not its text, and what finding an operation takes on each way that there is", () => {
    const reading_cost = {
      html: 11_400,
      markdown: null,
      boilerplate: 0.724,
      to_operation: { llms_txt: { requests: 2, tokens: 3_100 }, sitemap: null, links: { requests: 1, tokens: 900 } }
    }
    expect(readingCostText(someReport({ reading_cost }))).toBe(
      "Reading a page costs 11,400 tokens as HTML (median; bytes divided by 4). 72% of the HTML is not the page's text. " +
        "Finding the documentation of one operation takes 2 requests and 3,100 tokens through llms.txt or 1 request and 900 tokens by following links."
    )
  })
})

describe("a page that is longer than what is read of one", () => {
  const cut = (html: number) => ({
    ...page(html, null),
    boilerplate: null,
    content: null,
    tokens: { html, markdown: null, at_least: ["html"] as const }
  })

  it("makes the median a lower bound only where the median could be higher", () => {
    expect(readingCost([page(10, null), page(20, null), cut(90)], null)).toMatchObject({ html: 20 })
    expect(readingCost([page(10, null), page(20, null), cut(90)], null)).not.toHaveProperty("at_least")
    expect(readingCost([page(10, null), cut(90), cut(90)], null)).toMatchObject({ html: 90, at_least: ["html"] })
  })

  it("takes no part in the share that is not text, which is unknown for it", () => {
    expect(readingCost([page(10, null), cut(90)], null).boilerplate).toBe(0.1)
    expect(readingCost([cut(90)], null).boilerplate).toBeNull()
  })

  it("is told as what it costs at least, and so is the way that leads over it", () => {
    const reading_cost = {
      html: 2_097_152,
      markdown: 1_900,
      at_least: ["html"] as const,
      to_operation: {
        llms_txt: null,
        sitemap: null,
        links: { requests: 1, tokens: 2_097_152, at_least: true as const }
      }
    }
    expect(readingCostText(someReport({ reading_cost }))).toBe(
      "Reading a page costs at least 2,097,152 tokens as HTML, 1,900 as Markdown (median; bytes divided by 4). " +
        "Finding the documentation of one operation takes 1 request and at least 2,097,152 tokens by following links."
    )
  })

  it("is marked in the report of an audit that cut it", async () => {
    const long = `<h2>List orders</h2><pre><code>GET /v1/orders</code></pre>${"<p>Lists all orders of a customer.</p>".repeat(400)}`
    const markdown = `# Orders\n\n${"Lists all orders of a customer.\n\n".repeat(400)}`
    const site: Record<string, FakeAnswer> = {
      "/": `<!doctype html><html lang="en"><link rel="alternate" type="text/markdown" href="/index.md"><title>Orders</title><main><h1>Orders</h1>${long}</main></html>`,
      "/index.md": { type: "text/markdown", body: markdown }
    }
    const { result } = await Effect.runPromise(
      auditOver(layerFakeSite(site), "https://docs.example.com", { limits: { pageBytes: 8_000 } })
    )
    const { report } = Result.getOrThrow(result)
    expect(report.pages?.[0]?.tokens).toEqual({ html: 1_708, markdown: 2_000, at_least: ["html", "markdown"] })
    expect(report.reading_cost).toMatchObject({
      html: 1_708,
      markdown: 2_000,
      at_least: ["html", "markdown"],
      boilerplate: null
    })
    expect(report.reading_cost?.to_operation?.links).toEqual({ requests: 1, tokens: 1_708, at_least: true })
    expect(renderMarkdown(report)).toContain(
      "Reading a page costs at least 1,708 tokens as HTML, at least 2,000 as Markdown"
    )
  })
})
