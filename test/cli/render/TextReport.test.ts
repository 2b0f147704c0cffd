import * as fc from "fast-check"
import { stripVTControlCharacters } from "node:util"
import { describe, expect, it } from "vitest"
import { colours, plain, wrap } from "../../../cli/render/Style.ts"
import { renderText } from "../../../cli/render/TextReport.ts"
import { someCriterion, someReport } from "../../audit/SomeReport.ts"
import { falseCalls, someDrift } from "../../drift/SomeDrift.ts"

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

  it("begins with the score, then warns, then shows categories and what to fix first, and all criteria if asked to", () => {
    const text = renderText(wordy, { width: 80, style: plain, detail: "all" })
    const order = [
      "at least 6/12  not reliable",
      "Not reliable",
      "We could check only 50",
      "Discovery",
      "Fix first",
      "All criteria"
    ].map((part) => text.indexOf(part))
    expect(order.every((at) => at >= 0)).toBe(true)
    expect(order).toEqual(order.toSorted((one, other) => one - other))
  })

  it("names at its end only what docgauge fix can write for this site", () => {
    const left = (id: string, plugin: string, facts: Readonly<Record<string, string | number | boolean>>) =>
      someCriterion({ id, measured: { plugin, revision: 1, params: {}, facts } })
    const criteria = (foundBy: string) => [
      left("A4", "a4-sitemap", { locations: 9, covered: 1, relative: 0, dated: 0 }),
      left("B1", "b1-markdown-twins", { pages: 9, with_twin: 0.5 }),
      left("C1", "c1-spec-found", { kind: "openapi", found_by: foundBy, placeholder: false }),
      left("F2", "f2-catalogue-and-auth", { catalogue: "absent" }),
      left("F3", "f3-instructions", { documents: 0 })
    ]
    const text = (foundBy: string, base = "https://docs.example.com") =>
      renderText(someReport({ base_url: base, criteria: criteria(foundBy) }), { width: 110, style: plain })
    expect(text("none")).toContain("docgauge fix can write files for B1.")
    expect(text("viewer")).toContain("docgauge fix can write files for B1, C1 and F2.")
    expect(text("viewer", "https://harbour.github.io/docs")).toContain("docgauge fix can write files for B1 and C1.")
  })

  it("has the counts of what was compared with the API description, and all findings if asked to", () => {
    const report = someReport({ drift: someDrift(falseCalls(3), { findings_left_out: 4 }) })
    const options = { width: 100, style: plain }
    const [short, long] = [renderText(report, options), renderText(report, { ...options, detail: "all" })]
    expect(short).toContain("Documentation against API description: 312 compared, 3 false, 41 not compared.")
    expect(short).not.toContain("GET /parcel/p_1")
    const five = someReport({ drift: someDrift(falseCalls(5)) })
    const listed = renderText(five, { ...options, detail: "findings" })
    expect(listed.match(/calls GET \/parcel\/p_\d/g)).toHaveLength(3)
    expect(listed).toContain("and 2 more findings")
    expect(long).toContain("Documentation against API description: 312 compared, 3 false, 41 not compared.")
    expect(long.match(/calls GET \/parcel\/p_\d/g)).toHaveLength(3)
    expect(long).toContain("https://docs.fernpost.dev/openapi.json#/paths/~1parcels~1{id}/get")
    expect(long).toContain("and 4 more findings that the report leaves out")
  })

  it("says nothing of the API description where nothing was compared", () => {
    const report = someReport({ drift: { ...someDrift([]), compared: 0, agreeing: 0 } })
    expect(renderText(report, { width: 100, style: plain, detail: "all" })).not.toContain("API description")
  })

  it("does not repeat what a criterion has among its findings", () => {
    const [told, other] = falseCalls(2)
    const note = told?.message ?? ""
    const findings = [{ url: "https://docs.fernpost.dev", status: 200, note, good: false }]
    const text = renderText(
      someReport({ criteria: [someCriterion({ id: "A1", findings })], drift: someDrift(falseCalls(2)) }),
      { width: 110, style: plain, detail: "all" }
    ).replaceAll(/\s+/g, " ")
    expect([note, other?.message ?? ""].map((message) => text.split(message).length - 1)).toEqual([1, 1])
  })

  it("fills each category's bar by its share", () => {
    const text = renderText(
      someReport({
        categories: {
          A_x: { score: 0, max: 4, title: "None" },
          B_y: { score: 4, max: 4, title: "All" },
          C_z: { score: 0, max: 0, title: "Empty" }
        }
      }),
      { width: 80, style: plain }
    )
    const bars = text.split("\n").flatMap((line) => /[█░]+/.exec(line) ?? [])
    expect(bars[0]).toMatch(/^░+$/)
    expect(bars[1]).toMatch(/^█+$/)
    expect(bars[2]).toMatch(/^░+$/)
  })

  it("lists the biggest losses for the least effort first, and says how many more URLs there are", () => {
    const text = renderText(someReport(), { width: 80, style: plain, detail: "all" })
    expect(text.indexOf("B1 Criterion B1  +3")).toBeLessThan(text.indexOf("A2 Criterion A2  +2"))
    expect(text).toContain("and 1 more")
  })

  it("has nothing to fix if no points are lost", () => {
    const perfect = someReport({ criteria: [someCriterion({ id: "A1", status: "present", score: 3, remedy: null })] })
    expect(renderText(perfect, { width: 80, style: plain })).not.toContain("Fix first")
  })

  it("truncates very long URLs", () => {
    const url = `https://docs.example.com/${"x".repeat(20_000)}`
    const text = renderText(
      someReport({
        criteria: [
          someCriterion({ id: "A1", evidence_url: url, remedy: { effort: "low", steps: [], addresses: [url] } })
        ]
      }),
      { width: 80, style: plain }
    )
    expect(longestLine(text)).toBeLessThan(320)
  })
})

