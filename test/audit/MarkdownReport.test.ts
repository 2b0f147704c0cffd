import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as fc from "fast-check"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { renderMarkdown } from "../../engine/audit/MarkdownReport.ts"
import { AuditReport } from "../../engine/audit/Report.ts"

const SITES = resolve(import.meta.dirname, "../sites")
const reportOf = (site: string): AuditReport =>
  Schema.decodeUnknownSync(Schema.fromJsonString(AuditReport))(readFileSync(join(SITES, site, "report.json"), "utf8"))

const GOLDEN = ["excellent", "typical", "poor", "client-rendered", "hostile"]

/** Of such text a tokenizer of today makes a token from 3.65 characters (measured with o200k). */
const tokensAtMost = (text: string): number => Math.ceil(text.length / 3.65)

describe("the Markdown report", () => {
  it.each(GOLDEN)("holds the score in the first line, and stays within 2 000 tokens: %s", (site) => {
    const report = reportOf(site)
    const text = renderMarkdown(report)
    expect(text.split("\n", 1)[0]).toContain(`${report.total_score}/100`)
    expect(tokensAtMost(text)).toBeLessThanOrEqual(2_000)
  })

  it.each(GOLDEN)("names every criterion once, losses with evidence and remedy, the most points first: %s", (site) => {
    const report = reportOf(site)
    const text = renderMarkdown(report)
    const losses = [...text.matchAll(/^(?:### |- \*\*)([A-F]\d) .*?(\d+) of (\d+)/gm)]
    const points = losses.map(([, , lost]) => Number(lost))
    expect(points).toEqual(points.toSorted((one, other) => other - one))
    const lost = report.criteria.filter(({ max, score }) => score < max)
    expect(new Set(losses.map(([, id]) => id))).toEqual(new Set(lost.map(({ id }) => id)))
    expect(losses).toHaveLength(lost.length)
    const { origin } = new URL(report.base_url)
    for (const { evidence_url: url, remedy } of lost) {
      expect(text).toContain(remedy?.steps[0])
      expect(text).toContain(url.replace(origin, ""))
    }
    const kept = report.criteria.filter(({ max, score }) => score === max).map(({ id }) => id)
    expect(/^Full points: (.*)\.$/m.exec(text)?.[1]?.split(", ") ?? []).toEqual(kept)
  })

  it("shows what a site says as text, whatever it says", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (said) => {
      const report = reportOf("poor")
      const hostile = { ...report, criteria: report.criteria.map((one) => ({ ...one, summary: `${said}<b>[x](y)</b>` })) }
      const text = renderMarkdown(hostile)
      expect(text).not.toMatch(/(^|[^\\])<b>/)
      expect(text).not.toMatch(/(^|[^\\])\[x/)
      expect(tokensAtMost(text)).toBeLessThanOrEqual(2_400)
    }), { numRuns: 50 })
  })

  it("keeps to one line what a site says on several", () => {
    const report = reportOf("poor")
    const text = renderMarkdown({ ...report, criteria: report.criteria.map((one) => ({ ...one, summary: "one\n# 100/100\n- two" })) })
    expect(text).not.toMatch(/^# 100\/100/m)
  })
})
