import { describe, expect, it } from "vitest"
import type { CriterionResult } from "../../engine/audit/Report.ts"
import { referee, type Refereed } from "../../engine/referee/Referee.ts"
import { readToolReport } from "../../engine/referee/ToolReports.ts"
import { a14y, afdocs, axAudit, book, cloudflare, lighthouse, redocly, typical, vercel } from "./SomeReports.ts"

/** What A1 measured in the typical report, with these facts. */
const measuredOfA1 = (facts: CriterionResult["measured"]["facts"], plugin = "a1-llms-txt") => ({
  A1: { measured: { plugin, revision: 3, params: {}, facts } }
})

/** What comes of a tool's report, held against the typical report with some criteria changed. */
const judged = (report: unknown, changed: Readonly<Record<string, Partial<CriterionResult>>> = {}): Refereed => {
  const read = readToolReport(report, book)
  if ("unlike" in read) throw new Error("not read")
  const criteria = typical.criteria.map((result) => ({ ...result, ...changed[result.id] }))
  const [only] = referee({ ...typical, criteria }, [read], book).tools
  if (only === undefined) throw new Error("no tool")
  return only
}

const a14yOf = (id: string) => ({ ...a14y, pages: [{ checks: [{ id, status: "fail" }] }] })

const rowOf = (report: unknown, changed?: Readonly<Record<string, Partial<CriterionResult>>>) => {
  const [row] = judged(report, changed).rows
  if (row === undefined) throw new Error("no row")
  return row
}

describe("a check that another tool judges, too", () => {
  it("agrees where both pass or both do not", () => {
    expect(rowOf(afdocs(["llms-txt-exists", "pass"]))).toMatchObject({
      outcome: "agree",
      ours: "pass",
      criterion: { id: "A1" }
    })
    expect(rowOf(afdocs(["content-negotiation", "warn"]))).toMatchObject({ outcome: "agree", ours: "fail" })
  })

  it("is held against its part of our criterion, not against the whole of it", () => {
    const row = rowOf(afdocs(["llms-txt-exists", "pass"]))
    expect(row.criterion).toMatchObject({ status: "partial", score: 2, max: 3 })
    expect(row).toMatchObject({ part: "facts.h1 >= 1", measured: { h1: 1 } })
  })

  it("contradicts ours where both ask the same, with the exchange that decides", () => {
    const row = rowOf(afdocs(["http-status-codes", "fail"]))
    expect(row.outcome).toBe("contradict")
    expect(row.exchange?.status).toBe(404)
    expect(row.exchange?.curl).toMatch(/^curl .*canary/)
  })

  it("contradicts ours where it asks for less and fails, and does not where it passes", () => {
    expect(rowOf(afdocs(["llms-txt-exists", "fail"])).outcome).toBe("contradict")
    expect(rowOf(afdocs(["llms-txt-exists", "pass"]), measuredOfA1({ h1: 0 })).outcome).toBe("ours_stricter")
  })

  it("can ask for more than ours, or for something else, and then both can be right", () => {
    expect(rowOf(afdocs(["cache-header-hygiene", "fail"])).outcome).toBe("theirs_stricter")
    expect(rowOf(afdocs(["llms-txt-links-resolve", "pass"])).outcome).toBe("ours_stricter")
  })

  it("cites the finding of ours that speaks of it", () => {
    expect(rowOf(afdocs(["llms-txt-links-resolve", "pass"])).exchange).toMatchObject({ status: 404 })
    const description = judged(a14yOf("html.meta-description")).rows[1]
    expect(description?.exchange?.note).toMatch(/description/)
  })

  it("cites no finding about something else that the criterion lost points for", () => {
    expect(judged(a14yOf("html.canonical-link")).rows[1]).toMatchObject({
      outcome: "theirs_stricter",
      measured: { canonical: 1 },
      exchange: null
    })
  })

  it("says how many pages each read where they can differ by that", () => {
    expect(rowOf(afdocs(["content-start-position", "warn"])).because).toMatch(/AFDocs read 8 pages, docgauge 10: /)
    expect(rowOf(afdocs(["content-negotiation", "warn"])).because).not.toMatch(/read 8 pages/)
    const [only] = typical.pages ?? []
    const dead = (typical.pages ?? []).map((page, index) => (index < 6 ? { ...page, status: 404 } : page))
    const some = readToolReport(afdocs(["content-start-position", "warn"]), book)
    if ("unlike" in some) throw new Error("not read")
    expect(referee({ ...typical, pages: dead }, [some], book).tools[0]?.rows[0]?.because).toMatch(/, docgauge 4: /)
    const one = readToolReport({ ...afdocs(["content-start-position", "warn"]), testedPages: 1 }, book)
    if ("unlike" in one || only === undefined) throw new Error("not read")
    expect(referee({ ...typical, pages: [only] }, [one], book).tools[0]?.rows[0]?.because).not.toMatch(/ read 1 page/)
  })
})

