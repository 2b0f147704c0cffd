import { describe, expect, it } from "vitest"
import { readingCost, readingCostText } from "../../engine/audit/ReadingCost.ts"
import { someReport } from "./SomeReport.ts"

const page = (html: number | null, markdown: number | null) => ({
  tokens: { html, markdown },
  boilerplate: html === null ? null : html / 100
})

describe("what an agent pays to read a page", () => {
  it("is the median over the pages that have the form, the lower of two middle ones", () => {
    expect(readingCost([page(10, null), page(40, 7), page(20, 5), page(30, null)], null)).toEqual({
      html: 20,
      markdown: 5,
      boilerplate: 0.2,
      to_operation: null
    })
  })

  it("is unknown without pages", () => {
    expect(readingCost([], null)).toEqual({ html: null, markdown: null, boilerplate: null, to_operation: null })
    expect(readingCostText(someReport({ reading_cost: { html: null, markdown: null } }))).toBe("")
    expect(readingCostText(someReport())).toBe("")
  })

  it.each([
    [11_400, 1_900, "Reading a page costs 11,400 tokens as HTML, 1,900 as Markdown (median; bytes divided by 4)."],
    [11_400, null, "Reading a page costs 11,400 tokens as HTML (median; bytes divided by 4)."],
    [null, 1_900, "Reading a page costs 1,900 tokens as Markdown (median; bytes divided by 4)."]
  ])("is told in one sentence: %s and %s", (html, markdown, text) => {
    expect(readingCostText(someReport({ reading_cost: { html, markdown } }))).toBe(text)
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
