import { describe, expect, it } from "vitest"
import { beforeAndAfter, renderComparisonMarkdown, renderComparisonText } from "../../../cli/render/Comparison.ts"
import { plain } from "../../../cli/render/Style.ts"
import { compareReports } from "../../../engine/audit/compare/Compare.ts"
import { BASE, someCriterion, someReport } from "../../audit/SomeReport.ts"

const options = { width: 80, style: plain }

const comparison = compareReports(someReport(), {
  base_url: BASE,
  total_score: 9,
  criteria: [
    { id: "A1", status: "present", score: 3 },
    { id: "A2", status: "present", score: 3, summary: "All of it is there." },
    { id: "Z|9", status: "x", score: 1 }
  ]
})

describe("two audits side by side, as text", () => {
  const text = renderComparisonText(comparison, options)

  it("have their totals and agreements first", () => {
    expect(text.split("\n").slice(0, 2)).toEqual([BASE, "Ours 6, theirs 9 (+3); 1 of 2 criteria agree."])
  })

  it("are told to be of two sites if they are, and of one whatever the spelling of its URL", () => {
    const of = (base_url: string) => compareReports(someReport(), { base_url, total_score: 9, criteria: [] })
    expect(renderComparisonText(of("https://other.example"), options).split("\n")[0]).toBe(
      `Two sites: ${BASE} (ours) and https://other.example (theirs)`
    )
    expect(renderComparisonMarkdown(of("https://other.example")).split("\n")[0]).toMatch(/^# Two sites: /)
    expect(renderComparisonText(of(`${BASE}/`), options).split("\n")[0]).toBe(BASE)
  })

  it("say of an unreliable one that its score is at least so much", () => {
    const reliability = { reliable: false, coverage: 0.9, flags: [], skipped: [] } as const
    const unsure = compareReports(someReport({ reliability }), {
      base_url: BASE,
      total_score: 9,
      reliability,
      criteria: []
    })
    expect(renderComparisonText(unsure, options)).toContain("Ours at least 6, theirs at least 9 (+3)")
    const odd = compareReports(someReport(), { base_url: BASE, total_score: 9, reliability: "high", criteria: [] })
    expect(odd.theirsReliable).toBe(true)
  })

  it("list each difference with both findings, and nothing about agreements", () => {
    expect(text).toContain("A2 Criterion A2  ours 1/3 partial  theirs 3/3 present")
    expect(text).toContain("Ours: What was seen of A2.")
    expect(text).toContain("Theirs: All of it is there.")
    expect(text).toContain(`200 ${BASE}/llms.txt`)
    expect(text).not.toContain("Criterion A1")
  })

  it("name what only one of them has", () => {
    expect(text).toContain("Only ours: B1, B2.")
    expect(text).toContain("Only theirs: Z|9.")
  })

  it("list no differences if there are none", () => {
    const same = compareReports(someReport(), {
      base_url: BASE,
      total_score: 6,
      criteria: [{ id: "A1", status: "present", score: 3 }]
    })
    expect(renderComparisonText(same, options)).not.toContain("Differences")
  })
})

describe("two reports of ours", () => {
  const before = someReport({ audit_date: "2026-11-20", total_score: 6 })
  const after = someReport({
    audit_date: "2026-11-30",
    total_score: 8,
    criteria: someReport().criteria.map((criterion) =>
      criterion.id === "A2"
        ? { ...criterion, score: 3, status: "present" as const, summary: "It is there." }
        : criterion
    )
  })
  const names = beforeAndAfter(before, after)

  it("are told as before and after, with what was found at both times", () => {
    const text = renderComparisonText(compareReports(after, before), options, names)
    expect(text.split("\n")[1]).toBe("Before (2026-11-20) 6, after (2026-11-30) 8 (+2); 3 of 4 criteria are as before.")
    expect(text).toContain("A2 Criterion A2  before 1/3 partial  after 3/3 present")
    expect(text.indexOf("Before: What was seen of A2.")).toBeLessThan(text.indexOf("After: It is there."))
    expect(text).not.toMatch(/ours|theirs/i)
  })

  it("are columns in that order in Markdown", () => {
    const markdown = renderComparisonMarkdown(compareReports(after, before), names)
    expect(markdown).toContain("| Id | Criterion | Before | After | Same | Finding after |")
    expect(markdown).toMatch(/\| A2 \| Criterion A2 \| 1\/3 partial \| 3\/3 present \| \*\*no\*\* \| It is there\./)
  })

  it("name what only one of them has by its time, and no dates where both are of one day", () => {
    const fewer = someReport({ criteria: someReport().criteria.slice(0, 1) })
    const text = renderComparisonText(compareReports(after, fewer), options, beforeAndAfter(fewer, after))
    expect(text).toContain("Only after: ")
    expect(beforeAndAfter(after, after)).toMatchObject({ ours: "after", theirs: "before" })
  })
})

describe("a criterion that two findings cite one URL for", () => {
  it("has a line for the URL, once", () => {
    const proof = { url: `${BASE}/limits`, status: 200, note: "" }
    const [one, other] = [someCriterion({ id: "A1", score: 0, evidence: [proof, proof] }), someCriterion({ id: "A1" })]
    const [before, after] = [someReport({ criteria: [other] }), someReport({ criteria: [one] })]
    const text = renderComparisonText(compareReports(after, before), options, beforeAndAfter(before, after))
    expect(text.split(`200 ${BASE}/limits`)).toHaveLength(2)
  })
})

describe("two audits side by side, as Markdown", () => {
  const hostile = compareReports(
    someReport({
      criteria: [
        someCriterion({
          id: "A1",
          summary: "a | b <img src=x> [c](d) `e`",
          evidence: [{ url: `${BASE}/a|b>c\`d`, status: 200, note: "" }]
        })
      ]
    }),
    {
      base_url: BASE,
      total_score: 3,
      criteria: [
        { id: "A1", status: "| yes | <b>", score: 3 },
        { id: "<script>", status: "x", score: 0 }
      ]
    }
  )

  it("have a row for each criterion, with as many cells as the header", () => {
    const rows = renderComparisonMarkdown(comparison)
      .split("\n")
      .filter((line) => line.startsWith("|"))
    const cells = (row: string): number => row.replaceAll(/\\\|/g, "").split("|").length
    expect(rows).toHaveLength(6)
    expect(new Set(rows.map(cells)).size).toBe(1)
  })

  it("escape quoted text and keep it inside its cell", () => {
    const markdown = renderComparisonMarkdown(hostile)
    const row = markdown.split("\n").find((line) => line.startsWith("| A1")) ?? ""
    expect(row.replaceAll(/\\\|/g, "").split("|")).toHaveLength(8)
    expect(markdown).not.toMatch(/(?<!\\)<(?:img|b|script)>?/)
    expect(markdown).not.toMatch(/(?<!\\)\[c/)
    expect(row).toContain(`<${BASE}/a%7Cb%3Ec%60d>`)
  })
})
