import type { ContractIndex } from "../../drift/match/ContractIndex.ts"
import { compareTables, tableSentenceOf } from "../../drift/match/Tables.ts"
import type { DriftText } from "../texts/DriftTexts.ts"
import { type Compared, placeOf } from "./Compared.ts"

/** Compares the parameter and response tables of pages; Markdown versions and full texts would only repeat them. */
export const tableDrift = (texts: ReadonlyArray<DriftText>, index: ContractIndex): Compared => {
  const compared = texts.flatMap(({ exchange, page }) =>
    page === null ? [] : [{ exchange, page, ...compareTables(page, index) }]
  )
  const rows = compared.reduce((sum, one) => sum + one.compared, 0)
  const wrong = compared.reduce((sum, { findings }) => sum + findings.length, 0)
  return {
    counts: { compared: rows, agreeing: rows - wrong, false: wrong, notCompared: 0 },
    findings: compared.flatMap(({ exchange, findings, page: { url } }) =>
      findings.map((finding) => ({
        proof: exchange,
        finding: {
          kind: "table",
          reason: finding.reason,
          message: `${placeOf(url, null)} ${tableSentenceOf(finding)}.`,
          page: { url, line: null },
          description: { url: index.url, pointer: finding.pointer },
          found: finding.found,
          expected: finding.expected,
          likely: finding.operation
        }
      }))
    )
  }
}
