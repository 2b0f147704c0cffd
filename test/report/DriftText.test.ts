import { load } from "cheerio"
import { describe, expect, it } from "vitest"
import { plain } from "../../cli/render/Style.ts"
import { renderText } from "../../cli/render/TextReport.ts"
import { renderMarkdown } from "../../engine/report/MarkdownReport.ts"
import { renderHtml } from "../../engine/report/html/HtmlReport.ts"
import { htmlFaults } from "../server/pages/htmlCheck.ts"
import { auditFakeSite } from "../golden/AuditFakeSite.ts"
import { buildSite } from "../golden/excellent/Site.ts"
import { readSource } from "../golden/excellent/Source.ts"
import { EXCELLENT_URL } from "../golden/GoldenSites.ts"
import { describedBy, inEachText } from "../golden/mutations/Break.ts"

/** The excellent site, with a call of a path that the API does not have and an example that its schema refuses. */
const drifted = auditFakeSite({
  site: buildSite(
    describedBy((json) => json.replace('"nights":2', '"nights":"two"'))(
      inEachText((text) =>
        text.replaceAll("api.moorling-api.com/v2/harbours/hbr_2k9 ", "api.moorling-api.com/v2/harbor/hbr_2k9 ")
      )(readSource())
    )
  ),
  url: EXCELLENT_URL
})

const words = (text: string): string => text.replace(/\s+/g, " ").trim()

describe("a site with a false call and a false example", () => {
  it("has both in its report, each with its places", async () => {
    const { drift } = await drifted
    expect(drift?.findings.map(({ message }) => message)).toEqual([
      'The example of POST /quotes at #/paths/~1quotes/post/requestBody/content/application~1json/example/nights says "two" for nights, and its schema wants an integer.',
      "/v2/reference/harbours, line 78, calls GET /harbor/hbr_2k9, which the description does not have; the nearest is GET /harbours/{harbour_id}."
    ])
    expect(drift).toMatchObject({
      false: 2,
      findings: [
        { kind: "example", page: null, description: { pointer: expect.stringMatching(/\/example\/nights$/) } },
        { kind: "call", page: { line: 78 }, description: { pointer: "/paths/~1harbours~1{harbour_id}/get" } }
      ]
    })
  })

  it("shows on its page what is there beside what should be, with a link to each place", async () => {
    const page = renderHtml(await drifted, { words: { verdicts: [], why: new Map() } })
    expect(await htmlFaults(page)).toEqual([])
    const $ = load(page)
    const section = $("section[aria-labelledby=drift]")
    expect(section.find("h2").text()).toBe("Where documentation and API description part")
    expect(words(section.find("h2 + p").text())).toMatch(/^\d+ compared, 2 false, 1 not compared /)
    const call = section.find(".drift > li").eq(1)
    expect(
      call
        .find("dt")
        .toArray()
        .map((term) => $(term).text())
    ).toEqual(["Call on the page", "Operation"])
    expect(
      call
        .find("code")
        .toArray()
        .map((code) => $(code).text())
    ).toEqual(["GET /harbor/hbr_2k9", "GET /harbours/{harbour_id}"])
    expect(
      call
        .find("a")
        .toArray()
        .map((link) => $(link).attr("href"))
    ).toEqual(["https://docs.moorling-api.com/v2/reference/harbours", "https://docs.moorling-api.com/openapi.json"])
    expect(words(call.find(".drift-place").text())).toMatch(/line \d+/)
  })

  it("has its counts in the text and in Markdown", async () => {
    const report = await drifted
    const line = /Documentation against API description: \d+ compared, 2 false, 1 not compared\./
    expect(renderText(report, { width: 100, style: plain })).toMatch(line)
    expect(renderMarkdown(report)).toMatch(line)
  })

  it("is told of each falsehood once, in the whole text too", async () => {
    const report = await drifted
    const text = words(renderText(report, { width: 110, style: plain, detail: "all" }))
    const told = (report.drift?.findings ?? []).map(({ message }) => text.split(message).length - 1)
    expect(told).toEqual([1, 1])
  })
})
