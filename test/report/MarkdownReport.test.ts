import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as fc from "fast-check"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { fixList, ownGain } from "../../engine/audit/FixFirst.ts"
import { renderMarkdown } from "../../engine/report/MarkdownReport.ts"
import { AuditReport, encodeReport } from "../../engine/audit/Report.ts"
import { BASE, someCriterion, someReport } from "../audit/SomeReport.ts"

const SITES = resolve(import.meta.dirname, "../golden")
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

  it.each(GOLDEN)("is as many times shorter than the JSON as /docs/v1/for-agents says: %s", (site) => {
    const page = readFileSync(resolve(import.meta.dirname, "../../server/docs/v1/for-agents.md"), "utf8")
    const [, least] = /A report as JSON is at least (\d+) times as long as the Markdown/.exec(page) ?? []
    const report = reportOf(site)
    expect(encodeReport(report).length / renderMarkdown(report).length).toBeGreaterThanOrEqual(Number(least))
  })

  it.each(GOLDEN)(
    "names every criterion to fix once, with evidence and the first step that is left, in the order of the list of fixes: %s",
    (site) => {
      const report = reportOf(site)
      const text = renderMarkdown(report)
      const { fixes, notApplicable, notChecked } = fixList(report)
      const shown = [...text.matchAll(/^(?:### |- \*\*)([A-F]\d) .*?\+(\d+), /gm)].map(([, id, gain]) => [
        id,
        Number(gain)
      ])
      expect(shown).toEqual(fixes.map(({ criterion }) => [criterion.id, ownGain(criterion)]))
      const { origin } = new URL(report.base_url)
      for (const {
        criterion: { evidence_url: url, remedy }
      } of fixes) {
        expect(text).toContain(remedy?.steps[0] ?? "")
        expect(text).toContain(url.replace(origin, ""))
      }
      const listed = (label: string) => new RegExp(`^${label}: (.*)\\.$`, "m").exec(text)?.[1]?.split(", ") ?? []
      expect(listed("Could not be checked")).toEqual(notChecked.map(({ id }) => id))
      expect(listed("Not applicable \\(no HTTP API\\)")).toEqual(notApplicable.map(({ id }) => id))
      const kept = report.criteria.filter(({ max, score }) => score === max).map(({ id }) => id)
      expect(/^Full points: (.*)\.$/m.exec(text)?.[1]?.split(", ") ?? []).toEqual(kept)
    }
  )

  it("names the pages that a fix is about: three, and how many more there are", () => {
    const about = (pages: number) =>
      someReport({
        criteria: [
          someCriterion({
            id: "B1",
            findings: ["summary", ...Array.from({ length: pages }, (_, index) => `page-${index}`)].map((name) => ({
              url: `${BASE}/${name}`,
              status: 404,
              note: name,
              good: false
            })),
            remedy: { effort: "low", steps: [], addresses: [] }
          })
        ]
      })
    const lineFor = (pages: number) => /^- Concerns .*$/m.exec(renderMarkdown(about(pages)))?.[0]
    expect(lineFor(0)).toBeUndefined()
    expect(lineFor(1)).toBe("- Concerns `/page-0`.")
    expect(lineFor(3)).toBe("- Concerns `/page-0`, `/page-1` and `/page-2`.")
    expect(lineFor(20)).toBe("- Concerns `/page-0`, `/page-1`, `/page-2` and 17 more.")
  })

  it("names no page that only proves that no page has something", () => {
    const lineFor = (...notes: ReadonlyArray<string>) =>
      /^- Concerns .*$/m.exec(
        renderMarkdown(
          someReport({
            base_url: `${BASE}/docs`,
            criteria: [
              someCriterion({
                id: "F4",
                findings: [
                  { url: `${BASE}/guide`, status: 200, note: "/guide shows how to install the product.", good: false },
                  ...notes.map((note) => ({ url: `${BASE}/docs`, status: 200, note, good: false }))
                ],
                remedy: { effort: "low", steps: [], addresses: [`${BASE}/docs`] }
              })
            ]
          })
        )
      )?.[0]
    expect(lineFor("No sampled page has a button to copy or view it as Markdown.")).toBeUndefined()
    expect(lineFor("None of 3 pages says when it was changed: /docs names no date.")).toBe("- Concerns `/docs`.")
  })

  it("says how to do it with the site's generator, by the generator's name", () => {
    const recipe = { generator: "mkdocs", do: "Set `site_url`.", url: "https://www.mkdocs.org/" }
    expect(
      renderMarkdown(
        someReport({
          criteria: [
            someCriterion({ id: "A4", remedy: { effort: "low", steps: ["List the pages."], recipe, addresses: [] } })
          ]
        })
      )
    ).toContain("- List the pages.\n- With MkDocs: Set `site_url`. <https://www.mkdocs.org/>")
  })

  it("shows what a site says as text, whatever it says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (said) => {
        const report = reportOf("poor")
        const hostile = {
          ...report,
          criteria: report.criteria.map((one) => ({ ...one, summary: `${said}<b>[x](y)</b>` }))
        }
        const text = renderMarkdown(hostile)
        expect(text).not.toMatch(/(^|[^\\])<b>/)
        expect(text).not.toMatch(/(^|[^\\])\[x/)
        expect(tokensAtMost(text)).toBeLessThanOrEqual(2_400)
      }),
      { numRuns: 50 }
    )
  })

  it("keeps to one line what a site says on several", () => {
    const report = reportOf("poor")
    const text = renderMarkdown({
      ...report,
      criteria: report.criteria.map((one) => ({ ...one, summary: "one\n# 100/100\n- two" }))
    })
    expect(text).not.toMatch(/^# 100\/100/m)
  })
})
