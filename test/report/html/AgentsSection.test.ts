import { load } from "cheerio"
import { describe, expect, it } from "vitest"
import type { AsAgentsReport } from "../../../engine/audit/agents/NamedAgents.ts"
import { renderHtml } from "../../../engine/report/html/HtmlReport.ts"
import { someMatrix } from "../../audit/agents/SomeMatrix.ts"
import { BASE, someReport } from "../../audit/SomeReport.ts"
import { htmlFaults } from "../../server/pages/htmlCheck.ts"

/** The section of a report with that matrix, known to be valid HTML. */
const sectionOf = async (matrix?: AsAgentsReport) => {
  const page = renderHtml(someReport(matrix === undefined ? {} : { as_agents: matrix }), {
    words: { verdicts: [], why: new Map() }
  })
  expect(await htmlFaults(page)).toEqual([])
  const $ = load(page)
  const section = $("section[aria-labelledby=as-agents]")
  const texts = (selector: string) =>
    section
      .find(selector)
      .toArray()
      .map((element) => $(element).text().replace(/\s+/g, " ").trim())
  return { section, texts }
}

describe("the section on what each named agent is served", () => {
  it("is missing where no agent asked", async () => {
    expect((await sectionOf()).section.length).toBe(0)
  })

  it("has a row for each agent, with what it gets and where a page is cut off", async () => {
    const { texts } = await sectionOf(someMatrix())
    expect(texts("thead th")).toEqual(["Agent", "/", "/keys"])
    expect(texts("tbody th")).toEqual(["Claude Code", "MCP fetch", "ChatGPT"])
    expect(texts("td")).toEqual([
      ...["200 Markdown 4,812", "200 Markdown 4,812"],
      ...["200 HTML 5,000 of 31,204 ends at: Send the key in a hea", "200 HTML 31,204"],
      ...["403 bot challenge", "forbidden by robots.txt robots.txt of its host does not let this agent ask for it"]
    ])
  })

  it("says how each agent asks, and where that is published", async () => {
    const { section, texts } = await sectionOf(someMatrix())
    expect(texts("li")[1]).toMatch(
      /^MCP fetch \(Model Context Protocol\): ModelContextProtocol\/1\.0 .* accepts any type, .* and keeps 5,000 characters\. Read on \d{4}-\d{2}-\d{2}: github\.com$/
    )
    expect(section.find("li a").first().attr("href")).toMatch(/^https:\/\//)
  })

  it("shows what a site serves as text, and links to it alone", async () => {
    const { section } = await sectionOf(
      someMatrix({ ends: "<img src=x onerror=alert(1)>\u202e", type: "<script>", url: "javascript:alert(1)" })
    )
    expect(section.find("img, script, [onerror]").length).toBe(0)
    expect(
      section
        .find("td a, thead a")
        .toArray()
        .every((link) => link.attribs["href"]?.startsWith(`${BASE}/`))
    ).toBe(true)
    expect(section.text()).not.toContain("\u202e")
  })
})
