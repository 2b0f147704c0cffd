import { load } from "cheerio"
import { describe, expect, it } from "vitest"
import { renderHtml } from "../../../engine/report/html/HtmlReport.ts"
import type { DriftReport } from "../../../engine/drift/Drift.ts"
import { someReport } from "../../audit/SomeReport.ts"
import { falseCalls, PAGE, someDrift, someFalseCall, SPEC } from "../../drift/SomeDrift.ts"
import { HARM } from "../../server/pages/HostileReport.ts"
import { htmlFaults } from "../../server/pages/htmlCheck.ts"

const words = (text: string): string => text.replace(/\s+/g, " ").trim()

/** The section of a report with that drift, known to be valid HTML. */
const sectionOf = async (drift?: DriftReport) => {
  const page = renderHtml(someReport(drift === undefined ? {} : { drift }), {
    words: { verdicts: [], why: new Map() }
  })
  expect(await htmlFaults(page)).toEqual([])
  const $ = load(page)
  const section = $("section[aria-labelledby=drift]")
  const texts = (selector: string) =>
    section
      .find(selector)
      .toArray()
      .map((element) => words($(element).text()))
  return { section, texts, $ }
}

describe("the section on documentation and API description", () => {
  it("is missing where nothing was compared, and in reports of older versions", async () => {
    const nothing = { compared: 0, agreeing: 0, false: 0, not_compared: 7, findings: [] }
    expect((await sectionOf(nothing)).section.length).toBe(0)
    expect((await sectionOf()).section.length).toBe(0)
  })

  it("has only its counts where all agrees", async () => {
    const { section, texts } = await sectionOf({ ...someDrift([]), compared: 1_200, agreeing: 1_200 })
    expect(texts("p")[0]).toMatch(/^1,200 compared, none false, 41 not compared /)
    expect(section.find("ul").length).toBe(0)
  })

  it("has two sides of each finding, with the places of both", async () => {
    const { section, texts, $ } = await sectionOf(someDrift())
    expect(texts("dt")).toEqual([
      ...["Example", "Its schema"],
      ...["Call on the page", "Operation"],
      ...["Table on the page", "Operation"],
      ...["Page", "Other page"]
    ])
    expect(texts("dd")).toEqual([
      '"heavy"docs.fernpost.dev/openapi.json /paths/~1parcels/post/requestBody/content/application~1json/example/weight'.replace(
        "docs",
        "https://docs"
      ),
      "a number",
      "GET /parcel/p_1https://docs.fernpost.dev/guides/parcels, line 12",
      "GET /parcels/{id}https://docs.fernpost.dev/openapi.json /paths/~1parcels~1{id}/get",
      "weightoptionalhttps://docs.fernpost.dev/guides/parcels, line 40",
      "POST /parcelsrequiredhttps://docs.fernpost.dev/openapi.json /paths/~1parcels~1{id}/get",
      "60 requests a minutehttps://docs.fernpost.dev/limits",
      "100 requests a minutehttps://docs.fernpost.dev/start"
    ])
    const links = section.find("li").eq(1).find("a").toArray()
    expect(links.map((link) => [$(link).attr("href"), $(link).attr("rel")])).toEqual([
      [PAGE, "nofollow noopener noreferrer"],
      [SPEC, "nofollow noopener noreferrer"]
    ])
  })

  it("folds what comes after the first five, and says how many are left out", async () => {
    const { section, texts } = await sectionOf(someDrift(falseCalls(12), { findings_left_out: 30 }))
    expect(section.find("> ul > li").length).toBe(5)
    expect(texts("details > summary")).toEqual(["7 more findings"])
    expect(section.find("details li").length).toBe(7)
    expect(texts("p.small")).toEqual(["The report leaves out 30 more findings."])
  })

  it.each(Object.entries(HARM))("shows hostile text as text: %s", async (_, harm) => {
    const hostile = someFalseCall({
      message: harm,
      call: harm,
      found: harm,
      expected: harm,
      likely: harm,
      page: { url: `javascript:${harm}`, line: 1 },
      description: { url: `data:text/html,${harm}`, pointer: harm }
    })
    const { section } = await sectionOf(someDrift([hostile]))
    expect(section.find("script, img, a, [onmouseover], [onerror]").length).toBe(0)
    expect(section.text().length).toBeLessThan(4_000)
    expect(section.text()).not.toMatch(/[\u0000-\u0008\u001b\u202e\u2066]/)
  })
})