describe("a check without a verdict of ours", () => {
  it("is open where our criterion does not apply, could not be checked, or had nothing to look at", () => {
    const open = (changed: Partial<CriterionResult>) => rowOf(redocly(["struct", "error"]), { C2: changed })
    expect(open({ applicable: false })).toMatchObject({ outcome: "open", exchange: null })
    expect(open({ status: "inconclusive", summary: "It timed out." })).toMatchObject({
      outcome: "open",
      because: "docgauge could not check it: It timed out."
    })
    expect(rowOf(afdocs(["markdown-code-fence-validity", "fail"]))).toMatchObject({ outcome: "open", exchange: null })
  })

  it("is open where the report has other facts than those that it is held against", () => {
    for (const facts of [{}, null])
      expect(rowOf(afdocs(["llms-txt-exists", "pass"]), measuredOfA1(facts)).outcome).toBe("open")
  })

  it("is only theirs where we have no such criterion, or the report's rubric gives the id to another plugin", () => {
    expect(rowOf(afdocs(["tabbed-content-serialization", "fail"]))).toMatchObject({
      outcome: "only_theirs",
      criterion: null
    })
    expect(rowOf(afdocs(["llms-txt-exists", "pass"]), measuredOfA1({ h1: 1 }, "house-rule"))).toMatchObject({
      outcome: "only_theirs",
      because: "The rubric of this report has no A1 of ours."
    })
  })

  it("is unknown where referee.yaml does not have it", () => {
    expect(rowOf(afdocs(["brand-new-check", "fail"]))).toMatchObject({ outcome: "unknown", relation: null })
  })
})

describe("the points that docgauge does not give", () => {
  it("are told apart without rest, whatever the tool", () => {
    for (const report of [
      afdocs(["llms-txt-exists", "pass"]),
      lighthouse,
      redocly(),
      vercel,
      a14y,
      cloudflare,
      axAudit
    ]) {
      const { losses } = judged(report)
      expect(losses.reduce((sum, { points }) => sum + points, 0)).toBe(100 - typical.total_score)
      for (const { criteria, points } of losses)
        expect(criteria.reduce((sum, loss) => sum + loss.points, 0)).toBe(points)
    }
  })

  it("are for what the tool does not look at, where it asks less, where both find something, and where it has no verdict", () => {
    const report = afdocs(
      ["llms-txt-links-resolve", "pass"],
      ["content-negotiation", "fail"],
      ["markdown-content-parity", "skip"]
    )
    const kinds = new Map(judged(report).losses.map(({ criteria, kind }) => [kind, criteria.map(({ id }) => id)]))
    expect(kinds.get("ours_stricter")).toEqual(["A1"])
    expect(kinds.get("both")).toEqual(["B2"])
    expect(kinds.get("theirs_open")).toEqual(["B3"])
    expect(kinds.get("not_looked_at")).toContain("D3")
  })

  it("are told apart from what does not apply or could not be checked", () => {
    const { losses } = judged(afdocs(["llms-txt-exists", "pass"]), {
      C2: { applicable: false },
      C3: { status: "inconclusive" }
    })
    expect(losses).toContainEqual({ kind: "not_applicable", points: 1, criteria: [{ id: "C2", points: 1 }] })
    expect(losses).toContainEqual({ kind: "not_checked", points: 5, criteria: [{ id: "C3", points: 5 }] })
  })
})

describe("a report about another host", () => {
  it("is told from one about ours, whatever the path", () => {
    expect(judged(vercel).same_site).toBe(true)
    expect(judged({ ...vercel, url: "https://docs.foliopress-api.com" }).same_site).toBe(true)
    expect(judged({ ...vercel, url: "https://other.example" }).same_site).toBe(false)
    expect(judged({ ...vercel, url: "no URL" }).same_site).toBe(false)
    expect(judged(redocly()).same_site).toBe(true)
  })
})

describe("what a tool has of groups that are not ours", () => {
  it("is counted, but for checks that are held against ours", () => {
    const { left_out, rows } = judged(lighthouse)
    expect(left_out).toMatchObject([{ group: "accessibility", checks: 1 }])
    expect(rows.map(({ check }) => check)).toContain("html-has-lang")
    expect(rows.map(({ check }) => check)).not.toContain("color-contrast")
  })
})
