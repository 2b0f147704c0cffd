import * as fc from "fast-check"
import { stripVTControlCharacters } from "node:util"
import { describe, expect, it } from "vitest"
import { colours, plain } from "../../../cli/render/Style.ts"
import { renderText } from "../../../cli/render/TextReport.ts"
import { wrap } from "../../../cli/render/Wrap.ts"
import { someCriterion, someReport } from "../../audit/SomeReport.ts"

const PROSE = "The page says a good deal about itself, in sentences of the usual length, and goes on for some lines."

const wordy = someReport({
  criteria: someReport().criteria.map((criterion) => ({
    ...criterion,
    summary: PROSE,
    remedy: criterion.remedy === null ? null : { ...criterion.remedy, steps: [PROSE, PROSE] }
  })),
  reliability: { reliable: false, coverage: 0.5, flags: ["timed_out", "no_http_api", "catch_all"], skipped: [] }
})

const longestLine = (text: string): number => Math.max(...text.split("\n").map((line) => Array.from(line).length))

describe("the report for a terminal", () => {
  it.each([60, 80, 110])("keeps within %i columns", (width) => {
    expect(longestLine(renderText(wordy, { width, style: plain }))).toBeLessThanOrEqual(width)
  })

  it("takes a terminal that is narrower for one of 60 columns, and a wider for one of 110", () => {
    expect(renderText(wordy, { width: 20, style: plain })).toBe(renderText(wordy, { width: 60, style: plain }))
    expect(renderText(wordy, { width: 400, style: plain })).toBe(renderText(wordy, { width: 110, style: plain }))
  })

  it("says the same in colours as without", () => {
    const coloured = renderText(wordy, { width: 80, style: colours })
    expect(coloured).toContain("\u001b[")
    expect(stripVTControlCharacters(coloured)).toBe(renderText(wordy, { width: 80, style: plain }))
  })

  it("begins with the score, then warns, then shows categories, fixes and all criteria", () => {
    const text = renderText(wordy, { width: 80, style: plain })
    const order = ["6/12  Gaps", "Not reliable", "Evidence could be had for 50", "Discovery", "What to mend next", "All criteria"].map((part) => text.indexOf(part))
    expect(order.every((at) => at >= 0)).toBe(true)
    expect(order).toEqual(order.toSorted((one, other) => one - other))
  })

  it("fills each category's bar by its share", () => {
    const text = renderText(someReport({ categories: { A_x: { score: 0, max: 4, title: "None" }, B_y: { score: 4, max: 4, title: "All" }, C_z: { score: 0, max: 0, title: "Empty" } } }), { width: 80, style: plain })
    const bars = text.split("\n").flatMap((line) => /[█░]+/.exec(line) ?? [])
    expect(bars[0]).toMatch(/^░+$/)
    expect(bars[1]).toMatch(/^█+$/)
    expect(bars[2]).toMatch(/^░+$/)
  })

  it("tells what costs most for the least effort first, and how many more addresses there are", () => {
    const text = renderText(someReport(), { width: 80, style: plain })
    expect(text.indexOf("B1 Criterion B1  −3")).toBeLessThan(text.indexOf("A2 Criterion A2  −2"))
    expect(text).toContain("and 1 more")
  })

  it("has nothing to mend where nothing is lost", () => {
    const perfect = someReport({ criteria: [someCriterion({ id: "A1", status: "present", score: 3, remedy: null })] })
    expect(renderText(perfect, { width: 80, style: plain })).not.toContain("What to mend next")
  })

  it("cuts addresses that never end", () => {
    const url = `https://docs.example.com/${"x".repeat(20_000)}`
    const text = renderText(someReport({ criteria: [someCriterion({ id: "A1", evidence_url: url, remedy: { effort: "low", steps: [], addresses: [url] } })] }), { width: 80, style: plain })
    expect(longestLine(text)).toBeLessThan(320)
  })
})

describe("wrapping", () => {
  it("loses no word, and exceeds the width only for a word that is longer", () => {
    fc.assert(fc.property(fc.array(fc.stringMatching(/^\S{1,30}$/)), fc.integer({ min: 1, max: 80 }), (words, width) => {
      const lines = wrap(words.join(" "), width)
      expect(lines.join(" ")).toBe(words.join(" "))
      for (const line of lines) expect(line.length <= width || !line.includes(" ")).toBe(true)
    }))
  })
})
