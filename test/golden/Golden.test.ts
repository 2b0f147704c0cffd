import { join } from "node:path"
import Ajv2020 from "ajv/dist/2020.js"
import { describe, expect, it } from "vitest"
import { reportJson } from "../../cli/audit/ReportFormats.ts"
import { type AuditReport, type CriterionResult, encodeReport, reportJsonSchema } from "../../engine/audit/Report.ts"
import { auditFakeSite, type GoldenSite } from "./AuditFakeSite.ts"
import { goldenSites } from "./GoldenSites.ts"
import { once } from "./Once.ts"

/** Where the total of each site must lie, whatever the details come to. */
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  excellent: [100, 100],
  typical: [35, 60],
  german: [40, 50],
  japanese: [40, 50],
  russian: [40, 50],
  poor: [10, 25],
  "client-rendered": [0, 15],
  hostile: [0, 20]
}

const earned = (report: AuditReport): ReadonlyArray<string> =>
  report.criteria.flatMap(({ id, score }) => (score > 0 ? [id] : []))

/** The report without what says nothing of the site: which bytes of the rubric judged, and the cited exchanges. */
const kept = (report: AuditReport): string => {
  const withoutExchange = <Item extends { readonly exchange?: number }>(item: Item): Omit<Item, "exchange"> => {
    const { exchange: _, ...others } = item
    return others
  }
  const withoutExchanges = (criterion: CriterionResult): CriterionResult => ({
    ...criterion,
    evidence: criterion.evidence.map(withoutExchange),
    findings: (criterion.findings ?? []).map(withoutExchange)
  })
  const { exchanges: _, exchanges_left_out: __, ...others } = report
  return encodeReport({
    ...others,
    rubric: { ...report.rubric, version: "any", digest: "any" },
    // Criteria on trial come and go; OnTrial.test.ts has theirs.
    experimental: [],
    criteria: report.criteria.map(withoutExchanges)
  })
}

const reportOn = once((golden: GoldenSite) => auditFakeSite(golden))

const validate = new Ajv2020.default({ strict: false, validateFormats: false }).compile(reportJsonSchema())

// `npm run golden` writes the reports again; read the difference before committing it.
describe.each(goldenSites)("the $name site", (golden) => {
  it("has the report that is kept beside it", async () => {
    await expect(kept(await reportOn(golden))).toMatchFileSnapshot(
      join(import.meta.dirname, golden.name, "report.json")
    )
  })

  it("has a JSON file that is valid by the schema of the package", async () => {
    validate(JSON.parse(reportJson(await reportOn(golden))))
    expect(validate.errors).toBeNull()
  })

  it("scores where such a site should", async () => {
    const { total_score } = await reportOn(golden)
    const [least, most] = RANGES[golden.name] ?? [101, 101]
    expect(total_score).toBeGreaterThanOrEqual(least)
    expect(total_score).toBeLessThanOrEqual(most)
  })

  it("has the same report whatever order its answers come in", async () => {
    const others = await Promise.all([1, 2].map((seed) => auditFakeSite(golden, seed)))
    for (const other of others) expect(other).toEqual(await reportOn(golden))
  })
})

describe("the hostile site", () => {
  const hostile = goldenSites.filter(({ name }) => name === "hostile")

  it.each(hostile)(
    "earns nothing by shells, soft errors, examples of others, installers and stray words",
    async (golden) => {
      const report = await reportOn(golden)
      const traps = new Set(["A1", "A2", "A3", "B2", "C2", "C3", "C4", "C5", "D1", "D3", "D4", "D5", "F1"])
      expect(earned(report).filter((id) => traps.has(id))).toEqual([])
    }
  )

  it.each(hostile)("has at most one Markdown version in the file that all its pages declare", async (golden) => {
    const report = await reportOn(golden)
    const versions = report.criteria.find(({ id }) => id === "B1")
    expect(versions?.measured.facts?.["with_twin"]).toBeLessThanOrEqual(
      1 / Number(versions?.measured.facts?.["pages"]) + 0.0001
    )
  })

  it.each(hostile)("gets no control or direction character into a sentence of the report", async (golden) => {
    const report = await reportOn(golden)
    const sentences = report.criteria.flatMap(({ evidence, summary }) => [summary, ...evidence.map(({ note }) => note)])
    expect(
      sentences.filter((sentence) => /[\p{Cc}\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/u.test(sentence))
    ).toEqual([])
  })
})
