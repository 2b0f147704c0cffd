import { describe, expect, it } from "vitest"
import { readingCost, readingCostText } from "../../engine/audit/ReadingCost.ts"
import { someReport } from "./SomeReport.ts"

const page = (html: number | null, markdown: number | null) => ({ tokens: { html, markdown } })

describe("what an agent pays to read a page", () => {
  it("is the median over the pages that have the form, the lower of two middle ones", () => {
    expect(readingCost([page(10, null), page(40, 7), page(20, 5), page(30, null)])).toEqual({ html: 20, markdown: 5 })
  })

  it("is unknown without pages", () => {
    expect(readingCost([])).toEqual({ html: null, markdown: null })
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
})
