import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { unpackOutcomes } from "../../../engine/store/corpus/OutcomeCounts.ts"
import { csvField, csvHeader, csvOf, exportedSite } from "../../../engine/store/snapshots/ExportedSite.ts"
import { parseCsv } from "./ParsedCsv.ts"

const figures = {
  reliable: true,
  doneRuns: 1,
  runCount: 1,
  scoreSum: 7,
  bestScore: 7,
  worstScore: 7,
  latestScore: 7,
  firstRunAt: 0,
  latestRunAt: 0,
  latestRunId: null,
  latestRubric: "sha256:first",
  latestOutcomes: "A1+2/2 C10x0/4"
}

describe("CSV", () => {
  it("is read back as what was written, whatever text is in it", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.string()), { minLength: 1 }), (pairs) => {
        const sites = pairs.map(([url, name]) =>
          exportedSite({ ...figures, url, name }, unpackOutcomes(figures.latestOutcomes), null, new Map())
        )
        const [header = [], ...records] = parseCsv(csvHeader(["A1", "B2", "C10"]) + csvOf(sites, ["A1", "B2", "C10"]))
        const rows = records.map((record) => new Map(header.map((column, index) => [column, record[index]])))
        const plain = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
        expect(rows.map((row) => [row.get("canonical_url"), row.get("base_url")])).toEqual(
          pairs.map(([url, name]) => [plain(url), plain(name)])
        )
        for (const row of rows) {
          expect([row.get("A1"), row.get("A1_score"), row.get("A1_max")]).toEqual(["present", "2", "2"])
          expect([row.get("B2"), row.get("B2_score"), row.get("B2_max")]).toEqual(["", "", ""])
          expect([row.get("C10"), row.get("applicable_points")]).toEqual(["not_applicable", "96"])
        }
      })
    )
  })

  it.each(["=HYPERLINK(1)", "+1", "-1", "@SUM(1)", "\t=1", "\r=1"])("has no formula of %j", (text) => {
    expect(parseCsv(`${csvField(text)}\r\n`)).toEqual([[`'${text}`]])
  })

  it("writes numbers and truth values as they are, and nothing for null", () => {
    expect([csvField(-1), csvField(true), csvField(null)]).toEqual(["-1", "true", ""])
  })
})
