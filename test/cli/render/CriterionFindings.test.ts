import { describe, expect, it } from "vitest"
import { groupedFindings } from "../../../cli/render/TextSections.ts"
import { plain } from "../../../cli/render/Style.ts"
import { renderText } from "../../../cli/render/TextReport.ts"
import type { CriterionResult, ReportedFinding } from "../../../engine/audit/Report.ts"
import { someCriterion, someReport } from "../../audit/SomeReport.ts"

const HOST = "https://docs.example.com"

const bad = (path: string, note: string): ReportedFinding => ({ url: HOST + path, status: 200, note, good: false })

const linesOf = (criterion: CriterionResult) => groupedFindings(someReport(), criterion)

const grouped = (findings: ReadonlyArray<ReportedFinding>, summary = "The summary.") =>
  linesOf(someCriterion({ id: "A5", summary, findings }))

describe("the findings of a criterion, grouped", () => {
  it("are one line for all pages of which the same is said", () => {
    const pages = ["/", "/config/", "/contact/", "/faq/", "/terms/"]
    expect(grouped(pages.map((path) => bad(path, `${path} announces no entry point for agents.`)))).toEqual([
      "Announces no entry point for agents: /, /config/, /contact/ and 2 more."
    ])
  })

  it("keep the sentence of the first where the others differ from it in numbers or in other URLs", () => {
    expect(
      grouped([
        bad("/a", "The main content of /a ends 133,137 characters into what an agent is given."),
        bad("/b", "The main content of /b ends 49,110 characters into what an agent is given."),
        bad("/c", "/c names another URL as canonical: example.com/c."),
        bad("/d", "/d names another URL as canonical: example.com/d.")
      ])
    ).toEqual([
      "The main content of /a ends 133,137 characters into what an agent is given. Likewise: /b.",
      "/c names another URL as canonical: example.com/c. Likewise: /d."
    ])
  })

  it("leave out what the summary says, and what speaks for the site", () => {
    expect(
      grouped(
        [
          bad("/", "There is no catalogue. There is no login."),
          bad("/x", "There is no login."),
          { ...bad("/y", "/y has a title."), good: true },
          bad("/z", "/z has no title.")
        ],
        "There is no catalogue. There is no login."
      )
    ).toEqual(["/z has no title."])
  })

  it("are at most three lines and the number of the others", () => {
    const notes = ["one", "two", "three", "four", "five"].map((word) => bad("/", `Has no ${word}.`))
    expect(grouped(notes)).toEqual(["Has no one.", "Has no two.", "Has no three.", "And 2 more findings."])
  })

  it("are none of a criterion that does not apply or could not be checked", () => {
    const findings = [bad("/", "Nothing here.")]
    expect(linesOf(someCriterion({ id: "C1", findings, applicable: false }))).toEqual([])
    expect(linesOf(someCriterion({ id: "C1", findings, status: "inconclusive" }))).toEqual([])
  })
})

describe("the text report with -v and -vv", () => {
  const pages = Array.from({ length: 75 }, (_, index) => `/page-${index}`)
  const report = someReport({
    criteria: ["A1", "A2", "B1", "B2", "D1", "E1"].map((id) =>
      someCriterion({
        id,
        findings: pages.flatMap((path) => [bad(path, `${path} lacks one.`), bad(path, `${path} lacks two.`)])
      })
    )
  })
  const lines = (detail: "findings" | "all") => renderText(report, { width: 80, style: plain, detail }).split("\n")

  it("names what was found once for all pages with -v, and neither exchanges nor steps that are done", () => {
    const text = lines("findings").join("\n")
    expect(text).toContain("Lacks one: /page-0, /page-1, /page-2 and 72 more.")
    expect(text).not.toMatch(/Done, or does not apply|Requests and responses|\/page-70/)
    expect(lines("findings").length).toBeLessThan(80)
  })

  it("has every finding with its URL with -vv", () => {
    expect(lines("all").filter((line) => line.includes(`${HOST}/page-70`))).toHaveLength(2 * 6)
  })
})