describe("wrapping", () => {
  it("loses no word, and exceeds the width only for longer words", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^\S{1,30}$/)), fc.integer({ min: 1, max: 80 }), (words, width) => {
        const lines = wrap(words.join(" "), width)
        expect(lines.join(" ")).toBe(words.join(" "))
        for (const line of lines) expect(line.length <= width || !line.includes(" ")).toBe(true)
      })
    )
  })
})

describe("the short and the full report", () => {
  const findings = Array.from({ length: 7 }, (_, index) => ({
    url: `https://docs.example.com/page-${index}`,
    status: 200,
    note: `Finding ${index}.`,
    good: false
  }))
  const report = someReport({
    criteria: [
      someCriterion({
        id: "A1",
        findings,
        findings_left_out: 3,
        remedy: { effort: "low", steps: ["One.", "Two.", "Three."], steps_done: ["Zero."], addresses: [] }
      })
    ]
  })

  it("shows two steps of a fix and says how many more there are", () => {
    const text = renderText(report, { width: 80, style: plain })
    expect(text).toContain("→ Two. (and 1 more step)")
    expect(text).not.toContain("Three.")
    expect(text).not.toContain("Finding 6")
  })

  it("shows how to do it with the site's generator in place of the second step", () => {
    const recipe = { generator: "mkdocs", do: "Set `site_url`.", url: "https://www.mkdocs.org/" }
    const steps = someReport({
      criteria: [
        someCriterion({ id: "A4", remedy: { effort: "low", steps: ["One.", "Two.", "Three."], recipe, addresses: [] } })
      ]
    })
    expect(renderText(steps, { width: 80, style: plain })).toContain(
      "     → One. (and 2 more steps)\n     → With MkDocs: Set `site_url`. https://www.mkdocs.org/\n"
    )
    expect(renderText(steps, { width: 80, style: plain, detail: "all" })).toContain(
      "     → Three.\n     → With MkDocs: Set `site_url`. https://www.mkdocs.org/\n"
    )
  })

  it("writes a recipe that does several fixes out with the first of them", () => {
    const recipe = { generator: "vitepress", do: "Add vitepress-plugin-llms.", url: "https://vitepress.dev/" }
    const shared = someReport({
      criteria: ["A1", "A2"].map((id) =>
        someCriterion({ id, remedy: { effort: "low", steps: ["One."], recipe, addresses: [] } })
      )
    })
    const text = renderText(shared, { width: 80, style: plain })
    expect(text.match(/→ With.*/g)).toEqual([
      "→ With VitePress: Add vitepress-plugin-llms. https://vitepress.dev/",
      "→ With VitePress: the same as for A1."
    ])
  })

  it("leaves out second steps, of the last fixes first, where it would not fit 60 lines", () => {
    const long = (steps: number) =>
      someReport({
        criteria: ["A1", "A2", "A3", "A4", "A5"].map((id) =>
          someCriterion({
            id,
            remedy: { effort: "low", steps: [`First. ${PROSE}`, `Second. ${PROSE.repeat(steps)}`], addresses: [] }
          })
        )
      })
    const [fits, tooLong] = [
      renderText(long(1), { width: 80, style: plain }),
      renderText(long(6), { width: 80, style: plain })
    ]
    expect(fits.match(/Second\./g)).toHaveLength(5)
    expect(tooLong.match(/Second\./g)).toHaveLength(3)
    expect(tooLong.split("\n").length - 1).toBeLessThanOrEqual(60)
  })

  it("shows a step and the recipe of the site's generator, also where it would not fit 60 lines", () => {
    const report = someReport({
      criteria: ["A1", "A2", "A3", "A4", "A5"].map((id) =>
        someCriterion({
          id,
          remedy: {
            effort: "low",
            steps: [`First. ${PROSE.repeat(9)}`, "Second."],
            recipe: { generator: "mkdocs", do: `Set ${id}.`, url: "https://www.mkdocs.org/" },
            addresses: []
          }
        })
      )
    })
    const text = renderText(report, { width: 80, style: plain })
    expect(text.split("\n").length - 1).toBeGreaterThan(60)
    expect([
      text.match(/→ First\./g)?.length,
      text.match(/→ With MkDocs: Set A\d\./g)?.length,
      text.includes("→ Second.")
    ]).toEqual([5, 5, false])
  })

  it("shows every step, what is done, every finding and how many are left out with -v", () => {
    const text = renderText(report, { width: 80, style: plain, detail: "all" })
    for (const part of [
      "→ Three.",
      "Done, or does not apply: Zero.",
      "Finding 0.",
      "Finding 6.",
      "and 3 more findings that the report leaves out"
    ])
      expect(text).toContain(part)
  })

  it("lists what could not be checked and what does not apply apart from what to fix", () => {
    const text = renderText(
      someReport({
        criteria: [
          someCriterion({ id: "A1" }),
          someCriterion({ id: "B2", status: "inconclusive", score: 0 }),
          someCriterion({ id: "C1", status: "absent", score: 0, applicable: false })
        ],
        applicable_score: { score: 6, max: 9 }
      }),
      { width: 80, style: plain }
    )
    expect(text).toContain("6/12  Gaps  6 of the 9 points that apply")
    expect(text).toContain("Could not be checked: B2.")
    expect(text).toContain("Not applicable (no HTTP API): C1.")
    expect(text).not.toMatch(/^ {2}(?:B2|C1) /m)
  })
})
